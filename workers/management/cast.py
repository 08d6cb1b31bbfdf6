"""The people of the demo: made once for a data folder, found again after that."""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.core.management.base import CommandError

from server.domain.accounts import actions as accounts
from server.domain.accounts import queries as people
from server.domain.catalog import actions as catalog
from server.domain.catalog import queries as courses
from server.domain.core import clock
from server.domain.core.errors import NotFound

if TYPE_CHECKING:
    from server.domain.accounts.models import User
    from server.domain.catalog.models import Class, CourseVersion

CLASS: Final = "Demo class"
OTHER_CLASS: Final = "Another class"


@dataclass(frozen=True)
class Person:
    username: str
    name: str
    part: str
    password: str


def people_of_the_demo() -> list[Person]:
    """Their passwords are random, one set for each data folder, in a file that only we can read.

    Raises:
        CommandError: the settings are production's, where these names may be somebody's.
    """
    if settings.SETTINGS_MODULE == "server.settings.prod":
        raise CommandError(
            "The demo prints the passwords that it makes: start it with DJANGO_SETTINGS_MODULE=server.settings.dev."
        )
    parts = (
        ("ines", "Ines", f"instructor of {CLASS}"),
        ("tom", "Tom", f"teaching assistant of {CLASS}"),
        ("sam", "Sam", f"student of {CLASS}"),
        ("eve", "Eve", f"student of {OTHER_CLASS}"),
    )
    path: Path = settings.DATA_DIR / "demo-passwords.json"
    try:
        passwords = json.loads(path.read_text())
    except (FileNotFoundError, ValueError):  # ValueError: the writing of it was cut off
        passwords = {username: secrets.token_urlsafe(9) for username, _, _ in parts}
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
        path.write_text(json.dumps(passwords))
    return [Person(username, name, part, passwords[username]) for username, name, part in parts]


def enroll(people_: list[Person], version: CourseVersion, slug: str) -> Class:
    """The demo's class of this version, with everybody in their place; moves it there from an older version."""
    users = {person.username: _user(person) for person in people_}
    klass = _class(slug, version, CLASS)
    other = _class(slug, version, OTHER_CLASS)
    now = clock.now()
    for in_class, username, role in (
        (klass, "ines", courses.Role.INSTRUCTOR),
        (klass, "tom", courses.Role.ASSISTANT),
        (klass, "sam", courses.Role.STUDENT),
        (other, "eve", courses.Role.STUDENT),
    ):
        catalog.enroll(actor=None, klass=in_class, user=users[username], role=role, now=now)
    return klass


def _user(person: Person) -> User:
    now = clock.now()
    try:
        user = people.by_username(person.username)
    except NotFound:
        return accounts.create_user(username=person.username, name=person.name, password=person.password, now=now)
    if not user.check_password(person.password):
        accounts.set_password(user=user, password=person.password, now=now)
    return user


def _class(slug: str, version: CourseVersion, title: str) -> Class:
    now = clock.now()
    klass = courses.class_titled(slug, title)
    if klass is None:
        yesterday = (now - timedelta(days=1)).date()
        return catalog.create_class(
            actor=None, version=version, title=title, starts_on=yesterday, ends_on=None, now=now
        )
    return catalog.use_version(actor=None, klass=klass, version=version, now=now)
