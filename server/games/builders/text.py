"""A game of Builders as text: words for the values in sentences of events, and the city in characters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from server.games.builders.city import City
from server.games.builders.components import (
    CARD_COLUMNS,
    CARD_ROWS,
    INCOME_SPACES,
    PERMITS,
    PLOTS_PER_CARD,
    SYMBOLS,
    YEAR_BOARD,
)
from server.games.builders.state import State
from server.games.engine.events import Formatters, Seat

SEAT_NAMES = ("orange", "black", "blue", "white")
SEAT_LETTERS = "okbw"
_ACTIONS = {
    "income": "takes the income",
    "material": "gets material",
    "permit": "applies for a permit",
    "goal": "looks for a goal",
    "clean_up": "cleans up",
    "develop": "develops the city",
    "build": "builds",
    "build_subsidised": "builds with a subsidy",
    "dollar": "takes a dollar",
    "pass": "passes",
}
_BONUSES = {
    "material": "a building",
    "permit": "a permit",
    "goal": "a goal",
    "money": "money",
    "step": "a step",
    "build": "building",
}
_GAINS = {
    "income_space": "on the year board",
    "income": "as income",
    "dollar": "instead of acting",
    "corner": "in the corner of the development board",
    "bonus": "as bonus",
}
_PAYMENTS = {
    "build": "to build",
    "rubble": "for the rubble on the plot",
    "tram": "for the tram",
    "clean_up": "to clean up",
    "step": "for a step without rubble",
    "develop": "for a step",
}
_REASONS = {"eighth": "an eighth building stands", "final_year": "the year 1912 is over"}


def draw(state: State) -> str:
    """Return the city in characters, card by card, then the pieces of each seat.

    A plot is its colour and number, then the seat that built there, * for rubble or . for neither.
    """
    city = state.city
    lines = []
    for first in range(0, len(city.cards), city.columns):
        places = range(first, first + city.columns)
        lines.append("   ".join(f"{city.cards[place] + state.sides[place]:7}" for place in places).rstrip())
        for row in range(CARD_ROWS):
            plots = [
                [place * PLOTS_PER_CARD + row * CARD_COLUMNS + column for column in range(CARD_COLUMNS)]
                for place in places
            ]
            lines.append("   ".join(" ".join(_plot(state, plot) for plot in card) for card in plots))
        lines.append("")
    lines += [
        f"year {state.year}, cards {' '.join(state.action_cards)}",
        f"permits {_permits(state.permits_shown)}",
        f"common goals {', '.join(map(_words, state.common_goals))}; open {', '.join(map(_words, state.goals_shown))}",
        *(_seat(state, seat) for seat in range(state.seats)),
    ]
    return "\n".join(lines)


def plot_text(city: City, plot: int) -> str:
    """Return a plot's colour and number, as they are drawn."""
    colour, number = city.plots[plot]
    return f"{colour[0].upper()}{number}"


def permit_text(permit: int) -> str:
    """Return a permit's colour, number and symbols in characters."""
    card = PERMITS[permit]
    what = "**" if card.colour is None else f"{card.colour[0].upper()}{card.number}"
    return f"{what}:{''.join(symbol[0].upper() for symbol in card.symbols)}"


def _plot(state: State, plot: int) -> str:
    owner = next((seat for seat, plots in enumerate(state.buildings) if plots >> plot & 1), None)
    mark = SEAT_LETTERS[owner] if owner is not None else "*" if state.ruins >> plot & 1 else "."
    return plot_text(state.city, plot) + mark


def _seat(state: State, seat: Seat) -> str:
    cards = " ".join(f"{symbol} {count}" for symbol, count in zip(SYMBOLS, state.cards[seat], strict=True))
    pawn = state.pawns[seat]
    return (
        f"{SEAT_NAMES[seat]:6} ${state.money[seat]:<2} built {state.built(seat)} front {state.front[seat]}"
        f" supply {state.supply[seat]} marker {state.columns[seat]},{state.rows[seat]} rubble {state.rubble[seat]}"
        f" {cards} permits {_permits(state.permits[seat])}"
        f" goals {', '.join(map(_words, state.open_goals[seat])) or '-'}"
        f" ({', '.join(map(_words, state.hidden_goals[seat]))})"
        f" at {'-' if pawn is None else _space(*pawn)}"
    )


def _space(area: int, space: int) -> str:
    if area == YEAR_BOARD:
        return f"the income space of ${INCOME_SPACES[space]}"
    return f"space {space + 1} of action card {area}"


def _plot_place(plot: int) -> str:
    place, position = divmod(plot, PLOTS_PER_CARD)
    return f"plot {position + 1} of block {place + 1}"


def _permits(permits: Sequence[int]) -> str:
    return " ".join(map(permit_text, permits)) or "-"


def _words(name: str) -> str:
    return name.replace("_", " ")


def _name(seat: Seat) -> str:
    return SEAT_NAMES[seat]


def _goals(goals: Sequence[str]) -> str:
    return ", ".join(map(_words, goals))


FORMATTERS: Final[Formatters] = {
    "action": _ACTIONS.__getitem__,
    "bonus": _BONUSES.__getitem__,
    "count": lambda cards: str(len(cards)),
    "fee": lambda fee: f" for a fee of ${fee}" if fee else "",
    "gain": _GAINS.__getitem__,
    "goal": _words,
    "goals": _goals,
    "goals_by_seat": lambda goals: "; ".join(f"{_name(seat)} {_goals(own)}" for seat, own in enumerate(goals)),
    "pawn": lambda event: _space(event.area, event.space),
    "payment": _PAYMENTS.__getitem__,
    "permit": permit_text,
    "permits": lambda permits: ", ".join(map(permit_text, permits)),
    "plot": _plot_place,
    "reason": _REASONS.__getitem__,
    "seat": _name,
    "names": lambda seats: ", ".join(map(_name, seats)),
    "symbols": " or ".join,
    "worth": lambda value: "" if value is None else f" of {value} points",
}
"""The words for values in the sentences of events."""
