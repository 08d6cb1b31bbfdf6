"""Every attack of the corpus, on real jails."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.hostile.campaign import Campaign
from tests.hostile.corpus import Attack, attacks
from tests.hostile.sandboxes import chosen, opened

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def campaign() -> Iterator[Campaign]:
    with opened(chosen()) as sandbox:
        campaign = Campaign(sandbox)
        yield campaign
        campaign.close()


@pytest.mark.parametrize("attack", attacks(), ids=lambda attack: attack.id)
def test_it_gains_nothing_and_leaves_nothing(campaign: Campaign, attack: Attack) -> None:
    assert not campaign.run(attack).troubles
