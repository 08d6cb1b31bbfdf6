"""Select all, copy, paste: the notebook is in there twice, setup cell and all.

sees: grader.check("q1") stands in code cells 4 and 14
sees: grader.check("q2") stands in code cells 6 and 16
sees: grader.check("q3") stands in code cells 8 and 18
sees: grader.check("q4") stands in code cells 10 and 20
"""


def build(notebook):
    notebook["cells"] *= 2
    return notebook
