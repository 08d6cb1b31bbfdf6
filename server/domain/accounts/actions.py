from __future__ import annotations

from datetime import datetime

from django.db import IntegrityError, transaction

from server.domain.accounts.models import User
from server.domain.core import audit
from server.domain.core.errors import Conflict


def create_user(
    *, username: str, name: str, now: datetime, email: str = "", password: str | None = None, actor: User | None = None
) -> User:
    """A new account; without a password, nobody can sign in to it with one.

    Raises:
        Conflict: the username is taken.
    """
    with transaction.atomic():
        try:
            with transaction.atomic():
                user = User.objects.create_user(username, email, password, name=name)
        except IntegrityError as error:
            raise Conflict(f"The username {username} is taken: choose another one.") from error
        audit.record("accounts.user-created", user, actor=actor, at=now, data={"username": username})
    return user


def set_password(*, user: User, password: str, now: datetime, actor: User | None = None) -> None:
    with transaction.atomic():
        user.set_password(password)
        user.save(update_fields=["password"])
        audit.record("accounts.password-set", user, actor=actor, at=now)
