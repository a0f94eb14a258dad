"""Cities drawn in characters, read back: the whole map as `text.draw` draws it, or a patch of it.

    +-y-+-1-+     y b r g v  a stick of that colour      F O M L V R  a district in ruins
    b V # * #     #          a white stick               f o m l v r  the same, rebuilt
    +---+-#-+     -  |       a free street               H B *        town hall, bank, park

A digit is a free street that the test wants to name; a capital Y B R G V on a street is a stick that it wants to
name. A space says nothing: the street or district is whatever lies there otherwise.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from server.games.investors import city
from server.games.investors.text import KIND_LETTERS, SEAT_LETTERS

KINDS: Final[Mapping[str, str | None]] = {letter: kind for kind, letter in KIND_LETTERS.items()} | {"?": None}
USUAL_PLACE: Final = (1, 1)
"""The default place of a patch: away from the edge, the town hall and the corner parks."""

_NOT_SAID: Final = " "


@dataclass(frozen=True)
class Drawn:
    """The contents of a drawing, by district and by street of the whole city."""

    kinds: Mapping[int, str | None]
    rebuilt: frozenset[int]
    sticks: Mapping[int, int]
    names: Mapping[str, int]
    """The streets that the drawing names."""


def city_drawn(drawing: str, at: tuple[int, int] | None = None) -> Drawn:
    """Read a drawing; `at` is the row and column of its first district, counted from 0.

    A patch that shows the town hall lies where the town hall does; any other one at the usual place.
    """
    lines = _lines(drawing)
    top, left = at or _place_of(lines)
    kinds: dict[int, str | None] = {}
    rebuilt = set()
    for row, column, letter in _districts(lines):
        district = (top + row) * city.COLUMNS + left + column
        kinds[district] = KINDS[letter.upper()]
        if letter.islower():
            rebuilt.add(district)
    sticks: dict[int, int] = {}
    names: dict[str, int] = {}
    for is_flat, row, column, letter in _streets(lines):
        street = (city.flat if is_flat else city.upright)(top + row, left + column)
        sticks[street] = _owner(letter)
        if letter.isdigit() or letter.isupper():
            assert letter not in names, f"two streets are called {letter}"
            names[letter] = street
    return Drawn(kinds, frozenset(rebuilt), sticks, names)


def _lines(drawing: str) -> list[str]:
    lines = textwrap.dedent(drawing).strip("\n").splitlines()
    # Below the map, the game lists its seats; the map ends with its last row of corners.
    while not lines[-1].lstrip().startswith("+"):
        lines.pop()
    width = max(map(len, lines))
    assert len(lines) % 2 == 1, "a drawing begins and ends with a row of corners"
    assert width % 4 == 1, "a district is four characters wide"
    return [line.ljust(width) for line in lines]


def _place_of(lines: list[str]) -> tuple[int, int]:
    if len(lines) == 2 * city.ROWS + 1:
        return 0, 0
    for row, column, letter in _districts(lines):
        if letter in "Hh":
            hall_row, hall_column = divmod(city.MIDDLE, city.COLUMNS)
            return hall_row - row, hall_column - column
    return USUAL_PLACE


def _districts(lines: list[str]) -> Iterator[tuple[int, int, str]]:
    for row, line in enumerate(lines[1::2]):
        for column, letter in enumerate(line[2::4]):
            if letter != _NOT_SAID:
                yield row, column, letter


def _streets(lines: list[str]) -> Iterator[tuple[bool, int, int, str]]:
    for number, line in enumerate(lines):
        is_flat = number % 2 == 0
        for column, letter in enumerate(line[2 if is_flat else 0 :: 4]):
            if letter != _NOT_SAID:
                yield is_flat, number // 2, column, letter


def _owner(letter: str) -> int:
    if letter in "-|" or letter.isdigit():
        return city.FREE
    return city.WHITE if letter == "#" else SEAT_LETTERS.index(letter.lower())
