"""The whole position of a game, secrets included; `view.py` decides what each viewer sees of it.

A state that was handed out is never changed: reducers change a copy.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from server.games.engine.frozen import frozen
from server.games.engine.game import Seat
from server.games.investors import city
from server.games.investors.components import EDGE, OPTION_TILES, ORDINARY_KINDS, PARK, SEATS
from server.games.investors.events import OfferMade, Right

T = TypeVar("T")


@frozen
class Settings:
    """The options of this game."""

    seats: int
    kind_tender_may_use_edge: bool
    move_axis_only: bool
    influence_cap: int | None
    bargaining_offers: int
    subsidies: int | None
    """How many subsidies are among the twelve action cards, which were drawn by chance; None if not known so."""

    ends_when_spent: bool
    """The game ends when nobody can win a right any more (RULES 11.4); not in games that began before that rule."""


_CLOCKWISE = {
    seats: tuple((*range(seat, seats), *range(seat)) for seat in range(seats)) for seats in range(1, SEATS.stop)
}


@frozen
class Stage:
    """A stage of the game: the open decision, or `Passing` between two decisions."""


@frozen
class Passing(Stage):
    """Between two decisions; no step ends here, but looking back event by event shows it."""


@frozen
class Laying(Stage):
    """A seat lays the drawn tile."""

    seat: Seat
    tile: str


@frozen
class Considering(Stage):
    """The start seat accepts or rejects the drawn tender card."""


@frozen
class InfluenceBidding(Stage):
    """All seats seal an influence card."""

    rights: int


@frozen
class ChequeBidding(Stage):
    """Seats raise or pass in turn. Bids are open; `turn` is the seat that bids next."""

    bids: tuple[tuple[int, ...], ...]
    passed: tuple[bool, ...]
    turn: Seat


@frozen
class OptionChoosing(Stage):
    """All seats seal an option tile."""


@frozen
class Bargaining(Stage):
    """The seats on one option deal, each making an offer in turn or passing (RULES 10)."""

    option: str
    seats: tuple[Seat, ...]
    spoken: int
    offer: OfferMade | None
    accepted: bool


@frozen
class OptionBidding(Stage):
    """Sole seats pay a cheque, seats that share an option seal theirs."""


@frozen
class Investing(Stage):
    """The first right's seat places a stick or waives."""

    rights: tuple[Right, ...]


@frozen
class Acting(Stage):
    """The winner of an action card uses it; `first` is the street of the first of two sticks."""

    seat: Seat
    first: int | None


@frozen
class Claiming(Stage):
    """A seat says which subsidy it takes."""

    seat: Seat


@frozen
class Drawing(Stage):
    """Seats draw cheques in turn. `drawn` are the open cheques of each seat; `drawing` are the seats still in."""

    drawn: tuple[tuple[int, ...], ...]
    drawing: tuple[bool, ...]
    busted: tuple[bool, ...]
    turn: Seat


@frozen
class Over(Stage):
    reason: str


