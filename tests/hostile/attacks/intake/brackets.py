"""Ten million opening brackets: a parser makes a hundred times their bytes of them, or falls from its stack.

naive: no score, nbformat raises RecursionError in the grader, with a traceback for the student.
refused: This notebook holds millions of values
"""


def build():
    return b'{"nbformat": 4, "cells": ' + b"[" * 10_000_000
