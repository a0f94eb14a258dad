"""What a goal will probably be worth at the end, and what one more house on a plot adds to it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from server.games.builders.city import plots_of
from server.games.builders.components import (
    COLOURS,
    COLUMN_BAR,
    GOAL_POINTS,
    LAST_COLUMN,
    MAJORITY_POINTS,
    ROW_BAR,
    SYMBOLS,
    TOP_ROW,
)
from server.games.builders.scoring import pairs_of_neighbours
from server.games.builders.state import State
from server.games.engine.game import Seat

Gains = list[tuple[int, float]]
"""Sets of plots, and what a house on any plot of the set adds."""

_SET: Final = 0.7
"""How likely each missing piece of a set is found in time."""

_LATER_NEIGHBOUR: Final = 0.7
"""How likely a house that stands alone in the beginning gets a neighbour of another seat."""


class Pace(NamedTuple):
    """How much a seat may still do."""

    turns: int
    houses: float
    """Houses that it will probably still build."""

    left: float
    """The part of the game that is left, from 1 down to 0."""


def likely_points(state: State, goal: str, seat: Seat, pace: Pace) -> float:
    """Give what a goal will probably be worth to a seat at the end."""
    houses, own = pace.houses, state.buildings[seat]
    kind, _, about = goal.partition("_")
    match kind:
        case "buildings":
            return GOAL_POINTS[goal] * (state.built(seat) + houses)
        case "isolated":
            return GOAL_POINTS[goal] * (len(_alone(state, own)) * (1 - 0.6 * pace.left) + 0.15 * houses)
        case "next":
            beside = len(_beside(state, seat))
            others = own.bit_count() - beside
            return GOAL_POINTS[goal] * (beside + _LATER_NEIGHBOUR * (others * pace.left + houses))
        case "own":
            return GOAL_POINTS[goal] * (pairs_of_neighbours(state.city, own) + 0.3 * houses)
        case "surrounded":
            corners = (own & state.city.corners).bit_count()
            return GOAL_POINTS[goal] * (_surrounded(state, own) + (0.25 * corners + 0.2 * houses) * pace.left)
        case "money":
            return 2.0
        case "rubble":
            return GOAL_POINTS[goal] * (state.rubble[seat] + 1.5 * pace.left)
        case "column":
            return _on_bar(COLUMN_BAR, min(LAST_COLUMN, state.columns[seat] + 0.5 * houses))
        case "row":
            return _on_bar(ROW_BAR, min(TOP_ROW, state.rows[seat] + 2 * pace.left))
        case "majority":
            return majority_points(_counts(state, about), seat, pace)
        case "colour":
            if about == "set":
                return GOAL_POINTS[goal] * _sets(_by_colour(state, seat), houses)
            count = (own & state.city.by_colour[about]).bit_count()
            return GOAL_POINTS["colour"] * (count + 0.35 * houses)
    assert kind == "card"
    if about == "set":
        return GOAL_POINTS[goal] * _sets(state.cards[seat], 0.7 * houses)
    at = SYMBOLS.index(about)
    return GOAL_POINTS["card"] * (state.cards[seat][at] + min(state.stacks[at], 0.3 * houses))


def plot_gains(state: State, goal: str, seat: Seat, pace: Pace) -> Gains:
    """Give what a house adds to a goal, by where it stands."""
    own, city = state.buildings[seat], state.city
    kind, _, about = goal.partition("_")
    match kind:
        case "buildings":
            return [(city.all_plots, GOAL_POINTS[goal])]
        case "colour" if about == "set":
            counts, points = _by_colour(state, seat), GOAL_POINTS[goal]
            before = _sets(counts, pace.houses)
            return [
                (city.by_colour[colour], points * (_sets(_one_more(counts, at), pace.houses - 1) - before))
                for at, colour in enumerate(COLOURS)
            ]
        case "colour":
            return [(city.by_colour[about], GOAL_POINTS["colour"])]
        case "majority" if about != "rubble":
            counts = _counts(state, about)
            more = majority_points(_one_more(counts, seat), seat, pace) - majority_points(counts, seat, pace)
            return [(city.by_colour[about], more)]
        case "isolated" | "next" | "own" | "surrounded":
            return _neighbour_gains(state, kind, GOAL_POINTS[goal], own, seat, pace)
    return []


def majority_points(counts: Sequence[int], seat: Seat, pace: Pace) -> float:
    """Give what a majority is likely to bring, by how far others are behind or ahead."""
    own = counts[seat]
    spread = 0.35 + 1.3 * pace.left
    ahead = sum(_beaten(other - own, spread) for at, other in enumerate(counts) if at != seat)
    points = _on_bar(MAJORITY_POINTS[len(counts)], ahead)
    return points if own else points * min(0.8, 0.3 * pace.houses)


@lru_cache(maxsize=4096)
def _beaten(lead: int, spread: float) -> float:
    return 1 / (1 + math.exp(-lead / spread))


def _neighbour_gains(state: State, kind: str, points: int, own: int, seat: Seat, pace: Pace) -> Gains:
    neighbours, built_up, city = state.city.neighbours, state.built_up, state.city
    free = city.all_plots & ~built_up
    gains: Gains = []
    if kind == "own":
        around = _around(state, own)
        lonely = 0
        for plot in plots_of(free & around):
            if pairs_of_neighbours(city, own | 1 << plot) > pairs_of_neighbours(city, own):
                lonely |= 1 << plot
        gains = [(lonely, points), (free & ~around, points * 0.3 * min(1.0, pace.houses))]
    elif kind == "next":
        others = built_up & ~own
        beside = _around(state, others)
        gains = [(beside, points), (city.all_plots & ~beside, points * _LATER_NEIGHBOUR * pace.left)]
    elif kind == "isolated":
        taken = _around(state, built_up)
        spoilt = _around(state, sum(1 << plot for plot in _alone(state, own)))
        gains = [(free & ~taken, points * (1 - 0.6 * pace.left)), (spoilt, -points * (1 - 0.6 * pace.left))]
    else:
        for plot in plots_of(free):
            gain = 0.0
            for corner in plots_of(neighbours[plot] & own & city.corners):
                gain += points / (neighbours[corner] & ~built_up).bit_count()
            if city.corners >> plot & 1:
                open_sides = (neighbours[plot] & ~built_up).bit_count()
                gain += points if not open_sides else points * 0.5 * pace.left / open_sides
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


def _counts(state: State, about: str) -> tuple[int, ...]:
    if about == "rubble":
        return state.rubble
    colour = state.city.by_colour[about]
    return tuple([(own & colour).bit_count() for own in state.buildings])


def _by_colour(state: State, seat: Seat) -> tuple[int, ...]:
    own = state.buildings[seat]
    return tuple([(own & state.city.by_colour[colour]).bit_count() for colour in COLOURS])


def _one_more(counts: tuple[int, ...], at: int) -> tuple[int, ...]:
    return (*counts[:at], counts[at] + 1, *counts[at + 1 :])


def _sets(counts: tuple[int, ...], more: float) -> float:
    """Give how many sets of four will probably be complete."""
    done = min(counts)
    missing = sum(1 for count in counts if count == done)
    found: float = _SET**missing if missing <= more else 0.0
    return done + found * min(1.0, more / (missing + 1) + 0.3)


def _on_bar(bar: Sequence[int], place: float) -> float:
    low = int(place)
    return bar[low] if low + 1 >= len(bar) else bar[low] + (bar[low + 1] - bar[low]) * (place - low)
