"""Safari's web archive of the notebook's page.

file: lab.webarchive
refused: This file is a web archive or property list: download the notebook again with File > Download and submit that
  .ipynb file.
"""


def build(notebook):
    return b"bplist00\xd1\x01\x02_\x10\x0fWebMainResource"
