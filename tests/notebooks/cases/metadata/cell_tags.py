"""Tags that make other programs skip a cell, hide it or take it out.

seen: astro-datalab/notebooks-latest#143
"""


def build(notebook):
    for cell in notebook["cells"]:
        cell["metadata"]["tags"] = ["skip-execution", "hide-input", "remove-cell", "raises-exception", "parameters"]
    return notebook
