"""The browser's address was dragged to the desktop of a Mac.

file: lab.webloc
refused: This file is only a link to a document: open it, download the notebook with File > Download and submit that .ipynb file.
"""


def build(notebook):
    return (
        b'<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" '
        b'"http://www.apple.com/DTDs/PropertyList-1.0.dtd">\n<plist version="1.0"><dict><key>URL</key>'
        b"<string>https://colab.research.google.com/drive/1aB</string></dict></plist>\n"
    )
