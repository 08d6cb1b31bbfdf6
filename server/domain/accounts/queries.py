from __future__ import annotations

from server.domain.accounts.models import User
from server.domain.core.errors import NotFound


def by_username(username: str) -> User:
    """Raises NotFound."""
    try:
        return User.objects.get(username=username)
    except User.DoesNotExist as error:
        raise NotFound(f"Nobody has the username {username}.") from error
