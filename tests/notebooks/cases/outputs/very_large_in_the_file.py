"""Outputs of 12 MB, which the lab's limit takes; none of them is needed.

seen: jupyter/notebook#3559
"""


def build(notebook):
    text = {"output_type": "stream", "name": "stdout", "text": ["epoch 1 loss 0.5\n"] * 300_000}
    picture = {"output_type": "display_data", "data": {"image/png": "A" * 4_000_000}, "metadata": {}}
    notebook["cells"][2]["outputs"] = [text, picture]
    return notebook
