"""The whole position of a game, secrets included. Only `view.py` decides what of it anybody sees.

A state is never changed once it has been handed out: `reducers.py` works on a copy of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from server.games.engine.game import Seat
from server.games.investors import city
from server.games.investors.components import EDGE, OPTION_TILES, ORDINARY_KINDS, PARK, SEATS
from server.games.investors.events import OfferMade, Right

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Settings:
    """What was agreed before the game."""

    seats: int
    kind_tender_may_use_edge: bool
    move_axis_only: bool
    influence_cap: int | None
    bargaining_offers: int


_CLOCKWISE = {
    seats: tuple((*range(seat, seats), *range(seat)) for seat in range(seats)) for seats in range(1, SEATS.stop)
}


class Stage:
    """What the game is waiting for, or passing through on its way to the next decision."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Passing(Stage):
    """Between two decisions; never left standing."""


@dataclass(frozen=True, slots=True)
class Laying(Stage):
    """A seat lays the drawn tile."""

    seat: Seat
    tile: str


@dataclass(frozen=True, slots=True)
class Considering(Stage):
    """The start seat accepts or rejects the drawn tender card."""


@dataclass(frozen=True, slots=True)
class InfluenceBidding(Stage):
    """All seats seal an influence card."""

    rights: int


@dataclass(frozen=True, slots=True)
class ChequeBidding(Stage):
    """Seats raise or pass in turn. Bids are open; `turn` is the seat to speak."""

    bids: tuple[tuple[int, ...], ...]
    passed: tuple[bool, ...]
    turn: Seat


@dataclass(frozen=True, slots=True)
class OptionChoosing(Stage):
    """All seats seal an option tile."""


@dataclass(frozen=True, slots=True)
class Bargaining(Stage):
    """The seats on one option deal, each making an offer in turn or passing (RULES 10)."""

    option: str
    seats: tuple[Seat, ...]
    spoken: int
    offer: OfferMade | None
    accepted: bool


@dataclass(frozen=True, slots=True)
class OptionBidding(Stage):
    """Sole seats pay a cheque, seats that share an option seal theirs."""


@dataclass(frozen=True, slots=True)
class Investing(Stage):
    """The first right's seat places a stick or waives."""

    rights: tuple[Right, ...]


@dataclass(frozen=True, slots=True)
class Acting(Stage):
    """The winner of an action card uses it; `first` is the street of the first of two sticks."""

    seat: Seat
    first: int | None


@dataclass(frozen=True, slots=True)
class Claiming(Stage):
    """A seat says which subsidy it takes."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Drawing(Stage):
    """Seats draw cheques in turn. `drawn` is what lies before each seat; out of it are `busted` and who stopped."""

    drawn: tuple[tuple[int, ...], ...]
    drawing: tuple[bool, ...]
    busted: tuple[bool, ...]
    turn: Seat


@dataclass(frozen=True, slots=True)
class Over(Stage):
    reason: str


@dataclass
class State:
    """A position. Money is in thousands of dollars; an owner of -1 is nobody."""

    settings: Settings
    layout: tuple[str | None, ...]
    bag: tuple[str, ...]
    streets_by_target: Mapping[str, tuple[int, ...]]
    """Which streets each target opens when they are free; follows from the finished layout."""

    sticks: list[int]
    rebuilt: list[int]
    supply: list[int]
    influence: list[int]
    prestige: list[int]
    bonus: list[int]
    """How much of each seat's prestige came from bonus cards."""

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
    """The most in cheques that each seat may draw, while a subsidy is under way."""

    rebuilt_now: bool = False
    """Something was rebuilt since the last action card was drawn, so another one is due."""

    tenders_without_a_stick: int = 0
    tender_shuffles: int = 1
    bank_shuffles: int = 0
    blind_draws: int = 0
    stage: Stage = field(default_factory=Passing)

    def copy(self) -> State:
        """Give a copy that can be changed without this one noticing."""
        # Everything but these lists is immutable; taking the attributes over at once is what makes a step cheap.
        twin = object.__new__(State)
        twin.__dict__ = self.__dict__.copy()
        twin.sticks = self.sticks.copy()
        twin.rebuilt = self.rebuilt.copy()
        twin.supply = self.supply.copy()
        twin.influence = self.influence.copy()
        twin.prestige = self.prestige.copy()
        twin.bonus = self.bonus.copy()
        twin.hands = self.hands.copy()
        return twin

    def clockwise(self, seat: Seat) -> tuple[Seat, ...]:
        """Give all seats in turn order, beginning with this one."""
        return _CLOCKWISE[self.settings.seats][seat]

    def open_streets(self, target: str) -> tuple[int, ...]:
        """Give the free streets that a target opens now."""
        sticks = self.sticks
        return tuple([street for street in self.streets_by_target[target] if sticks[street] == city.FREE])

    def opens(self, target: str) -> bool:
        """Tell whether a target opens any street now; cheaper than listing them."""
        sticks = self.sticks
        return any(sticks[street] == city.FREE for street in self.streets_by_target[target])

    def free_streets(self) -> tuple[int, ...]:
        return tuple([street for street, owner in enumerate(self.sticks) if owner == city.FREE])

    def sticks_of(self, seat: Seat) -> tuple[int, ...]:
        """Give the streets where a seat's sticks lie."""
        return tuple([street for street, owner in enumerate(self.sticks) if owner == seat])


def streets_by_target(layout: tuple[str | None, ...], *, kinds_use_edge: bool) -> dict[str, tuple[int, ...]]:
    """Give the streets that each kind, each option tile and the edge open (RULES 5.5)."""
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
    """Give the entries with one of them exchanged."""
    return (*entries[:position], entry, *entries[position + 1 :])


def without(hand: tuple[int, ...], cheques: tuple[int, ...]) -> tuple[int, ...]:
    """Give the hand after these cheques have left it."""
    left = list(hand)
    for cheque in cheques:
        left.remove(cheque)
    return tuple(left)


def joined(hand: tuple[int, ...], cheques: tuple[int, ...]) -> tuple[int, ...]:
    """Give the hand, sorted, after these cheques have come to it."""
    return tuple(sorted(hand + cheques))
