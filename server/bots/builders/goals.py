"""Expected final points of goals, and what one more house on a plot adds to them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from server.games.builders.city import plots_of
from server.games.builders.components import (
    COLOURS,
    GOAL_POINTS,
    MAJORITY_POINTS,
    SYMBOLS,
)
from server.games.builders.scoring import pairs_of_neighbours
from server.games.builders.state import State
from server.games.engine.game import Seat

PlotGains = list[tuple[int, float]]
"""Sets of plots, and the points that a house on any plot of the set adds."""

_SET: Final = 0.7
"""The probability that a missing piece of a set is found in time."""

_LATER_NEIGHBOUR: Final = 0.7
"""The probability that a house without a neighbour gets one of another seat later."""


class RemainingPlay(NamedTuple):
    """The turns and houses that a seat has left until the end of the game."""

    turns: int
    houses: float
    """The expected number of houses that it will still build."""

    fraction: float
    """The part of the game that is left, from 1 down to 0."""


def expected_points(state: State, goal: str, seat: Seat, remaining: RemainingPlay) -> float:
    """Return the expected final points of a goal for a seat."""
    houses, own = remaining.houses, state.buildings[seat]
    kind, _, detail = goal.partition("_")
    match kind:
        case "buildings":
            return GOAL_POINTS[goal] * (state.built(seat) + houses)
        case "isolated":
            return GOAL_POINTS[goal] * (len(_alone(state, own)) * (1 - 0.6 * remaining.fraction) + 0.15 * houses)
        case "next":
            beside = len(_beside(state, seat))
            others = own.bit_count() - beside
            return GOAL_POINTS[goal] * (beside + _LATER_NEIGHBOUR * (others * remaining.fraction + houses))
        case "own":
            return GOAL_POINTS[goal] * (pairs_of_neighbours(state.city, own) + 0.3 * houses)
        case "surrounded":
            corners = (own & state.city.corners).bit_count()
            return GOAL_POINTS[goal] * (_surrounded(state, own) + (0.25 * corners + 0.2 * houses) * remaining.fraction)
        case "money":
            return 2.0
        case "rubble":
            return GOAL_POINTS[goal] * (state.rubble[seat] + 1.5 * remaining.fraction)
        case "column":
            return _on_bar(state.edition.column_bar, state.columns[seat] + 0.5 * houses)
        case "row":
            return _on_bar(state.edition.row_bar, state.rows[seat] + 2 * remaining.fraction)
        case "majority":
            return majority_points(_counts(state, detail), seat, remaining, ranks_all=state.majorities_rank_all)
        case "colour":
            if detail == "set":
                return GOAL_POINTS[goal] * _sets(_by_colour(state, seat), houses)
            count = (own & state.city.by_colour[detail]).bit_count()
            return GOAL_POINTS["colour"] * (count + 0.35 * houses)
    assert kind == "card"
    if detail == "set":
        return GOAL_POINTS[goal] * _sets(state.cards[seat], 0.7 * houses)
    at = SYMBOLS.index(detail)
    return GOAL_POINTS["card"] * (state.cards[seat][at] + min(state.stacks[at], 0.3 * houses))


def plot_gains(state: State, goal: str, seat: Seat, remaining: RemainingPlay) -> PlotGains:
    """Return the points that a house adds to a goal, by its plot."""
    own, city = state.buildings[seat], state.city
    kind, _, detail = goal.partition("_")
    match kind:
        case "buildings":
            return [(city.all_plots, GOAL_POINTS[goal])]
        case "colour" if detail == "set":
            counts, points = _by_colour(state, seat), GOAL_POINTS[goal]
            before = _sets(counts, remaining.houses)
            return [
                (city.by_colour[colour], points * (_sets(_one_more(counts, at), remaining.houses - 1) - before))
                for at, colour in enumerate(COLOURS)
            ]
        case "colour":
            return [(city.by_colour[detail], GOAL_POINTS["colour"])]
        case "majority" if detail != "rubble":
            counts = _counts(state, detail)
            return [(city.by_colour[detail], majority_gain(state, counts, seat, remaining))]
        case "isolated" | "next" | "own" | "surrounded":
            return _neighbour_gains(state, kind, GOAL_POINTS[goal], own, seat, remaining)
    return []


def majority_gain(state: State, counts: Sequence[int], seat: Seat, remaining: RemainingPlay) -> float:
    """Return the points that one more adds to a majority."""
    before, after = (
        majority_points(own, seat, remaining, ranks_all=state.majorities_rank_all)
        for own in (counts, _one_more(counts, seat))
    )
    return after - before


def majority_points(counts: Sequence[int], seat: Seat, remaining: RemainingPlay, *, ranks_all: bool) -> float:
    """Return the expected points of a majority, by the leads of the others."""
    own = counts[seat]
    spread = 0.35 + 1.3 * remaining.fraction
    beaten = sum(_logistic(other - own, spread) for at, other in enumerate(counts) if at != seat)
    points = _on_bar(MAJORITY_POINTS[len(counts)], beaten)
    return points if own or ranks_all else points * min(0.8, 0.3 * remaining.houses)


@lru_cache(maxsize=4096)
def _logistic(lead: int, spread: float) -> float:
    return 1 / (1 + math.exp(-lead / spread))


def _neighbour_gains(state: State, kind: str, points: int, own: int, seat: Seat, remaining: RemainingPlay) -> PlotGains:
    neighbours, built_up, city = state.city.neighbours, state.built_up, state.city
    free = city.all_plots & ~built_up
    gains: PlotGains = []
    if kind == "own":
        around = _around(state, own)
        lonely = 0
        for plot in plots_of(free & around):
            if pairs_of_neighbours(city, own | 1 << plot) > pairs_of_neighbours(city, own):
                lonely |= 1 << plot
        gains = [(lonely, points), (free & ~around, points * 0.3 * min(1.0, remaining.houses))]
    elif kind == "next":
        others = built_up & ~own
        beside = _around(state, others)
        gains = [(beside, points), (city.all_plots & ~beside, points * _LATER_NEIGHBOUR * remaining.fraction)]
    elif kind == "isolated":
        taken = _around(state, built_up)
        spoilt = _around(state, sum(1 << plot for plot in _alone(state, own)))
        gains = [
            (free & ~taken, points * (1 - 0.6 * remaining.fraction)),
            (spoilt, -points * (1 - 0.6 * remaining.fraction)),
        ]
    else:
        for plot in plots_of(free):
            gain = 0.0
            for corner in plots_of(neighbours[plot] & own & city.corners):
                gain += points / (neighbours[corner] & ~built_up).bit_count()
            if city.corners >> plot & 1:
                open_sides = (neighbours[plot] & ~built_up).bit_count()
                gain += points if not open_sides else points * 0.5 * remaining.fraction / open_sides
            if gain:
                gains.append((1 << plot, gain))
    return gains


def _alone(state: State, own: int) -> list[int]:
    neighbours, built_up = state.city.neighbours, state.built_up
    return [plot for plot in plots_of(own) if not neighbours[plot] & built_up]


def _beside(state: State, seat: Seat) -> list[int]:
    own = state.buildings[seat]
    neighbours, others = state.city.neighbours, state.built_up & ~own
    return [plot for plot in plots_of(own) if neighbours[plot] & others]


def _surrounded(state: State, own: int) -> int:
    neighbours, built_up = state.city.neighbours, state.built_up
    return sum(not neighbours[plot] & ~built_up for plot in plots_of(own & state.city.corners))


def _around(state: State, plots: int) -> int:
    mask = 0
    for plot in plots_of(plots):
        mask |= state.city.neighbours[plot]
    return mask


def _counts(state: State, detail: str) -> tuple[int, ...]:
    if detail == "rubble":
        return state.rubble
    colour = state.city.by_colour[detail]
    return tuple([(own & colour).bit_count() for own in state.buildings])


def _by_colour(state: State, seat: Seat) -> tuple[int, ...]:
    own = state.buildings[seat]
    return tuple([(own & state.city.by_colour[colour]).bit_count() for colour in COLOURS])


def _one_more(counts: Sequence[int], at: int) -> tuple[int, ...]:
    return (*counts[:at], counts[at] + 1, *counts[at + 1 :])


def _sets(counts: tuple[int, ...], more: float) -> float:
    """Return the expected number of complete sets of four."""
    done = min(counts)
    missing = sum(1 for count in counts if count == done)
    found: float = _SET**missing if missing <= more else 0.0
    return done + found * min(1.0, more / (missing + 1) + 0.3)


def _on_bar(bar: Sequence[int], place: float) -> float:
    low = int(place)
    return bar[-1] if low + 1 >= len(bar) else bar[low] + (bar[low + 1] - bar[low]) * (place - low)
