"""Tags by which executors skip or hide cells: the cell that must run is skipped, and its error is expected.

naive: 2/2, nbclient skips cells with skip-execution, and a grader that looks for errors ignores raises-exception.
reached: skipped cells ran
failed: ZeroDivisionError
"""

import json

from tests.hostile.handed_in import code, notebook


def build():
    def tagged(source, *tags):
        return code(source, metadata={"tags": list(tags), "jupyter": {"source_hidden": True, "outputs_hidden": True},
                                      "editable": False, "deletable": False, "collapsed": True, "trusted": True})  # fmt: skip

    return json.dumps(
        notebook(
            tagged("print('skipped', 'cells ran')", "skip-execution", "remove-cell", "remove_output", "hide-input"),
            tagged("1 / 0", "raises-exception", "nbgrader-skip", "otter_ignore"),
            answer="%%script false --no-raise-error\ndef f2(x):\n    return x * x",
        )
    ).encode()
