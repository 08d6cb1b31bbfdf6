"""A disguised canary is found, and nothing else is taken for one."""

from __future__ import annotations

import base64
import codecs
import gzip
import json
import zlib
from urllib.parse import quote

import pytest

from tests.hostile.canaries import traces
from tests.hostile.labs import STANDARD, canary

OURS = canary("q2")


@pytest.mark.parametrize(
    "disguised",
    [
        OURS,
        OURS.upper(),
        OURS[::-1],
        OURS.encode().hex(),
        OURS.encode().hex(" "),
        codecs.encode(OURS, "rot13"),
        str(list(OURS.encode())),
        str(list(OURS)),
        "-".join(OURS),
        "\n".join(OURS),
        "".join(f"\x1b[3{n % 8}m{letter}" for n, letter in enumerate(OURS)),
        "".join(f"%{ord(letter):02x}" for letter in OURS),
        quote(f" {OURS} "),
        base64.b64encode(f"{OURS}".encode()).decode(),
        base64.b64encode(f"x{OURS}y".encode()).decode(),
        base64.b64encode(f"xy{OURS}zz".encode()).decode(),
        base64.encodebytes(f"{'long ' * 9}{OURS}".encode()).decode(),
        base64.b32encode(OURS.encode()).decode(),
        base64.b64encode(zlib.compress(f"text around {OURS}".encode())).decode(),
        zlib.compress(OURS.encode()).hex(),
        base64.urlsafe_b64encode(gzip.compress(OURS.encode())).decode(),
    ],
    ids=range(21),
)
def test_a_disguised_canary_is_found_in_an_output(disguised: str) -> None:
    outputs = [{"output_type": "stream", "name": "stdout", "text": f"before {disguised} after"}]
    notebook = json.dumps({"cells": [{"cell_type": "code", "source": "", "outputs": outputs}]})
    assert traces(notebook.encode(), OURS)


def test_a_canary_in_pieces_is_found_over_several_outputs() -> None:
    outputs = [{"output_type": "display_data", "metadata": {}, "data": {"text/plain": letter}} for letter in OURS]
    notebook = json.dumps({"cells": [{"cell_type": "code", "source": "", "outputs": outputs}]})
    assert traces(notebook.encode(), OURS)


def test_a_canary_between_tags_is_found_on_a_page() -> None:
    page = "".join(f"<b>&#{ord(letter)};</b>" for letter in OURS)
    assert traces(page.encode(), OURS) == ["plain"]


def test_another_questions_canary_is_not_taken_for_this_one() -> None:
    assert not traces(canary("q1").encode(), OURS)


def test_every_hidden_test_of_the_standard_lab_holds_its_canary_several_times() -> None:
    for question in STANDARD.bundle.questions:
        assert question.tests.count(canary(question.name)) >= 4
        assert canary(question.name) not in question.tests.partition("def test_public")[2].partition("@")[0]
