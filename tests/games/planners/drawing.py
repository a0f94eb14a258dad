"""Cities drawn in characters, read back: five rows of five cards, as `text.draw` draws them.

    2c      1s      .       .       .       digits are the printed value; . is an empty space
    3       u2      .       .       .       t tracks  d depot  q city square  f foundation  s seaside  c compass
    0f!     0q^     .       .       .       u in front: universal; x in front: a bonus card
    1tc*    0q      .       .       .       * cable car  ! skyscraper  ^ two more value  ~ tracks token
    2t*     3~*     .       .       .

A row stands where its district does: blue, gray, orange, yellow, green. A drawing of fewer rows shows the lowest ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from server.games.planners.components import BONUS_CARDS, CARDS, COLUMNS, DECK, DISTRICTS, ROWS
from server.games.planners.text import face

_CELL: Final = re.compile(r"([ux]?\d[tdqfsc]*)([*!^~]*)")
EMPTY: Final = "."


@dataclass(frozen=True)
class Cell:
    """A card of a drawing and the marks on it."""

    space: int
    face: str
    marks: str

    @property
    def row(self) -> int:
        return self.space // COLUMNS


def cells(drawing: str) -> list[Cell]:
    """Read a drawing."""
    lines = [line.split("=")[0].split() for line in drawing.strip().splitlines() if line.strip()]
    rows = [line[1:] if line[0] in DISTRICTS else line for line in lines]
    assert len(rows) <= ROWS, "a city has five rows"
    read = []
    for row, texts in enumerate(rows, ROWS - len(rows)):
        assert len(texts) == COLUMNS, f"a row has five spaces, not {texts}"
        filled = [text for text in texts if text != EMPTY]
        assert texts[: len(filled)] == filled, f"a row fills from the left, not {texts}"
        for column, text in enumerate(filled):
            cell = _CELL.fullmatch(text)
            assert cell is not None, f"{text!r} is no card"
            read.append(Cell(row * COLUMNS + column, cell[1], cell[2]))
    return read


class Box:
    """Cards that can be asked for by their faces; each is given out once."""

    def __init__(self) -> None:
        self._left = list(DECK)

    def card(self, name: str) -> int:
        """Return a card by its district and face (`gray:2c`), or a universal one by its face alone (`u2`)."""
        district, _, sought = name.rpartition(":")
        row = DISTRICTS.index(district) if district else None
        for card in self._left:
            if face(card) == sought and CARDS[card].row == row:
                self._left.remove(card)
                return card
        raise AssertionError(f"there is no {name} left in the box")

    def in_row(self, sought: str, row: int) -> int:
        """Return a card that can lie in a row, by its face; those of the bonuses do not run out."""
        if sought.startswith("x"):
            return next(card for card in BONUS_CARDS.values() if face(card) == sought)
        return self.card(sought if sought.startswith("u") else f"{DISTRICTS[row]}:{sought}")

    def cards(self, names: str) -> tuple[int, ...]:
        return tuple(map(self.card, names.split()))

    def rest(self) -> tuple[int, ...]:
        """Return all cards that nobody asked for."""
        return tuple(self._left)


def names_of(cards: Sequence[int]) -> Iterator[str]:
    """Return cards as a box knows them."""
    for card in cards:
        row = CARDS[card].row
        yield face(card) if row is None else f"{DISTRICTS[row]}:{face(card)}"


def normal(drawing: str) -> list[str]:
    """Return the rows of a drawing in one form, whatever its spaces, missing rows at the top as empty ones."""
    drawn = {cell.space: cell.face + "".join(sorted(cell.marks)) for cell in cells(drawing)}
    return [" ".join(drawn.get(row * COLUMNS + column, EMPTY) for column in range(COLUMNS)) for row in range(ROWS)]
