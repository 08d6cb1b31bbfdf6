"""Run in a conda environment of the student's own.

seen: ucbds-infra/otter-grader#706
"""


def build(notebook):
    notebook["metadata"]["kernelspec"] = {"name": "conda-env-ml-py", "display_name": "Python [conda env:ml]", "language": "python"}
    return notebook
