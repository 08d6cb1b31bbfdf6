from __future__ import annotations
from tests.factories import Cast, submit


def test_it_queues_one_run(cast: Cast) -> None:
    submission = submit(cast.sam, cast.klass)
    assert submission.runs.count() == 1
