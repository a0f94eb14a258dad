"""A game of Investors as text: words for the values in sentences of events, and the city in characters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from server.games.engine.events import Formatters, Seat
from server.games.investors import city
from server.games.investors.components import ACTION_CARDS, TENDER_CARDS
from server.games.investors.events import OfferMade, SubsidyClaimed
from server.games.investors.state import State

SEAT_NAMES = ("yellow", "blue", "red", "green", "violet")
SEAT_LETTERS = "ybrgv"
KIND_NAMES = {"hall": "town hall"}
KIND_LETTERS = {
    "hall": "H",
    "bank": "B",
    "park": "*",
    "factory": "F",
    "office": "O",
    "market": "M",
    "leisure": "L",
    "villa": "V",
    "residential": "R",
}
_EFFECTS = {
    "bonus_villa": "a bonus for the next villa district",
    "bonus_residential": "a bonus for the next residential district",
    "two": "two sticks at one district",
    "move": "shift a stick",
    "swap": "swap two sticks",
    "free": "a stick on any free street",
    "replace": "replace a stick",
    "subsidy": "a subsidy for everybody",
    "removal_subsidy": "a subsidy for removed sticks",
}
_MODES = {"influence": "by influence", "cheques": "by cheques", "options": "by options"}
_REASONS = {
    "years": "the twelfth action card has been laid",
    "stalled": "no stick was placed for too many tenders",
    "full": "no tender could open a street any more",
    "spent": "nobody has influence or cheques to win a right with",
}


def draw(state: State) -> str:
    """Return the city in characters: a letter for each district, capital while in ruins, sticks by seat, white as #."""
    lines = []
    for row in range(city.ROWS + 1):
        streets = "".join(f"+-{_stick(state, city.flat(row, column), '-')}-" for column in range(city.COLUMNS))
        lines.append(f"{streets}+")
        if row < city.ROWS:
            cells = "".join(
                f"{_stick(state, city.upright(row, column), '|')} {_tile(state, row * city.COLUMNS + column)} "
                for column in range(city.COLUMNS)
            )
            lines.append(f"{cells}{_stick(state, city.upright(row, city.COLUMNS), '|')}")
    lines += [
        f"{SEAT_NAMES[seat]:7} prestige {state.prestige[seat]:2}  influence {state.influence[seat]:2}"
        f"  sticks {state.supply[seat]:2}  cheques {_money(state.hands[seat])}"
        for seat in range(state.settings.seats)
    ]
    return "\n".join(lines)


def _stick(state: State, street: int, empty: str) -> str:
    owner = state.sticks[street]
    return {city.FREE: empty, city.WHITE: "#"}.get(owner) or SEAT_LETTERS[owner]


def _tile(state: State, district: int) -> str:
    kind = state.layout[district]
    if kind is None:
        return "?"
    letter = KIND_LETTERS[kind]
    return letter.lower() if state.rebuilt[district] >= 0 else letter


def _name(seat: Seat) -> str:
    return SEAT_NAMES[seat]


def _names(seats: Sequence[Seat]) -> str:
    return ", ".join(map(_name, seats)) or "nobody"


def _kind(kind: str) -> str:
    return KIND_NAMES.get(kind, kind.replace("_", " or "))


def _place(district: int) -> str:
    row, column = divmod(district, city.COLUMNS)
    return f"row {row + 1}, column {column + 1}"


def _street(street: int) -> str:
    first, *rest = city.DISTRICTS_OF[street]
    return f"the street between {_place(first)} and {_place(rest[0])}" if rest else f"an edge street of {_place(first)}"


def _money(cheques: Sequence[int]) -> str:
    return f"{sum(cheques)},000 ({' + '.join(map(str, cheques))})" if cheques else "nothing"


def _tender(name: str) -> str:
    card = TENDER_CARDS[name]
    target = {"options": "an option of one's own", "edge": "the edge"}.get(card.target, card.target)
    return f"{target}, {_MODES[card.mode]}, up to {card.rights}"


def _action(name: str) -> str:
    card = ACTION_CARDS[name]
    return _EFFECTS[card.effect] + (f", {_MODES[card.mode]}" if card.mode else "")


def _influence(cards: Sequence[int | None]) -> str:
    return ", ".join(f"{_name(seat)} {'abstains' if card is None else card}" for seat, card in enumerate(cards))


def _bids(bids: Sequence[Sequence[int] | None]) -> str:
    bidding = [f"{_name(seat)} {_money(bid)}" for seat, bid in enumerate(bids) if bid is not None]
    return ", ".join(bidding) or "none"


def _kept(kept: Sequence[Sequence[int]]) -> str:
    keeping = [f"{_name(seat)} keeps {_money(cheques)}" for seat, cheques in enumerate(kept) if cheques]
    return ", ".join(keeping) or "no cheques are kept"


def _subsidy(event: SubsidyClaimed) -> str:
    return f"{event.influence} influence" if event.mode == "influence" else f"cheques up to {event.cheques_most},000"


def _terms(offer: OfferMade) -> str:
    money, draws = sum(offer.amounts), sum(offer.draws)
    given = [f"{money},000"] if money else []
    given += [_counted(draws, "blind draw")] if draws else []
    kept_off = f", keeping off {', '.join(map(_street, offer.avoid))}" if offer.avoid else ""
    return " and ".join(given) + kept_off


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


FORMATTERS: Final[Formatters] = {
    "action": _action,
    "bids": _bids,
    "binding": lambda binding: ", binding" if binding else "",
    "bonus": lambda bonus: f" and a bonus of {bonus}" if bonus else "",
    "bust": lambda bust: " and loses everything drawn" if bust else "",
    "city": lambda bag: "the players lay the city" if bag else "the city is laid",
    "count": lambda cards: str(len(cards)),
    "influence": _influence,
    "investors": lambda rights: _names([right.seat for right in rights]),
    "kept": _kept,
    "kind": _kind,
    "lifted": lambda lifted: "" if lifted is None else f", lifted from {_street(lifted)}",
    "mode": _MODES.__getitem__,
    "money": _money,
    "option": _kind,
    "options": lambda options: ", ".join(f"{_name(seat)} {_kind(option)}" for seat, option in enumerate(options)),
    "place": _place,
    "reason": _REASONS.__getitem__,
    "removed": lambda sticks: f" for {_counted(len(sticks), 'removed stick')}" if sticks else "",
    "rights": lambda rights: _counted(rights, "right"),
    "seat": _name,
    "names": _names,
    "street": _street,
    "subsidy": _subsidy,
    "tender": _tender,
    "terms": _terms,
}
"""The words for values in the sentences of events."""
