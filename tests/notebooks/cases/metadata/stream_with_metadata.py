"""Old outputs are invalid: streams with metadata, errors without a traceback, a number where a text was due.

seen: jupyter/notebook#1964, m-rossi/jupyter-docx-bundler#43
"""


def build(notebook):
    notebook["cells"][2]["outputs"] = [
        {"output_type": "stream", "metadata": {}, "text": 3},
        {"output_type": "error"},
        {"output_type": "pyout", "html": ["<b>"]},
        "nothing",
    ]
    return notebook
