from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from server.domain.catalog import queries as catalog
from server.domain.labs import queries as labs

if TYPE_CHECKING:
    from server.domain.accounts.models import User
    from server.domain.catalog.models import Class

STATES: Final = (
    ("queued", "In the queue"),
    ("running", "Being graded"),
    ("done", "Graded"),
    ("failed", "Not graded"),
)


@dataclass(frozen=True)
class SubmissionsPage:
    """`failed` counts what could not be graded, where the list doesn't show just that.

    `newer` and `older` are the query strings of the neighboring pages, where there are any.
    """

    klass: Class
    lab_choices: tuple[tuple[str, str], ...]
    lab: str
    states: tuple[tuple[str, str], ...]
    state: str
    found: labs.Page
    may_restart: bool
    failed: int
    newer: str | None
    older: str | None

    @classmethod
    def of(cls, user: User, klass: Class, *, lab: str, state: str, page: int) -> SubmissionsPage:
        """A filter that names nothing known is no filter."""
        choices = tuple((each.slug, each.title) for each in catalog.outline_of(klass).labs)
        lab = lab if lab in dict(choices) else ""
        state = state if state in dict(STATES) else ""
        found = labs.class_submissions(user, klass, lab_slug=lab or None, state=state or None, page=page)

        def neighbor(number: int) -> str | None:
            if not 1 <= number <= found.pages:
                return None
            return "?" + urlencode({"lab": lab, "state": state, "page": number})

        return cls(
            klass=klass,
            lab_choices=choices,
            lab=lab,
            states=STATES,
            state=state,
            found=found,
            may_restart=catalog.may_restart_runs(user, klass),
            failed=0 if state == "failed" else labs.failed_in(user, klass),
            newer=neighbor(found.number - 1),
            older=neighbor(found.number + 1),
        )
