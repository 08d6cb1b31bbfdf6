from __future__ import annotations

from graders.authoring import testfile

SOURCE = """from otter.test_files import test_case

OK_FORMAT = False

name = 'q1'
points = None


@test_case(name='form', points=1, hidden=False,
    failure_message='Return a number.')
def test_form(f):
    assert isinstance(f(2), float), "not a number"


@test_case(name='idea', points=2, hidden=True,
    failure_message='Is it the square?')
def test_idea(f):
    # f(3) must not be 6
    assert isinstance(f(2), float), "not a number"
    assert f(3) == 9


@test_case(name='sign', points=0.5, hidden=False)
def test_sign(f):
    assert f(-1) > 0
"""


def test_it_reads_the_cases() -> None:
    found = [(case.name, case.function, case.hidden, case.points) for case in testfile.cases(SOURCE)]
    assert found == [
        ("form", "test_form", False, 1.0),
        ("idea", "test_idea", True, 2.0),
        ("sign", "test_sign", False, 0.5),
    ]


def test_the_public_part_has_exactly_the_public_cases() -> None:
    public = [case.tree for case in testfile.cases(SOURCE) if not case.hidden]
    assert [case.tree for case in testfile.cases(testfile.public_part(SOURCE))] == public


def test_the_public_part_has_nothing_of_a_hidden_case() -> None:
    part = testfile.public_part(SOURCE)
    assert [word for word in ("idea", "square", "must not be 6", "f(3)", "otter") if word in part] == []


def test_an_assertion_of_a_hidden_case_is_a_leak() -> None:
    assert testfile.leaks("Mind that assert f(3) == 9 holds.", SOURCE) == ["idea"]


def test_what_a_public_case_says_too_is_no_leak() -> None:
    assert testfile.leaks(testfile.public_part(SOURCE), SOURCE) == []
