"""Styles: other weights for the same evaluation, seen in the answers at every strength."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from itertools import islice
from typing import Final

import pytest

from server.bots.planners import STRATEGIES
from server.bots.planners.evaluation import Evaluation, Weights
from server.bots.planners.hard import Hard, SearchBudget
from server.bots.planners.market import Market
from server.bots.planners.normal import BEAM_WIDTH
from server.bots.planners.styles import styled
from server.bots.strategy import Style
from tests.bots.positions import positions
from tests.games.planners import GAME
from tests.games.planners.scenes import Scene

PLAYERS = {"easy": STRATEGIES["easy"], "normal": STRATEGIES["normal"], "hard": Hard(SearchBudget(4, 1))}
POSITIONS = {"easy": 250, "normal": 120, "hard": 60}
"""The number of positions by strength: an easy bot errs by chance more than a style changes its answers."""

MARKET: Final = ("turn", "lay")
"""The decisions about the columns, which a style changes most."""


def test_without_a_style_the_weights_stay() -> None:
    assert styled(Weights(), None) == Weights()


@pytest.mark.parametrize("style", Style)
@pytest.mark.parametrize("strength", PLAYERS)
def test_every_style_is_seen_in_some_answers_at_every_strength(strength: str, style: Style) -> None:
    strategy = PLAYERS[strength]
    market = (position for position in positions(GAME, "styles") if position.question.kind in MARKET)
    for number, position in enumerate(islice(market, POSITIONS[strength])):
        question = replace(position.question, style=style)
        answer = strategy.choose(question, random.Random(number), math.inf)
        assert question.prompt.admit(answer.command) is None
        if answer.command != strategy.choose(position.question, random.Random(number), math.inf).command:
            return
    raise AssertionError("the style is never seen")


def test_a_spoiler_minds_most_what_the_leader_gains() -> None:
    """Blue leads, and gains most from the column."""
    rows = """
        3       3       2t      2t      .
        3       .       .       .       .
    """
    scene = Scene("", rows, "", seats=3, columns=("blue:2c u2 u2 u2", "", ""), contracts={"r": 3})
    others = []
    for style in (None, Style.SPOILER):
        market = Market(Evaluation(scene.state, styled(Weights(), style)), BEAM_WIDTH)
        assert market.evaluation.leading_rival(0) == 1
        others.append(market.forecast(0, market.state.columns, market.state.contracts).others)
    assert others[1] == pytest.approx((1 + styled(Weights(), Style.SPOILER).spite) * others[0])
    assert others[0] > 0
