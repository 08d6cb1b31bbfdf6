"""A gzip archive under a notebook's name, in which a notebook is.

naive: no score, and a traceback; or a bomb unpacked in memory, where the web server does that itself.
refused: This file is a gzip archive
"""

import gzip


def build():
    return gzip.compress(bytes(200_000_000), compresslevel=1)
