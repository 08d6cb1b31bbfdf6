"""What every member of a class sees; students most of all."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID

from django.http import HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.html import escape
from django.utils.http import content_disposition_header
from django.utils.safestring import mark_safe
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.http import HttpResponseClientRedirect

from graders.notebook.intake import Refused
from server.domain.catalog import queries as catalog
from server.domain.core import clock
from server.domain.labs import actions, queries
from server.web import security
from server.web.forms import UploadForm
from server.web.http import for_members
from server.web.learner import contexts

if TYPE_CHECKING:
    from server.domain.catalog.models import Class
    from server.web.http import AuthenticatedHttpRequest

# What a form adds to the file that it carries.
FORM_BYTES = 64 * 1024
# How much of what is too large is read and dropped: a browser that still sends hears no answer.
DRAINED_BYTES = 128 * 1024**2
TOO_LARGE = (
    "The file is larger than the {:g} MiB that this lab takes: clear large outputs, save it, and hand it in again."
)
STOP_POLLING = 286
NOTEBOOK_STYLE = (Path(__file__).parent / "notebook.css").read_text()


@require_safe
@for_members
def home(request: AuthenticatedHttpRequest) -> HttpResponse:
    return render(request, "learner/home.html", {"classes": catalog.classes_of(request.user)})


@require_safe
@for_members
def show_class(request: AuthenticatedHttpRequest, class_uuid: UUID) -> HttpResponse:
    klass = catalog.class_for(request.user, class_uuid)
    return render(request, "learner/class.html", {"page": contexts.ClassPage.of(request.user, klass)})


@require_safe
@for_members
def lab(request: AuthenticatedHttpRequest, class_uuid: UUID, lab_slug: str) -> HttpResponse:
    return _lab(request, catalog.class_for(request.user, class_uuid), lab_slug)


def _lab(
    request: AuthenticatedHttpRequest, klass: Class, lab_slug: str, *, fault: str = "", status: int = 200
) -> HttpResponse:
    page = contexts.LabPage.of(request.user, klass, lab_slug, now=clock.now(), fault=fault)
    return render(request, "learner/lab.html", {"page": page}, status=status)


@require_safe
@for_members
def lab_starter(request: AuthenticatedHttpRequest, class_uuid: UUID, lab_slug: str) -> HttpResponse:
    klass = catalog.class_for(request.user, class_uuid)
    return _notebook_file(catalog.starter_of(klass, lab_slug), f"{lab_slug}.ipynb")


@csrf_exempt  # The size is looked at before anything reads the body; `_take` checks the token.
@require_http_methods(["GET", "POST"])
@for_members
def submit(request: AuthenticatedHttpRequest, class_uuid: UUID, lab_slug: str) -> HttpResponseBase:
    if request.method == "GET":  # Whoever had to sign in first comes back this way.
        return redirect("web:lab", class_uuid, lab_slug)
    klass = catalog.class_for(request.user, class_uuid)
    most = catalog.lab_of(klass, lab_slug).notebook_bytes
    if int(request.META.get("CONTENT_LENGTH") or 0) > most + FORM_BYTES:
        _drain(request)
        return _refuse(request, klass, lab_slug, TOO_LARGE.format(most / 1024**2), status=413)
    return _take(request, klass, lab_slug)


def _drain(request: AuthenticatedHttpRequest) -> None:
    left = DRAINED_BYTES
    while left > 0 and (piece := request.read(64 * 1024)):
        left -= len(piece)


@csrf_protect
def _take(request: AuthenticatedHttpRequest, klass: Class, lab_slug: str) -> HttpResponse:
    form = UploadForm(request.POST, request.FILES)
    if not form.is_valid():
        return _refuse(request, klass, lab_slug, form.fault())
    file = form.cleaned_data["notebook"]
    content = file.read()
    try:
        submission = actions.submit_notebook(
            actor=request.user,
            klass=klass,
            lab_slug=lab_slug,
            filename=file.name,
            content=content,
            idempotency_key=_once(form.cleaned_data["form_key"], content),
            now=clock.now(),
        )
    except (Refused, actions.NotAccepted) as refusal:
        return _refuse(request, klass, lab_slug, str(refusal))
    there = reverse("web:run", args=[submission.uuid])
    return HttpResponseClientRedirect(there) if request.htmx else HttpResponseRedirect(there)


def _once(form_key: UUID, content: bytes) -> str:
    """The same form with the same file is one submission; with another file, as after Back, it is another."""
    return hashlib.sha256(form_key.bytes + content).hexdigest()


def _refuse(
    request: AuthenticatedHttpRequest, klass: Class, lab_slug: str, sentence: str, *, status: int = 422
) -> HttpResponse:
    """htmx puts the sentence beside the field, where the chosen file stays chosen; without it, the page comes anew."""
    if request.htmx:
        return HttpResponse(escape(sentence), status=status)
    return _lab(request, klass, lab_slug, fault=sentence, status=status)


@require_safe
@for_members
def run(request: AuthenticatedHttpRequest, submission_uuid: UUID) -> HttpResponse:
    detail = queries.submission_for(request.user, submission_uuid)
    if detail.row.score is not None:
        return redirect("web:report", submission_uuid)
    status = queries.run_status(request.user, submission_uuid, now=clock.now())
    progress = contexts.Progress.of_run(submission_uuid, status, said="")
    return render(request, "learner/run.html", {"page": contexts.RunPage.of(detail, progress)})


@require_safe
@for_members
def run_progress(request: AuthenticatedHttpRequest, submission_uuid: UUID) -> HttpResponse:
    """The part of the run's page that changes. Status 286 tells htmx to ask no more."""
    status = queries.run_status(request.user, submission_uuid, now=clock.now())
    progress = contexts.Progress.of_run(submission_uuid, status, said=request.GET.get("said", ""))
    response = render(request, "parts/progress.html", {"progress": progress})
    if not progress.goes_on:
        response.status_code = STOP_POLLING
    if progress.step == "done":
        response["HX-Redirect"] = reverse("web:report", args=[submission_uuid])
    return response


