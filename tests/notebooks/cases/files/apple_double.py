"""The hidden companion that a Mac leaves on a USB stick beside each file was chosen instead of the file.

file: ._lab.ipynb
refused: This file is the hidden companion that a Mac writes beside a file: submit the one whose name does not start
  with "._".
"""


def build(notebook):
    return b"\x00\x05\x16\x07\x00\x02\x00\x00Mac OS X        " + bytes(4_000)
