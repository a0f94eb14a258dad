"""A first opponent: it takes a column when it is good enough, and lays a card where it would like to take it.

It does not ask what others want, looks at each card alone, and sees little of what is still to come.
"""

from __future__ import annotations

from random import Random
from typing import Final

from server.bots.planners import building
from server.bots.planners.evaluation import Evaluation, Weights
from server.bots.planners.knowledge import known_state
from server.bots.planners.market import Market
from server.bots.planners.turns import PASSED, RELEASED, drawn, is_release_due, laid, taken
from server.bots.strategy import BotChoice, Question
from server.games.planners.components import MARKET_COLUMNS
from server.games.planners.contracts import takeable
from server.games.planners.state import Choosing, Laying, Placing

_WEIGHTS: Final = Weights(foresight=0.3, patience=100.0, envy=0.0)
_CARELESSNESS: Final = 2.0
"""By how much it may misjudge what a column is worth."""

_ENOUGH: Final = 3.0
"""What a column must be worth to it."""


class Easy:
    """Answers quickly and plausibly."""

    def choose(self, question: Question, rng: Random, seconds: float) -> BotChoice:
        evaluation = Evaluation(known_state(question), _WEIGHTS)
        stage = evaluation.state.stage
        if isinstance(stage, Choosing):
            return building.bonus(evaluation, question.prompt)
        if isinstance(stage, Placing):
            return building.place(evaluation, 1)
        market = Market(evaluation, 0)
        return _lay(market, rng) if isinstance(stage, Laying) else _turn(market, rng)


def _turn(market: Market, rng: Random) -> BotChoice:
    if is_release_due(market):
        return RELEASED
    state = market.state
    seat, columns, contracts = state.turn, state.columns, state.contracts
    seeming = {
        column: market.taking(seat, columns[column], contracts) + _misjudged(rng)
        for column in takeable(tuple(map(len, columns)), contracts[seat])
    }
    best = max(seeming, key=seeming.__getitem__, default=None)
    if best is not None and (seeming[best] > _ENOUGH or not state.deck):
        return taken(market, best)
    return drawn(can_take=bool(seeming)) if state.deck else PASSED


def _lay(market: Market, rng: Random) -> BotChoice:
    """Give the column that the seat would like best with the card in it."""
    state = market.state
    assert isinstance(state.stage, Laying)
    seat, card, contracts = state.turn, state.stage.card, state.contracts[state.turn]
    liking = {}
    for column in MARKET_COLUMNS:
        cards = (*state.columns[column], card)
        liking[column] = (market.gain(seat, cards) if len(cards) > contracts else 0.0) + _misjudged(rng)
    best = max(liking, key=liking.__getitem__)
    return laid(best, "lay_own")


def _misjudged(rng: Random) -> float:
    return _CARELESSNESS * (2 * rng.random() - 1)
