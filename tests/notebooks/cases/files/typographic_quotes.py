"""The notebook's text was mailed through a phone's notes, which made its quotation marks beautiful.

seen: jupyter/notebook#3510
refused: This notebook's straight quotation marks were changed into typographic ones, as notes and word processors do:
  download the notebook again with File > Download and submit that .ipynb file.
"""

import json


def build(notebook):
    return json.dumps(notebook).replace('"cells"', "\u201ccells\u201d").encode()
