"""Compressed to get below a size limit.

file: lab.ipynb.gz
refused: This file is a gzip archive: extract it and submit the .ipynb file inside.
"""

import gzip
import json


def build(notebook):
    return gzip.compress(json.dumps(notebook).encode())
