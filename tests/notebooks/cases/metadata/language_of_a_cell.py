"""In VS Code a cell's language was set to another one, which Jupyter doesn't know about: it runs as Python there.

seen: microsoft/vscode-jupyter#4757, dotnet/interactive#1193
"""


def build(notebook):
    for cell in notebook["cells"]:
        cell["metadata"]["vscode"] = {"languageId": "plaintext"}
    return notebook
