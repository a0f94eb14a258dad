"""The plots of a city: their neighbours, and the permits that fit them. Sets of plots are bit sets.

A city never changes, so everything that follows from its cards alone is computed once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from functools import lru_cache

from server.games.builders.components import (
    CARD_COLUMNS,
    CARD_ROWS,
    COLOURS,
    CORNERS,
    PERMITS,
    PLOT_CARDS,
    PLOTS_PER_CARD,
    Permit,
)
from server.games.engine.frozen import frozen


@frozen
class City:
    """The plots of one game. Plots are counted card by card, in reading order of the grid and of each card."""

    cards: tuple[str, ...]
    columns: int
    strict_wild: bool
    across_cards: bool
    all_plots: int = field(compare=False, repr=False)
    plots: tuple[tuple[str, int], ...] = field(compare=False, repr=False)
    """Colour and number of each plot."""

    by_colour: dict[str, int] = field(compare=False, repr=False)
    corners: int = field(compare=False, repr=False)
    neighbours: tuple[int, ...] = field(compare=False, repr=False)
    both: tuple[int, ...] = field(compare=False, repr=False)
    """For each permit, the plots of its colour and number."""

    either: tuple[int, ...] = field(compare=False, repr=False)
    """For each permit, the plots of its colour or number."""


@lru_cache(maxsize=256)
def city_of(cards: tuple[str, ...], columns: int, strict_wild: bool, across_cards: bool) -> City:
    """Return the city of these cards; the flags are those of the table (RULES 7.6, 9.4)."""
    plots = tuple(plot for card in cards for plot in PLOT_CARDS[card].plots)
    all_plots = (1 << len(plots)) - 1
    by_colour = {colour: mask_of(at for at, plot in enumerate(plots) if plot[0] == colour) for colour in COLOURS}
    numbers = {number for _, number in plots}
    by_number = {number: mask_of(at for at, plot in enumerate(plots) if plot[1] == number) for number in numbers}

    def fits(permit: Permit, *, both: bool) -> int:
        if permit.colour is None or permit.number is None:
            return 0 if both and strict_wild else all_plots
        colour, number = by_colour[permit.colour], by_number.get(permit.number, 0)
        return colour & number if both else colour | number

    return City(
        cards,
        columns,
        strict_wild,
        across_cards,
        all_plots,
        plots,
        by_colour,
        corners=mask_of(at for at in range(len(plots)) if at % PLOTS_PER_CARD in CORNERS),
        neighbours=tuple(_neighbours(at, len(cards), columns, across_cards=across_cards) for at in range(len(plots))),
        both=tuple(fits(permit, both=True) for permit in PERMITS),
        either=tuple(fits(permit, both=False) for permit in PERMITS),
    )


def _neighbours(plot: int, cards: int, columns: int, *, across_cards: bool) -> int:
    place, position = divmod(plot, PLOTS_PER_CARD)
    card_row, card_column = divmod(place, columns)
    row, column = divmod(position, CARD_COLUMNS)
    mask = 0
    for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        # Rows and columns of the whole city: a step off a card leads to the next card, across the street.
        whole_row, whole_column = card_row * CARD_ROWS + row + down, card_column * CARD_COLUMNS + column + right
        other_row, other_column = whole_row // CARD_ROWS, whole_column // CARD_COLUMNS
        if not (0 <= other_row < cards // columns and 0 <= other_column < columns):
            continue
        other = other_row * columns + other_column
        if other == place or across_cards:
            inside = whole_row % CARD_ROWS * CARD_COLUMNS + whole_column % CARD_COLUMNS
            mask |= 1 << other * PLOTS_PER_CARD + inside
    return mask


def mask_of(plots: Iterator[int]) -> int:
    """Return a set of plots as a bit set."""
    mask = 0
    for plot in plots:
        mask |= 1 << plot
    return mask


def plots_of(mask: int) -> list[int]:
    """Yield the plots of a bit set, in order."""
    plots = []
    while mask:
        low = mask & -mask
        plots.append(low.bit_length() - 1)
        mask ^= low
    return plots


def sites(city: City, permits: tuple[int, ...], *, subsidised: bool) -> int:
    """Return the plots that one permit or two open, whether or not they are free (RULES 7.2, 7.3, 7.5)."""
    if len(permits) == 1:
        return city.either[permits[0]] if subsidised else city.both[permits[0]]
    one, other = permits
    if subsidised:
        return city.either[one] | city.either[other]
    return city.either[one] & city.either[other] | city.both[one] | city.both[other]
