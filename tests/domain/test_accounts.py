from __future__ import annotations

import pytest

from server.domain.accounts import actions, queries
from server.domain.core.errors import Conflict, NotFound
from server.domain.core.models import AuditEvent
from tests.factories import NOW, PASSWORD, Cast


def test_a_user_is_found_by_username(cast: Cast) -> None:
    assert queries.by_username("sam") == cast.sam


def test_an_unknown_username_is_not_found(db: None) -> None:
    with pytest.raises(NotFound, match="nobody"):
        queries.by_username("nobody")


def test_a_username_is_given_once(cast: Cast) -> None:
    with pytest.raises(Conflict, match="taken"):
        actions.create_user(username="sam", name="Another Sam", now=NOW)


def test_without_a_password_nobody_signs_in(db: None) -> None:
    user = actions.create_user(username="ghost", name="Ghost", now=NOW)
    assert not user.has_usable_password()


def test_a_new_password_replaces_the_old_one(cast: Cast) -> None:
    actions.set_password(user=cast.sam, password="another long password", now=NOW)
    again = queries.by_username("sam")
    assert (again.check_password("another long password"), again.check_password(PASSWORD)) == (True, False)


def test_the_trail_never_holds_a_password(cast: Cast) -> None:
    actions.set_password(user=cast.sam, password="another long password", now=NOW)
    assert not [event for event in AuditEvent.objects.all() if "password" in str(event.data)]
