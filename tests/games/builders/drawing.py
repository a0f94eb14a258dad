"""Cities read from characters, drawn as the game itself draws them.

    P6. Y2*   G4. Y2.
    R1o G4.   R1. G5k
    P3. Y5.   P3. R6.

A plot is its colour and number, then the letter of the seat that built there, * for rubble or . for neither. Cards are
known by their plots, so a drawing need not name them.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from server.games.builders.components import CARD_ROWS, GRIDS, PLOT_CARDS, PLOTS_PER_CARD
from server.games.builders.text import SEAT_LETTERS

_PLOT = re.compile(r"([GYRP])([1-6])([.*okbw])")
_COLOURS = {"G": "green", "Y": "yellow", "R": "red", "P": "purple"}
_CARD_OF = {card.plots: card.id for card in PLOT_CARDS.values()}


class Drawn(NamedTuple):
    """A city: its cards by place, the plots that each seat has built on, and those with rubble."""

    cards: tuple[str, ...]
    buildings: list[int]
    ruins: int


def city_drawn(drawing: str, seats: int) -> Drawn:
    """Read a city; cards that are not drawn follow those that are, empty and without rubble."""
    lines = [line.strip() for line in drawing.splitlines() if _PLOT.match(line.strip())]
    columns, rows = GRIDS[seats]
    cards: list[str | None] = [None] * (columns * rows)
    buildings, ruins = [0] * seats, 0
    for top in range(0, len(lines), CARD_ROWS):
        blocks = [re.split(r" {3,}", line) for line in lines[top : top + CARD_ROWS]]
        for column, parts in enumerate(zip(*blocks, strict=True)):
            place = top // CARD_ROWS * columns + column
            plots = _PLOT.findall(" ".join(parts))
            cards[place] = _CARD_OF[tuple((_COLOURS[colour], int(number)) for colour, number, _ in plots)]
            for position, (_, _, mark) in enumerate(plots):
                bit = 1 << place * PLOTS_PER_CARD + position
                if mark == "*":
                    ruins |= bit
                elif mark != ".":
                    buildings[SEAT_LETTERS.index(mark)] |= bit
    rest = iter([card for card in PLOT_CARDS if card not in cards])
    return Drawn(tuple(card or next(rest) for card in cards), buildings, ruins)
