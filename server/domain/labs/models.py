from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from server.domain.catalog.models import Class, Course, CourseVersion
from server.domain.core.models import Identified


class RunState(models.TextChoices):
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class RunKind(models.IntegerChoices):
    """Why a run was queued. The lower number goes first."""

    INTERACTIVE = 0
    REGRADE = 10


class Submission(Identified):
    """One notebook handed in, the student's `attempt`-th of that lab. It pins its course version."""

    klass = models.ForeignKey(Class, models.PROTECT, related_name="submissions")
    version = models.ForeignKey(CourseVersion, models.PROTECT, related_name="+")
    lab_slug = models.SlugField(max_length=80)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="submissions")
    attempt = models.PositiveIntegerField()
    filename = models.CharField(max_length=255)
    raw_sha = models.CharField(max_length=64)
    notebook_sha = models.CharField(max_length=64)
    notes = models.JSONField(default=list)
    received_at = models.DateTimeField()
    idempotency_key = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "idempotency_key"], name="submission_key_once"),
            models.UniqueConstraint(fields=["klass", "lab_slug", "user", "attempt"], name="submission_attempt_once"),
        ]
        indexes = [
            models.Index(fields=["klass", "received_at"], name="submission_of_class"),
        ]

    def __str__(self) -> str:
        return f"submission {self.uuid}"


class RegradeState(models.TextChoices):
    OPEN = "open"
    APPLIED = "applied"
    DISCARDED = "discarded"


class Regrade(Identified):
    """A class's submissions of one lab graded anew with the tests of `version`: tried first, then applied or discarded.

    Its runs are trials until it is applied. With `keep_higher`, no submission gets less than it has. `asked_by` and
    `closed_by` are None for the operator.
    """

    klass = models.ForeignKey(Class, models.PROTECT, related_name="regrades")
    lab_slug = models.SlugField(max_length=80)
    version = models.ForeignKey(CourseVersion, models.PROTECT, related_name="+")
    also_current = models.BooleanField(default=False)
    keep_higher = models.BooleanField(default=True)
    reason = models.CharField(max_length=500)
    state = models.CharField(max_length=9, default=RegradeState.OPEN)
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    asked_at = models.DateTimeField()
    closed_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    closed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["klass", "lab_slug"], condition=Q(state="open"), name="regrade_open_once"),
            models.CheckConstraint(condition=Q(state__in=RegradeState.values), name="regrade_state_known"),
            models.CheckConstraint(
                condition=Q(state=RegradeState.OPEN) | Q(closed_at__isnull=False), name="regrade_closed_has_time"
            ),
        ]
        indexes = [models.Index(fields=["klass", "asked_at"], name="regrade_of_class")]

    def __str__(self) -> str:
        return f"regrade {self.uuid}"


class Lane(models.Model):
    """What waits of one class and kind. Lanes take turns; so do the students within a lane.

    The lane with the least `turn` of its kind is next, and then goes behind all others. `round` is the highest that any
    of its runs was claimed in. `waiting` counts what is queued, and `labs` the same by lab: both change only with the
    row locked, and `queue.repair` counts anew. `arrivals` says how many came lately, as of `arrivals_at`.
    """

    klass = models.ForeignKey(Class, models.PROTECT, related_name="lanes")
    kind = models.PositiveSmallIntegerField()
    turn = models.PositiveBigIntegerField(default=0)
    round = models.PositiveIntegerField(default=0)
    waiting = models.PositiveIntegerField(default=0)
    labs = models.JSONField(default=dict)
    arrivals = models.FloatField(default=0.0)
    arrivals_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["klass", "kind"], name="lane_once")]
        indexes = [
            models.Index(fields=["kind", "turn", "id"], condition=Q(waiting__gt=0), name="lane_next"),
            models.Index(fields=["turn"], name="lane_last"),
        ]

    def __str__(self) -> str:
        return f"lane {self.pk}"


