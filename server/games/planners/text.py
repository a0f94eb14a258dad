"""A game of Planners as text: words for the values in sentences of events, and the cities in characters."""

from __future__ import annotations

from typing import Final

from server.games.engine.events import Formatters, Seat
from server.games.planners.city import EMPTY, City
from server.games.planners.components import BONUS_CARDS, CARDS, COLUMNS, DISTRICTS, ROWS
from server.games.planners.state import State

SEAT_NAMES = ("yellow", "blue", "red", "green")
_FEATURES = {
    "tracks": ("t", "tracks"),
    "depot": ("d", "a depot"),
    "square": ("q", "a city square"),
    "foundation": ("f", "a foundation"),
    "seaside": ("s", "seaside"),
    "compass": ("c", "a compass"),
}
"""The features of cards, each as a letter and in words."""

_BONUSES = {
    "value": "two more value",
    "universal": "the universal card of value 4",
    "depot": "the depot card",
    "points": "one and a half points",
    "release": "the token that gives contracts back",
    "tracks": "tracks",
}
_REASONS = {
    "foundations": "the last foundation token lies on a card",
    "full": "a city is full",
    "stuck": "nobody could do anything any more",
}


def draw(state: State) -> str:
    """Return the columns and all cities in characters.

    A card is its printed value and the letters of its features: t tracks, d depot, q city square, f foundation,
    s seaside, c compass; u before it is universal, x a bonus card. Behind it: * cable car, ! skyscraper, ^ two more
    value, ~ tracks token. A row ends with its value.
    """
    lines = [
        f"column {column + 1}  " + " ".join(f"{_district(card)}:{face(card)}" for card in cards)
        for column, cards in enumerate(state.columns)
    ]
    lines.append(f"deck {len(state.deck)}  foundation tokens {state.tokens}")
    for seat, city in enumerate(state.cities):
        holds = [f"{SEAT_NAMES[seat]:7} contracts {state.contracts[seat]}"]
        holds += ["medal"] if state.medal == seat else []
        holds += ["release token"] if state.releases[seat] else []
        holds += ["point token"] * state.point_tokens[seat]
        holds += [f"completed {DISTRICTS[row]}" for row in range(ROWS) if state.completed[row] == seat]
        lines += ["  ".join(holds), *_city_lines(city)]
    return "\n".join(line.rstrip() for line in lines)


def _city_lines(city: City) -> list[str]:
    cells = [_cell(city, space) for space in range(ROWS * COLUMNS)]
    values = city.values()
    lines = []
    for row, district in enumerate(DISTRICTS):
        own_row = slice(row * COLUMNS, (row + 1) * COLUMNS)
        lines.append(f"  {district:7}" + "".join(f"{cell:8}" for cell in cells[own_row]) + f"= {sum(values[own_row])}")
    return lines


def _cell(city: City, space: int) -> str:
    card = city.cards[space]
    if card == EMPTY:
        return "."
    marks = {"*": city.cars, "!": city.towers, "^": city.extra_value, "~": city.extra_tracks}
    return face(card) + "".join(mark for mark, bits in marks.items() if bits >> space & 1)


def face(card: int) -> str:
    """Return a card in characters, without its district."""
    printed = CARDS[card]
    kind = "x" if card in BONUS_CARDS.values() else "u" if printed.row is None else ""
    return f"{kind}{printed.value}" + "".join(letter for letter, _ in _features(card))


def card_named(card: int) -> str:
    """Return a card in words."""
    has = [words for _, words in _features(card)]
    return f"{_district(card)} {CARDS[card].value}" + (f" with {' and '.join(has)}" if has else "")


def _features(card: int) -> list[tuple[str, str]]:
    return [texts for feature, texts in _FEATURES.items() if getattr(CARDS[card], feature)]


def _district(card: int) -> str:
    row = CARDS[card].row
    return "universal" if row is None else DISTRICTS[row]


def _place(space: int) -> str:
    row, column = divmod(space, COLUMNS)
    return f"{DISTRICTS[row]} {column + 1}"


def _name(seat: Seat) -> str:
    return SEAT_NAMES[seat]


FORMATTERS: Final[Formatters] = {
    "at": lambda space: "" if space is None else f" at {_place(space)}",
    "bonus": _BONUSES.__getitem__,
    "card": card_named,
    "cards": lambda cards: ", ".join(map(card_named, cards)),
    "column": lambda column: str(column + 1),
    "contracts": lambda count: f"{count} {'contract' if count == 1 else 'contracts'}",
    "reason": _REASONS.__getitem__,
    "row": DISTRICTS.__getitem__,
    "seat": _name,
    "space": _place,
    "spaces": lambda spaces: ", ".join(map(_place, spaces)),
    "token": lambda token: ", with a foundation token" if token else "",
}
"""The words for values in the sentences of events."""
