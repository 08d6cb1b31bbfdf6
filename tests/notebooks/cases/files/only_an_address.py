"""The address of the notebook, pasted into a file of that name.

file: lab.txt
refused: This file is only a link to a document: open it, download the notebook with File > Download and submit that .ipynb file.
"""


def build(notebook):
    return b"https://colab.research.google.com/drive/1aBcD?usp=sharing\n"
