"""Everything that can be wrong with a course, found in one run."""

from __future__ import annotations

from collections.abc import Callable

from graders.authoring.faults import CourseFaults, Fault
from workers.publishing.compile import compile_source
from workers.publishing.course import read_and_check
from workers.publishing.proofs import Prover
from workers.publishing.workshop import Workshop

TIMES = 3


def check_course(
    workshop: Workshop,
    slug: str,
    *,
    times: int = TIMES,
    fresh: bool = False,
    jobs: int = 1,
    say: Callable[[str], None] = lambda line: None,
) -> list[Fault]:
    """All faults, sorted by place. A lab is run only when nothing is wrong with its own files.

    `times` says how often the solution must get full marks, each time with another seed. `jobs` is how many notebooks
    are graded at once: labs that measure are best graded alone.

    Raises:
        engine.InfrastructureFault, AssignFailed, SandboxUnavailable: this machine can't run the proofs.
    """
    source, faults = read_and_check(workshop, slug)
    if source is None:
        return faults
    for lab in source.labs.values():
        if any(fault.file.startswith(f"{lab.folder}/") for fault in faults):
            continue
        try:
            bundle = compile_source(workshop, slug, lab)
            faults += Prover(workshop, lab, bundle, fresh, say).prove(times, jobs)
        except CourseFaults as error:
            faults += error.faults
    return sorted(faults)
