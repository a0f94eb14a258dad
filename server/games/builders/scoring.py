"""The points of goals, boards and cards, now or at the end, and the result (RULES 9, 11)."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from server.games.builders.city import City, plots_of
from server.games.builders.components import (
    BEST_BUILDER_POINTS,
    COLOURS,
    DOLLARS_FOR_A_POINT,
    GOAL_POINTS,
    HYDRANT,
    HYDRANT_POINTS,
    LIGHT,
    LIGHT_POINTS,
    MAJORITY_POINTS,
    PARK,
    SYMBOLS,
    TRAM,
    TRAM_POINTS,
)
from server.games.builders.state import Over, State
from server.games.engine.game import Outcome, Seat, ranked

PARTS = ("common", "goals", "board", "cards", "best_builder", "money")
"""The parts of a score, in the order of scoring."""


def outcome(state: State) -> Outcome | None:
    """Return the result of a finished game: points, then buildings built, then a shared place (RULES 11.3)."""
    if not isinstance(state.stage, Over):
        return None
    parts = tuple(points(state, seat) for seat in range(state.seats))
    scores = tuple(sum(own.values()) for own in parts)
    built = [state.built(seat) for seat in range(state.seats)]
    places = ranked(list(zip(scores, built, strict=True)))
    tie_break = "buildings_built" if len(set(scores)) < len(scores) else None
    return Outcome(state.stage.reason, scores, places, tie_break, parts)


def points(state: State, seat: Seat) -> dict[str, int]:
    """Return the parts of a seat's score, face-down goals included."""
    goals = state.open_goals[seat] + state.hidden_goals[seat]
    common = sum(goal_points(state, goal, seat) for goal in state.common_goals)
    return points_with(state, seat, common, sum(goal_points(state, goal, seat) for goal in goals))


def points_with(state: State, seat: Seat, common: int, goals: int) -> dict[str, int]:
    """Return the parts of a seat's score, given the points of the common goals and of its own goals."""
    edition = state.edition
    values = (
        common,
        goals,
        edition.points_by_steps[state.columns[seat] + state.rows[seat]],
        sum(card_points(state, seat).values()),
        BEST_BUILDER_POINTS if state.best_builder == seat else 0,
        edition.money_points[state.money[seat]],
    )
    return dict(zip(PARTS, values, strict=True))


def card_points(state: State, seat: Seat) -> dict[str, int]:
    """Return the points of a seat's development cards, by symbol (RULES 8.5)."""
    lights, trams, hydrants, _ = state.cards[seat]
    return {
        LIGHT: LIGHT_POINTS[lights],
        TRAM: TRAM_POINTS * trams,
        HYDRANT: HYDRANT_POINTS * hydrants,
        PARK: sum(state.parks[seat]),
    }


def goal_points(state: State, goal: str, seat: Seat) -> int:
    """Return the points of a goal for a seat now."""
    return _GOALS[goal](state, seat)


