from __future__ import annotations

from datetime import date
from uuid import uuid4

import pytest
from pytest_django import DjangoAssertNumQueries

from server.domain.accounts.models import User
from server.domain.catalog import actions, queries
from server.domain.catalog.models import Course, CourseVersion, Membership, Role
from server.domain.catalog.rules import ManifestError
from server.domain.core.errors import Denied, NotFound
from server.domain.core.models import AuditEvent
from tests import factories
from tests.factories import LAB, NOW, Cast


class TestPublishing:
    def test_the_same_content_is_the_same_version(self, cast: Cast) -> None:
        events = AuditEvent.objects.count()
        assert factories.publish() == cast.version
        assert (CourseVersion.objects.count(), AuditEvent.objects.count()) == (1, events)

    def test_changed_content_is_the_next_version(self, cast: Cast) -> None:
        version = factories.publish(summary="Changed.")
        assert (version.number, version.course) == (2, cast.version.course)

    def test_going_back_finds_the_old_version(self, cast: Cast) -> None:
        factories.publish(summary="Changed.")
        assert factories.publish() == cast.version

    def test_an_earlier_version_stays_as_it_was(self, cast: Cast) -> None:
        factories.publish(summary="Changed.")
        assert CourseVersion.objects.get(number=1).manifest == cast.version.manifest

    def test_the_bundle_comes_back_whole(self, cast: Cast) -> None:
        assert queries.bundle_of(cast.version, LAB) == factories.bundle()

    def test_it_records_who_published(self, cast: Cast) -> None:
        labs = {LAB: factories.bundle()}
        manifest = factories.manifest(summary="Signed.")
        version = actions.publish_course(actor=cast.ines, manifest=manifest, labs=labs, now=NOW)
        event = AuditEvent.objects.get(target_id=version.uuid)
        assert (event.actor, event.verb) == (cast.ines, "catalog.course-published")

    def test_a_lab_that_was_not_compiled_is_refused(self, db: None) -> None:
        with pytest.raises(ManifestError, match="exactly the labs"):
            actions.publish_course(actor=None, manifest=factories.manifest(), labs={}, now=NOW)
        assert not Course.objects.exists()

    def test_another_labs_bundle_is_refused(self, db: None) -> None:
        labs = {LAB: factories.bundle("other/doubling")}
        with pytest.raises(ManifestError, match="other/doubling"):
            actions.publish_course(actor=None, manifest=factories.manifest(), labs=labs, now=NOW)


class TestClasses:
    def test_a_student_can_not_create_one(self, cast: Cast) -> None:
        with pytest.raises(Denied):
            actions.create_class(
                actor=cast.sam, version=cast.version, title="Mine", starts_on=date(2026, 9, 1), ends_on=None, now=NOW
            )

    def test_staff_who_create_one_teach_it(self, cast: Cast) -> None:
        cast.ines.is_staff = True
        klass = actions.create_class(
            actor=cast.ines, version=cast.version, title="Spring", starts_on=date(2027, 2, 1), ends_on=None, now=NOW
        )
        assert queries.role_in(cast.ines, klass) == Role.INSTRUCTOR

    def test_an_unknown_time_zone_is_refused(self, cast: Cast) -> None:
        with pytest.raises(ValueError, match="America/New_York"):
            factories.klass(cast.version, "Nowhere", time_zone="Mars/Olympus")

    def test_it_stays_with_its_version_until_it_is_moved(self, cast: Cast) -> None:
        newest = factories.publish(summary="Changed.")
        assert queries.outline_of(queries.class_for(cast.sam, cast.klass.uuid)).summary != "Changed."
        actions.use_version(actor=cast.ines, klass=cast.klass, version=newest, now=NOW)
        assert queries.outline_of(queries.class_for(cast.sam, cast.klass.uuid)).summary == "Changed."

    def test_it_takes_no_other_courses_version(self, cast: Cast) -> None:
        with pytest.raises(ValueError, match="another course"):
            actions.use_version(actor=cast.ines, klass=cast.klass, version=factories.publish("other"), now=NOW)

    @pytest.mark.parametrize("who", ["tom", "sam", "eve"])
    def test_only_its_instructor_moves_it(self, cast: Cast, who: str) -> None:
        with pytest.raises(Denied):
            actions.use_version(actor=getattr(cast, who), klass=cast.klass, version=cast.version, now=NOW)


