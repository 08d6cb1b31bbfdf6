"""Jupyter's automatic copy, found by the search of the file manager; it may be older than the notebook.

seen: jupyter/help#171
file: lab-checkpoint.ipynb
sees: lab-checkpoint.ipynb is a copy that Jupyter keeps by itself, and it may lack your last changes: if it does, hand in
  the notebook beside the folder .ipynb_checkpoints.
"""