@dataclass(slots=True)
class State:
    """A position. Money is in thousands of dollars; an owner of -1 is nobody."""

    settings: Settings
    layout: tuple[str | None, ...]
    bag: tuple[str, ...]
    streets_by_target: Mapping[str, tuple[int, ...]]
    """The streets that each target opens when they are free; derived from the finished layout."""

    sticks: list[int]
    rebuilt: list[int]
    supply: list[int]
    influence: list[int]
    prestige: list[int]
    bonus: list[int]
    """The part of each seat's prestige that came from bonus cards."""

    hands: list[tuple[int, ...]]
    bank: tuple[int, ...]
    """Face down; the next cheque to be drawn is the last."""

    tender_deck: tuple[str, ...]
    tender_discard: tuple[str, ...]
    action_deck: tuple[str, ...]
    years: tuple[str, ...]
    open_bonuses: tuple[str, ...]
    """The kinds whose next rebuilding earns a bonus."""

    start_seat: Seat
    round: int = 1
    tender: str | None = None
    action: str | None = None
    options: tuple[str, ...] | None = None
    deals: tuple[Right, ...] = ()
    dealt: tuple[str, ...] = ()
    """The options on which bargaining is over, with or without a deal."""

    subsidies: tuple[int, ...] = ()
    """The maximum in cheques that each seat may draw during a subsidy."""

    rebuilt_now: bool = False
    """Something was rebuilt since the last action card was drawn, so another one is due."""

    tenders_without_a_stick: int = 0
    tender_shuffles: int = 1
    bank_shuffles: int = 0
    blind_draws: int = 0
    stage: Stage = field(default_factory=Passing)

    def copy(self) -> State:
        """Return a copy that can be changed without changing this one."""
        twin = State.__new__(State)
        twin.settings = self.settings
        twin.layout = self.layout
        twin.bag = self.bag
        twin.streets_by_target = self.streets_by_target
        twin.sticks = self.sticks.copy()
        twin.rebuilt = self.rebuilt.copy()
        twin.supply = self.supply.copy()
        twin.influence = self.influence.copy()
        twin.prestige = self.prestige.copy()
        twin.bonus = self.bonus.copy()
        twin.hands = self.hands.copy()
        twin.bank = self.bank
        twin.tender_deck = self.tender_deck
        twin.tender_discard = self.tender_discard
        twin.action_deck = self.action_deck
        twin.years = self.years
        twin.open_bonuses = self.open_bonuses
        twin.start_seat = self.start_seat
        twin.round = self.round
        twin.tender = self.tender
        twin.action = self.action
        twin.options = self.options
        twin.deals = self.deals
        twin.dealt = self.dealt
        twin.subsidies = self.subsidies
        twin.rebuilt_now = self.rebuilt_now
        twin.tenders_without_a_stick = self.tenders_without_a_stick
        twin.tender_shuffles = self.tender_shuffles
        twin.bank_shuffles = self.bank_shuffles
        twin.blind_draws = self.blind_draws
        twin.stage = self.stage
        return twin

    def clockwise(self, seat: Seat) -> tuple[Seat, ...]:
        """Return all seats in turn order, beginning with this one."""
        return _CLOCKWISE[self.settings.seats][seat]

    def open_streets(self, target: str) -> tuple[int, ...]:
        """Return the free streets that a target opens now."""
        sticks = self.sticks
        return tuple([street for street in self.streets_by_target[target] if sticks[street] == city.FREE])

    def opens(self, target: str) -> bool:
        """Return whether a target opens any street now; cheaper than listing them."""
        sticks = self.sticks
        for street in self.streets_by_target[target]:  # noqa: SIM110 - a generator would take twice as long
            if sticks[street] == city.FREE:
                return True
        return False

    def free_streets(self) -> tuple[int, ...]:
        return tuple([street for street, owner in enumerate(self.sticks) if owner == city.FREE])

    def sticks_of(self, seat: Seat) -> tuple[int, ...]:
        """Return the streets where a seat's sticks lie."""
        return tuple([street for street, owner in enumerate(self.sticks) if owner == seat])


def streets_by_target(layout: tuple[str | None, ...], *, kinds_use_edge: bool) -> dict[str, tuple[int, ...]]:
    """Return the streets that each kind, each option tile and the edge open (RULES 5.5)."""
    parks = {street for district, kind in enumerate(layout) if kind == PARK for street in city.STREETS_OF[district]}

    def around(kinds: tuple[str, ...]) -> tuple[int, ...]:
        streets = {
            street for district, kind in enumerate(layout) if kind in kinds for street in city.STREETS_OF[district]
        }
        if not kinds_use_edge:
            streets -= set(city.EDGE_STREETS)
        return tuple(sorted(streets - parks))

    by_target = {kind: around((kind,)) for kind in ORDINARY_KINDS}
    by_target |= {option: around(kinds) for option, kinds in OPTION_TILES.items()}
    by_target[EDGE] = tuple(street for street in city.EDGE_STREETS if street not in parks)
    return by_target


def with_entry(entries: tuple[T, ...], position: int, entry: T) -> tuple[T, ...]:
    """Return the entries with one of them replaced."""
    return (*entries[:position], entry, *entries[position + 1 :])


def without(hand: tuple[int, ...], cheques: tuple[int, ...]) -> tuple[int, ...]:
    """Return the hand without these cheques."""
    left = list(hand)
    for cheque in cheques:
        left.remove(cheque)
    return tuple(left)


def joined(hand: tuple[int, ...], cheques: tuple[int, ...]) -> tuple[int, ...]:
    """Return the hand with these cheques added, sorted."""
    return tuple(sorted(hand + cheques))
