from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graders.report import QuestionResult, TestResult
from server.domain.labs import regrade_rules
from server.domain.labs.regrade_rules import TAKEN, Bar, Effect
from server.domain.labs.report_changes import changes
from server.domain.labs.scores import Score
from tests import factories, regrading

SCORES = st.builds(lambda most, part: Score(most * part, most), st.floats(0.5, 100), st.floats(0, 1))


class TestEffect:
    @pytest.mark.parametrize(
        ("old", "new", "effect"),
        [
            (Score(1, 3), Score(2, 3), Effect.GAINS),
            (Score(2, 3), Score(1, 3), Effect.LOSES),
            (Score(2, 3), Score(2, 3), Effect.STAYS),
            (None, Score(0, 3), Effect.GAINS),
        ],
    )
    def test_it_follows_the_points(self, old: Score | None, new: Score, effect: Effect) -> None:
        assert regrade_rules.effect(old, new, keep_higher=False) == effect

    def test_parts_of_the_maximum_are_compared_when_the_maxima_differ(self) -> None:
        assert regrade_rules.effect(Score(2, 3), Score(3, 5), keep_higher=False) == Effect.LOSES

    def test_the_same_part_of_another_maximum_stays(self) -> None:
        assert regrade_rules.effect(Score(0.3, 3), Score(0.1, 1), keep_higher=True) == Effect.STAYS

    @given(SCORES, SCORES)
    def test_keep_higher_never_takes_a_lower_share(self, old: Score, new: Score) -> None:
        taken = regrade_rules.effect(old, new, keep_higher=True) in TAKEN
        assert taken == (new.share >= old.share - regrade_rules.TOLERANCE)

    @given(SCORES, SCORES)
    def test_without_it_the_new_score_counts_whatever_it_is(self, old: Score, new: Score) -> None:
        assert regrade_rules.effect(old, new, keep_higher=False) in TAKEN

    def test_no_share_of_nothing_is_a_gain(self) -> None:
        assert regrade_rules.effect(Score(1, 2), Score(0, 0), keep_higher=True) == Effect.KEEPS


class TestHistogram:
    @given(st.lists(st.floats(-1, 1)))
    def test_every_change_stands_in_one_bar(self, gains: list[float]) -> None:
        assert sum(bar.count for bar in regrade_rules.histogram(gains)) == len(gains)

    @given(st.floats(-1, 1))
    def test_a_change_stands_between_its_bars_ends(self, gain: float) -> None:
        [bar] = [bar for bar in regrade_rules.histogram([gain]) if bar.count]
        assert (-1 if bar.above is None else bar.above) - 1e-8 <= gain <= (1 if bar.upto is None else bar.upto) + 1e-8

    def test_what_stays_has_a_bar_of_its_own(self) -> None:
        [bar] = [bar for bar in regrade_rules.histogram([0.0, 1e-12]) if bar.count]
        assert bar.stays
        assert bar.count == 2

    def test_the_ends_are_open(self) -> None:
        bars = regrade_rules.histogram([-1.0, 1.0])
        assert (bars[0], bars[-1]) == (Bar(None, -0.5, 1), Bar(0.5, None, 1))


class TestWhyAReportChanged:
    def test_equal_reports_have_no_changes(self) -> None:
        assert changes(factories.report(2.0), factories.report(2.0)) == ()

    def test_it_names_the_test_whose_verdict_changed(self) -> None:
        [question] = changes(factories.report(2.0), factories.report(3.0))
        [test] = question.tests
        assert (question.name, question.points, test.name, test.passed) == (
            "q2",
            (0.0, 1.0),
            "test_answer",
            (False, True),
        )

    def test_a_question_with_the_same_points_shows_a_changed_verdict(self) -> None:
        tests = (TestResult("a", "public", True, 1.0, 1.0), TestResult("b", "public", False, 0.0, 1.0))
        turned = tuple(
            replace(test, passed=not test.passed, points=1.0 - test.points, name=test.name) for test in tests
        )
        report = factories.report(3.0)
        question = QuestionResult("q3", 1.0, 2.0, tests)
        before = regrading.with_question(report, question)
        after = regrading.with_question(report, replace(question, tests=turned))
        [changed] = changes(before, after)
        assert [test.passed for test in changed.tests] == [(True, False), (False, True)]

    def test_a_question_that_the_older_starter_lacks_is_marked(self) -> None:
        after = regrading.with_question(factories.report(3.0), regrading.third_question())
        [question] = changes(factories.report(3.0), after, lacking={"q3"})
        assert (question.lacking, question.points, question.tests[0].passed) == (True, (None, 0.0), (None, False))

    def test_a_question_that_is_asked_no_more_comes_last(self) -> None:
        before = regrading.with_question(factories.report(2.0), regrading.third_question(1.0))
        assert [(each.name, each.points) for each in changes(before, factories.report(3.0))] == [
            ("q2", (0.0, 1.0)),
            ("q3", (1.0, None)),
        ]

    def test_other_points_for_the_same_verdict_are_a_change(self) -> None:
        worth_two = replace(regrading.third_question(1.0), points=2.0, max_points=2.0, tests=())
        [question] = changes(
            regrading.with_question(factories.report(3.0), replace(regrading.third_question(1.0), tests=())),
            regrading.with_question(factories.report(3.0), worth_two),
        )
        assert question.most == (1.0, 2.0)

    def test_two_tests_of_one_name_are_compared_in_turn(self) -> None:
        same = TestResult("t", "public", True, 1.0, 1.0)
        failing = replace(same, passed=False, points=0.0)
        before = regrading.with_question(factories.report(3.0), QuestionResult("q3", 2.0, 2.0, (same, same)))
        after = regrading.with_question(factories.report(3.0), QuestionResult("q3", 1.0, 2.0, (same, failing)))
        [question] = changes(before, after)
        assert [test.passed for test in question.tests] == [(True, False)]

    def test_of_a_notebook_without_a_report_all_is_new(self) -> None:
        assert [each.points for each in changes(None, factories.report(3.0))] == [(None, 2.0), (None, 1.0)]
