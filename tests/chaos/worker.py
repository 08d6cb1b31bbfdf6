"""What the campaign's workers and clock load in place of `workers.app`."""

from __future__ import annotations

import django

from tests.chaos import points
from workers.app import app as app

django.setup()
points.install()