class TestEnrolling:
    @pytest.mark.parametrize("who", ["tom", "sam", "eve"])
    def test_only_its_instructor_enrolls(self, cast: Cast, who: str) -> None:
        with pytest.raises(Denied):
            actions.enroll(actor=getattr(cast, who), klass=cast.klass, user=cast.eve, role=Role.STUDENT, now=NOW)

    def test_twice_is_once(self, cast: Cast) -> None:
        events = AuditEvent.objects.count()
        actions.enroll(actor=cast.ines, klass=cast.klass, user=cast.sam, role=Role.STUDENT, now=NOW)
        assert AuditEvent.objects.count() == events

    def test_a_member_can_get_another_role(self, cast: Cast) -> None:
        actions.enroll(actor=cast.ines, klass=cast.klass, user=cast.sam, role=Role.ASSISTANT, now=NOW)
        assert queries.role_in(cast.sam, cast.klass) == Role.ASSISTANT
        assert AuditEvent.objects.latest("pk").data["before"] == "student"

    def test_the_first_enrolling_is_in_the_trail(self, cast: Cast) -> None:
        actions.enroll(actor=cast.ines, klass=cast.klass, user=cast.eve, role=Role.STUDENT, now=NOW)
        assert AuditEvent.objects.latest("pk").data["user"] == str(cast.eve.uuid)


class TestAccess:
    def test_each_sees_only_their_own_classes(self, cast: Cast) -> None:
        def titles(user: User) -> list[str]:
            return [card.title for card in queries.classes_of(user)]

        assert (titles(cast.sam), titles(cast.eve)) == (["Autumn"], ["Winter"])

    @pytest.mark.parametrize("who", ["ines", "tom", "sam", "cleo"])
    def test_a_member_finds_the_class(self, cast: Cast, who: str) -> None:
        assert queries.class_for(getattr(cast, who), cast.klass.uuid) == cast.klass

    def test_an_outsider_and_a_wrong_uuid_get_the_same_answer(self, cast: Cast) -> None:
        with pytest.raises(NotFound) as outside:
            queries.class_for(cast.eve, cast.klass.uuid)
        with pytest.raises(NotFound) as nowhere:
            queries.class_for(cast.sam, uuid4())
        assert str(outside.value) == str(nowhere.value)

    def test_an_outsider_has_no_role(self, cast: Cast) -> None:
        with pytest.raises(NotFound):
            queries.role_in(cast.eve, cast.klass)

    @pytest.mark.parametrize(
        ("who", "sees", "restarts"),
        [("ines", True, True), ("tom", True, False), ("sam", False, False), ("eve", False, False)],
    )
    def test_staff_see_submissions_and_instructors_restart(
        self, cast: Cast, who: str, sees: bool, restarts: bool
    ) -> None:
        user = getattr(cast, who)
        assert queries.may_see_submissions(user, cast.klass) is sees
        assert queries.may_restart_runs(user, cast.klass) is restarts

    def test_a_lab_that_the_version_lacks_is_not_found(self, cast: Cast) -> None:
        with pytest.raises(NotFound, match="no such lab"):
            queries.lab_of(cast.klass, "tripling")

    def test_the_database_knows_no_other_role(self, cast: Cast) -> None:
        with pytest.raises(Exception, match="membership_role_known"):
            Membership.objects.filter(user=cast.sam).update(role="god")


class TestNumberOfQueries:
    def test_the_list_of_classes_takes_one(self, cast: Cast, django_assert_num_queries: DjangoAssertNumQueries) -> None:
        for number in range(5):
            klass = factories.klass(cast.version, f"Class {number}")
            actions.enroll(actor=None, klass=klass, user=cast.sam, role=Role.STUDENT, now=NOW)
        with django_assert_num_queries(1):
            assert len(queries.classes_of(cast.sam)) == 6

    def test_a_class_with_its_outline_takes_one(
        self, cast: Cast, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        with django_assert_num_queries(1):
            klass = queries.class_for(cast.sam, cast.klass.uuid)
            queries.outline_of(klass)
            queries.lab_of(klass, LAB)
            queries.starter_of(klass, LAB)
