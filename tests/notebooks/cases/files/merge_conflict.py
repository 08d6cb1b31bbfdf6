"""Two partners changed the same cell, and the merge was committed with its markers.

seen: jupyter/notebook#4889, aimacode/aima-python#688
refused: This notebook holds the conflict markers of an unfinished Git merge: resolve the conflict, open it in Jupyter to
  see that it works and submit it again.
"""

import json


def build(notebook):
    ours = '<<<<<<< HEAD\n "nbformat_minor": 5\n=======\n "nbformat_minor": 4\n>>>>>>> partner'
    return json.dumps(notebook, indent=1).replace(' "nbformat_minor": 5', ours).encode()
