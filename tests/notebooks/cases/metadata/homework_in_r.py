"""The homework of a statistics course.

refused: This notebook is written for R: this lab takes Python notebooks made from its starter.
"""


def build(notebook):
    notebook["metadata"] = {"kernelspec": {"name": "ir", "display_name": "R", "language": "R"}}
    notebook["cells"] = [{"cell_type": "code", "source": "summary(cars)", "metadata": {}, "outputs": []}]
    return notebook
