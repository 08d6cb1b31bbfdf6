"""The notebook of last week's lab, handed in for this one.

seen: ucbds-infra/otter-grader#442
file: lab.ipynb
refused: This notebook belongs to the lab testing/other-kernels, not to testing/measured-kernels: submit it on its own
  lab's page, or choose the right notebook here.
"""


def build(notebook):
    notebook["metadata"]["ridgepoint"]["lab"] = "testing/other-kernels"
    setup = notebook["cells"][1]
    setup["source"] = setup["source"].replace("testing/measured-kernels", "testing/other-kernels")
    return notebook
