"""Every event of the rules has a sentence in the log of the page, or is known to need none."""

from __future__ import annotations

import re

import pytest

from server.games.builders.rules import BUILDERS
from server.games.investors.rules import INVESTORS
from server.games.planners.rules import PLANNERS
from tests.web.node import WEB

GAMES = {
    "investors": ("log", INVESTORS.events, {"tile_drawn", "tender_opened", "round_ended"}),
    "planners": ("planners.log", PLANNERS.events, {"bonus_due", "turn_ended"}),
    "builders": ("builders.log", BUILDERS.events, {"marker_capped", "card_offered", "turn_ended"}),
}
"""By game: the prefix of its keys, its events, and those events that need no line."""


@pytest.mark.parametrize("game", GAMES)
def test_every_event_of_the_rules_has_its_sentence(game: str) -> None:
    prefix, events, silent = GAMES[game]
    catalogue = (WEB / f"src/catalogue/en-{game}.js").read_text("utf-8")
    told = set(re.findall(rf'^  "{re.escape(prefix)}\.(\w+)', catalogue, re.MULTILINE))
    assert {event.name for event in events} == told | silent
