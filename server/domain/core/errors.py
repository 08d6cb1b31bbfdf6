"""How the domain says no. The message of each is one sentence that may be shown to the user."""

from __future__ import annotations


class DomainError(Exception):
    """The base of what an action or a query refuses."""


class NotFound(DomainError):
    """It is not there, or not for this user: the two must look alike."""


class Denied(DomainError):
    """The user may know of it, but not do this."""


class Conflict(DomainError):
    """It can't be done in its present state."""
