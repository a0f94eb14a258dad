"""The city of one seat: its cards, and the values, networks and building sites that follow from them (RULES 5).

A space is `row * 5 + column`. Sets of spaces are bit sets, so that computing a network and its neighbours takes a
few shifts, however large they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from server.games.planners.components import (
    CARDS,
    COLUMNS,
    DEPOT_COLUMNS,
    EXTRA_VALUE,
    ROWS,
    SPACES,
    SQUARE_VALUE,
    TOWER_NEEDS,
)

EMPTY: Final = 0
"""The entry of a space without a card; no card has this id."""

ROW_BITS: Final = tuple(((1 << COLUMNS) - 1) << row * COLUMNS for row in range(ROWS))
COLUMN_BITS: Final = tuple(sum(1 << row * COLUMNS + column for row in range(ROWS)) for column in range(COLUMNS))
_ALL: Final = (1 << SPACES) - 1
_NOT_FIRST: Final = _ALL & ~COLUMN_BITS[0]
_NOT_LAST: Final = _ALL & ~COLUMN_BITS[-1]
_AT_PRINTED_DEPOTS: Final = ROW_BITS[-1] & sum(COLUMN_BITS[column] for column in DEPOT_COLUMNS)


def spaces_of(bits: int) -> Iterator[int]:
    """Return the spaces of a set in order."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def beside(bits: int) -> int:
    """Return the spaces that share a side with any of these; corners do not count (RULES 5.2)."""
    return (bits << COLUMNS | bits >> COLUMNS | bits << 1 & _NOT_FIRST | bits >> 1 & _NOT_LAST) & _ALL


_FULL: Final = (COLUMNS,) * ROWS
_PRINTED: Final = {EMPTY: 0, **{card: face.value for card, face in CARDS.items()}}
_ROWS: Final = {card: None if face.row is None else (face.row,) for card, face in CARDS.items()}
_BESIDE: Final = tuple(beside(1 << space) for space in range(SPACES))
NEIGHBOURS: Final = tuple(tuple(spaces_of(bits)) for bits in _BESIDE)


@dataclass(slots=True)
class City:
    """The cards, markers and tokens of one seat. Only reducers change it, and only a copy of their own."""

    cards: tuple[int, ...] = (EMPTY,) * SPACES
    filled: tuple[int, ...] = (0,) * ROWS
    """The number of cards in each row, which is the column of the next card."""

    tracks: int = 0
    """Spaces with tracks, printed or on a token."""

    depots: int = 0
    squares: int = 0
    foundations: int = 0
    compasses: int = 0
    seasides: int = 0
    cars: int = 0
    towers: int = 0
    extra_value: int = 0
    extra_tracks: int = 0

    def copy(self) -> City:
        """Return a copy that can be changed without changing this one."""
        twin = City.__new__(City)
        twin.cards = self.cards
        twin.filled = self.filled
        twin.tracks = self.tracks
        twin.depots = self.depots
        twin.squares = self.squares
        twin.foundations = self.foundations
        twin.compasses = self.compasses
        twin.seasides = self.seasides
        twin.cars = self.cars
        twin.towers = self.towers
        twin.extra_value = self.extra_value
        twin.extra_tracks = self.extra_tracks
        return twin

    def add(self, card: int, space: int) -> None:
        """Lay a card on a space."""
        cards, filled = list(self.cards), list(self.filled)
        cards[space] = card
        filled[space // COLUMNS] += 1
        self.cards, self.filled = tuple(cards), tuple(filled)
        face, bit = CARDS[card], 1 << space
        if face.tracks:
            self.tracks |= bit
        if face.depot:
            self.depots |= bit
        if face.square:
            self.squares |= bit
        if face.foundation:
            self.foundations |= bit
        if face.compass:
            self.compasses |= bit
        if face.seaside:
            self.seasides |= bit

    @property
    def is_full(self) -> bool:
        return self.filled == _FULL

    @property
    def is_growable(self) -> bool:
        """Return whether there are tracks or depots without a cable car."""
        return (self.tracks | self.depots) != self.cars

    @property
    def needs(self) -> int:
        """Return the value that must lie around a foundation for a skyscraper (RULES 5.7)."""
        return max(0, TOWER_NEEDS - self.seasides.bit_count())

    def compasses_in(self, row: int) -> int:
        return (self.compasses & ROW_BITS[row]).bit_count()

    def rows_for(self, card: int) -> tuple[int, ...]:
        """Return the rows that can take a card (RULES 5.1)."""
        row = _ROWS[card]
        if row is None:
            return self.open_rows()
        return row if self.filled[row[0]] < COLUMNS else ()

    def open_rows(self) -> tuple[int, ...]:
        return tuple([row for row, filled in enumerate(self.filled) if filled < COLUMNS])

    def next_space(self, row: int) -> int:
        """Return the leftmost empty space of a row."""
        return row * COLUMNS + self.filled[row]

    def occupied(self) -> tuple[int, ...]:
        return tuple([space for space, card in enumerate(self.cards) if card != EMPTY])

    def without_tracks(self) -> tuple[int, ...]:
        """Return the spaces whose card can still get tracks (RULES 6.7)."""
        fixed = self.tracks | self.depots
        return tuple([space for space, card in enumerate(self.cards) if card != EMPTY and not fixed >> space & 1])

    def network(self) -> int:
        """Return the spaces that are connected to a depot (RULES 5.3)."""
        connected = self.depots | self.tracks & _AT_PRINTED_DEPOTS
        while True:
            grown = connected | beside(connected) & self.tracks
            if grown == connected:
                return connected
            connected = grown

    def values(self) -> tuple[int, ...]:
        """Return the value of the card on each space now (RULES 5.5)."""
        values = [_PRINTED[card] for card in self.cards]
        for space in spaces_of(beside(self.cars) & self.squares):
            values[space] += SQUARE_VALUE
        for space in spaces_of(self.extra_value):
            values[space] += EXTRA_VALUE
        return tuple(values)

    def sites(self) -> list[tuple[int, int]]:
        """Return the foundations that have no skyscraper yet, each with the total value of its neighbours."""
        lit = beside(self.cars) & self.squares
        sites = []
        for site in spaces_of(self.foundations & ~self.towers):
            bits = _BESIDE[site]
            around = sum([_PRINTED[self.cards[space]] for space in NEIGHBOURS[site]])
            around += SQUARE_VALUE * (lit & bits).bit_count() + EXTRA_VALUE * (self.extra_value & bits).bit_count()
            sites.append((site, around))
        return sites
