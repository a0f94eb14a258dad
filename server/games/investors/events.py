"""The events of Investors, each with its visibility and its sentence. Every draw and shuffle is resolved in them."""

from __future__ import annotations

from server.games.engine.events import (
    EVERYBODY,
    NOBODY,
    Event,
    Viewer,
    depends_on_viewer,
    everybody_sees,
    others_see,
    size_of,
)
from server.games.engine.frozen import frozen
from server.games.engine.serialization import Json, Serializable, value_to_json


class InvestorsEvent(Event, family=True):
    """An event of Investors."""

    __slots__ = ()


@frozen
class Right(Serializable):
    """The right of a seat to place one stick at its target: a kind, an option tile or the edge.

    `avoid` are streets that the seat agreed to keep off (RULES 10.3).
    """

    seat: int
    target: str
    avoid: tuple[int, ...]


@frozen
class GameBegun(InvestorsEvent):
    """The box is set up. The layout has gaps, and the bag tiles, if the players lay the city themselves."""

    visible_to = everybody_sees(
        *("seats", "start_seat", "kind_tender_may_use_edge", "move_axis_only"),
        *("influence_cap", "bargaining_offers", "layout"),
    )
    sentence = "{seats} investors begin, {start_seat:seat} first; {bag:city}."
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
    subsidies: int | None = None
    ends_when_spent: bool | None = None
    """None in logs of games that began before RULES 11.4."""


@frozen
class TileDrawn(InvestorsEvent):
    visible_to = EVERYBODY
    sentence = "{seat} draws a {tile:kind} tile."
    seat: int
    tile: str


@frozen
class TileSetAside(InvestorsEvent):
    """The drawn tile fits nowhere now and goes to the bottom of the bag."""

    visible_to = EVERYBODY
    sentence = "The {tile:kind} tile fits nowhere now and goes back into the bag."
    tile: str


@frozen
class TileLaid(InvestorsEvent):
    visible_to = EVERYBODY
    sentence = "{seat} lays {tile:kind} at {space:place}."
    seat: int
    tile: str
    space: int


@frozen
class TileExchanged(InvestorsEvent):
    """No tile of the bag fits any space: the tile takes `space`, and what lay there takes `other`."""

    visible_to = EVERYBODY
    sentence = "{tile:kind} takes {space:place}; what lay there moves to {other:place}."
    tile: str
    space: int
    other: int


@frozen
class TenderShuffled(InvestorsEvent):
    """The discards became the new tender deck; a card that was just rejected stays out."""

    visible_to = everybody_sees(cards=size_of("deck"))
    sentence = "The discards become a new tender deck of {deck:count}."
    deck: tuple[str, ...]
    left_out: str | None


@frozen
class TenderDrawn(InvestorsEvent):
    visible_to = EVERYBODY
    sentence = "{seat} draws a tender{binding}: {card:tender}."
    seat: int
    card: str
    binding: bool


@frozen
class TenderVoided(InvestorsEvent):
    """The card opens no free street and was discarded."""

    visible_to = EVERYBODY
    sentence = "The tender for {card:tender} opens no street and is discarded."
    card: str


@frozen
class TenderRejected(InvestorsEvent):
    visible_to = EVERYBODY
    sentence = "{seat} rejects the tender for {card:tender}."
    seat: int
    card: str


@frozen
class TenderOpened(InvestorsEvent):
    """Bids are open on the tender card, or on the action card if one is being carried out."""

    visible_to = EVERYBODY
    sentence = "Bids are open {mode}: {rights}."
    mode: str
    rights: int


@frozen
class InfluenceRevealed(InvestorsEvent):
    """All influence cards by seat (None for a seat that abstained), and the winners in the order of investing."""

    visible_to = EVERYBODY
    sentence = "Influence is revealed: {cards:influence}; {winners:names} wins."
    cards: tuple[int | None, ...]
    winners: tuple[int, ...]


@frozen
class BidRaised(InvestorsEvent):
    visible_to = EVERYBODY
    sentence = "{seat} adds {cheques:money} to the bid."
    seat: int
    cheques: tuple[int, ...]


@frozen
class BidPassed(InvestorsEvent):
    visible_to = EVERYBODY
    sentence = "{seat} passes."
    seat: int


