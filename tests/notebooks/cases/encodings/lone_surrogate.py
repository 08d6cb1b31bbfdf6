"""Half of an emoji, cut off by an editor that counts in 16 bits.

sees: Characters that are not valid Unicode were replaced (cells counted from the top: 3).
"""

import json


def build(notebook):
    notebook["cells"][2]["source"] += "\n# \ud83d"
    return json.dumps(notebook).encode()
