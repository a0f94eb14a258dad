"""The map: 35 districts in five rows of seven, and the 82 streets around them.

A district is `row * 7 + column`. Streets 0 to 41 run along the top of a district or the city's lower edge
(`row * 7 + column`, six rows); streets 42 to 81 run down its left side or the city's right edge
(`42 + row * 8 + column`). A street holds a seat's stick, a white one, or nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from server.games.investors.components import LANDMARKS, PARK

ROWS: Final = 5
COLUMNS: Final = 7
DISTRICTS: Final = ROWS * COLUMNS
MIDDLE: Final = 2 * COLUMNS + 3

_FIRST_UPRIGHT: Final = (ROWS + 1) * COLUMNS
STREETS: Final = _FIRST_UPRIGHT + ROWS * (COLUMNS + 1)

FREE: Final = -1
WHITE: Final = -2


def flat(row: int, column: int) -> int:
    """Return the street along the top of a district; row 5 is the city's lower edge."""
    return row * COLUMNS + column


def upright(row: int, column: int) -> int:
    """Return the street down the left side of a district; column 7 is the city's right edge."""
    return _FIRST_UPRIGHT + row * (COLUMNS + 1) + column


STREETS_OF: Final = tuple(
    (flat(row, column), flat(row + 1, column), upright(row, column), upright(row, column + 1))
    for row in range(ROWS)
    for column in range(COLUMNS)
)
"""The four streets of each district: top, bottom, left, right."""

DISTRICTS_OF: Final = tuple(
    tuple(district for district in range(DISTRICTS) if street in STREETS_OF[district]) for street in range(STREETS)
)
"""The one or two districts of each street."""

EDGE_STREETS: Final = tuple(street for street in range(STREETS) if len(DISTRICTS_OF[street]) == 1)

NEIGHBOURS: Final = tuple(
    tuple(other for street in STREETS_OF[district] for other in DISTRICTS_OF[street] if other != district)
    for district in range(DISTRICTS)
)


def _is_on_map(kind_rows: int, kind_columns: int, row: int, column: int) -> bool:
    return 0 <= row < kind_rows and 0 <= column < kind_columns


def _paths(street: int, *, axis_only: bool) -> tuple[tuple[int, ...], ...]:
    is_flat = street < _FIRST_UPRIGHT
    rows, columns = (ROWS + 1, COLUMNS) if is_flat else (ROWS, COLUMNS + 1)
    name = flat if is_flat else upright
    row, column = divmod(street if is_flat else street - _FIRST_UPRIGHT, columns)
    along = ((0, 1), (0, -1)) if is_flat else ((1, 0), (-1, 0))
    across = ((1, 0), (-1, 0)) if is_flat else ((0, 1), (0, -1))
    paths = []
    for down, right in along if axis_only else along + across:
        steps = ((row + down * length, column + right * length) for length in (1, 2))
        path = tuple(name(*step) for step in steps if _is_on_map(rows, columns, *step))
        if path:
            paths.append(path)
    return tuple(paths)


PATHS: Final = {
    axis_only: tuple(_paths(street, axis_only=axis_only) for street in range(STREETS)) for axis_only in (False, True)
}
"""RULES 8.5: where a stick can be shifted, one path of one or two streets for each direction."""


def holder(layout: Sequence[str | None], sticks: Sequence[int], district: int) -> int | None:
    """Return the seat that has the majority at a district, if one has.

    RULES 5.2: more sticks than any other seat could still reach. RULES 5.3: at the town hall and the bank,
    every street that has no white stick.
    """
    kind = layout[district]
    if kind == PARK:
        return None
    owners = [sticks[street] for street in STREETS_OF[district]]
    free = owners.count(FREE)
    if kind in LANDMARKS:
        owners = [owner for owner in owners if owner != WHITE]
        return owners[0] if owners and not free and len(set(owners)) == 1 else None
    first, highest, second = None, 0, 0
    for owner in set(owners):
        if owner < 0:
            continue
        own = owners.count(owner)
        if own > highest:
            first, highest, second = owner, own, highest
        elif own > second:
            second = own
    return first if highest > second + free else None


def parks_crowd(layout: Sequence[str | None]) -> bool:
    """Return whether two parks lie at the sides of the town hall or of the bank (RULES 2.3)."""
    return any(
        kind in LANDMARKS and sum(layout[other] == PARK for other in NEIGHBOURS[district]) > 1
        for district, kind in enumerate(layout)
    )


def sticks_around_parks(layout: Sequence[str | None]) -> list[int]:
    """Return the streets of a new city: white sticks on all sides of the parks, everything else free."""
    sticks = [FREE] * STREETS
    for district, kind in enumerate(layout):
        if kind == PARK:
            for street in STREETS_OF[district]:
                sticks[street] = WHITE
    return sticks