@frozen
class AuctionWon(InvestorsEvent):
    """The highest bidder paid all cheques of the bid."""

    visible_to = EVERYBODY
    sentence = "{seat} wins the auction and pays {cheques:money}."
    seat: int
    cheques: tuple[int, ...]


@frozen
class OptionsRevealed(InvestorsEvent):
    visible_to = EVERYBODY
    sentence = "Options are revealed: {options}."
    options: tuple[str, ...]


@frozen
class BargainingOpened(InvestorsEvent):
    """The seats on one option may deal before they bid."""

    visible_to = EVERYBODY
    sentence = "{seats:names} may bargain over {option}."
    option: str
    seats: tuple[int, ...]


@frozen
class OfferMade(InvestorsEvent):
    """Amounts and draws are for the seats on the option except the investor, in turn order."""

    visible_to = EVERYBODY
    sentence = "{seat} offers that {investor:seat} invests in {option} for {event:terms}."
    seat: int
    option: str
    investor: int
    amounts: tuple[int, ...]
    draws: tuple[int, ...]
    avoid: tuple[int, ...]


@frozen
class OfferPassed(InvestorsEvent):
    visible_to = EVERYBODY
    sentence = "{seat} makes no offer."
    seat: int


@frozen
class OfferAccepted(InvestorsEvent):
    """Everybody but the investor agrees; the investor is to pay."""

    visible_to = EVERYBODY
    sentence = "The offer is accepted."


@frozen
class OfferDeclined(InvestorsEvent):
    visible_to = EVERYBODY
    sentence = "The offer is declined by {seats:names}."
    seats: tuple[int, ...]


def _deal_shown(event: OfferPaid, viewer: Viewer) -> dict[str, Json]:
    # Everybody sees how many cheques are given; which ones, only the two hands between which they pass.
    deal: dict[str, Json] = {
        "event": event.name,
        "option": event.option,
        "investor": event.investor,
        "partners": list(event.partners),
        "avoid": list(event.avoid),
        "given": [len(paid) + len(drawn) for paid, drawn in zip(event.cheques, event.drawn, strict=True)],
    }
    if viewer == event.investor:
        return deal | {"cheques": value_to_json(event.cheques), "drawn": value_to_json(event.drawn)}
    if viewer in event.partners:
        own = event.partners.index(viewer)
        return deal | {"received": [*event.cheques[own], *event.drawn[own]]}
    return deal


@frozen
class OfferPaid(InvestorsEvent):
    """The investor paid `cheques` to each of the partners, who then drew `drawn` blindly from the hand."""

    visible_to = depends_on_viewer(_deal_shown)
    sentence = "{investor:seat} pays {partners:names} as agreed and may invest in {option}."
    option: str
    investor: int
    partners: tuple[int, ...]
    cheques: tuple[tuple[int, ...], ...]
    drawn: tuple[tuple[int, ...], ...]
    avoid: tuple[int, ...]


@frozen
class BargainingFailed(InvestorsEvent):
    visible_to = EVERYBODY
    sentence = "There is no deal over {option}."
    option: str


@frozen
class OptionBidsRevealed(InvestorsEvent):
    """The sealed cheques by seat; None for seats that did not bid against others."""

    visible_to = EVERYBODY
    sentence = "Sealed cheques are revealed: {bids}."
    bids: tuple[tuple[int, ...] | None, ...]


@frozen
class OptionPaid(InvestorsEvent):
    """The only seat on an option paid one cheque, face down."""

    visible_to = others_see("seat", "option")
    sentence = "{seat} alone chose {option} and pays {cheque},000."
    seat: int
    option: str
    cheque: int


@frozen
class OptionWon(InvestorsEvent):
    visible_to = EVERYBODY
    sentence = "{seat} wins {option} and pays {cheques:money}."
    seat: int
    option: str
    cheques: tuple[int, ...]


@frozen
class OptionLapsed(InvestorsEvent):
    visible_to = EVERYBODY
    sentence = "Nobody gets a right for {option}."
    option: str


@frozen
class TenderClosed(InvestorsEvent):
    """The rights that the tender gave, in the order of investing; perhaps none."""

    visible_to = EVERYBODY
    sentence = "Investing: {rights:investors}."
    rights: tuple[Right, ...]


