"""Saved by right click from GitHub's page about the file: blank lines, then HTML.

seen: nickmccullum/algorithmic-trading-python#1, ageron/handson-ml#580
file: lab.ipynb
refused: This file is a web page, perhaps a sign-in page or an export: download the notebook again with File > Download and submit that .ipynb file.
"""


def build(notebook):
    return b'\n\n\n\n\n\n<!DOCTYPE html>\n<html lang="en" data-color-mode="auto">\n<head><meta charset="utf-8"></head></html>'
