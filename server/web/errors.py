"""Pages for what went wrong that need more than Django's own handlers give."""

from __future__ import annotations

import math
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return render(request, "403_csrf.html", status=403)


def too_many_sign_ins(request: HttpRequest, *_args: Any, **_kwargs: Any) -> HttpResponse:
    minutes = math.ceil(settings.AXES_COOLOFF_TIME.total_seconds() / 60)
    response = render(request, "429.html", {"minutes": minutes}, status=429)
    response["Retry-After"] = str(minutes * 60)
    return response
