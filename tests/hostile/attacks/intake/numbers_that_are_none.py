"""NaN, infinities and far too large floats where format and counters are expected.

naive: no score, OverflowError or a notebook that no other program can read, since JSON has no NaN.
"""

import json

from tests.hostile.handed_in import code, notebook


def build():
    text = json.dumps(
        notebook(
            code("1 + 1", execution_count=float("nan"), metadata={"deep": [float("inf"), -float("inf")]}),
            metadata={"ridgepoint": {"points": 1e300}, "kernelspec": float("nan")},
        )
    )
    return text.replace('"nbformat": 4', '"nbformat": 4.0').replace('"nbformat_minor": 5', '"nbformat_minor": 1e999').encode()
