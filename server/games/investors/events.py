"""What can happen in a game of Investors. Every draw and shuffle is already resolved in these."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from server.games.engine.game import Event
from server.games.engine.serialization import Serializable


@dataclass(frozen=True, slots=True)
class Right(Serializable):
    """The right of a seat to place one stick at its target: a kind, an option tile or the edge.

    `avoid` are streets that the seat agreed to keep off (RULES 10.3).
    """

    seat: int
    target: str
    avoid: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GameBegun(Event):
    """The box is set up. The layout has gaps, and the bag tiles, if the players lay the city themselves."""

    seats: int
    start_seat: int
    kind_tender_may_use_edge: bool
    move_axis_only: bool
    influence_cap: int | None
    bargaining_offers: int
    layout: tuple[str | None, ...]
    bag: tuple[str, ...]
    tender_deck: tuple[str, ...]
    action_deck: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TileDrawn(Event):
    seat: int
    tile: str


@dataclass(frozen=True, slots=True)
class TileSetAside(Event):
    """The drawn tile fits nowhere now and goes to the bottom of the bag."""

    tile: str


@dataclass(frozen=True, slots=True)
class TileLaid(Event):
    seat: int
    tile: str
    space: int


@dataclass(frozen=True, slots=True)
class TileExchanged(Event):
    """No tile of the bag fits any space: the tile takes `space`, and what lay there takes `other`."""

    tile: str
    space: int
    other: int


@dataclass(frozen=True, slots=True)
class TenderShuffled(Event):
    """The discards became the new tender deck; a card that was just rejected stays out."""

    deck: tuple[str, ...]
    left_out: str | None


@dataclass(frozen=True, slots=True)
class TenderDrawn(Event):
    seat: int
    card: str
    binding: bool


@dataclass(frozen=True, slots=True)
class TenderVoided(Event):
    """The card opens no free street and was discarded."""

    card: str


@dataclass(frozen=True, slots=True)
class TenderRejected(Event):
    seat: int
    card: str


@dataclass(frozen=True, slots=True)
class TenderOpened(Event):
    """Bids are awaited: on the tender card, or on the action card while one is being carried out."""

    mode: str
    rights: int


@dataclass(frozen=True, slots=True)
class InfluenceRevealed(Event):
    """All influence cards by seat (none for who abstained), and the winners in the order of investing."""

    cards: tuple[int | None, ...]
    winners: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BidRaised(Event):
    seat: int
    cheques: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BidPassed(Event):
    seat: int


@dataclass(frozen=True, slots=True)
class AuctionWon(Event):
    """The highest bidder paid all cheques of the bid."""

    seat: int
    cheques: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class OptionsRevealed(Event):
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BargainingOpened(Event):
    """The seats on one option may deal before they bid."""

    option: str
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class OfferMade(Event):
    """Amounts and draws go to the seats of the option other than the investor, in turn order."""

    seat: int
    option: str
    investor: int
    amounts: tuple[int, ...]
    draws: tuple[int, ...]
    avoid: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class OfferPassed(Event):
    seat: int


@dataclass(frozen=True, slots=True)
class OfferAccepted(Event):
    """Everybody but the investor agrees; the investor is to pay."""


@dataclass(frozen=True, slots=True)
class OfferDeclined(Event):
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class OfferPaid(Event):
    """The investor paid `cheques` to each of the partners, who then drew `drawn` blindly from the hand."""

    seen_alike: ClassVar[bool] = False
    option: str
    investor: int
    partners: tuple[int, ...]
    cheques: tuple[tuple[int, ...], ...]
    drawn: tuple[tuple[int, ...], ...]
    avoid: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BargainingFailed(Event):
    option: str


@dataclass(frozen=True, slots=True)
class OptionBidsRevealed(Event):
    """The sealed cheques by seat; None for seats that did not bid against others."""

    bids: tuple[tuple[int, ...] | None, ...]


@dataclass(frozen=True, slots=True)
class OptionPaid(Event):
    """The only seat on an option paid one cheque, face down."""

    seen_alike: ClassVar[bool] = False
    seat: int
    option: str
    cheque: int


@dataclass(frozen=True, slots=True)
class OptionWon(Event):
    seat: int
    option: str
    cheques: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class OptionLapsed(Event):
    option: str


@dataclass(frozen=True, slots=True)
class TenderClosed(Event):
    """The rights that the tender gave, in the order of investing; perhaps none."""

    rights: tuple[Right, ...]


@dataclass(frozen=True, slots=True)
class StickPlaced(Event):
    seat: int
    street: int
    lifted: int | None


@dataclass(frozen=True, slots=True)
class RightWaived(Event):
    seat: int


@dataclass(frozen=True, slots=True)
class RightLapsed(Event):
    """No street is left for a right when its turn comes."""

    seat: int


@dataclass(frozen=True, slots=True)
class DistrictRebuilt(Event):
    district: int
    seat: int
    prestige: int
    bonus: int


@dataclass(frozen=True, slots=True)
class ActionDrawn(Event):
    seat: int
    card: str


@dataclass(frozen=True, slots=True)
class ActionWon(Event):
    """A seat has won and paid for the action card and may now use it."""

    seat: int


@dataclass(frozen=True, slots=True)
class StickMoved(Event):
    seat: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class SticksSwapped(Event):
    seat: int
    first: int
    second: int


@dataclass(frozen=True, slots=True)
class StickReplaced(Event):
    """The stick of `owner` went back to its supply and one of `seat` took its place."""

    seat: int
    street: int
    owner: int
    lifted: int | None


@dataclass(frozen=True, slots=True)
class SubsidyClaimed(Event):
    seat: int
    mode: str
    sticks: tuple[int, ...]
    influence: int
    cheques_most: int


@dataclass(frozen=True, slots=True)
class BankShuffled(Event):
    bank: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ChequeDrawn(Event):
    seat: int
    cheque: int
    bust: bool


@dataclass(frozen=True, slots=True)
class DrawingStopped(Event):
    seat: int


@dataclass(frozen=True, slots=True)
class SubsidyPaid(Event):
    """The drawing is over: what was drawn by each seat and kept; busted cheques are back in the bank."""

    kept: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class ActionLaid(Event):
    card: str
    year: int


@dataclass(frozen=True, slots=True)
class RoundEnded(Event):
    next_seat: int


@dataclass(frozen=True, slots=True)
class GameEnded(Event):
    """`years`: the twelfth action card lies. `stalled`: too many tenders without a stick. `full`: no street to open."""

    reason: str


EVENTS: tuple[type[Event], ...] = (
    GameBegun,
    TileDrawn,
    TileSetAside,
    TileLaid,
    TileExchanged,
    TenderShuffled,
    TenderDrawn,
    TenderVoided,
    TenderRejected,
    TenderOpened,
    InfluenceRevealed,
    BidRaised,
    BidPassed,
    AuctionWon,
    OptionsRevealed,
    BargainingOpened,
    OfferMade,
    OfferPassed,
    OfferAccepted,
    OfferDeclined,
    OfferPaid,
    BargainingFailed,
    OptionBidsRevealed,
    OptionPaid,
    OptionWon,
    OptionLapsed,
    TenderClosed,
    StickPlaced,
    RightWaived,
    RightLapsed,
    DistrictRebuilt,
    ActionDrawn,
    ActionWon,
    StickMoved,
    SticksSwapped,
    StickReplaced,
    SubsidyClaimed,
    BankShuffled,
    ChequeDrawn,
    DrawingStopped,
    SubsidyPaid,
    ActionLaid,
    RoundEnded,
    GameEnded,
)
