"""A game of Investors as text: a sentence for each event and the city in characters."""

from __future__ import annotations

from collections.abc import Sequence

from server.games.engine.game import Event, Seat
from server.games.investors import city, events
from server.games.investors.components import ACTION_CARDS, TENDER_CARDS
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
}


def describe(event: Event) -> str:
    """Give one sentence that says what happened, secrets included."""
    match event:
        case events.GameBegun():
            city_laid = "the players lay the city" if event.bag else "the city is laid"
            return f"{event.seats} investors begin, {_name(event.start_seat)} first; {city_laid}."
        case events.TileDrawn(seat, tile):
            return f"{_Name(seat)} draws a {_kind(tile)} tile."
        case events.TileSetAside(tile):
            return f"The {_kind(tile)} tile fits nowhere now and goes back into the bag."
        case events.TileLaid(seat, tile, space):
            return f"{_Name(seat)} lays {_kind(tile)} at {_place(space)}."
        case events.TileExchanged(tile, space, other):
            return f"{_kind(tile).capitalize()} takes {_place(space)}; what lay there moves to {_place(other)}."
        case events.TenderShuffled(deck):
            return f"The discards become a new tender deck of {len(deck)}."
        case events.TenderDrawn(seat, card, binding):
            return f"{_Name(seat)} draws a tender{', binding' if binding else ''}: {_tender(card)}."
        case events.TenderVoided(card):
            return f"The tender for {_tender(card)} opens no street and is discarded."
        case events.TenderRejected(seat, card):
            return f"{_Name(seat)} rejects the tender for {_tender(card)}."
        case events.TenderOpened(mode, rights):
            return f"Bids are open {_MODES[mode]}: {rights} {'right' if rights == 1 else 'rights'}."
        case events.InfluenceRevealed(cards, winners):
            played = ", ".join(
                f"{_name(seat)} {'abstains' if card is None else card}" for seat, card in enumerate(cards)
            )
            return f"Influence is revealed: {played}; {_names(winners) or 'nobody'} wins."
        case events.BidRaised(seat, cheques):
            return f"{_Name(seat)} adds {_money(cheques)} to the bid."
        case events.BidPassed(seat):
            return f"{_Name(seat)} passes."
        case events.AuctionWon(seat, cheques):
            return f"{_Name(seat)} wins the auction and pays {_money(cheques)}."
        case events.OptionsRevealed(options):
            chosen = ", ".join(f"{_name(seat)} {_kind(option)}" for seat, option in enumerate(options))
            return f"Options are revealed: {chosen}."
        case events.DistrictRebuilt(district, seat, prestige, bonus):
            more = f" and a bonus of {bonus}" if bonus else ""
            return f"{_Name(seat)} rebuilds the district at {_place(district)} for {prestige} prestige{more}."
        case events.StickPlaced(seat, street, lifted):
            origin = "" if lifted is None else f", lifted from {_street(lifted)}"
            return f"{_Name(seat)} places a stick on {_street(street)}{origin}."
        case events.RightWaived(seat):
            return f"{_Name(seat)} waives."
        case events.RightLapsed(seat):
            return f"No street is left for {_name(seat)}."
        case events.ActionDrawn(seat, card):
            return f"{_Name(seat)} draws an action card: {_action(card)}."
        case events.ActionWon(seat):
            return f"{_Name(seat)} may use the action card."
        case events.ActionLaid(_, year):
            return f"The action card is laid on {year}."
        case events.RoundEnded(next_seat):
            return f"The round ends; {_name(next_seat)} is the start player."
        case events.GameEnded(reason):
            return f"The game is over: {_REASONS[reason]}."
    return _describe_money(event)


def _describe_money(event: Event) -> str:
    match event:
        case events.BargainingOpened(option, seats):
            return f"{_names(seats).capitalize()} may bargain over {_kind(option)}."
        case events.OfferMade(seat, option, investor):
            return (
                f"{_Name(seat)} offers that {_name(investor)} invests in {_kind(option)} for {sum(event.amounts)},000."
            )
        case events.OfferPassed(seat):
            return f"{_Name(seat)} makes no offer."
        case events.OfferAccepted():
            return "The offer is accepted."
        case events.OfferDeclined(seats):
            return f"The offer is declined by {_names(seats)}."
        case events.OfferPaid(option, investor, partners):
            return f"{_Name(investor)} pays {_names(partners)} as agreed and may invest in {_kind(option)}."
        case events.BargainingFailed(option):
            return f"There is no deal over {_kind(option)}."
        case events.OptionBidsRevealed(bids):
            bidding = [f"{_name(seat)} {_money(bid)}" for seat, bid in enumerate(bids) if bid is not None]
            return f"Sealed cheques are revealed: {', '.join(bidding) or 'none'}."
        case events.OptionPaid(seat, option, cheque):
            return f"{_Name(seat)} alone chose {_kind(option)} and pays {cheque},000."
        case events.OptionWon(seat, option, cheques):
            return f"{_Name(seat)} wins {_kind(option)} and pays {_money(cheques)}."
        case events.OptionLapsed(option):
            return f"Nobody gets a right for {_kind(option)}."
        case events.TenderClosed(rights):
            return f"Investing: {_names([right.seat for right in rights]) or 'nobody'}."
        case events.StickMoved(seat, start, end):
            return f"{_Name(seat)} shifts the stick from {_street(start)} to {_street(end)}."
        case events.SticksSwapped(seat, first, second):
            return f"{_Name(seat)} swaps the sticks on {_street(first)} and {_street(second)}."
        case events.StickReplaced(seat, street, owner):
            return f"{_Name(seat)} replaces the stick of {_name(owner)} on {_street(street)}."
        case events.SubsidyClaimed(seat, mode, sticks):
            removed = f" for {len(sticks)} removed sticks" if sticks else ""
            taken = f"{event.influence} influence" if mode == "influence" else f"cheques up to {event.cheques_most},000"
            return f"{_Name(seat)} takes {taken}{removed}."
        case events.BankShuffled(bank):
            return f"The bank's {len(bank)} cheques are shuffled."
        case events.ChequeDrawn(seat, cheque, bust):
            return f"{_Name(seat)} draws {cheque},000{' and loses everything drawn' if bust else ''}."
        case events.DrawingStopped(seat):
            return f"{_Name(seat)} stops drawing."
        case events.SubsidyPaid(kept):
            keeping = [f"{_name(seat)} keeps {_money(cheques)}" for seat, cheques in enumerate(kept) if cheques]
            return f"The subsidy is paid: {', '.join(keeping) or 'no cheques are kept'}."
    raise AssertionError(event)


def draw(state: State) -> str:
    """Give the city in characters: a letter for each district, capital while in ruins, sticks by seat, white as #."""
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


def _Name(seat: Seat) -> str:  # noqa: N802
    return SEAT_NAMES[seat].capitalize()


def _names(seats: Sequence[Seat]) -> str:
    return ", ".join(map(_name, seats))


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
