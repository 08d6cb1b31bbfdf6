"""Log lines for operators: a fixed event name, then key=value pairs. Never anything that a student wrote."""

from __future__ import annotations

import logging
from typing import Any


def log(logger: logging.Logger, event: str, /, level: int = logging.INFO, **fields: Any) -> None:
    """`labs.run.claimed run=... worker=...`; handlers find the pairs in the record's `fields` too."""
    pairs = "".join(f" {key}={_text(value)}" for key, value in fields.items() if value is not None)
    logger.log(level, "%s%s", event, pairs, extra={"event": event, "fields": fields})


def _text(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.3f}"
    text = str(value)
    return text if text and not any(char.isspace() or char in '"=' for char in text) else repr(text)
