"""VS Code wrote Python's language beside a Julia kernel.

seen: microsoft/vscode-jupyter#5246
"""


def build(notebook):
    notebook["metadata"] = {
        "kernelspec": {"name": "julia-1.5", "display_name": "Julia 1.5.3", "language": "julia"},
        "language_info": {"name": "python", "version": 3},
        "orig_nbformat": 2,
    }
    return notebook