@require_safe
@for_members
def report(request: AuthenticatedHttpRequest, submission_uuid: UUID) -> HttpResponse:
    graded = queries.report_for(request.user, submission_uuid)
    if graded is None:
        return redirect("web:run", submission_uuid)
    detail = queries.submission_for(request.user, submission_uuid)
    return render(request, "learner/report.html", {"page": contexts.ReportPage.of(detail, graded)})


@require_safe
@xframe_options_sameorigin
@for_members
def report_notebook(request: AuthenticatedHttpRequest, submission_uuid: UUID) -> HttpResponse:
    """The executed notebook, sanitized when it was rendered, and shut in a sandbox all the same."""
    html = queries.rendered_notebook(request.user, submission_uuid)
    notebook = None if html is None else mark_safe(html)  # noqa: S308
    style = mark_safe(f"<style>{NOTEBOOK_STYLE}</style>")  # noqa: S308
    response = render(request, "learner/notebook.html", {"notebook": notebook, "style": style})
    policy = {**security.EXECUTED_NOTEBOOK, "style-src": security.hash_of(NOTEBOOK_STYLE)}
    response[security.HEADER] = security.policy(policy)
    return response


@require_safe
@for_members
def notebook_frame(request: AuthenticatedHttpRequest, submission_uuid: UUID) -> HttpResponse:
    """The part of a report that waits for the executed notebook to be rendered. `asked` counts the askings."""
    graded = queries.report_for(request.user, submission_uuid)
    asked = request.GET.get("asked", "")
    frame = contexts.NotebookFrame(
        submission_uuid,
        ready=graded is not None and graded.has_rendering,
        asked=int(asked) + 1 if asked.isascii() and asked.isdigit() and len(asked) < 4 else contexts.MOST_ASKED,
    )
    return render(request, "parts/notebook_frame.html", {"frame": frame})


@require_safe
@for_members
def executed(request: AuthenticatedHttpRequest, submission_uuid: UUID) -> HttpResponse:
    content = queries.executed_notebook(request.user, submission_uuid)
    if content is None:
        return redirect("web:run", submission_uuid)
    filename, _ = queries.submitted_notebook(request.user, submission_uuid)
    return _notebook_file(content, f"executed-{filename}")


@require_safe
@for_members
def handed_in(request: AuthenticatedHttpRequest, submission_uuid: UUID) -> HttpResponse:
    filename, content = queries.submitted_notebook(request.user, submission_uuid)
    return _notebook_file(content, filename)


def _notebook_file(content: bytes, filename: str) -> HttpResponse:
    """A download that opens as a notebook and as nothing else, whatever name a student gave it."""
    if not filename.lower().endswith(".ipynb"):
        filename += ".ipynb"
    response = HttpResponse(content, content_type="application/x-ipynb+json")
    response["Content-Disposition"] = content_disposition_header(as_attachment=True, filename=filename) or "attachment"
    return response
