"""Easy: takes a column when it is good enough, and lays a card where it would like to take it.

It ignores the gains of others, evaluates each card alone, and misjudges columns at random.
"""

from __future__ import annotations

from random import Random
from typing import Final

from server.bots.planners import building
from server.bots.planners.evaluation import Evaluation, Weights
from server.bots.planners.knowledge import known_state
from server.bots.planners.market import Market
from server.bots.planners.styles import styled
from server.bots.planners.turns import PASS, RELEASE, draw_choice, is_release_due, lay_choice, take_choice
from server.bots.strategy import BotChoice, Question
from server.games.planners.components import MARKET_COLUMNS
from server.games.planners.contracts import takeable
from server.games.planners.state import Choosing, Laying, Placing

_WEIGHTS: Final = Weights(foresight=0.3, take_threshold=100.0, rivalry=0.0)
_NOISE: Final = 2.0
"""The largest misjudgement of the value of a column."""

_PATIENCE: Final = 2.0
"""The minimum value of a column to take, for each point of the weight `column_growth`."""

_ENVY: Final = 0.4
"""The part of the gain of the leading opponent that counts as the own one when it is taken away, for each point of the
weight `spite`."""


class Easy:
    """A strategy that answers quickly and plausibly."""

    def choose(self, question: Question, rng: Random, seconds: float) -> BotChoice:
        evaluation = Evaluation(known_state(question), styled(_WEIGHTS, question.style))
        stage = evaluation.state.stage
        if isinstance(stage, Choosing):
            return building.bonus(evaluation, question.prompt)
        if isinstance(stage, Placing):
            return building.place(evaluation, 1)
        market = Market(evaluation, 0)
        return _lay(market, rng) if isinstance(stage, Laying) else _turn(market, rng)


def _turn(market: Market, rng: Random) -> BotChoice:
    if is_release_due(market):
        return RELEASE
    state = market.state
    seat, columns, contracts = state.turn, state.columns, state.contracts
    noisy_gains = {
        column: market.taking(seat, columns[column], contracts) + _denied(market, columns[column]) + _noise(rng)
        for column in takeable(tuple(map(len, columns)), contracts[seat])
    }
    best = max(noisy_gains, key=noisy_gains.__getitem__, default=None)
    if best is not None and (noisy_gains[best] > _PATIENCE * market.evaluation.weights.column_growth or not state.deck):
        return take_choice(market, best)
    return draw_choice(can_take=bool(noisy_gains)) if state.deck else PASS


def _lay(market: Market, rng: Random) -> BotChoice:
    """Return the column with the highest noisy gain for the seat with the card in it."""
    state = market.state
    assert isinstance(state.stage, Laying)
    seat, card, contracts = state.turn, state.stage.card, state.contracts[state.turn]
    noisy_gains = {}
    for column in MARKET_COLUMNS:
        cards = (*state.columns[column], card)
        gain = market.gain(seat, cards) if len(cards) > contracts else 0.0
        noisy_gains[column] = gain - _denied(market, cards) + _noise(rng)
    best = max(noisy_gains, key=noisy_gains.__getitem__)
    return lay_choice(best, "lay_own")


def _denied(market: Market, cards: tuple[int, ...]) -> float:
    """Return what it is worth to a spoiler that the leading opponent does not get these cards; 0 to others."""
    spite = market.evaluation.weights.spite
    if spite == 0:
        return 0.0
    return _ENVY * spite * market.gain(market.evaluation.leading_rival(market.state.turn), cards)


def _noise(rng: Random) -> float:
    return _NOISE * (2 * rng.random() - 1)
