"""An R Markdown file of another course, under the notebook's name.

refused: This file is a Markdown document: submit the notebook itself (.ipynb), not an export of it.
"""


def build(notebook):
    return b"---\ntitle: Homework 3\noutput: html_document\n---\n\n```{r}\nsummary(cars)\n```\n"
