"""A worker that fails on one submission after the other must show that it is not the cause."""

from __future__ import annotations

from itertools import pairwise
from uuid import uuid4

import pytest

from workers.fitness import FIRST_REST_S, LONGEST_REST_S, Fitness


class Machine:
    """Can do the work or not; its clock is set by hand."""

    def __init__(self) -> None:
        self.works = False
        self.tried = 0
        self.now = 0.0

    def try_out(self) -> None:
        self.tried += 1
        if not self.works:
            raise OSError("The disk is full.")


@pytest.fixture
def machine() -> Machine:
    return Machine()


@pytest.fixture
def fitness(machine: Machine) -> Fitness:
    return Fitness(machine.try_out, clock=lambda: machine.now)


@pytest.fixture
def suspicious(fitness: Fitness) -> Fitness:
    for _ in range(2):
        fitness.note_fault(uuid4())
    return fitness


def test_a_worker_that_never_failed_tries_nothing_out(fitness: Fitness, machine: Machine) -> None:
    assert fitness.may_claim()
    assert machine.tried == 0


def test_one_submission_that_fails_again_and_again_casts_no_doubt_on_the_worker(
    fitness: Fitness, machine: Machine
) -> None:
    submission = uuid4()
    for _ in range(3):
        fitness.note_fault(submission)
    assert fitness.may_claim()
    assert machine.tried == 0


def test_a_success_in_between_clears_the_doubt(fitness: Fitness, machine: Machine) -> None:
    fitness.note_fault(uuid4())
    fitness.note_success()
    fitness.note_fault(uuid4())
    assert fitness.may_claim()
    assert machine.tried == 0


def test_a_worker_that_fails_its_trial_claims_nothing(suspicious: Fitness) -> None:
    assert not suspicious.may_claim()


def test_it_does_not_try_again_before_it_has_rested(suspicious: Fitness, machine: Machine) -> None:
    suspicious.may_claim()
    machine.now = FIRST_REST_S - 0.1
    assert not suspicious.may_claim()
    assert machine.tried == 1


def test_its_rests_grow_up_to_a_minute(suspicious: Fitness, machine: Machine) -> None:
    moments = []
    for second in range(400):
        machine.now, before = float(second), machine.tried
        suspicious.may_claim()
        if machine.tried > before:
            moments.append(second)
    rests = [later - earlier for earlier, later in pairwise(moments)]
    assert rests[0] == FIRST_REST_S
    assert rests == sorted(rests)
    assert rests[-1] == LONGEST_REST_S


def test_it_claims_again_once_it_works(suspicious: Fitness, machine: Machine) -> None:
    suspicious.may_claim()
    machine.works, machine.now = True, FIRST_REST_S
    assert suspicious.may_claim()
    assert suspicious.may_claim()
    assert machine.tried == 2


def test_a_lab_that_is_broken_itself_does_not_rest_a_worker_that_works(suspicious: Fitness, machine: Machine) -> None:
    machine.works = True
    assert suspicious.may_claim()
