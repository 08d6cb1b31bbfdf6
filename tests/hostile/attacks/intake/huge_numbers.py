"""A format number of a million digits: to read it takes time in the square of its length.

naive: no score, ValueError in json, or minutes where the limit is lifted.
refused: a number of thousands of digits
"""


def build():
    return b'{"nbformat": ' + b"9" * 1_000_000 + b', "cells": []}'
