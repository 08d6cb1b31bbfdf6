"""The setup cell was deleted, and a tool dropped the metadata: the texts of the lab are all there.

sees: The notebook lost its lab's name; its texts are those of testing/measured-kernels, so it was graded as that.
sees: The setup cell defines it: copy that cell back from the lab's starter.
"""


def build(notebook):
    del notebook["cells"][1]
    return {**notebook, "metadata": {}}
