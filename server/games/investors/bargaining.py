"""Dealing instead of bidding, among the seats on one option (RULES 10)."""

from __future__ import annotations

from server.games.engine.game import Answers, Decision, Seat
from server.games.engine.prompts import Amounts, Choice, Command, OneOf, Payable, Prompt, Shares, SomeOf, Space
from server.games.engine.shares import covering_shares
from server.games.engine.step_builder import StepBuilder
from server.games.investors.commands import AcceptOffer, DeclineOffer, MakeOffer, PassOffer, PayOffer
from server.games.investors.components import CHEQUES
from server.games.investors.events import (
    BargainingFailed,
    OfferAccepted,
    OfferDeclined,
    OfferMade,
    OfferPaid,
    OfferPassed,
)
from server.games.investors.option_tender import carry_on
from server.games.investors.state import Bargaining, State, without

_STEP = min(CHEQUES)
_ANSWER = Prompt((Choice(AcceptOffer), Choice(DeclineOffer)), fallback=DeclineOffer())


def bargain_decision(state: State) -> Decision:
    stage = _bargaining(state)
    if stage.offer is None:
        speaker = _speaker(stage)
        is_forced = not any(state.hands[seat] for seat in stage.seats)  # RULES 6.3
        return Decision("make_offer", {speaker: _offer_prompt(state, stage)}, forced=(speaker,) if is_forced else ())
    if not stage.accepted:
        return Decision("answer_offer", dict.fromkeys(_asked(stage, stage.offer), _ANSWER), sealed=True)
    return _payment_decision(state, stage, stage.offer)


def bargain_resolved(step: StepBuilder[State], answers: Answers) -> None:
    stage = _bargaining(step.state)
    if stage.offer is None:
        _spoken(step, stage, answers[_speaker(stage)])
    elif not stage.accepted:
        declining = tuple(seat for seat in stage.seats if isinstance(answers.get(seat), DeclineOffer))
        step.emit(OfferDeclined(declining) if declining else OfferAccepted())
    else:
        _paid(step, stage, stage.offer, answers[stage.offer.investor])
    _go_on(step)


def _go_on(step: StepBuilder[State]) -> None:
    stage = step.state.stage
    if isinstance(stage, Bargaining):
        if stage.offer is not None or stage.spoken < len(stage.seats) * step.state.settings.bargaining_offers:
            return
        step.emit(BargainingFailed(stage.option))
    carry_on(step)


def partners(stage: Bargaining, investor: Seat) -> tuple[Seat, ...]:
    """Return the seats that the investor would have to pay, in turn order."""
    return tuple(seat for seat in stage.seats if seat != investor)


def _spoken(step: StepBuilder[State], stage: Bargaining, command: Command) -> None:
    seat = _speaker(stage)
    if not isinstance(command, MakeOffer):
        step.emit(OfferPassed(seat))
        return
    offer = OfferMade(seat, stage.option, command.investor, command.amounts, command.draws, command.avoid)
    step.emit(offer)
    if not _asked(stage, offer):
        step.emit(OfferAccepted())


def _paid(step: StepBuilder[State], stage: Bargaining, offer: OfferMade, command: Command) -> None:
    if not isinstance(command, PayOffer):
        step.emit(OfferDeclined((offer.investor,)))
        return
    left = step.state.hands[offer.investor]
    for cheques in command.cheques:
        left = without(left, cheques)
    # RULES 10.3: blind draws come from what is left in the hand after paying.
    blind = step.dice.shuffled(f"blind/{step.state.blind_draws}", left) if any(offer.draws) else ()
    drawn = []
    for draws in offer.draws:
        drawn.append(blind[:draws])
        blind = blind[draws:]
    others = partners(stage, offer.investor)
    step.emit(OfferPaid(stage.option, offer.investor, others, command.cheques, tuple(drawn), offer.avoid))


def _offer_prompt(state: State, stage: Bargaining) -> Prompt:
    seat = _speaker(stage)
    streets = state.open_streets(stage.option)
    choices = []
    for investor in stage.seats:
        hand = state.hands[investor]
        if not hand:
            continue
        # RULES 10.4: the value of another seat's cheques is secret; their number is public.
        cheques = hand if investor == seat else (max(CHEQUES),) * len(hand)
        others = partners(stage, investor)
        spaces: dict[str, Space] = {
            "investor": OneOf((investor,)),
            "amounts": Amounts(dict.fromkeys(others, sum(cheques)), step=_STEP),
            "draws": Amounts(dict.fromkeys(others, len(cheques))),
            "avoid": SomeOf(streets, 0, len(streets) - 1),
        }
        choices.append(Choice(MakeOffer, spaces, Payable(cheques)))
    return Prompt((*choices, Choice(PassOffer)), fallback=PassOffer())


def _payment_decision(state: State, stage: Bargaining, offer: OfferMade) -> Decision:
    hand, is_own = state.hands[offer.investor], offer.investor == offer.seat
    maximum = len(hand) - sum(offer.draws)
    shares = covering_shares(hand, offer.amounts, maximum) if maximum >= 0 else None
    if shares is None:
        prompt = Prompt((Choice(DeclineOffer),), fallback=DeclineOffer())
    else:
        dues = dict(zip(partners(stage, offer.investor), offer.amounts, strict=True))
        pay = Choice(PayOffer, {"cheques": Shares(hand, dues, maximum)})
        # RULES 10.2: only an investor who did not propose the deal may decline it.
        prompt = Prompt((pay,), PayOffer(shares)) if is_own else Prompt((pay, Choice(DeclineOffer)), DeclineOffer())
    is_forced = is_own and (not any(offer.amounts) or len(hand) == 1)  # RULES 6.3
    return Decision("pay_offer", {offer.investor: prompt}, forced=(offer.investor,) if is_forced else ())


def _speaker(stage: Bargaining) -> Seat:
    return stage.seats[stage.spoken % len(stage.seats)]


def _asked(stage: Bargaining, offer: OfferMade) -> tuple[Seat, ...]:
    """Return the seats that must agree: all but the seat that offers and the seat that pays."""
    return tuple(seat for seat in stage.seats if seat not in (offer.seat, offer.investor))


def _bargaining(state: State) -> Bargaining:
    assert isinstance(state.stage, Bargaining)
    return state.stage
