"""The browser's address was dragged to the desktop of a Windows machine.

file: lab.ipynb.url
refused: This file is only a link to a document: open it, download the notebook with File > Download and submit that .ipynb file.
"""


def build(notebook):
    return b"[InternetShortcut]\r\nURL=https://colab.research.google.com/drive/1aB\r\n"
