"""A format that does not exist yet, with a field that nobody knows.
"""


def build(notebook):
    return {**notebook, "nbformat": 5, "nbformat_minor": 0, "collaborators": []}
