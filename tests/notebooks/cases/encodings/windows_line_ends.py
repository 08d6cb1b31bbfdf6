"""Every line ends as on Windows, in the file and in the cells.

seen: jupyter/notebook#3510
"""

import json


def build(notebook):
    return json.dumps(notebook, indent=1).replace("\n", "\r\n").replace("\\n", "\\r\\n").encode()
