"""The check was moved above the answer: a note names both places.

score: q4=0
sees: Code cell 10 belongs to question q4 but stands below grader.check("q4"): the question was graded after code cell 9,
  without it.
sees q4: You have not defined `ridge`.
"""


def build(notebook):
    notebook["cells"][-2:] = [notebook["cells"][-1], notebook["cells"][-2]]
    return notebook
