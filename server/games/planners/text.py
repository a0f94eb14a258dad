"""A game of Planners as text: a sentence for each event and the cities in characters."""

from __future__ import annotations

from server.games.engine.game import Event, Seat
from server.games.planners import events
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


def describe(event: Event) -> str:
    """Give one sentence that says what happened."""
    match event:
        case events.GameBegun():
            return f"{event.seats} planners begin, {_name(event.first_seat)} first; {event.tokens} foundation tokens."
        case events.ProjectDrawn(seat, card):
            return f"{_Name(seat)} draws {card_named(card)}."
        case events.ProjectLaid(seat, card, column, token):
            marked = ", with a foundation token" if token else ""
            return f"{_Name(seat)} lays {card_named(card)} in column {column + 1}{marked}."
        case events.ColumnTaken(seat, column, cards):
            return f"{_Name(seat)} takes column {column + 1} and a contract: {', '.join(map(card_named, cards))}."
        case events.ContractsReturned():
            return "Everybody has a contract, so everybody gives one back."
        case events.ContractsReleased(seat, count):
            return f"{_Name(seat)} gives back {count} {'contract' if count == 1 else 'contracts'} with the token."
        case events.CardPlaced(seat, card, space):
            return f"{_Name(seat)} places {card_named(card)} at {_place(space)}."
        case events.CardDiscarded(seat, card):
            return f"{_Name(seat)} discards {card_named(card)}."
        case events.NetworkGrown(seat, spaces):
            return f"Cable cars of {_name(seat)} run at {', '.join(map(_place, spaces))}."
        case events.TowerBuilt(seat, space):
            return f"{_Name(seat)} builds a skyscraper at {_place(space)}."
        case events.MedalTaken(seat):
            return f"{_Name(seat)} takes the master builder's medal."
        case events.RowCompleted(seat, row):
            return f"{_Name(seat)} is the first to complete {DISTRICTS[row]}."
        case events.GameEnded(reason, seat):
            return f"The game is over in the turn of {_name(seat)}: {_REASONS[reason]}."
    return _describe_bonus_or_turn(event)


def _describe_bonus_or_turn(event: Event) -> str:
    match event:
        case events.BonusDue(seat, row):
            return f"{_Name(seat)} has a second compass in {DISTRICTS[row]} and may choose a bonus."
        case events.BonusTaken(seat, row, bonus, space):
            where = "" if space is None else f" at {_place(space)}"
            return f"{_Name(seat)} takes {_BONUSES[bonus]} for {DISTRICTS[row]}{where}."
        case events.BonusLapsed(seat, row):
            return f"There is no bonus left that {_name(seat)} could take for {DISTRICTS[row]}."
        case events.BonusDeclined(seat, row):
            return f"{_Name(seat)} takes no bonus for {DISTRICTS[row]}."
        case events.TurnEnded(seat):
            return f"The turn of {_name(seat)} ends."
        case events.TurnPassed(seat):
            return f"{_Name(seat)} can do nothing and passes."
    raise AssertionError(event)


def draw(state: State) -> str:
    """Give the columns and all cities in characters.

    A card is its printed value and the letters of its features: t tracks, d depot, q city square, f foundation,
    s seaside, c compass; u before it is universal, x a bonus card. Behind it: * cable car, ! skyscraper, ^ two more
    value, ~ tracks token. A row ends with what it counts.
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
        here = slice(row * COLUMNS, (row + 1) * COLUMNS)
        lines.append(f"  {district:7}" + "".join(f"{cell:8}" for cell in cells[here]) + f"= {sum(values[here])}")
    return lines


def _cell(city: City, space: int) -> str:
    card = city.cards[space]
    if card == EMPTY:
        return "."
    marks = {"*": city.cars, "!": city.towers, "^": city.extra_value, "~": city.extra_tracks}
    return face(card) + "".join(mark for mark, bits in marks.items() if bits >> space & 1)


def face(card: int) -> str:
    """Give a card in characters, without its district."""
    printed = CARDS[card]
    kind = "x" if card in BONUS_CARDS.values() else "u" if printed.row is None else ""
    return f"{kind}{printed.value}" + "".join(letter for letter, _ in _features(card))


def card_named(card: int) -> str:
    """Give a card in words."""
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


def _Name(seat: Seat) -> str:  # noqa: N802
    return SEAT_NAMES[seat].capitalize()
