from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from server.domain.core.models import Identified


class Role(models.TextChoices):
    INSTRUCTOR = "instructor"
    ASSISTANT = "assistant"
    STUDENT = "student"


class Course(Identified):
    """What stays the same over all versions of a course."""

    slug = models.SlugField(max_length=80, unique=True)
    title = models.CharField(max_length=200)

    def __str__(self) -> str:
        return self.slug


class CourseVersion(Identified):
    """One publication of a course; never changed. `digest` is the SHA-256 of the manifest's canonical JSON."""

    course = models.ForeignKey(Course, models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField()
    digest = models.CharField(max_length=64)
    manifest = models.JSONField()
    published_at = models.DateTimeField()
    published_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["course", "number"], name="version_number_once"),
            models.UniqueConstraint(fields=["course", "digest"], name="version_content_once"),
        ]

    def __str__(self) -> str:
        return f"{self.course.slug} v{self.number}"


class Class(Identified):
    """A course given to a group, between two dates (inclusive, in the class's own time zone)."""

    course = models.ForeignKey(Course, models.PROTECT, related_name="classes")
    version = models.ForeignKey(CourseVersion, models.PROTECT, related_name="classes")
    title = models.CharField(max_length=200)
    starts_on = models.DateField()
    ends_on = models.DateField(null=True)
    time_zone = models.CharField(max_length=64, default="UTC")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(ends_on=None) | Q(ends_on__gte=F("starts_on")), name="class_ends_after_start"
            )
        ]

    def __str__(self) -> str:
        return self.title


class Membership(models.Model):
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="memberships")
    klass = models.ForeignKey(Class, models.PROTECT, related_name="memberships")
    role = models.CharField(max_length=16)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "klass"], name="membership_once"),
            models.CheckConstraint(condition=Q(role__in=Role.values), name="membership_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user} {self.role} {self.klass}"
