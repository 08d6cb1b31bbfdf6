"""A campus proxy's sign-in page was saved in place of the download, under the notebook's name.

seen: jupyter/help#67
refused: This file is a web page, perhaps a sign-in page or an export: download the notebook again with File > Download and submit that .ipynb file.
"""


def build(notebook):
    return b'<!DOCTYPE HTML>\n<html>\n<head><title>Sign in</title></head><body><form method="post"></form></body></html>\n'
