"""Metadata nested 100,000 levels deep.

naive: no score, RecursionError while the notebook is read.
refused: nested too deeply
"""


def build():
    return b'{"nbformat": 4, "cells": [], "metadata": ' + b'{"a":' * 100_000 + b"1" + b"}" * 100_001
