"""Turns a course's folder into what is published, and proves that its labs grade as they should."""

from graders.authoring.faults import CourseFaults, Fault
from workers.publishing.check import check_course
from workers.publishing.compile import compile_lab
from workers.publishing.course import CompiledCourse, compile_course
from workers.publishing.workshop import Workshop

__all__ = ["CompiledCourse", "CourseFaults", "Fault", "Workshop", "check_course", "compile_course", "compile_lab"]
