"""Pictures of every training step, 30 MB of them.

limits: notebook_bytes=2000000
refused: This file has 2.9 MiB and this lab takes at most 2 MiB: clear all outputs, remove large images and submit it
  again.
"""


def build(notebook):
    picture = {"output_type": "display_data", "data": {"image/png": "A" * 3_000_000}, "metadata": {}}
    notebook["cells"][2]["outputs"] = [picture]
    return notebook