class LabPace(models.Model):
    """How long grading takes, learned from a lab's runs: `mean_s` and the mean of the squares, old runs fading."""

    course = models.ForeignKey(Course, models.PROTECT, related_name="+")
    lab_slug = models.SlugField(max_length=80)
    runs = models.PositiveIntegerField()
    mean_s = models.FloatField()
    mean_square = models.FloatField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["course", "lab_slug"], name="pace_once")]

    def __str__(self) -> str:
        return f"pace of {self.lab_slug}"


class GradingRun(Identified):
    """One grading of one submission: the row that the queue consists of.

    A run that is `running` belongs to whoever holds its `token`, until `lease_until`. `tries` counts its
    claims; `seed` draws the hidden inputs, anew at each claim; (`turn`, `id`) is its place within its lane.
    The newest run that is done counts; a run never writes to another run's row, so a late report can't replace a
    newer one, and a failed run leaves every earlier score as it is.

    A regrade's run is a `trial`: it counts for nobody, and no student learns of it. Applying the regrade notes in
    `compared_with` what counted until then, and makes an accepted trial an ordinary run, the submission's newest.
    """

    submission = models.ForeignKey(Submission, models.PROTECT, related_name="runs")
    version = models.ForeignKey(CourseVersion, models.PROTECT, null=True, related_name="+")
    """Whose tests grade it; None: those of the version that the submission was made against."""
    regrade = models.ForeignKey(Regrade, models.PROTECT, null=True, related_name="runs")
    trial = models.BooleanField(default=False)
    compared_with = models.ForeignKey("self", models.PROTECT, null=True, related_name="+")
    number = models.PositiveIntegerField()
    kind = models.PositiveSmallIntegerField(default=RunKind.INTERACTIVE)
    state = models.CharField(max_length=8, default=RunState.QUEUED)
    queued_at = models.DateTimeField()
    # No index of its own: few runs of a lane wait, and those have one.
    lane = models.ForeignKey(Lane, models.PROTECT, related_name="runs", db_index=False)
    turn = models.PositiveIntegerField()
    not_before = models.DateTimeField()

    worker = models.CharField(max_length=100, blank=True)
    token = models.PositiveIntegerField(default=0)
    tries = models.PositiveIntegerField(default=0)
    seed = models.BigIntegerField(null=True)
    started_at = models.DateTimeField(null=True)
    lease_until = models.DateTimeField(null=True)
    phase = models.CharField(max_length=16, blank=True)
    cell = models.PositiveIntegerField(default=0)
    of = models.PositiveIntegerField(default=0)
    question = models.CharField(max_length=100, blank=True)

    finished_at = models.DateTimeField(null=True)
    # Text, not JSONField: PostgreSQL's jsonb refuses the \u0000 that a student's message may hold.
    report = models.TextField(null=True)  # noqa: DJ001
    score = models.FloatField(null=True)
    max_score = models.FloatField(null=True)
    fault = models.CharField(max_length=500, blank=True)

    executed_sha = models.CharField(max_length=64, blank=True)
    html_sha = models.CharField(max_length=64, blank=True)
    rendering_tries = models.PositiveIntegerField(default=0)
    rendering_not_before = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["submission", "number"], name="run_number_once"),
            models.CheckConstraint(condition=Q(state__in=RunState.values), name="run_state_known"),
            models.CheckConstraint(
                condition=~Q(state=RunState.DONE)
                | Q(report__isnull=False, score__isnull=False, max_score__isnull=False, finished_at__isnull=False),
                name="run_done_has_report",
            ),
            models.CheckConstraint(
                condition=~Q(state=RunState.RUNNING) | Q(lease_until__isnull=False, started_at__isnull=False),
                name="run_running_has_lease",
            ),
            models.CheckConstraint(condition=Q(trial=False) | Q(regrade__isnull=False), name="run_trial_has_regrade"),
        ]
        indexes = [
            models.Index(fields=["lane", "turn", "id", "not_before"], condition=Q(state="queued"), name="run_queue"),
            models.Index(fields=["lease_until"], condition=Q(state="running"), name="run_leases"),
            models.Index(
                fields=["rendering_not_before"], condition=Q(state="done", html_sha=""), name="run_unrendered"
            ),
            models.Index(fields=["started_at"], name="run_started"),
        ]

    def __str__(self) -> str:
        return f"run {self.uuid}"