@frozen
class StickPlaced(InvestorsEvent):
    visible_to = EVERYBODY
    sentence = "{seat} places a stick on {street}{lifted}."
    seat: int
    street: int
    lifted: int | None


@frozen
class RightWaived(InvestorsEvent):
    visible_to = EVERYBODY
    sentence = "{seat} waives."
    seat: int


@frozen
class RightLapsed(InvestorsEvent):
    """No street is left for a right when its turn comes."""

    visible_to = EVERYBODY
    sentence = "No street is left for {seat}."
    seat: int


@frozen
class DistrictRebuilt(InvestorsEvent):
    visible_to = EVERYBODY
    sentence = "{seat} rebuilds the district at {district:place} for {prestige} prestige{bonus}."
    district: int
    seat: int
    prestige: int
    bonus: int


@frozen
class ActionDrawn(InvestorsEvent):
    visible_to = EVERYBODY
    sentence = "{seat} draws an action card: {card:action}."
    seat: int
    card: str


@frozen
class ActionWon(InvestorsEvent):
    """A seat has won and paid for the action card and may now use it."""

    visible_to = EVERYBODY
    sentence = "{seat} may use the action card."
    seat: int


@frozen
class StickMoved(InvestorsEvent):
    visible_to = EVERYBODY
    sentence = "{seat} shifts the stick from {start:street} to {end:street}."
    seat: int
    start: int
    end: int


@frozen
class SticksSwapped(InvestorsEvent):
    visible_to = EVERYBODY
    sentence = "{seat} swaps the sticks on {first:street} and {second:street}."
    seat: int
    first: int
    second: int


@frozen
class StickReplaced(InvestorsEvent):
    """The stick of `owner` went back to its supply and one of `seat` took its place."""

    visible_to = EVERYBODY
    sentence = "{seat} replaces the stick of {owner:seat} on {street}."
    seat: int
    street: int
    owner: int
    lifted: int | None


@frozen
class SubsidyClaimed(InvestorsEvent):
    visible_to = EVERYBODY
    sentence = "{seat} takes {event:subsidy}{sticks:removed}."
    seat: int
    mode: str
    sticks: tuple[int, ...]
    influence: int
    cheques_most: int


@frozen
class BankShuffled(InvestorsEvent):
    visible_to = everybody_sees(cheques=size_of("bank"))
    sentence = "The bank's {bank:count} cheques are shuffled."
    bank: tuple[int, ...]


@frozen
class ChequeDrawn(InvestorsEvent):
    visible_to = EVERYBODY
    sentence = "{seat} draws {cheque},000{bust}."
    seat: int
    cheque: int
    bust: bool


@frozen
class DrawingStopped(InvestorsEvent):
    visible_to = EVERYBODY
    sentence = "{seat} stops drawing."
    seat: int


@frozen
class SubsidyPaid(InvestorsEvent):
    """The drawing is over: the cheques that each seat keeps. Busted cheques are back in the bank."""

    visible_to = EVERYBODY
    sentence = "The subsidy is paid: {kept}."
    kept: tuple[tuple[int, ...], ...]


@frozen
class ActionLaid(InvestorsEvent):
    visible_to = EVERYBODY
    sentence = "The action card is laid on {year}."
    card: str
    year: int


@frozen
class RoundEnded(InvestorsEvent):
    visible_to = EVERYBODY
    sentence = "The round ends; {next_seat:seat} is the start player."
    next_seat: int


@frozen
class CardsRedealt(InvestorsEvent):
    """A table that goes on from a step of another game deals again what one seat could not know at that step."""

    visible_to = NOBODY
    sentence = "What was hidden is dealt again."
    hands: tuple[tuple[int, ...], ...]
    bank: tuple[int, ...]
    bag: tuple[str, ...]
    tender_deck: tuple[str, ...]
    action_deck: tuple[str, ...]


@frozen
class GameEnded(InvestorsEvent):
    """`years`: the twelfth action card lies. `stalled`: too many tenders without a stick. `full`: no street to open.

    `spent`: nobody can win a right any more, since influence and cheques are gone.
    """

    visible_to = EVERYBODY
    sentence = "The game is over: {reason}."
    reason: str
