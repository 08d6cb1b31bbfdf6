"""What the campaign's web process loads in place of `server.wsgi`."""

from __future__ import annotations

from server.wsgi import application as application
from tests.chaos import points

points.install()
