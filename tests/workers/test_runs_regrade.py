"""A regrade through real jails: the notebook of an older starter, graded with tests that it was not written for."""

from __future__ import annotations

from pathlib import Path

import pytest

from graders.bundle import Question
from server.domain.catalog import queries as catalog
from server.domain.core import clock
from server.domain.labs import queries, regrade_queries
from server.domain.labs.scores import Score
from tests import factories, regrading
from tests.factories import LAB, Cast
from tests.workers.test_runs_grade import make_runner

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def test_an_older_notebook_is_graded_with_the_new_tests_and_what_it_lacks_is_said(cast: Cast, tmp_path: Path) -> None:
    runner = make_runner(tmp_path)
    factories.submit(cast.sam, cast.klass, now=clock.now())
    runner.grade_next()
    third = Question("q3", "Give a reason", 1.0, regrading.Q3_TESTS)
    version = regrading.another_version(*regrading.questions(more=[third]), now=clock.now())
    regrade = regrading.ask(cast, version, keep_higher=False, now=clock.now())
    runner.grade_next()

    [row] = regrade_queries.preview(cast.ines, regrade.uuid).rows
    assert (row.old, row.new) == (Score(3.0, 3.0), Score(2.0, 4.0))
    changed = {each.name: (each.points, each.lacking, each.tests[0].passed) for each in row.changed}
    assert changed == {"q2": ((1.0, 0.0), False, (True, False)), "q3": ((None, 0.0), True, (None, False))}

    regrading.apply(cast, regrade, now=clock.now())
    [mine] = queries.my_submissions(cast.sam, cast.klass, LAB)
    assert (mine.score, mine.max_score) == (2.0, 4.0)
    report = queries.report_for(cast.sam, mine.uuid)
    assert report is not None
    assert report.report.bundle == catalog.bundle_of(version, LAB).digest
