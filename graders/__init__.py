"""Grading without Django or Celery: bytes and plain data in, a Report out."""
