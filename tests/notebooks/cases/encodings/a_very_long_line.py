"""A table of measurements pasted into one line of 400,000 characters."""


def build(notebook):
    table = ", ".join(str(n) for n in range(70_000))
    notebook["cells"][2]["source"] += f"\nmeasured = [{table}]"
    return notebook
