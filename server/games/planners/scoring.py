"""Who leads where, and what it all comes to (RULES 8). All points are counted in halves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from server.games.game import Outcome, Seat, ranked
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
    SPACES,
    TOKEN_POINTS,
    TOWER_POINTS,
)
from server.games.planners.state import Over, State

CABLE_CARS: Final = "cable_cars"
CATEGORIES: Final = (*DISTRICTS, CABLE_CARS)
"""Where there is an advantage to be had: each row of the cities, and the cable cars."""


class Tie(NamedTuple):
    """What put a seat behind another of the same total: a space, a column, or the order of turns."""

    by: str
    at: int | None = None


class Standing(NamedTuple):
    """One seat's place in a category; `tie` says why it stands behind the seat just before it, if totals do not."""

    seat: Seat
    total: int
    points: int
    tie: Tie | None


def standings(state: State) -> list[list[Standing]]:
    """Give all seats in order of rank, for each category, as if the game ended now."""
    seats = state.settings.seats
    ended_by = state.stage.seat if isinstance(state.stage, Over) else state.turn
    values = [city.values() for city in state.cities]
    rows = [
        _ranking([_row_key(own, row) for own in values], ended_by, DISTRICT_POINTS[seats], "space", row * COLUMNS)
        for row in range(ROWS)
    ]
    cars = _ranking([_car_key(city) for city in state.cities], ended_by, CABLE_CAR_POINTS[seats], "column", 0)
    return [*rows, cars]


def _row_key(values: tuple[int, ...], row: int) -> tuple[int, ...]:
    """Give what decides on a row: its total, its cards from the left, then the rows below around (RULES 8.2)."""
    start = row * COLUMNS
    return (sum(values[start : start + COLUMNS]), *values[start:], *values[:start])


def _car_key(city: City) -> tuple[int, ...]:
    """Give what decides about cable cars: all of them, then those in each column from the left (RULES 8.3)."""
    return (city.cars.bit_count(), *((city.cars & column).bit_count() for column in COLUMN_BITS))


def _ranking(
    keys: Sequence[tuple[int, ...]], ended_by: Seat, points: tuple[int, ...], unit: str, first: int
) -> list[Standing]:
    seats = len(keys)
    # RULES 8.4: a sort that keeps the order of equals puts who ended the game first, then those to the left.
    order = sorted(((ended_by + step) % seats for step in range(seats)), key=keys.__getitem__, reverse=True)
    ranking = []
    for rank, seat in enumerate(order):
        tie = _tie(keys[order[rank - 1]], keys[seat], unit, first) if rank else None
        ranking.append(Standing(seat, keys[seat][0], points[rank], tie))
    return ranking


def _tie(better: tuple[int, ...], worse: tuple[int, ...], unit: str, first: int) -> Tie | None:
    if better[0] != worse[0]:
        return None
    for step, (one, other) in enumerate(zip(better[1:], worse[1:], strict=True)):
        if one != other:
            return Tie(unit, (first + step) % SPACES)
    return Tie("turn")


def scored(state: State, ranks: Sequence[Sequence[Standing]]) -> list[dict[str, int]]:
    """Give where each seat's points would come from with these standings if the game ended now."""
    parts: list[dict[str, int]] = [dict.fromkeys(CATEGORIES, 0) for _ in state.cities]
    for category, ranking in zip(CATEGORIES, ranks, strict=True):
        for standing in ranking:
            parts[standing.seat][category] = standing.points
    for seat, city in enumerate(state.cities):
        parts[seat]["towers"] = TOWER_POINTS * city.towers.bit_count()
        parts[seat]["medal"] = MEDAL_POINTS * (state.medal == seat)
        parts[seat]["rows"] = ROW_POINTS * state.completed.count(seat)
        parts[seat]["tokens"] = TOKEN_POINTS * state.point_tokens[seat]
    return parts


def outcome(state: State) -> Outcome | None:
    """Give the result of a finished game: points, then cable cars, then a shared place (RULES 8.6)."""
    if not isinstance(state.stage, Over):
        return None
    parts = scored(state, standings(state))
    scores = tuple(sum(own.values()) for own in parts)
    cars = [city.cars.bit_count() for city in state.cities]
    places = ranked(list(zip(scores, cars, strict=True)))
    tie_break = CABLE_CARS if len(set(scores)) < len(scores) else None
    return Outcome(state.stage.reason, scores, places, tie_break, tuple(parts), POINT)
