"""Answers about the project board: draw or take, and where to lay. The best comes first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from server.bots.planners.market import Market, after_taking
from server.bots.strategy import BotChoice, Reason
from server.games.engine.serialization import Json
from server.games.planners.commands import Draw, Finalize, Lay, Pass, Release
from server.games.planners.components import CARDS, MARKET_COLUMNS, MAX_RELEASE, POINT
from server.games.planners.contracts import takeable
from server.games.planners.state import Laying, with_entry


class Rated(NamedTuple):
    """An answer and how good it seems; ratings of one decision can be compared."""

    chosen: BotChoice
    rating: float


def turn(market: Market) -> list[Rated]:
    """Give the answers to the question of a turn, the best first."""
    state, weights = market.state, market.evaluation.weights
    seat, columns, contracts = state.turn, state.columns, state.contracts
    if is_release_due(market):
        return [Rated(RELEASED, 0.0)]
    rated = []
    for column in takeable(tuple(map(len, columns)), contracts[seat]):
        gain = market.taking(seat, columns[column], contracts)
        later = market.round(seat, with_entry(columns, column, ()), after_taking(contracts, seat))
        rating = gain + weights.later * later.own - weights.envy * later.others
        rated.append(Rated(taken(market, column), rating))
    if state.deck:
        later = market.round(seat, columns, contracts)
        rating = weights.later * (later.own + weights.growth) - weights.envy * later.others
        rated.append(Rated(drawn(can_take=bool(rated)), rating))
    if not rated:
        return [Rated(PASSED, 0.0)]
    return sorted(rated, key=_rating, reverse=True)


def lay(market: Market) -> list[Rated]:
    """Give the columns for the drawn card, the best first."""
    state, weights = market.state, market.evaluation.weights
    assert isinstance(state.stage, Laying)
    seat, card = state.turn, state.stage.card
    rated = []
    for column in MARKET_COLUMNS:
        columns = with_entry(state.columns, column, (*state.columns[column], card))
        later = market.round(seat, columns, state.contracts)
        rating = weights.later * later.own - weights.envy * later.others - weights.length * len(columns[column])
        rated.append((rating, later.own, column))
    rated.sort(key=lambda one: one[0], reverse=True)
    most = max(own for _, own, _ in rated)
    is_last = CARDS[card].foundation and state.tokens == 1
    found = []
    for rating, own, column in rated:
        reason = "lay_last" if is_last else "lay_own" if own == most and own > 0 else "lay_away"
        found.append(Rated(laid(column, reason), rating))
    return found


def is_release_due(market: Market) -> bool:
    """Tell whether the seat to move has a token that would give back as much as it ever can."""
    state = market.state
    return state.releases[state.turn] and state.contracts[state.turn] >= MAX_RELEASE


def taken(market: Market, column: int) -> BotChoice:
    """Give the taking of a column, explained."""
    seat, cards = market.state.turn, market.state.columns[column]
    points = max(1, round(market.gain(seat, cards) / POINT))
    return _explained(Finalize(column), "take", letter=_letter(column), count=points)


def drawn(*, can_take: bool) -> BotChoice:
    """Give the drawing of a card, explained."""
    return _explained(Draw(), "draw" if can_take else "draw_only")


def laid(column: int, reason: str) -> BotChoice:
    """Give the laying of the drawn card, explained."""
    return _explained(Lay(column), reason, letter=_letter(column))


def _rating(rated: Rated) -> float:
    return rated.rating


def _letter(column: int) -> str:
    return "ABC"[column]


def _explained(command: Draw | Finalize | Lay | Pass | Release, reason: str, **values: Json) -> BotChoice:
    said: Mapping[str, Json] = values
    return BotChoice(command, Reason(f"planners.hint.{reason}", said))


PASSED: Final = _explained(Pass(), "pass")
RELEASED: Final = _explained(Release(MAX_RELEASE), "release", count=MAX_RELEASE)
