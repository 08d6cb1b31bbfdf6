from __future__ import annotations

import functools
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final
from uuid import UUID

from graders.bundle import LabBundle
from server.domain.accounts.models import User
from server.domain.catalog import rules
from server.domain.catalog.models import Class, CourseVersion, Membership
from server.domain.catalog.models import Role as Role
from server.domain.core import blobs
from server.domain.core.errors import NotFound

STAFF: Final = (Role.INSTRUCTOR, Role.ASSISTANT)


@dataclass(frozen=True)
class ClassCard:
    """A class as its member sees it in a list."""

    uuid: UUID
    title: str
    course_title: str
    role: Role
    starts_on: date
    ends_on: date | None


@dataclass(frozen=True)
class LabVersion:
    """One lab as one version of the course has it; two versions with one `bundle` grade it alike."""

    number: int
    published_at: datetime
    title: str
    bundle: str


def classes_of(user: User) -> list[ClassCard]:
    """The user's classes, the latest first. One query."""
    memberships = (
        Membership.objects.filter(user=user)
        .select_related("klass__course")
        .only("role", "klass__uuid", "klass__title", "klass__starts_on", "klass__ends_on", "klass__course__title")
        .order_by("-klass__starts_on", "klass__title")
    )
    return [
        ClassCard(
            uuid=membership.klass.uuid,
            title=membership.klass.title,
            course_title=membership.klass.course.title,
            role=Role(membership.role),
            starts_on=membership.klass.starts_on,
            ends_on=membership.klass.ends_on,
        )
        for membership in memberships
    ]


def class_for(user: User, class_uuid: UUID) -> Class:
    """The class with its course and version, for a member of it. One query.

    Raises:
        NotFound: there is no such class, or the user is not a member.
    """
    try:
        return Class.objects.select_related("course", "version").get(uuid=class_uuid, memberships__user=user)
    except Class.DoesNotExist as error:
        raise NotFound("You have no such class.") from error


def role_in(user: User, klass: Class) -> Role:
    """Raises NotFound unless the user is a member."""
    role = role_of(user, klass)
    if role is None:
        raise NotFound("You have no such class.")
    return role


def role_of(user: User, klass: Class) -> Role | None:
    """None for who is no member."""
    role = Membership.objects.filter(user=user, klass=klass).values_list("role", flat=True).first()
    return None if role is None else Role(role)


def may_see_submissions(user: User, klass: Class) -> bool:
    """Whether the user sees what all of the class handed in: its instructors and assistants do."""
    return Membership.objects.filter(user=user, klass=klass, role__in=STAFF).exists()


def may_restart_runs(user: User, klass: Class) -> bool:
    return Membership.objects.filter(user=user, klass=klass, role=Role.INSTRUCTOR).exists()


def outline_of(klass: Class) -> rules.CourseOutline:
    """What the class's version says of the course: outcomes, modules, labs. No query after `class_for`."""
    return rules.outline(klass.version.manifest)


def lab_of(klass: Class, lab_slug: str) -> rules.Lab:
    """Raises NotFound when the class's version has no such lab. No query after `class_for`."""
    return lab_in(klass.version, lab_slug)


def lab_in(version: CourseVersion, lab_slug: str) -> rules.Lab:
    """Raises NotFound when the version has no such lab."""
    for lab in rules.outline(version.manifest).labs:
        if lab.slug == lab_slug:
            return lab
    raise NotFound("This course has no such lab.")


def lab_versions(course_id: int, lab_slug: str) -> dict[int, LabVersion]:
    """That lab in each version that has it, the newest first, by the version's key. One query."""
    versions = CourseVersion.objects.filter(course=course_id).order_by("-number")
    found = {}
    for version in versions.iterator():
        lab = version.manifest["labs"].get(lab_slug)
        if lab:
            found[version.pk] = LabVersion(version.number, version.published_at, lab["title"], lab["bundle"])
    return found


def version_numbered(klass: Class, number: int) -> CourseVersion:
    """Raises NotFound when the class's course has no such version."""
    version = CourseVersion.objects.filter(course=klass.course_id, number=number).first()
    if version is None:
        raise NotFound("This course has no such version.")
    return version


def lab_title(version: CourseVersion, lab_slug: str) -> str:
    title: str = version.manifest["labs"][lab_slug]["title"]
    return title


def closed_because(klass: Class, now: datetime) -> str | None:
    """None while students may hand in, else the sentence that says why not."""
    return rules.not_open_because(klass.starts_on, klass.ends_on, rules.local_date(now, klass.time_zone))


def bundle_of(version: CourseVersion, lab_slug: str) -> LabBundle:
    """What a grader needs of that lab.

    Raises:
        NotFound: the version has no such lab.
        BlobLost: the bundle is gone from the store.
    """
    return bundle(lab_in(version, lab_slug).bundle)


@functools.lru_cache(maxsize=32)
def bundle(digest: str) -> LabBundle:
    """The bundle of that digest, kept in memory: it never changes."""
    return LabBundle.from_json(blobs.get(digest))


def starter_of(klass: Class, lab_slug: str) -> bytes:
    """The student's notebook, as .ipynb."""
    return bundle_of(klass.version, lab_slug).starter.encode()


def class_titled(course_slug: str, title: str) -> Class | None:
    """For commands that set up a class once."""
    return Class.objects.select_related("course", "version").filter(course__slug=course_slug, title=title).first()
