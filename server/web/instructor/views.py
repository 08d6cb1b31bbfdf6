"""What instructors and assistants see of their class."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from server.domain.catalog import queries as catalog
from server.domain.core import clock
from server.domain.core.errors import Conflict
from server.domain.labs import actions
from server.web.http import for_members
from server.web.instructor import contexts

if TYPE_CHECKING:
    from server.web.http import AuthenticatedHttpRequest


@require_safe
@for_members
def submissions(request: AuthenticatedHttpRequest, class_uuid: UUID) -> HttpResponse:
    klass = catalog.class_for(request.user, class_uuid)
    page = request.GET.get("page", "")
    shown = contexts.SubmissionsPage.of(
        request.user,
        klass,
        lab=request.GET.get("lab", ""),
        state=request.GET.get("state", ""),
        page=int(page) if page.isascii() and page.isdigit() and len(page) < 6 else 1,
    )
    return render(request, "instructor/submissions.html", {"page": shown})


@require_http_methods(["GET", "POST"])
@for_members
def restart(request: AuthenticatedHttpRequest, submission_uuid: UUID) -> HttpResponse:
    """Grade a notebook again whose grading failed; then watch it. Who had to sign in first comes back by GET."""
    if request.method == "POST":
        try:
            actions.restart_failed(actor=request.user, submission=submission_uuid, now=clock.now())
        except Conflict as conflict:
            messages.error(request, str(conflict))
    return redirect("web:run", submission_uuid)


@require_http_methods(["GET", "POST"])
@for_members
def restart_all(request: AuthenticatedHttpRequest, class_uuid: UUID) -> HttpResponse:
    """Grade all that failed of a lab again, or of all labs; then show the list, where it waits now."""
    klass = catalog.class_for(request.user, class_uuid)
    lab = request.POST.get("lab", "").replace("\0", "")  # PostgreSQL can't even be asked for one
    if request.method == "POST":
        try:
            count = actions.restart_all_failed(actor=request.user, klass=klass, lab_slug=lab or None, now=clock.now())
            messages.success(request, f"{count} notebook{'' if count == 1 else 's'} restarted.")
        except Conflict as conflict:
            messages.error(request, str(conflict))
    return redirect(f"{reverse('web:submissions', args=[klass.uuid])}?{urlencode({'lab': lab})}")
