"""File > Print, as another course wants it.

file: lab.pdf
refused: This file is a PDF document: submit the notebook itself (.ipynb).
"""


def build(notebook):
    return b"%PDF-1.4\n%\xd3\xeb\xe9\xe1\n1 0 obj\n<</Title (lab)>>\nendobj\n"
