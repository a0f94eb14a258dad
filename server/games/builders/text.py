"""A game of Builders as text: a sentence for each event and the city in characters."""

from __future__ import annotations

from collections.abc import Sequence

from server.games.builders import events
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
from server.games.engine.game import Event, Seat

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


def describe(event: Event) -> str:
    """Give one sentence that says what happened, secrets included."""
    match event:
        case events.GameBegun():
            return f"{event.seats} builders begin, {_name(event.start_seat)} first."
        case events.PawnPlaced(seat, area, space):
            return f"{_Name(seat)} goes to {_space(area, space)}."
        case events.ActionChosen(seat, action, fee):
            price = f" for a fee of ${fee}" if fee else ""
            return f"{_Name(seat)} {_ACTIONS[action]}{price}."
        case events.BonusChosen(seat, bonus):
            return f"{_Name(seat)} chooses {_BONUSES[bonus]} as bonus."
        case events.BonusLapsed(seat):
            return f"Nothing of the bonus is possible for {_name(seat)}."
        case events.MoneyGained(seat, amount, why):
            return f"{_Name(seat)} gets ${amount} {_GAINS[why]}."
        case events.MoneyPaid(seat, amount, why):
            return f"{_Name(seat)} pays ${amount} {_PAYMENTS[why]}."
        case events.MaterialTaken(seat):
            return f"{_Name(seat)} takes a building from the supply."
        case events.PermitTaken(seat, permit):
            return f"{_Name(seat)} takes the permit {permit_text(permit)}."
        case events.GoalTaken(seat, goal):
            return f"{_Name(seat)} takes the goal {_words(goal)}."
        case events.GoalDrawn(seat, goal):
            return f"{_Name(seat)} draws a goal blindly: {_words(goal)}."
        case events.RubbleCleared(seat, plot):
            return f"{_Name(seat)} takes the rubble from {_plot_place(plot)}."
        case events.MarkerMoved(seat, column, row):
            return f"The marker of {_name(seat)} goes to column {column}, row {row}."
        case events.MarkerCapped(seat):
            return f"The marker of {_name(seat)} is in the corner already."
        case events.PermitChosen(seat, permit):
            return f"{_Name(seat)} uses the permit {permit_text(permit)}."
        case events.Built(seat, plot):
            return f"{_Name(seat)} builds on {_plot_place(plot)}."
        case events.BestBuilderTaken(seat):
            return f"{_Name(seat)} is Best Builder."
    return _describe_rest(event)


def _describe_rest(event: Event) -> str:
    match event:
        case events.CardOffered(seat, symbols):
            return f"{_Name(seat)} may take a development card: {' or '.join(symbols)}."
        case events.CardTaken(seat, symbol, value):
            worth = "" if value is None else f" of {value} points"
            return f"{_Name(seat)} takes the development card {symbol}{worth}."
        case events.CardDeclined(seat):
            return f"{_Name(seat)} takes no development card."
        case events.TurnEnded(seat):
            return f"The turn of {_name(seat)} is over."
        case events.PermitsReshuffled(pile):
            return f"The {len(pile)} discarded permits are shuffled into a new pile."
        case events.PermitsRefilled(cards):
            return f"New permits: {', '.join(map(permit_text, cards))}."
        case events.GoalsRefilled(cards):
            return f"New goals: {', '.join(map(_words, cards))}."
        case events.AreaClosed(order):
            return f"All have acted here; the order is now {', '.join(map(_name, order))}."
        case events.YearBegun(year):
            return f"The year {year} begins."
        case events.GoalsRevealed(goals):
            held = [f"{_name(seat)} {', '.join(map(_words, own))}" for seat, own in enumerate(goals)]
            return f"Goals are revealed: {'; '.join(held)}."
        case events.GameEnded(reason):
            return f"The game is over: {_REASONS[reason]}."
    raise AssertionError(event)


def draw(state: State) -> str:
    """Give the city in characters, card by card, then what each seat has.

    A plot is its colour and number, then who has built there, * for rubble or . for neither.
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
    """Give a plot's colour and number, as they are drawn."""
    colour, number = city.plots[plot]
    return f"{colour[0].upper()}{number}"


def permit_text(permit: int) -> str:
    """Give a permit's colour, number and symbols in characters."""
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


def _Name(seat: Seat) -> str:  # noqa: N802
    return SEAT_NAMES[seat].capitalize()
