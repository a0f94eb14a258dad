"""Ranks in each category, and the result (RULES 8). All points are counted in halves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from server.games.engine.game import Outcome, Seat, ranked
from server.games.planners.city import COLUMN_BITS, City
from server.games.planners.components import (
    CABLE_CAR_POINTS,
    COLUMNS,
    DISTRICT_POINTS,
    DISTRICTS,
    MEDAL_POINTS,
    POINT,
    ROW_POINTS,
    ROWS,
    TOKEN_POINTS,
    TOWER_POINTS,
)
from server.games.planners.state import Over, State

CABLE_CARS: Final = "cable_cars"
CATEGORIES: Final = (*DISTRICTS, CABLE_CARS)
"""The categories that give an advantage: each row of the cities, and the cable cars."""


class Tie(NamedTuple):
    """A tie-break that put a seat behind another of the same total: a space, a row, a column, or the order of turns."""

    by: str
    at: int | None = None


class Standing(NamedTuple):
    """One seat's place in a category; `tie` says why it stands behind the seat just before it, if totals do not."""

    seat: Seat
    total: int
    points: int
    tie: Tie | None


class Contest(NamedTuple):
    """A contest in one category: a sorting key for each seat, the greatest first, and the points of each rank."""

    keys: tuple[tuple[int, ...], ...]
    points: tuple[int, ...]
    ties: tuple[Tie, ...]
    """The tie-break for each part of a key after the total."""

    is_left_to_turns: bool
    """Whether some seats are equal in everything but the order of turns."""


def _row_ties(row: int, *, by_total: bool) -> tuple[Tie, ...]:
    """Return the tie-breaks of a row: its cards from the left, then the rows below around (RULES 8.2)."""
    ties: list[Tie] = []
    for below in _rows_from(row):
        if by_total and below != row:
            ties.append(Tie("row", below))
        ties += [Tie("space", below * COLUMNS + column) for column in range(COLUMNS)]
    return tuple(ties)


def _rows_from(row: int) -> tuple[int, ...]:
    return (*range(row, ROWS), *range(row))


_ROW_TIES: Final = {
    by_total: tuple(_row_ties(row, by_total=by_total) for row in range(ROWS)) for by_total in (False, True)
}
_CAR_TIES: Final = tuple(Tie("column", column) for column in range(COLUMNS))


def standings(state: State) -> list[list[Standing]]:
    """Return all seats in order of rank, for each category, as if the game ended now."""
    ended_by = ender(state)
    return [ranking(contest, ended_by) for contest in contests(state.cities, state.settings.rows_below_by_total)]


def ender(state: State) -> Seat:
    """Return the seat that ended the game, or that would end it now."""
    return state.stage.seat if isinstance(state.stage, Over) else state.turn


def contests(cities: Sequence[City], rows_below_by_total: bool) -> list[Contest]:
    """Return the contest in each category."""
    seats = len(cities)
    values = [city.values() for city in cities]
    are_equal = len(set(values)) < seats  # a key of a row contains every value
    key_of = _row_key_by_totals if rows_below_by_total else _row_key
    rows = [
        Contest(
            tuple([key_of(own, row) for own in values]),
            DISTRICT_POINTS[seats],
            _ROW_TIES[rows_below_by_total][row],
            are_equal,
        )
        for row in range(ROWS)
    ]
    cars = tuple(map(_car_key, cities))
    return [*rows, Contest(cars, CABLE_CAR_POINTS[seats], _CAR_TIES, len(set(cars)) < seats)]


def _row_key(values: tuple[int, ...], row: int) -> tuple[int, ...]:
    """Return the key of a row: its total, its cards from the left, then the rows below around (RULES 8.2)."""
    start = row * COLUMNS
    return (sum(values[start : start + COLUMNS]), *values[start:], *values[:start])


def _row_key_by_totals(values: tuple[int, ...], row: int) -> tuple[int, ...]:
    """Return the same key with the total of each row below before its cards."""
    key: list[int] = []
    for below in _rows_from(row):
        cards = values[below * COLUMNS : (below + 1) * COLUMNS]
        key += (sum(cards), *cards)
    return tuple(key)


def _car_key(city: City) -> tuple[int, ...]:
    """Return the key of the cable cars: all of them, then those in each column from the left (RULES 8.3)."""
    return (city.cars.bit_count(), *((city.cars & column).bit_count() for column in COLUMN_BITS))


def ranking(contest: Contest, ended_by: Seat) -> list[Standing]:
    """Return all seats in order of rank in one category, if this seat ended the game."""
    keys, points, ties, _ = contest
    seats = len(keys)
    # RULES 8.4: the stable sort puts the seat that ended the game first among equals, then the seats to its left.
    order = sorted(((ended_by + step) % seats for step in range(seats)), key=keys.__getitem__, reverse=True)
    ranked_seats = []
    for rank, seat in enumerate(order):
        tie = _tie(keys[order[rank - 1]], keys[seat], ties) if rank else None
        ranked_seats.append(Standing(seat, keys[seat][0], points[rank], tie))
    return ranked_seats


def _tie(better: tuple[int, ...], worse: tuple[int, ...], ties: tuple[Tie, ...]) -> Tie | None:
    if better[0] != worse[0]:
        return None
    for one, other, tie in zip(better[1:], worse[1:], ties, strict=True):
        if one != other:
            return tie
    return Tie("turn")


def scored(state: State, ranks: Sequence[Sequence[Standing]]) -> list[dict[str, int]]:
    """Return the parts of each seat's points with these ranks, as if the game ended now."""
    return scored_of(ranks, state.cities, state.medal, state.completed, state.point_tokens)


def scored_of(
    ranks: Sequence[Sequence[Standing]],
    cities: Sequence[City],
    medal: Seat | None,
    completed: tuple[Seat | None, ...],
    point_tokens: Sequence[int],
) -> list[dict[str, int]]:
    """Return the parts of each seat's points for these ranks, cities and tokens."""
    parts: list[dict[str, int]] = [dict.fromkeys(CATEGORIES, 0) for _ in cities]
    for category, ranking in zip(CATEGORIES, ranks, strict=True):
        for standing in ranking:
            parts[standing.seat][category] = standing.points
    for seat, city in enumerate(cities):
        parts[seat]["towers"] = TOWER_POINTS * city.towers.bit_count()
        parts[seat]["medal"] = MEDAL_POINTS * (medal == seat)
        parts[seat]["rows"] = ROW_POINTS * completed.count(seat)
        parts[seat]["tokens"] = TOKEN_POINTS * point_tokens[seat]
    return parts


def outcome(state: State) -> Outcome | None:
    """Return the result of a finished game: points, then cable cars, then a shared place (RULES 8.6)."""
    if not isinstance(state.stage, Over):
        return None
    parts = scored(state, standings(state))
    scores = tuple(sum(own.values()) for own in parts)
    cars = [city.cars.bit_count() for city in state.cities]
    places = ranked(list(zip(scores, cars, strict=True)))
    tie_break = CABLE_CARS if len(set(scores)) < len(scores) else None
    return Outcome(state.stage.reason, scores, places, tie_break, tuple(parts), POINT)
