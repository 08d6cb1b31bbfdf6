"""Every attack of the corpus, on real jails."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.hostile.campaign import Campaign
from tests.hostile.corpus import Attack, attacks
from tests.hostile.sandboxes import chosen, opened

pytestmark = pytest.mark.slow


AT_THE_WALLS = ("kernel", "leftovers", "network")


@pytest.fixture(scope="module")
def campaign() -> Iterator[Campaign]:
    with opened(chosen()) as sandbox:
        campaign = Campaign(sandbox)
        yield campaign
        campaign.close()


@pytest.fixture(scope="module")
def cold_campaign() -> Iterator[Campaign]:
    with opened("cold") as sandbox:
        campaign = Campaign(sandbox)
        yield campaign
        campaign.close()


@pytest.mark.parametrize("attack", attacks(), ids=lambda attack: attack.id)
def test_it_gains_nothing_and_leaves_nothing(campaign: Campaign, attack: Attack) -> None:
    assert not campaign.run(attack).troubles


@pytest.mark.parametrize(
    "attack", [each for each in attacks() if each.kind in AT_THE_WALLS], ids=lambda attack: attack.id
)
def test_cold_jails_hold_what_attacks_the_walls(cold_campaign: Campaign, attack: Attack) -> None:
    """Workers fork their jails where they can, so the whole corpus runs warm; other walls stand elsewhere."""
    assert not cold_campaign.run(attack).troubles
