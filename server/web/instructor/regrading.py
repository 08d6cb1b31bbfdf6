"""Grading a lab again after its tests changed: asking for it, looking at what it changes, deciding."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.http import HttpResponseClientRefresh

from server.domain.catalog import queries as catalog
from server.domain.core import clock
from server.domain.core.errors import Conflict
from server.domain.labs import regrade_queries, regrades
from server.lib import spreadsheet
from server.web.forms import RegradeForm
from server.web.http import for_members
from server.web.instructor import regrade_contexts as contexts

if TYPE_CHECKING:
    from datetime import datetime

    from server.domain.catalog.models import Class
    from server.web.http import AuthenticatedHttpRequest


@require_safe
@for_members
def index(request: AuthenticatedHttpRequest, class_uuid: UUID) -> HttpResponse:
    klass = catalog.class_for(request.user, class_uuid)
    return render(request, "instructor/regrades.html", {"page": contexts.RegradesPage.of(request.user, klass)})


@require_http_methods(["GET", "HEAD", "POST"])
@for_members
def ask(request: AuthenticatedHttpRequest, class_uuid: UUID, lab_slug: str) -> HttpResponse:
    klass = catalog.class_for(request.user, class_uuid)
    choices = regrade_queries.choices(request.user, klass, lab_slug)
    if not catalog.may_restart_runs(request.user, klass):
        raise PermissionDenied("Only an instructor of the class can do this.")
    if request.method == "POST":
        return _ask(request, klass, lab_slug, choices)
    page = contexts.AskPage(klass, lab_slug, choices, version=choices.versions[0].number)
    return render(request, "instructor/regrade_ask.html", {"page": page})


def _ask(
    request: AuthenticatedHttpRequest, klass: Class, lab_slug: str, choices: regrade_queries.Choices
) -> HttpResponse:
    form = RegradeForm(request.POST)
    form.is_valid()
    asked = form.cleaned_data
    fault = form.fault()
    if not fault:
        try:
            regrade = regrades.ask(
                actor=request.user,
                klass=klass,
                lab_slug=lab_slug,
                version=catalog.version_numbered(klass, asked["version"]),
                reason=asked["reason"],
                keep_higher=asked["keep_higher"],
                also_current=asked["also_current"],
                now=clock.now(),
            )
        except (Conflict, regrades.Incomplete) as refusal:
            fault = str(refusal)
        else:
            return redirect("web:regrade", regrade.uuid)
    page = contexts.AskPage(
        klass,
        lab_slug,
        choices,
        version=asked.get("version") or choices.versions[0].number,
        reason=asked.get("reason") or "",
        keep_higher=bool(asked.get("keep_higher")),
        also_current=bool(asked.get("also_current")),
        fault=fault,
    )
    return render(request, "instructor/regrade_ask.html", {"page": page}, status=422)


@require_safe
@for_members
def show(request: AuthenticatedHttpRequest, regrade_uuid: UUID) -> HttpResponse:
    page = request.GET.get("page", "")
    shown = contexts.RegradePage.of(
        request.user,
        regrade_uuid,
        show=request.GET.get("show", ""),
        page=int(page) if page.isascii() and page.isdigit() and len(page) < 6 else 1,
    )
    return render(request, "instructor/regrade.html", {"page": shown})


@require_safe
@for_members
def progress(request: AuthenticatedHttpRequest, regrade_uuid: UUID) -> HttpResponse:
    """The part of the page that changes; when all trials have ended, the whole page comes anew."""
    _, counts = regrade_queries.progress_of(request.user, regrade_uuid)
    if not counts.goes_on:
        return HttpResponseClientRefresh() if request.htmx else redirect("web:regrade", regrade_uuid)
    part = contexts.ProgressPart(regrade_uuid, counts)
    return render(request, "parts/regrade_progress.html", {"progress": part})


@require_safe
@for_members
def changes(request: AuthenticatedHttpRequest, regrade_uuid: UUID) -> HttpResponse:
    """All rows, as CSV."""
    facts, _ = regrade_queries.progress_of(request.user, regrade_uuid)
    rows = regrade_queries.all_rows(request.user, regrade_uuid)
    response = HttpResponse(spreadsheet.to_csv(contexts.table(rows)), content_type="text/csv; charset=utf-8")
    filename = f"regrade-{facts.lab_slug}-{facts.asked_at:%Y-%m-%d}.csv"
    response["Content-Disposition"] = content_disposition_header(as_attachment=True, filename=filename) or "attachment"
    return response


@require_http_methods(["GET", "POST"])
@for_members
def apply(request: AuthenticatedHttpRequest, regrade_uuid: UUID) -> HttpResponse:
    def decide(now: datetime) -> str:
        seen = request.POST.get("seen", "")
        move = "move_class" in request.POST
        done = regrades.apply(actor=request.user, regrade=regrade_uuid, seen=seen, now=now, move_class=move)
        return f"Applied: {done.taken} new, {done.kept} kept a higher score, {done.failed} could not be graded."

    return _decided(request, regrade_uuid, decide)


@require_http_methods(["GET", "POST"])
@for_members
def discard(request: AuthenticatedHttpRequest, regrade_uuid: UUID) -> HttpResponse:
    def decide(now: datetime) -> str:
        regrades.discard(actor=request.user, regrade=regrade_uuid, now=now)
        return "Discarded: no score has changed."

    return _decided(request, regrade_uuid, decide)


@require_http_methods(["GET", "POST"])
@for_members
def try_again(request: AuthenticatedHttpRequest, regrade_uuid: UUID) -> HttpResponse:
    def decide(now: datetime) -> str:
        count = regrades.try_failed_again(actor=request.user, regrade=regrade_uuid, now=now)
        return f"Restarted: {count}."

    return _decided(request, regrade_uuid, decide)


@require_http_methods(["GET", "POST"])
@for_members
def add_latecomers(request: AuthenticatedHttpRequest, regrade_uuid: UUID) -> HttpResponse:
    def decide(now: datetime) -> str:
        count = regrades.add_latecomers(actor=request.user, regrade=regrade_uuid, now=now)
        return f"Added: {count}."

    return _decided(request, regrade_uuid, decide)


def _decided(request: AuthenticatedHttpRequest, regrade: UUID, decide: Callable[[datetime], str]) -> HttpResponse:
    """Act on POST, say what came of it, show the regrade. Who had to sign in first comes back by GET."""
    if request.method == "POST":
        try:
            messages.success(request, decide(clock.now()))
        except Conflict as conflict:
            messages.error(request, str(conflict))
    return redirect("web:regrade", regrade)
