"""The questions were worked on from last to first, and moved accordingly.

sees: Question q2 stands above question q1: each was graded where it stands.
sees: Question q3 stands above question q2: each was graded where it stands.
sees: Question q4 stands above question q3: each was graded where it stands.
"""


def build(notebook):
    head, rest = notebook["cells"][:3], notebook["cells"][3:]
    notebook["cells"] = head + rest[9:] + rest[6:9] + rest[3:6] + rest[:3]
    return notebook
