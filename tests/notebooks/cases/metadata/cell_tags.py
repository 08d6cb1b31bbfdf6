"""Tags that make other programs skip a cell, hide it or take it out.

seen: jupyter/nbclient#151, executablebooks/MyST-NB#418
"""


def build(notebook):
    for cell in notebook["cells"]:
        cell["metadata"]["tags"] = ["skip-execution", "hide-input", "remove-cell", "raises-exception", "parameters"]
    return notebook
