"""Every reason has a sentence in every language, and brings all values that the sentence needs."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Set
from functools import cache
from typing import Final, NamedTuple

import pytest

from server.bots.registry import STRATEGIES
from server.bots.strategy import Reason
from server.games.registry import GAMES
from tests.bots.positions import some_positions
from tests.web.texts import LANGUAGES, texts


class Hints(NamedTuple):
    """The hints of a game, and the search for them."""

    prefix: str
    positions: int
    """The number of positions in which all hints occur that are not rare."""

    rare: Set[str]
    """Hints that occur seldom, or never with the existing cards."""


HINTS: Final = {
    "investors": Hints("inv.hint.", 700, {"waive", "place_block"}),
    "planners": Hints("planners.hint.", 800, {"pass", "lay_last", "release", "decline"}),
    "builders": Hints("builders.hint.", 1_000, {"decline_card", "place_develop"}),
}
every_game = pytest.mark.parametrize("game", sorted(STRATEGIES))


def sentences(game: str, language: str) -> dict[str, str]:
    """Return the hint sentences of a catalogue, by key; of a sentence with several forms, all of them."""
    found = {key: text for key, text in texts(language, game).items() if key.startswith(HINTS[game].prefix)}
    return {key: text if isinstance(text, str) else " ".join(text.values()) for key, text in found.items()}


@cache
def reasons(game: str) -> dict[str, Reason]:
    """Return a reason for each key that occurs in some hundred positions of all kinds."""
    found: dict[str, Reason] = {}
    for number, position in enumerate(some_positions(GAMES[game], "reasons", HINTS[game].positions)):
        for strength in ("easy", "normal"):
            choice = STRATEGIES[game][strength].choose(position.question, random.Random(number), math.inf)
            assert choice.reason is not None, f"{position.question.kind} without a reason"
            found.setdefault(choice.reason.key, choice.reason)
    return found


@every_game
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_has_a_sentence_that_it_can_fill(game: str, language: str) -> None:
    known = sentences(game, language)
    for key, reason in reasons(game).items():
        assert key in known
        assert set(re.findall(r"\{(\w+)\}", known[key])) <= reason.values.keys(), key


@every_game
def test_every_sentence_is_used(game: str) -> None:
    prefix, _, rare = HINTS[game]
    assert sentences(game, "en").keys() - reasons(game).keys() <= {prefix + reason for reason in rare}
