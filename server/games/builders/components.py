"""Numbers from the box. The data files hold what is printed on cards and boards, and say what is reconstructed."""

from __future__ import annotations

import json
from importlib import resources
from itertools import pairwise
from typing import Any, Final

from server.games.engine.frozen import frozen

SEATS: Final = range(2, 5)
RULES_VERSION: Final = 4
UNNAMED_RULES: Final = 2
"""The version of the rules of a game whose first event names none."""

BUILDINGS_PER_SEAT: Final = 8
MAX_MONEY: Final = 15
MAX_PERMITS_HELD: Final = 5
PERMITS_SHOWN: Final = 3
GOALS_SHOWN: Final = 3
COMMON_GOALS: Final = 3
FIRST_YEAR: Final = 1906
LAST_YEAR: Final = 1912
YEAR_BOARD: Final = 0
"""The area of the year board; the action cards follow as areas 1 to 6."""

FEE_PER_STEP: Final = 2
DOLLAR: Final = 1
CLEAN_UP_PRICE: Final = 3
CLEAN_UP_STEP_PRICE: Final = 2
DEVELOP_PRICE: Final = 2
RUBBLE_PRICE: Final = 3
"""On top of the year's cost, for a building on a plot with rubble."""

CORNER_DOLLAR: Final = 1
NO_PLOT: Final = -1
BLIND: Final = "blind"

LIGHT: Final = "light"
TRAM: Final = "tram"
HYDRANT: Final = "hydrant"
PARK: Final = "park"
SYMBOLS: Final = (LIGHT, TRAM, HYDRANT, PARK)


@frozen
class PlotCard:
    """A block of the city: colour and number of each plot, and where rubble lies on each side."""

    id: str
    plots: tuple[tuple[str, int], ...]
    rubble: dict[str, tuple[int, ...]]


@frozen
class Permit:
    """A building permit; a wild one has neither colour nor number."""

    colour: str | None
    number: int | None
    symbols: tuple[str, ...]


@frozen
class Space:
    """A place for a pawn on an action card, and its action; `amount` is that of an income."""

    action: str
    amount: int = 0


@frozen
class Year:
    """A year: the cost of building, and its bonus: gains for all seats, then one of a choice."""

    build_cost: int
    given: tuple[str, ...]
    choice: tuple[str, ...]
    money_fixed: int
    money_per_building: int


@frozen
class Edition:
    """The reconstructed numbers that later versions of the rules have changed; a game keeps those it was begun with."""

    points_by_steps: tuple[int, ...]
    """The final points of the fields of the development board, by steps from the start."""

    column_bar: tuple[int, ...]
    row_bar: tuple[int, ...]
    money_points: tuple[int, ...]
    """The final points of each sum of money."""

    spaces: dict[int, dict[str, tuple[Space, ...]]]
    """The spaces of each action card from the left, on the side for this number of seats."""

    @property
    def last_column(self) -> int:
        return len(self.column_bar) - 1

    @property
    def last_row(self) -> int:
        return len(self.row_bar) - 1


def _data(file: str) -> Any:
    return json.loads(resources.files(__package__).joinpath(file).read_text("utf-8"))


def _years(rows: list[dict[str, Any]]) -> dict[int, Year]:
    years = {}
    for row in rows:
        money = row.get("money", {"fixed": 0, "per_building": 0})
        bonus = (tuple(row["given"]), tuple(row["choice"]))
        years[row["year"]] = Year(row["build_cost"], *bonus, money["fixed"], money["per_building"])
    return years


def _spaces(rows: list[dict[str, Any]]) -> tuple[Space, ...]:
    spaces = tuple(Space(**row) for row in rows)
    assert len({space.action for space in spaces}) == len(spaces), "an action is named by its kind, so once on a card"
    return spaces


def _as_of(data: dict[str, Any], rules: int) -> dict[str, Any]:
    """Return data with the numbers of a version of the rules; earlier numbers are listed from the oldest."""
    return next((data | earlier for earlier in data["earlier"] if rules <= earlier["until_rules"]), data)


