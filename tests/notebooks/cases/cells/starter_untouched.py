"""The starter, as it was downloaded.

score: q1=0 q2=0 q3=0 q4=0
sees q1: You have not defined `square`.
sees q4: You have not defined `ridge`.
"""


def build(notebook):
    for cell in notebook["cells"]:
        if cell["id"].endswith("-answer"):
            cell["source"] = "..."
    return notebook
