"""Setup cells of two labs, so that each grader takes the notebook for its own.

naive: marks twice, in both labs for one notebook.
refused: holds the setup cells of the labs testing/small and other/easier
"""

import json

from tests.hostile.handed_in import code, notebook


def build():
    return json.dumps(notebook(code("# ridgepoint-lab: other/easier"))).encode()