@lru_cache(maxsize=4096)
def majority(counts: tuple[int, ...], places: tuple[int, ...], *, ranks_all: bool) -> tuple[int, ...]:
    """Return the points for each count; equal counts share the points of their places (RULES 9.7).

    A count of zero earns none, unless all are ranked.
    """
    shares = []
    for count in counts:
        ahead, tied = sum(other > count for other in counts), counts.count(count)
        shares.append(sum(places[ahead : ahead + tied]) // tied if count or ranks_all else 0)
    return tuple(shares)


@lru_cache(maxsize=512)
def pairs_of_neighbours(city: City, plots: int) -> int:
    """Return the size of a maximum matching of neighbouring plots in a set (RULES 9.5)."""
    # Few are cached: each entry keeps its city, of 5 KiB, in memory, and nobody asks again once a game is over.
    if not plots:
        return 0
    first = plots & -plots
    rest = plots ^ first
    partners = plots_of(rest & city.neighbours[first.bit_length() - 1])
    if not partners:
        return pairs_of_neighbours(city, rest)
    # Some maximum matching contains a plot that has a neighbour, since it can take the neighbour from another pair.
    return 1 + max(pairs_of_neighbours(city, rest ^ 1 << partner) for partner in partners)


def _buildings(state: State, seat: Seat) -> int:
    return GOAL_POINTS["buildings"] * state.built(seat)


def _isolated(state: State, seat: Seat) -> int:
    neighbours, built_up = state.city.neighbours, state.built_up
    alone = [plot for plot in plots_of(state.buildings[seat]) if not neighbours[plot] & built_up]
    return GOAL_POINTS["isolated"] * len(alone)


def _next_to_opponent(state: State, seat: Seat) -> int:
    neighbours, others = state.city.neighbours, state.built_up & ~state.buildings[seat]
    beside = [plot for plot in plots_of(state.buildings[seat]) if neighbours[plot] & others]
    return GOAL_POINTS["next_to_opponent"] * len(beside)


def _own_pairs(state: State, seat: Seat) -> int:
    return GOAL_POINTS["own_pairs"] * pairs_of_neighbours(state.city, state.buildings[seat])


def _surrounded_corners(state: State, seat: Seat) -> int:
    neighbours, built_up = state.city.neighbours, state.built_up
    own = plots_of(state.buildings[seat] & state.city.corners)
    return GOAL_POINTS["surrounded_corners"] * sum(not neighbours[plot] & ~built_up for plot in own)


def _on_colour(state: State, seat: Seat, colour: str) -> int:
    return (state.buildings[seat] & state.city.by_colour[colour]).bit_count()


def _colour_set(state: State, seat: Seat) -> int:
    return GOAL_POINTS["colour_set"] * min(_on_colour(state, seat, colour) for colour in COLOURS)


def _card_set(state: State, seat: Seat) -> int:
    return GOAL_POINTS["card_set"] * min(state.cards[seat])


def _rubble(state: State, seat: Seat) -> int:
    return GOAL_POINTS["rubble"] * state.rubble[seat]


def _money(state: State, seat: Seat) -> int:
    return GOAL_POINTS["money"] * (state.money[seat] // DOLLARS_FOR_A_POINT)


def _column(state: State, seat: Seat) -> int:
    return state.edition.column_bar[state.columns[seat]]


def _row(state: State, seat: Seat) -> int:
    return state.edition.row_bar[state.rows[seat]]


def _majority_rubble(state: State, seat: Seat) -> int:
    return _majority(state, state.rubble, seat)


def _majority(state: State, counts: tuple[int, ...], seat: Seat) -> int:
    return majority(counts, MAJORITY_POINTS[state.seats], ranks_all=state.majorities_rank_all)[seat]


Worth = Callable[[State, Seat], int]


def _colour(colour: str) -> Worth:
    return lambda state, seat: GOAL_POINTS["colour"] * _on_colour(state, seat, colour)


def _majority_colour(colour: str) -> Worth:
    def worth(state: State, seat: Seat) -> int:
        plots = state.city.by_colour[colour]
        return _majority(state, tuple([(own & plots).bit_count() for own in state.buildings]), seat)

    return worth


def _card(symbol: str) -> Worth:
    at = SYMBOLS.index(symbol)
    return lambda state, seat: GOAL_POINTS["card"] * state.cards[seat][at]


_GOALS: dict[str, Worth] = {
    "buildings": _buildings,
    "isolated": _isolated,
    "next_to_opponent": _next_to_opponent,
    "own_pairs": _own_pairs,
    "surrounded_corners": _surrounded_corners,
    "colour_set": _colour_set,
    "card_set": _card_set,
    "rubble": _rubble,
    "money": _money,
    "column": _column,
    "row": _row,
    "majority_rubble": _majority_rubble,
    **{f"colour_{colour}": _colour(colour) for colour in COLOURS},
    **{f"majority_{colour}": _majority_colour(colour) for colour in COLOURS},
    **{f"card_{symbol}": _card(symbol) for symbol in SYMBOLS},
}
