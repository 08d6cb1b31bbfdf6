from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.db import transaction
from django.db.models import Max

from graders.bundle import LabBundle
from server.domain.accounts.models import User
from server.domain.catalog import rules
from server.domain.catalog.models import Class, Course, CourseVersion, Membership, Role
from server.domain.core import audit, blobs
from server.domain.core.errors import Denied


def publish_course(
    *, actor: User | None, manifest: Mapping[str, Any], labs: Mapping[str, LabBundle], now: datetime
) -> CourseVersion:
    """Record a compiled course as an immutable version; the same content is the same version, and adds no row.

    `manifest` is course.yaml as data, with `slug` and `labs: {slug: {title, summary, minutes, instructions}}`; each
    lab's bundle, maximal score and limit of size are added here.

    Raises:
        ManifestError: the manifest and the bundles don't make a course.
    """
    complete = _with_bundles(manifest, labs)
    outline = rules.outline(complete)
    digest = rules.digest(complete)
    for bundle in labs.values():
        blobs.put(bundle.to_json())
    with transaction.atomic():
        Course.objects.get_or_create(slug=outline.slug, defaults={"title": outline.title})
        course = Course.objects.select_for_update().get(slug=outline.slug)
        existing = course.versions.filter(digest=digest).first()
        if existing is not None:
            return existing
        if course.title != outline.title:
            course.title = outline.title
            course.save(update_fields=["title"])
        latest: int = course.versions.aggregate(latest=Max("number"))["latest"] or 0
        version = CourseVersion.objects.create(
            course=course,
            number=latest + 1,
            digest=digest,
            manifest=complete,
            published_at=now,
            published_by=actor,
        )
        audit.record("catalog.course-published", version, actor=actor, at=now, data={"number": version.number})
    return version


def create_class(
    *,
    actor: User | None,
    version: CourseVersion,
    title: str,
    starts_on: date,
    ends_on: date | None,
    now: datetime,
    time_zone: str = "UTC",
) -> Class:
    """Give a published course to a group. `actor` is None for the operator; anybody else becomes its instructor.

    Raises:
        Denied: the actor is not on the staff.
        ValueError: the time zone is unknown.
    """
    if actor is not None and not actor.is_staff:
        raise Denied("Only the staff can create a class.")
    try:
        ZoneInfo(time_zone)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise ValueError(f"{time_zone} is not a time zone: write one like America/New_York.") from error
    with transaction.atomic():
        klass = Class.objects.create(
            course=version.course,
            version=version,
            title=title,
            starts_on=starts_on,
            ends_on=ends_on,
            time_zone=time_zone,
        )
        audit.record("catalog.class-created", klass, actor=actor, at=now, data={"version": version.number})
        if actor is not None:
            Membership.objects.create(user=actor, klass=klass, role=Role.INSTRUCTOR)
    return klass


def enroll(*, actor: User | None, klass: Class, user: User, role: Role, now: datetime) -> Membership:
    """Make `user` a member of the class, or give a member another role. `actor` is None for the operator.

    Raises:
        Denied: the actor is not an instructor of the class.
    """
    with transaction.atomic():
        _must_instruct(actor, klass)
        membership, created = Membership.objects.get_or_create(user=user, klass=klass, defaults={"role": role})
        before = None if created else membership.role
        if before == role:
            return membership
        membership.role = role
        membership.save(update_fields=["role"])
        audit.record(
            "catalog.enrolled",
            klass,
            actor=actor,
            at=now,
            data={"user": str(user.uuid), "role": role.value, "before": before},
        )
    return membership


def use_version(*, actor: User | None, klass: Class, version: CourseVersion, now: datetime) -> Class:
    """Move a class to another version of its course; what was handed in stays with the version it was made against.

    Raises:
        Denied: the actor is not an instructor of the class.
        ValueError: the version belongs to another course.
    """
    if version.course_id != klass.course_id:
        raise ValueError("That version belongs to another course.")
    with transaction.atomic():
        _must_instruct(actor, klass)
        locked = Class.objects.select_for_update(no_key=True, of=("self",))  # handing in goes on meanwhile
        current = locked.select_related("version").get(pk=klass.pk)
        before = current.version.number
        if before != version.number:
            current.version = version
            current.save(update_fields=["version"])
            audit.record(
                "catalog.version-changed",
                klass,
                actor=actor,
                at=now,
                data={"before": before, "after": version.number},
            )
    klass.version = version
    return klass


def _must_instruct(actor: User | None, klass: Class) -> None:
    if actor is not None and not klass.memberships.filter(user=actor, role=Role.INSTRUCTOR).exists():
        raise Denied("Only an instructor of the class can do this.")


def _with_bundles(manifest: Mapping[str, Any], labs: Mapping[str, LabBundle]) -> dict[str, Any]:
    described = manifest.get("labs")
    if not isinstance(described, Mapping) or set(described) != set(labs):
        raise rules.ManifestError("The course's manifest must describe exactly the labs that were compiled.")
    for slug, bundle in labs.items():
        if bundle.lab != f"{manifest.get('slug')}/{slug}":
            raise rules.ManifestError(f"The bundle of {slug} says that it is {bundle.lab}.")
    complete = {
        slug: {
            **described[slug],
            "bundle": bundle.digest,
            "max_score": bundle.max_score,
            "notebook_bytes": bundle.limits.notebook_bytes,
        }
        for slug, bundle in labs.items()
    }
    return {**manifest, "labs": complete}
