"""Reducers: how each event changes the state. No rule is decided here; an event is not questioned.

A reducer changes a draft in place: a copy of the state that nobody else holds yet.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from server.games.engine.game import Seat
from server.games.engine.reducers import Reducers
from server.games.investors import city
from server.games.investors.components import (
    ACTION_CARDS,
    CHEQUES,
    HALL,
    INFLUENCE_AT_START,
    STICKS_PER_SEAT,
    SUBSIDIES,
)
from server.games.investors.events import (
    ActionDrawn,
    ActionLaid,
    ActionWon,
    AuctionWon,
    BankShuffled,
    BargainingFailed,
    BargainingOpened,
    BidPassed,
    BidRaised,
    CardsRedealt,
    ChequeDrawn,
    DistrictRebuilt,
    DrawingStopped,
    GameBegun,
    GameEnded,
    InfluenceRevealed,
    OfferAccepted,
    OfferDeclined,
    OfferMade,
    OfferPaid,
    OfferPassed,
    OptionBidsRevealed,
    OptionLapsed,
    OptionPaid,
    OptionsRevealed,
    OptionWon,
    Right,
    RightLapsed,
    RightWaived,
    RoundEnded,
    StickMoved,
    StickPlaced,
    StickReplaced,
    SticksSwapped,
    SubsidyClaimed,
    SubsidyPaid,
    TenderClosed,
    TenderDrawn,
    TenderOpened,
    TenderRejected,
    TenderShuffled,
    TenderVoided,
    TileDrawn,
    TileExchanged,
    TileLaid,
    TileSetAside,
)
from server.games.investors.state import (
    Acting,
    Bargaining,
    ChequeBidding,
    Claiming,
    Considering,
    Drawing,
    InfluenceBidding,
    Investing,
    Laying,
    OptionBidding,
    OptionChoosing,
    Over,
    Passing,
    Settings,
    State,
    joined,
    streets_by_target,
    with_entry,
    without,
)

REDUCERS: Final = Reducers[State]()
PASSING = Passing()


@REDUCERS.register_first(GameBegun)
def begun(event: GameBegun) -> State:
    """Return the state that the first event describes."""
    seats = event.seats
    settings = Settings(
        seats,
        event.kind_tender_may_use_edge,
        event.move_axis_only,
        event.influence_cap,
        event.bargaining_offers,
        event.subsidies,
        ends_when_spent=event.ends_when_spent is True,
    )
    state = State(
        settings=settings,
        layout=event.layout,
        bag=event.bag,
        streets_by_target={},
        sticks=[city.FREE] * city.STREETS,
        rebuilt=[-1] * city.DISTRICTS,
        supply=[STICKS_PER_SEAT] * seats,
        influence=[INFLUENCE_AT_START] * seats,
        prestige=[0] * seats,
        bonus=[0] * seats,
        hands=[CHEQUES] * seats,
        bank=(),
        tender_deck=event.tender_deck,
        tender_discard=(),
        action_deck=event.action_deck,
        years=(),
        open_bonuses=(),
        start_seat=event.start_seat,
    )
    _finish_city(state)
    return state


def _finish_city(draft: State) -> None:
    if None not in draft.layout:
        draft.sticks = city.sticks_around_parks(draft.layout)
        draft.streets_by_target = streets_by_target(
            draft.layout, kinds_use_edge=draft.settings.kind_tender_may_use_edge
        )


# -- laying the city ------------------------------------------------------------------------------------------


@REDUCERS.register(TileDrawn)
def _tile_drawn(draft: State, event: TileDrawn) -> None:
    draft.bag = draft.bag[:-1]
    draft.stage = Laying(event.seat, event.tile)


@REDUCERS.register(TileSetAside)
def _tile_set_aside(draft: State, event: TileSetAside) -> None:
    draft.bag = (event.tile, *draft.bag)


@REDUCERS.register(TileLaid)
def _tile_laid(draft: State, event: TileLaid) -> None:
    draft.layout = with_entry(draft.layout, event.space, event.tile)
    draft.stage = PASSING
    _finish_city(draft)


@REDUCERS.register(TileExchanged)
def _tile_exchanged(draft: State, event: TileExchanged) -> None:
    moved = draft.layout[event.space]
    assert moved not in (None, HALL)
    draft.layout = with_entry(with_entry(draft.layout, event.space, event.tile), event.other, moved)
    draft.stage = PASSING
    _finish_city(draft)


# -- tenders --------------------------------------------------------------------------------------------------


@REDUCERS.register(TenderShuffled)
def _tender_shuffled(draft: State, event: TenderShuffled) -> None:
    draft.tender_deck = event.deck
    draft.tender_discard = () if event.left_out is None else (event.left_out,)
    draft.tender_shuffles += 1


@REDUCERS.register(TenderDrawn)
def _tender_drawn(draft: State, event: TenderDrawn) -> None:
    draft.tender_deck = draft.tender_deck[:-1]
    draft.tender = event.card
    draft.stage = PASSING if event.binding else Considering()


@REDUCERS.register(TenderVoided, TenderRejected)
def _tender_discarded(draft: State, event: TenderVoided | TenderRejected) -> None:
    draft.tender_discard = (*draft.tender_discard, event.card)
    draft.tender = None
    draft.stage = PASSING


@REDUCERS.register(TenderOpened)
def _tender_opened(draft: State, event: TenderOpened) -> None:
    if event.mode == "influence":
        draft.stage = InfluenceBidding(event.rights)
    elif event.mode == "cheques":
        seats = draft.settings.seats
        draft.stage = ChequeBidding(((),) * seats, (False,) * seats, draft.start_seat)
    else:
        draft.stage = OptionChoosing()


@REDUCERS.register(InfluenceRevealed)
def _influence_revealed(draft: State, event: InfluenceRevealed) -> None:
    for seat in event.winners:
        draft.influence[seat] -= event.cards[seat] or 0
    draft.stage = PASSING


@REDUCERS.register(BidRaised)
def _bid_raised(draft: State, event: BidRaised) -> None:
    stage, seat = draft.stage, event.seat
    assert isinstance(stage, ChequeBidding)
    draft.hands[seat] = without(draft.hands[seat], event.cheques)
    bids = with_entry(stage.bids, seat, stage.bids[seat] + event.cheques)
    draft.stage = ChequeBidding(bids, stage.passed, _next_bidder(draft, stage.passed, seat))


@REDUCERS.register(BidPassed)
def _bid_passed(draft: State, event: BidPassed) -> None:
    stage, seat = draft.stage, event.seat
    assert isinstance(stage, ChequeBidding)
    bids, passed = stage.bids, with_entry(stage.passed, seat, True)
    if bids[seat]:
        draft.hands[seat] = joined(draft.hands[seat], bids[seat])
        bids = with_entry(bids, seat, ())
    draft.stage = ChequeBidding(bids, passed, _next_bidder(draft, passed, seat))


def _next_bidder(draft: State, passed: tuple[bool, ...], seat: Seat) -> Seat:
    for other in draft.clockwise(seat)[1:]:
        if not passed[other]:
            return other
    return seat


@REDUCERS.register(AuctionWon)
def _auction_won(draft: State, event: AuctionWon) -> None:
    draft.bank += event.cheques
    draft.stage = PASSING


@REDUCERS.register(OptionsRevealed)
def _options_revealed(draft: State, event: OptionsRevealed) -> None:
    draft.options = event.options
    draft.stage = OptionBidding()


@REDUCERS.register(OptionBidsRevealed)
def _option_bids_revealed(draft: State, event: OptionBidsRevealed) -> None:
    draft.stage = PASSING


@REDUCERS.register(OptionPaid)
def _option_paid(draft: State, event: OptionPaid) -> None:
    draft.hands[event.seat] = without(draft.hands[event.seat], (event.cheque,))
    draft.bank = (*draft.bank, event.cheque)


@REDUCERS.register(OptionWon)
def _option_won(draft: State, event: OptionWon) -> None:
    draft.hands[event.seat] = without(draft.hands[event.seat], event.cheques)
    draft.bank += event.cheques


@REDUCERS.register(OptionLapsed)
def _nothing(draft: State, event: OptionLapsed) -> None:
    pass


@REDUCERS.register(TenderClosed)
def _tender_closed(draft: State, event: TenderClosed) -> None:
    draft.options, draft.deals, draft.dealt = None, (), ()
    draft.tenders_without_a_stick += 1
    draft.stage = Investing(event.rights) if event.rights else PASSING


# -- bargaining -----------------------------------------------------------------------------------------------


@REDUCERS.register(BargainingOpened)
def _bargaining_opened(draft: State, event: BargainingOpened) -> None:
    draft.stage = Bargaining(event.option, event.seats, spoken=0, offer=None, accepted=False)


@REDUCERS.register(OfferMade)
def _offer_made(draft: State, event: OfferMade) -> None:
    draft.stage = replace(_bargaining(draft), offer=event)


@REDUCERS.register(OfferAccepted)
def _offer_accepted(draft: State, event: OfferAccepted) -> None:
    draft.stage = replace(_bargaining(draft), accepted=True)


@REDUCERS.register(OfferPassed, OfferDeclined)
def _offer_ended(draft: State, event: OfferPassed | OfferDeclined) -> None:
    stage = _bargaining(draft)
    draft.stage = replace(stage, spoken=stage.spoken + 1, offer=None, accepted=False)


@REDUCERS.register(OfferPaid)
def _offer_paid(draft: State, event: OfferPaid) -> None:
    for partner, cheques, drawn in zip(event.partners, event.cheques, event.drawn, strict=True):
        draft.hands[event.investor] = without(draft.hands[event.investor], cheques + drawn)
        draft.hands[partner] = joined(draft.hands[partner], cheques + drawn)
        draft.blind_draws += len(drawn)
    draft.deals = (*draft.deals, Right(event.investor, event.option, event.avoid))
    draft.dealt = (*draft.dealt, event.option)
    draft.stage = OptionBidding()


@REDUCERS.register(BargainingFailed)
def _bargaining_failed(draft: State, event: BargainingFailed) -> None:
    draft.dealt = (*draft.dealt, event.option)
    draft.stage = OptionBidding()


def _bargaining(draft: State) -> Bargaining:
    assert isinstance(draft.stage, Bargaining)
    return draft.stage


# -- sticks ---------------------------------------------------------------------------------------------------


@REDUCERS.register(StickPlaced)
def _stick_placed(draft: State, event: StickPlaced) -> None:
    _take_stick(draft, event.seat, event.lifted)
    draft.sticks[event.street] = event.seat
    draft.tenders_without_a_stick = 0
    if isinstance(draft.stage, Acting):
        draft.stage = Acting(event.seat, event.street)
    else:
        _right_used(draft)


@REDUCERS.register(StickReplaced)
def _stick_replaced(draft: State, event: StickReplaced) -> None:
    _take_stick(draft, event.seat, event.lifted)
    draft.sticks[event.street] = event.seat
    draft.supply[event.owner] += 1


def _take_stick(draft: State, seat: Seat, lifted: int | None) -> None:
    if lifted is None:
        draft.supply[seat] -= 1
    else:
        draft.sticks[lifted] = city.FREE


@REDUCERS.register(StickMoved)
def _stick_moved(draft: State, event: StickMoved) -> None:
    sticks = draft.sticks
    sticks[event.end], sticks[event.start] = sticks[event.start], city.FREE


@REDUCERS.register(SticksSwapped)
def _sticks_swapped(draft: State, event: SticksSwapped) -> None:
    sticks = draft.sticks
    sticks[event.first], sticks[event.second] = sticks[event.second], sticks[event.first]


@REDUCERS.register(RightWaived, RightLapsed)
def _right_ended(draft: State, event: RightWaived | RightLapsed) -> None:
    if isinstance(draft.stage, Investing):
        _right_used(draft)


def _right_used(draft: State) -> None:
    assert isinstance(draft.stage, Investing)
    left = draft.stage.rights[1:]
    draft.stage = Investing(left) if left else PASSING


@REDUCERS.register(DistrictRebuilt)
def _district_rebuilt(draft: State, event: DistrictRebuilt) -> None:
    draft.rebuilt[event.district] = event.seat
    draft.prestige[event.seat] += event.prestige + event.bonus
    draft.rebuilt_now = True
    if event.bonus:
        kind = draft.layout[event.district]
        draft.bonus[event.seat] += event.bonus
        draft.open_bonuses = tuple(other for other in draft.open_bonuses if other != kind)


# -- action cards ---------------------------------------------------------------------------------------------


@REDUCERS.register(ActionDrawn)
def _action_drawn(draft: State, event: ActionDrawn) -> None:
    draft.action_deck = draft.action_deck[:-1]
    draft.action = event.card
    draft.rebuilt_now = False
    draft.stage = PASSING
    if event.card in SUBSIDIES:
        draft.subsidies = (0,) * draft.settings.seats
        draft.stage = Claiming(draft.start_seat)


@REDUCERS.register(ActionWon)
def _action_won(draft: State, event: ActionWon) -> None:
    draft.stage = Acting(event.seat, None)


@REDUCERS.register(SubsidyClaimed)
def _subsidy_claimed(draft: State, event: SubsidyClaimed) -> None:
    for street in event.sticks:
        draft.sticks[street] = city.FREE
    draft.supply[event.seat] += len(event.sticks)
    draft.influence[event.seat] += event.influence
    draft.subsidies = with_entry(draft.subsidies, event.seat, event.cheques_most)
    following = draft.clockwise(event.seat)[1]
    draft.stage = PASSING if following == draft.start_seat else Claiming(following)


@REDUCERS.register(BankShuffled)
def _bank_shuffled(draft: State, event: BankShuffled) -> None:
    draft.bank = event.bank
    draft.bank_shuffles += 1
    seats = draft.settings.seats
    drawing = tuple(maximum > 0 for maximum in draft.subsidies)
    first = next(seat for seat in draft.clockwise(draft.start_seat) if drawing[seat])
    draft.stage = Drawing(((),) * seats, drawing, (False,) * seats, first)


@REDUCERS.register(ChequeDrawn)
def _cheque_drawn(draft: State, event: ChequeDrawn) -> None:
    stage = _drawing(draft)
    draft.bank = draft.bank[:-1]
    _next_drawer(
        draft,
        replace(
            stage,
            drawn=with_entry(stage.drawn, event.seat, (*stage.drawn[event.seat], event.cheque)),
            drawing=with_entry(stage.drawing, event.seat, not event.bust),
            busted=with_entry(stage.busted, event.seat, event.bust),
        ),
    )


@REDUCERS.register(DrawingStopped)
def _drawing_stopped(draft: State, event: DrawingStopped) -> None:
    stage = _drawing(draft)
    _next_drawer(draft, replace(stage, drawing=with_entry(stage.drawing, event.seat, False)))


def _next_drawer(draft: State, stage: Drawing) -> None:
    order = draft.clockwise(stage.turn)
    following = next((seat for seat in (*order[1:], stage.turn) if stage.drawing[seat]), stage.turn)
    draft.stage = replace(stage, turn=following)


def _drawing(draft: State) -> Drawing:
    assert isinstance(draft.stage, Drawing)
    return draft.stage


@REDUCERS.register(SubsidyPaid)
def _subsidy_paid(draft: State, event: SubsidyPaid) -> None:
    stage = draft.stage
    if isinstance(stage, Drawing):
        for seat, kept in enumerate(event.kept):
            draft.hands[seat] = joined(draft.hands[seat], kept)
            if stage.busted[seat]:
                draft.bank += stage.drawn[seat]
    draft.subsidies = ()
    draft.stage = PASSING


@REDUCERS.register(ActionLaid)
def _action_laid(draft: State, event: ActionLaid) -> None:
    draft.years = (*draft.years, event.card)
    draft.action = None
    draft.stage = PASSING
    effect = ACTION_CARDS[event.card].effect
    if effect.startswith("bonus_"):
        draft.open_bonuses = (*draft.open_bonuses, effect.removeprefix("bonus_"))


# -- rounds ---------------------------------------------------------------------------------------------------


@REDUCERS.register(RoundEnded)
def _round_ended(draft: State, event: RoundEnded) -> None:
    assert draft.tender is not None
    draft.tender_discard = (*draft.tender_discard, draft.tender)
    draft.tender = None
    draft.start_seat = event.next_seat
    draft.round += 1
    draft.stage = PASSING


@REDUCERS.register(CardsRedealt)
def _cards_redealt(draft: State, event: CardsRedealt) -> None:
    draft.hands = list(event.hands)
    draft.bank = event.bank
    draft.bag = event.bag
    draft.tender_deck = event.tender_deck
    draft.action_deck = event.action_deck


@REDUCERS.register(GameEnded)
def _game_ended(draft: State, event: GameEnded) -> None:
    draft.stage = Over(event.reason)
