"""A notebook of the student's own that happens to define the right names.

refused: This notebook does not say which lab it belongs to: download the starter of testing/measured-kernels again, copy
  your cells into it and submit that.
"""


def build(notebook):
    answers = [cell for cell in notebook["cells"] if cell["id"].endswith("answer")]
    return {**notebook, "cells": answers, "metadata": {}}
