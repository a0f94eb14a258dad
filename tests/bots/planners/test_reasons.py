"""Every reason that is given can be said, in every language, with what it brings along."""

from __future__ import annotations

import math
import random
import re
from pathlib import Path

import pytest

from server.bots.planners import STRATEGIES
from server.bots.strategy import Reason
from tests.bots.positions import some_positions
from tests.games.planners import GAME

CATALOGUE = Path(__file__).parents[3] / "web" / "src" / "catalogue"
LANGUAGES = ("en", "de")
RARE = {f"planners.hint.{reason}" for reason in ("pass", "lay_last", "release", "decline")}
"""What is seldom said, or never with the cards that there are."""


def sentences(language: str) -> dict[str, str]:
    """Give the texts that a catalogue has for hints."""
    text = (CATALOGUE / f"{language}-planners.js").read_text("utf-8")
    return dict(re.findall(r'^\s*"(planners\.hint\.\w+)":\s*"(.*)",$', text, re.MULTILINE))


@pytest.fixture(scope="module")
def reasons() -> dict[str, Reason]:
    """Give a reason for each key that is given in some hundred positions of all kinds."""
    found: dict[str, Reason] = {}
    for number, position in enumerate(some_positions(GAME, "reasons", 400)):
        for strength in ("easy", "normal"):
            chosen = STRATEGIES[strength].choose(position.question, random.Random(number), math.inf)
            assert chosen.reason is not None, f"{position.question.about} without a reason"
            found.setdefault(chosen.reason.key, chosen.reason)
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_has_a_sentence_that_it_can_fill(reasons: dict[str, Reason], language: str) -> None:
    texts = sentences(language)
    for key, reason in reasons.items():
        assert key in texts
        assert set(re.findall(r"\{(\w+)\}", texts[key])) <= reason.values.keys(), key


def test_every_sentence_is_said_some_time(reasons: dict[str, Reason]) -> None:
    assert set(sentences("en")) - set(reasons) <= RARE
