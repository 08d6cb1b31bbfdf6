"""Students who hand in, and don't give up: the same form and file again, until they are told that it arrived."""

from __future__ import annotations

import http.cookiejar
import queue
import re
import secrets
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass, field
from typing import Final, Literal
from uuid import UUID

from django.db import connection

from server.domain.accounts.models import User
from server.domain.core import clock
from server.domain.labs import actions
from tests.chaos.lab import School, content
from tests.factories import LAB, PASSWORD

PATIENCE_S: Final = 300.0
AGAIN_S: Final = 0.3
ANSWER_S: Final = 30.0

Way = Literal["web", "action"]


@dataclass
class Order:
    """One notebook to hand in, and what became of it. `told` is the submission that the client was led to."""

    number: int
    kind: str
    way: Way
    told: UUID | None = None
    askings: int = 0
    troubles: list[str] = field(default_factory=list)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: object, **__: object) -> None:
        return None


class Browser:
    """As much of one as a form needs."""

    def __init__(self, url: str, user: User) -> None:
        self._url, self._user = url, user
        self._cookies = http.cookiejar.CookieJar()
        self._opener = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(self._cookies), _NoRedirect(), urllib.request.ProxyHandler({})
        )

    def sign_in(self) -> None:
        fields = {"username": self._user.username, "password": PASSWORD, **self._token("/sign-in")}
        status, there = self._post("/sign-in", urllib.parse.urlencode(fields).encode())
        if status != 302:
            raise RuntimeError(f"{self._user.username} can't sign in: {status} {there}")

    def hand_in(self, path: str, form_key: str, file: bytes) -> tuple[int, str]:
        """Status, and where it leads to or what it says."""
        mark = secrets.token_hex(16)
        fields = {"form_key": form_key, **self._token(path)}
        parts = [
            f'--{mark}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
            for name, value in fields.items()
        ]
        head = f'--{mark}\r\nContent-Disposition: form-data; name="notebook"; filename="{LAB}.ipynb"\r\n\r\n'
        body = "".join(parts).encode() + head.encode() + file + f"\r\n--{mark}--\r\n".encode()
        return self._post(path + "submit", body, f"multipart/form-data; boundary={mark}")

    def _token(self, path: str) -> dict[str, str]:
        with self._opener.open(self._url + path, timeout=ANSWER_S) as page:
            found = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page.read().decode())
        if found is None:
            raise RuntimeError(f"There is no form at {path}.")
        return {"csrfmiddlewaretoken": found[1]}

    def _post(self, path: str, body: bytes, kind: str = "application/x-www-form-urlencoded") -> tuple[int, str]:
        asked = urllib.request.Request(self._url + path, body, {"Content-Type": kind})  # noqa: S310 - our own address
        try:
            with self._opener.open(asked, timeout=ANSWER_S) as answer:
                return answer.status, answer.read().decode(errors="replace")
        except urllib.error.HTTPError as error:
            with error:
                said = error.headers.get("Location") or error.read().decode(errors="replace")
            return error.code, said


class Student(threading.Thread):
    """Hands in one order after the other."""

    def __init__(self, school: School, user: User, url: str | None) -> None:
        """Without a `url` the student's notebooks arrive by the action, as an integration's would."""
        super().__init__(name=user.username, daemon=True)
        self.orders: queue.Queue[Order | None] = queue.Queue()
        self.way: Way = "web" if url else "action"
        self.school, self.user = school, user
        self._path = f"/classes/{school.klass.uuid}/labs/{LAB}/"
        self._browser = Browser(url, user) if url else None
        if self._browser:
            self._browser.sign_in()

    def run(self) -> None:
        while order := self.orders.get():
            form_key, file = str(UUID(int=secrets.randbits(128))), content(order.kind, mark=str(order.number))
            end = time.monotonic() + PATIENCE_S
            while order.told is None and time.monotonic() < end:
                order.askings += 1
                try:
                    order.told = self._ask(file, form_key)
                except Exception as error:  # noqa: BLE001 - whatever it was, a student tries again
                    order.troubles.append(f"{type(error).__name__}: {error}"[:200])
                    connection.close()
                    time.sleep(AGAIN_S)
        connection.close()

    def _ask(self, file: bytes, form_key: str) -> UUID:
        if self._browser is None:
            return actions.submit_notebook(
                actor=self.user,
                klass=self.school.klass,
                lab_slug=LAB,
                filename=f"{LAB}.ipynb",
                content=file,
                idempotency_key=form_key,
                now=clock.now(),
            ).uuid
        status, there = self._browser.hand_in(self._path, form_key, file)
        found = re.fullmatch(r"/submissions/([0-9a-f-]{36})/", there)
        if status != 302 or found is None:
            said = re.sub(r"(<[^>]*>|\s)+", " ", there)
            raise RuntimeError(f"{status} {said[-200:]}")
        return UUID(found[1])
