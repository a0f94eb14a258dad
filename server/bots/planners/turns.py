"""Choices about the project board: draw or take, and where to lay. The best comes first."""

from __future__ import annotations

from typing import Final, NamedTuple

from server.bots.planners.market import Market, after_taking
from server.bots.strategy import BotChoice, Reason
from server.games.engine.serialization import Json
from server.games.planners.commands import Draw, Finalize, Lay, Pass, Release
from server.games.planners.components import CARDS, MARKET_COLUMNS, MAX_RELEASE, POINT
from server.games.planners.contracts import takeable
from server.games.planners.state import Laying, with_entry


class RatedChoice(NamedTuple):
    """A choice and its rating, which is comparable within one decision."""

    choice: BotChoice
    rating: float


def turn(market: Market) -> list[RatedChoice]:
    """Return the choices of a turn, the best first."""
    state, weights = market.state, market.evaluation.weights
    seat, columns, contracts = state.turn, state.columns, state.contracts
    if is_release_due(market):
        return [RatedChoice(RELEASE, 0.0)]
    rated = []
    for column in takeable(tuple(map(len, columns)), contracts[seat]):
        gain = market.taking(seat, columns[column], contracts)
        later = market.forecast(seat, with_entry(columns, column, ()), after_taking(contracts, seat))
        rating = gain + weights.discount * later.own - weights.rivalry * later.others
        rated.append(RatedChoice(take_choice(market, column), rating))
    if state.deck:
        later = market.forecast(seat, columns, contracts)
        rating = weights.discount * (later.own + weights.column_growth) - weights.rivalry * later.others
        rated.append(RatedChoice(draw_choice(can_take=bool(rated)), rating))
    if not rated:
        return [RatedChoice(PASS, 0.0)]
    return sorted(rated, key=_rating, reverse=True)


def lay(market: Market) -> list[RatedChoice]:
    """Return the columns for the drawn card, the best first."""
    state, weights = market.state, market.evaluation.weights
    assert isinstance(state.stage, Laying)
    seat, card = state.turn, state.stage.card
    rated = []
    for column in MARKET_COLUMNS:
        columns = with_entry(state.columns, column, (*state.columns[column], card))
        later = market.forecast(seat, columns, state.contracts)
        rating = (
            weights.discount * later.own
            - weights.rivalry * later.others
            - weights.length_penalty * len(columns[column])
        )
        rated.append((rating, later.own, column))
    rated.sort(key=lambda one: one[0], reverse=True)
    best_own = max(own for _, own, _ in rated)
    is_last = CARDS[card].foundation and state.tokens == 1
    found = []
    for rating, own, column in rated:
        reason = "lay_last" if is_last else "lay_own" if own == best_own and own > 0 else "lay_away"
        found.append(RatedChoice(lay_choice(column, reason), rating))
    return found


def is_release_due(market: Market) -> bool:
    """Return whether the seat to move has a token that would give back as many contracts as possible."""
    state = market.state
    return state.releases[state.turn] and state.contracts[state.turn] >= MAX_RELEASE


def take_choice(market: Market, column: int) -> BotChoice:
    """Return the choice of a column, with its reason."""
    seat, cards = market.state.turn, market.state.columns[column]
    points = max(1, round(market.gain(seat, cards) / POINT))
    return _choice(Finalize(column), "take", letter=_column_name(column), count=points)


def draw_choice(*, can_take: bool) -> BotChoice:
    """Return the choice to draw a card, with its reason."""
    return _choice(Draw(), "draw" if can_take else "draw_only")


def lay_choice(column: int, reason: str) -> BotChoice:
    """Return the choice of a column for the drawn card, with its reason."""
    return _choice(Lay(column), reason, letter=_column_name(column))


def _rating(rated: RatedChoice) -> float:
    return rated.rating


def _column_name(column: int) -> str:
    return "ABC"[column]


def _choice(command: Draw | Finalize | Lay | Pass | Release, reason: str, **values: Json) -> BotChoice:
    return BotChoice(command, Reason(f"planners.hint.{reason}", values))


PASS: Final = _choice(Pass(), "pass")
RELEASE: Final = _choice(Release(MAX_RELEASE), "release", count=MAX_RELEASE)
