"""axe on every page, in each mode; and nothing that scrolls sideways on a phone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse
from playwright.sync_api import Route

from graders.bundle import Question
from graders.report import CellFailure, Cells
from server.domain.accounts.models import User
from server.domain.core import clock
from tests import factories, regrading
from tests.e2e.conftest import Open
from tests.factories import LAB, Cast
from tests.web.visits import graded, hand_in, rendered

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

MODES: Final[Mapping[str, Mapping[str, Any]]] = {
    "light": {"color_scheme": "light", "viewport": {"width": 1440, "height": 900}},
    "dark": {"color_scheme": "dark", "viewport": {"width": 1440, "height": 900}},
    "phone": {"color_scheme": "light", "viewport": {"width": 320, "height": 640}},
}
RULES: Final = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}


def with_attempts(cast: Cast) -> str:
    graded(cast, 2.0)
    factories.submit(cast.sam, cast.klass, now=clock.now())
    factories.fail_one(now=clock.now())
    hand_in(cast)
    return str(cast.klass.uuid)


def failed(cast: Cast) -> str:
    submission = hand_in(cast)
    factories.fail_one(now=clock.now())
    return str(submission.uuid)


def full_report(cast: Cast) -> str:
    """One with everything that a report may hold."""
    failure = CellFailure(3, "q2", "error", "ValueError", "a_very_long_name_without_any_space_" * 8)
    report = replace(
        factories.report(1.0),
        status="partial",
        cells=Cells(4, 3, (failure,)),
        notes=("Question q1 has two check cells; the last one counts.",),
        device={"name": "CPU, 2 cores"},
        versions={"python": "3.11"},
        limits={"cell": "20 s"},
    )
    return str(rendered(cast, "<p>42</p>", report).uuid)


def executed(cast: Cast) -> str:
    code = '<div class="highlight"><pre><span class="k">def</span> f(): <span class="c1"># nothing</span></pre></div>'
    cell = f'<div class="prompt">In [1]:</div><div class="input_area">{code}</div>'
    return str(rendered(cast, f'<h1>Doubling</h1><div class="cell">{cell}<pre>42</pre></div>').uuid)


def open_regrade(cast: Cast) -> str:
    """One with a gain, a loss, a fault, a notebook that came late, and questions that an older starter lacks."""
    for _ in range(3):
        regrading.graded(cast.sam, cast, 2.0, now=clock.now())
    third = Question("q3", "Give a reason", 1.0, regrading.Q3_TESTS)
    regrade = regrading.ask(cast, regrading.another_version(*regrading.questions(more=[third])), now=clock.now())
    for points in (3.0, 1.0):
        report = regrading.with_question(factories.report(points), regrading.third_question())
        factories.grade_one(report, now=clock.now())
    factories.fail_one(now=clock.now())
    regrading.graded(cast.cleo, cast, 2.0, now=clock.now())
    return str(regrade.uuid)


def regrade_at_work(cast: Cast) -> str:
    regrading.graded(cast.sam, cast, 2.0, now=clock.now())
    return str(regrading.ask(cast, now=clock.now()).uuid)


def class_with_regrade(cast: Cast) -> str:
    open_regrade(cast)
    return str(cast.klass.uuid)


Seed = Callable[[Cast], str]
Who = Callable[[Cast], User | None]

PAGES: Final[Mapping[str, tuple[Who, Seed, Callable[[str], str]]]] = {
    "sign-in": (lambda _: None, lambda _: "", lambda _: "/sign-in"),
    "home": (lambda cast: cast.sam, lambda _: "", lambda _: "/"),
    "class": (lambda cast: cast.sam, with_attempts, lambda uuid: reverse("web:class", args=[uuid])),
    "class as staff": (lambda cast: cast.ines, with_attempts, lambda uuid: reverse("web:class", args=[uuid])),
    "lab": (lambda cast: cast.sam, with_attempts, lambda uuid: reverse("web:lab", args=[uuid, LAB])),
    "submissions": (lambda cast: cast.ines, with_attempts, lambda uuid: reverse("web:submissions", args=[uuid])),
    "run": (lambda cast: cast.sam, lambda cast: str(hand_in(cast).uuid), lambda uuid: reverse("web:run", args=[uuid])),
    "failed run": (lambda cast: cast.ines, failed, lambda uuid: reverse("web:run", args=[uuid])),
    "report": (lambda cast: cast.sam, full_report, lambda uuid: reverse("web:report", args=[uuid])),
    "report in full": (lambda cast: cast.ines, full_report, lambda uuid: reverse("web:report", args=[uuid])),
    "executed notebook": (lambda cast: cast.sam, executed, lambda uuid: reverse("web:report-notebook", args=[uuid])),
    "regrades": (lambda cast: cast.ines, class_with_regrade, lambda uuid: reverse("web:regrades", args=[uuid])),
    "regrade ask": (
        lambda cast: cast.ines,
        class_with_regrade,
        lambda uuid: reverse("web:regrade-ask", args=[uuid, LAB]),
    ),
    "regrade": (lambda cast: cast.ines, open_regrade, lambda uuid: reverse("web:regrade", args=[uuid])),
    "regrade at work": (lambda cast: cast.ines, regrade_at_work, lambda uuid: reverse("web:regrade", args=[uuid])),
    "not found": (lambda cast: cast.sam, lambda _: "", lambda _: "/nothing-here"),
}


def out_of_its_sandbox(route: Route) -> None:
    """axe is a script, and the executed notebook's page runs none."""
    answer = route.fetch()
    route.fulfill(response=answer, headers={**answer.headers, "content-security-policy": ""})


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_accessible(open_as: Open, cast: Cast, name: str, mode: str) -> None:
    who, seed, url = PAGES[name]
    page = open_as(who(cast), **MODES[mode], reduced_motion="reduce")
    page.route("**/notebook", out_of_its_sandbox)
    page.goto(url(seed(cast)))
    page.locator("details").evaluate_all("all => all.forEach(details => details.open = true)")
    found = Axe().run(page, options=RULES).response["violations"]
    assert [(each["id"], [node["html"] for node in each["nodes"]]) for each in found] == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "The page scrolls sideways."
