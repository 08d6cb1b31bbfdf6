"""File > Save and Export As > HTML, then handed in as it was.

file: lab.html
refused: This file is a web page, perhaps a sign-in page or an export: download the notebook again with File > Download and submit that .ipynb file.
"""


def build(notebook):
    return b'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8" /><title>lab</title></head><body></body></html>'