def _edition(rules: int) -> Edition:
    boards, cards = _as_of(_BOARDS, rules), _as_of(_ACTIONS, rules)["cards"]
    board = boards["development_board"]
    sides = {side: {row["id"]: _spaces(row[side]) for row in cards} for side in ("two", "more")}
    return Edition(
        tuple(board["points_by_steps"]),
        tuple(board["column_bar"]),
        tuple(board["row_bar"]),
        tuple(boards["money_track"]["points"]),
        {seats: sides["two" if seats == 2 else "more"] for seats in SEATS},
    )


_PLOTS = _data("plot_cards.json")
COLOURS: Final[tuple[str, ...]] = tuple(_PLOTS["colours"])
CARD_COLUMNS: Final[int] = _PLOTS["columns"]
CARD_ROWS: Final[int] = _PLOTS["rows"]
PLOTS_PER_CARD: Final = CARD_COLUMNS * CARD_ROWS
CORNERS: Final[tuple[int, ...]] = tuple(_PLOTS["corners"])
GRIDS: Final[dict[int, tuple[int, int]]] = {int(seats): (grid[0], grid[1]) for seats, grid in _PLOTS["grids"].items()}
"""Columns and rows of plot cards for each number of seats."""

PLOT_CARDS: Final = {
    row["id"]: PlotCard(
        row["id"],
        tuple((colour, number) for colour, number in row["plots"]),
        {side: tuple(plots) for side, plots in row["rubble"].items()},
    )
    for row in _PLOTS["cards"]
}

PERMITS: Final = tuple(
    Permit(row["colour"], row["number"], tuple(row["symbols"])) for row in _data("permits.json")["permits"]
)
SHARED_SYMBOLS: Final = tuple(
    tuple(tuple(symbol for symbol in one.symbols if symbol in other.symbols) for other in PERMITS) for one in PERMITS
)
"""The symbols that two permits have in common."""

_ACTIONS = _data("action_cards.json")
ACTION_CARDS: Final[tuple[str, ...]] = tuple(row["id"] for row in _ACTIONS["cards"])

_GOALS = _data("goals.json")
START_GOALS: Final[tuple[str, ...]] = tuple(_GOALS["start"])
OTHER_GOALS: Final[tuple[str, ...]] = tuple(_GOALS["others"])
GOAL_POINTS: Final[dict[str, int]] = _GOALS["points"]
DOLLARS_FOR_A_POINT: Final[int] = _GOALS["dollars_for_a_point"]
BEST_BUILDER_POINTS: Final[int] = _GOALS["best_builder"]
MAJORITY_POINTS: Final = {seats: tuple(_GOALS["majorities"][str(seats)]) for seats in SEATS}

_CARDS = _data("development_cards.json")
LIGHT_POINTS: Final[tuple[int, ...]] = tuple(_CARDS[LIGHT]["points"])
TRAM_POINTS: Final[int] = _CARDS[TRAM]["points"]
TRAM_PRICE: Final[int] = _CARDS[TRAM]["price"]
HYDRANT_POINTS: Final[int] = _CARDS[HYDRANT]["points"]
PARK_VALUES: Final[tuple[int, ...]] = tuple(_CARDS[PARK]["values"])
STACKS: Final[dict[str, int]] = {symbol: _CARDS[symbol]["cards"] for symbol in (LIGHT, TRAM, HYDRANT)}

_BOARDS = _data("boards.json")
INCOME_SPACES: Final[tuple[int, ...]] = tuple(_BOARDS["year_board"]["income_spaces"])
YEARS: Final = _years(_BOARDS["year_board"]["years"])
EDITIONS: Final = {rules: _edition(rules) for rules in range(1, RULES_VERSION + 1)}
"""By the version of the rules."""

EDITION: Final = EDITIONS[RULES_VERSION]
"""The numbers of new games."""

assert all(len(edition.money_points) == MAX_MONEY + 1 for edition in EDITIONS.values())
assert all(len(edition.points_by_steps) == edition.last_column + edition.last_row + 1 for edition in EDITIONS.values())
# Tied places share their points equally, and no rule says how to round.
assert all(
    sum(points[first : first + tied]) % tied == 0
    for points in MAJORITY_POINTS.values()
    for tied in range(1, len(points) + 1)
    for first in range(len(points) - tied + 1)
)
assert all(before > after for points in MAJORITY_POINTS.values() for before, after in pairwise(points))
