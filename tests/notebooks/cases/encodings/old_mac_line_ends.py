"""An editor set to the line ends of old Macs: the cells hold carriage returns alone."""

import json


def build(notebook):
    return json.dumps(notebook).replace("\\n", "\\r").encode()
