"""Rewritten as a Quarto document.

file: lab.qmd
refused: This file is a Markdown document: submit the notebook itself (.ipynb), not an export of it.
"""


def build(notebook):
    return b'---\ntitle: "Lab"\njupyter: python3\n---\n\n```{python}\nimport math\nprint(math.pi)\n```\n'
