"""Every event of the rules has a sentence in the log of the page, or is known to need none."""

from __future__ import annotations

import re

import pytest

from server.games.builders.rules import BUILDERS
from server.games.investors.rules import INVESTORS
from server.games.planners.rules import PLANNERS
from tests.web.texts import texts

GAMES = {
    "investors": ("log", INVESTORS.events, {"tile_drawn", "tender_opened", "round_ended", "cards_redealt"}),
    "planners": ("planners.log", PLANNERS.events, {"bonus_due", "turn_ended", "cards_redealt"}),
    "builders": ("builders.log", BUILDERS.events, {"marker_capped", "card_offered", "turn_ended", "cards_redealt"}),
}
"""By game: the prefix of its keys, its events, and those events that need no line."""


@pytest.mark.parametrize("game", GAMES)
def test_every_event_of_the_rules_has_its_sentence(game: str) -> None:
    prefix, events, silent = GAMES[game]
    told = {found[1] for key in texts("en", game) if (found := re.match(rf"{re.escape(prefix)}\.(\w+)", key))}
    assert {event.name for event in events} == told | silent
