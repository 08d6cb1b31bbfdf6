"""What a browser may do with our pages: nothing that they don't need, and nothing written inline."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Mapping
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

HEADER: Final = "Content-Security-Policy"

PAGE: Final[Mapping[str, str]] = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "font-src": "'self'",
    "img-src": "'self' data:",
    "connect-src": "'self'",
    "frame-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
}

# A student's executed notebook: no script, no form, no request to anywhere, and an origin of its own. Even our style
# sheet can't be loaded from there (browsers keep such an origin off loopback), so the page holds it, named by its hash.
EXECUTED_NOTEBOOK: Final[Mapping[str, str]] = {
    "sandbox": "",
    "default-src": "'none'",
    "img-src": "data:",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'self'",
}


PERMISSIONS: Final = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"


def policy(directives: Mapping[str, str]) -> str:
    return "; ".join(f"{name} {value}".rstrip() for name, value in directives.items())


def hash_of(inline: str) -> str:
    """The source expression that allows exactly this text between <style> tags."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(inline.encode()).digest()).decode()}'"


class ContentSecurityPolicyMiddleware:
    """Gives every response the page policy, unless its view has set one."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        ancestors = " ".join(["'self'", *getattr(settings, "FRAME_ANCESTORS", [])])
        self.page = policy({**PAGE, "frame-ancestors": ancestors})

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        response.headers.setdefault(HEADER, self.page)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS)
        return response
