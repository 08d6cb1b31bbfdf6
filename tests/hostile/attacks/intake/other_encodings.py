"""A notebook in UTF-32 with a byte-order mark, and half of a comment in it that only another encoding could read.

naive: no score, UnicodeDecodeError in the grader.
reached: read as one text
"""

import json

from tests.hostile.handed_in import code, notebook


def build():
    harm = code("# \xff\xfe\xef\xbb\xbf caf\xe9 \u65e5\u672c\nprint('read as', 'one text')")
    return json.dumps(notebook(harm), ensure_ascii=False).encode("utf-32")
