"""RIDGEPOINT_BROKER_URL, or the embedded broker's socket."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path
from urllib.parse import quote, urlsplit, urlunsplit

from django.core.exceptions import ImproperlyConfigured

from server.settings import env

# The kernel takes 107 bytes for the path of a socket.
SOCKET_PATH_BYTES = 100


def embedded_socket(data_dir: Path) -> Path:
    """Where `manage.py up` puts the broker's socket: one for each data folder, in a folder of mode 0700.

    A socket instead of a port, since whoever can write to the broker can start tasks: this way only the user who
    started it can, and two checkouts on one machine never meet.
    """
    near = data_dir / "run" / "broker.sock"
    if len(os.fsencode(near)) <= SOCKET_PATH_BYTES:
        return near
    mark = hashlib.sha256(os.fsencode(data_dir)).hexdigest()[:12]
    return Path(tempfile.gettempdir()) / f"ridgepoint-{os.getuid()}-{mark}" / "broker.sock"


def from_environment(data_dir: Path) -> str:
    """The broker's address; RIDGEPOINT_BROKER_PASSWORD, if set, is its password.

    Raises:
        ImproperlyConfigured: the address is not one of Redis.
    """
    url = env.value("RIDGEPOINT_BROKER_URL")
    if url is None:
        return f"redis+socket://{embedded_socket(data_dir)}"
    parts = urlsplit(url)
    if parts.scheme not in ("redis", "rediss", "redis+socket"):
        raise ImproperlyConfigured("RIDGEPOINT_BROKER_URL must start with redis://, rediss:// or redis+socket://.")
    password = env.value("RIDGEPOINT_BROKER_PASSWORD")
    if password is None:
        return url
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit(parts._replace(netloc=f":{quote(password, safe='')}@{host}"))
