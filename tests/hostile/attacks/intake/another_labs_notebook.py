"""A notebook of another lab, whose metadata says that it belongs to this one.

naive: full marks, for last week's answers where only the file's name tells labs apart.
refused: This notebook belongs to the lab other/easier, not to testing/small
"""

import json

from tests.hostile.handed_in import notebook


def build():
    made = notebook(metadata={"ridgepoint": {"lab": "testing/small"}})
    made["cells"][0]["source"] = "# ridgepoint-lab: other/easier\n" + made["cells"][0]["source"].split("\n", 1)[1]
    return json.dumps(made).encode()
