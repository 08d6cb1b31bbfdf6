"""The setup cell was split in the middle by Ctrl+Shift+Minus: both halves are syntax errors.

sees: Cell 1 raised SyntaxError
sees: Cell 2 raised
sees: NameError: name 'grader' is not defined. The setup cell defines it: copy that cell back from the lab's starter.
"""


def build(notebook):
    setup = notebook["cells"][1]
    lines = setup["source"].splitlines(keepends=True)
    half = len(lines) // 2
    setup["source"] = "".join(lines[:half])
    notebook["cells"].insert(2, {**setup, "id": "other-half", "source": "".join(lines[half:])})
    return notebook
