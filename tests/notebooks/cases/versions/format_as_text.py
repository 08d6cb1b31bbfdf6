"""The version as a text, and as a fraction.

"""


def build(notebook):
    return {**notebook, "nbformat": "4", "nbformat_minor": 5.0}
