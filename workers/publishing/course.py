"""A whole course made into what is published: a manifest of plain JSON and a bundle for each lab."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from graders.authoring.faults import CourseFaults, Fault
from graders.authoring.source import CourseSource, LabSource, read_source
from graders.bundle import LabBundle
from server.lib.markdown import render_markdown
from workers.publishing.compile import compile_source
from workers.publishing.prose import check_prose
from workers.publishing.workshop import Workshop

MANIFEST_FORMAT: Final = 1


@dataclass(frozen=True)
class CompiledCourse:
    """`manifest` holds no times, no paths and nothing of the machine: the same course gives the same manifest."""

    slug: str
    manifest: Mapping[str, Any]
    labs: Mapping[str, LabBundle]


def compile_course(workshop: Workshop, slug: str) -> CompiledCourse:
    """Raises CourseFaults with all that is wrong. Proves nothing: that is `check_course`."""
    source, faults = read_and_check(workshop, slug)
    if faults or source is None:
        raise CourseFaults(faults)
    labs = {}
    for name, lab in source.labs.items():
        try:
            labs[name] = compile_source(workshop, slug, lab)
        except CourseFaults as error:
            faults += error.faults
    if faults:
        raise CourseFaults(faults)
    return CompiledCourse(slug, _manifest(source, labs), labs)


def read_and_check(workshop: Workshop, slug: str) -> tuple[CourseSource | None, list[Fault]]:
    """Everything that can be seen without running anything."""
    source, faults = read_source(workshop.courses_dir, slug)
    if source is not None:
        faults = [*faults, *check_prose(source)]
    return source, faults


def _manifest(source: CourseSource, labs: Mapping[str, LabBundle]) -> dict[str, Any]:
    spec = source.spec
    return {
        "format": MANIFEST_FORMAT,
        "slug": source.slug,
        "title": spec.title,
        "summary": spec.summary,
        "outcomes": [{"id": outcome.id, "text": outcome.text} for outcome in spec.outcomes],
        "prerequisites": list(spec.prerequisites),
        "modules": [
            {
                "id": module.id,
                "title": module.title,
                "summary": module.summary,
                "lessons": list(module.lessons),
                "labs": list(module.labs),
            }
            for module in spec.modules
        ],
        "lessons": {name: {"html": render_markdown(text)} for name, text in source.lessons.items()},
        "grading": dict(spec.grading),
        "labs": {name: _lab(lab, labs[name]) for name, lab in source.labs.items()},
    }


def _lab(lab: LabSource, bundle: LabBundle) -> dict[str, Any]:
    outcomes = {question.name: list(question.outcomes) for question in lab.spec.questions}
    return {
        "title": lab.spec.title,
        "summary": lab.spec.summary,
        "minutes": lab.spec.minutes,
        "device": lab.spec.device,
        "versions": dict(lab.spec.versions),
        "instructions": render_markdown(lab.instructions),
        "questions": [
            {"name": item.name, "title": item.title, "points": item.points, "outcomes": outcomes[item.name]}
            for item in bundle.questions
        ],
    }
