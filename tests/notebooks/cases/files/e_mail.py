"""The message that had the notebook attached, saved by the mail program.

file: lab.eml
refused: This file is an e-mail or a page saved with its pictures: save the notebook that is in it and submit that .ipynb
  file.
"""


def build(notebook):
    return (
        b"From: partner@example.org\r\nTo: me@example.org\r\nSubject: lab\r\nMIME-Version: 1.0\r\n"
        b'Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\nContent-Type: application/x-ipynb+json\r\n\r\n'
    )
