"""Small things that every view needs."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, cast

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponseBase
from django.utils.cache import add_never_cache_headers
from django_htmx.http import HttpResponseClientRefresh

from server.domain.core.errors import Denied, NotFound

if TYPE_CHECKING:
    from django_htmx.middleware import HtmxDetails

    from server.domain.accounts.models import User

    class AuthenticatedHttpRequest(HttpRequest):
        user: User
        htmx: HtmxDetails


P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponseBase]


def for_members(view: Callable[Concatenate[AuthenticatedHttpRequest, P], HttpResponseBase]) -> View[P]:
    """A page for people with an account: others sign in first, and what the domain refuses becomes 404 or 403.

    What isn't there and what is another class's look alike. No cache keeps any of it: the next to use the browser may
    be somebody else.
    """

    @wraps(view)
    def inner(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        member = cast("AuthenticatedHttpRequest", request)
        if not member.user.is_authenticated:
            # A part of a page can't hold the sign-in page: the whole page is loaded anew, and leads there.
            return HttpResponseClientRefresh() if member.htmx else redirect_to_login(request.get_full_path())
        try:
            response = view(member, *args, **kwargs)
        except NotFound as error:
            raise Http404(str(error)) from error
        except Denied as error:
            raise PermissionDenied(str(error)) from error
        add_never_cache_headers(response)
        return response

    return cast("View[P]", inner)
