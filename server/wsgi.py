from __future__ import annotations

import os
from collections.abc import Iterable
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "server.settings.prod")


def with_health(application: WSGIApplication) -> WSGIApplication:
    """Answers /healthz before Django does: whoever checks a process knows neither its host names nor HTTPS."""

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if environ.get("PATH_INFO") != "/healthz":
            return application(environ, start_response)
        start_response("200 OK", [("Content-Type", "text/plain"), ("Cache-Control", "no-store")])
        return [b"ok\n"]

    return answer


application = with_health(get_wsgi_application())
