from __future__ import annotations

import pytest
from django.db import transaction

from server.domain.core import audit
from server.domain.core.errors import Conflict
from server.domain.core.models import AuditEvent
from tests.factories import NOW, Cast


def test_an_event_names_its_target_by_uuid(cast: Cast) -> None:
    audit.record("tests.happened", cast.klass, actor=cast.ines, at=NOW, data={"why": "to see"})
    event = AuditEvent.objects.get(verb="tests.happened")
    assert (event.target_type, event.target_id, event.actor) == ("catalog.class", cast.klass.uuid, cast.ines)


def test_each_of_several_targets_has_an_event_with_its_own_data(cast: Cast) -> None:
    targets = [(cast.klass, {"n": 1}), (cast.other_class, {"n": 2})]
    audit.record_each("tests.happened", targets, actor=cast.ines, at=NOW)
    found = AuditEvent.objects.filter(verb="tests.happened").values_list("target_id", "data", "actor")
    assert list(found) == [(klass.uuid, data, cast.ines.pk) for klass, data in targets]


def test_an_event_is_undone_with_what_it_tells_of(cast: Cast) -> None:
    with transaction.atomic():
        audit.record("tests.happened", cast.klass, actor=None, at=NOW)
        transaction.set_rollback(True)
    assert not AuditEvent.objects.filter(verb="tests.happened").exists()


@pytest.mark.django_db(transaction=True)
def test_it_refuses_to_write_outside_a_transaction(cast: Cast) -> None:
    with pytest.raises(RuntimeError, match="transaction"):
        audit.record("tests.happened", cast.klass, actor=None, at=NOW)


def test_an_event_is_never_changed_or_deleted(cast: Cast) -> None:
    event = AuditEvent.objects.earliest("pk")
    with pytest.raises(Conflict):
        event.save()
    with pytest.raises(Conflict):
        event.delete()


def test_who_is_in_the_trail_is_not_deleted(cast: Cast) -> None:
    with pytest.raises(Exception, match="protected"):
        cast.ines.delete()
