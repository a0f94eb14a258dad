"""Bargaining over option tiles: offers of money, blind draws and streets to keep off (RULES 10).

A deal is compared with bidding. To a seat that lets another invest it is worth the money, the expected value of the
draws, and what it gains when the investor keeps off streets.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple

from server.bots.investors.evaluation import Evaluation
from server.bots.investors.option_bids import SHARED, option_worth
from server.bots.investors.resources import MEAN_CHEQUE, STEP
from server.bots.investors.valuations import estimated_money, max_price
from server.bots.strategy import BotChoice, Reason
from server.games.engine.game import Seat
from server.games.engine.prompts import Prompt, Shares
from server.games.engine.shares import covering_shares
from server.games.investors.commands import AcceptOffer, DeclineOffer, MakeOffer, PassOffer, PayOffer
from server.games.investors.events import OfferMade
from server.games.investors.state import Bargaining

_MEAN_BLIND_CHEQUE: Final = round(MEAN_CHEQUE)
"""The expected value of a cheque that is drawn from the hand of another seat."""

PASS_OFFER: Final = BotChoice(PassOffer(), Reason("inv.hint.pass_offer"))
_ACCEPT: Final = BotChoice(AcceptOffer(), Reason("inv.hint.accept_offer"))
_DECLINE: Final = BotChoice(DeclineOffer(), Reason("inv.hint.decline_offer"))
_DECLINE_PAYMENT: Final = BotChoice(DeclineOffer(), Reason("inv.hint.decline_payment"))


def bargain(evaluation: Evaluation, seat: Seat, prompt: Prompt, rng: Random) -> BotChoice:
    """Make, accept or pay an offer when that is better than bidding against each other."""
    stage = evaluation.state.stage
    assert isinstance(stage, Bargaining)
    if stage.offer is None:
        return _offer(evaluation, seat, prompt, stage)
    if not stage.accepted:
        return _answer(evaluation, seat, stage, stage.offer)
    return _pay(evaluation, seat, prompt, stage.offer)


def deals(evaluation: Evaluation, seat: Seat, prompt: Prompt) -> list[BotChoice]:
    """Return all ways to continue the bargaining except for an offer."""
    stage = evaluation.state.stage
    assert isinstance(stage, Bargaining)
    if stage.offer is None:
        return [PASS_OFFER]
    if not stage.accepted:
        return [_ACCEPT, _DECLINE]
    shares = _shares(prompt)
    return [_DECLINE_PAYMENT] if shares is None else [_pay_choice(shares, prompt), _DECLINE_PAYMENT]


def _money(evaluation: Evaluation, seat: Seat) -> int:
    # The cheques of others are blanks of 0.
    return sum(evaluation.state.hands[seat]) or estimated_money(evaluation, seat)


def _expected_bid_gain(evaluation: Evaluation, seat: Seat, stage: Bargaining) -> int:
    """Return, in money, the expected gain of a seat from bidding instead of a deal."""
    worth = option_worth(evaluation, stage.option)[seat]
    return int(max_price(evaluation, worth, _money(evaluation, seat)) * SHARED) // STEP * STEP


# -- making an offer -------------------------------------------------------------------------------------------


class _Terms(NamedTuple):
    """What a seat proposes to give the others when it invests, and how much that leaves of the value of the right."""

    offer: MakeOffer
    profit: int


def _offer(evaluation: Evaluation, seat: Seat, prompt: Prompt, stage: Bargaining) -> BotChoice:
    """Offer to invest if the seat gains most, and offer all others a little more than bidding promises them."""
    worth = option_worth(evaluation, stage.option)
    if any(worth[seat] < worth[other] for other in stage.seats):
        return PASS_OFFER
    best = evaluation.best_at(stage.option)[seat].street
    found = [
        terms
        for avoid in ((), (best,))
        for with_draws in (False, True)
        if (terms := _terms(evaluation, seat, stage, avoid, with_draws)).profit >= 0
        and prompt.admit(terms.offer) is None
    ]
    if not found:
        return PASS_OFFER
    offer = max(found, key=lambda terms: terms.profit).offer
    if any(offer.draws) or offer.avoid:
        return BotChoice(offer, Reason("inv.hint.make_offer_with_more"))
    return BotChoice(offer, Reason("inv.hint.make_offer", {"amount": sum(offer.amounts)}))


def _terms(evaluation: Evaluation, seat: Seat, stage: Bargaining, avoid: tuple[int, ...], with_draws: bool) -> _Terms:
    """Return the cheapest terms that should be better than bidding for all others."""
    hand, option = evaluation.state.hands[seat], stage.option
    cost_of_draw = round(sum(hand) / len(hand)) if hand else 0
    amounts, draws = [], []
    for other in stage.seats:
        if other != seat:
            need = _expected_bid_gain(evaluation, other, stage) + STEP
            need = max(0, need - _gain_from_avoided(evaluation, other, seat, option, avoid))
            count = -(-need // _MEAN_BLIND_CHEQUE)
            is_drawn = with_draws and count * cost_of_draw < need
            amounts.append(0 if is_drawn else -(-need // STEP) * STEP)
            draws.append(count if is_drawn else 0)
    if not any(amounts) and not any(draws):
        amounts[0] = STEP
    price = sum(amounts) + sum(draws) * cost_of_draw
    offer = MakeOffer(seat, tuple(amounts), tuple(draws), avoid)
    return _Terms(offer, _limit(evaluation, seat, option, avoid) - price)


def _limit(evaluation: Evaluation, seat: Seat, option: str, avoid: Sequence[int]) -> int:
    """Return the highest price of the right for a seat that keeps off these streets."""
    streets = [street for street in evaluation.state.open_streets(option) if street not in avoid]
    return max_price(evaluation, evaluation.best(streets, seat).gain, sum(evaluation.state.hands[seat]))


def _gain_from_avoided(evaluation: Evaluation, seat: Seat, investor: Seat, option: str, avoid: Sequence[int]) -> int:
    """Return, in money, what a seat gains when the investor keeps off these streets."""
    streets = evaluation.state.open_streets(option)
    if not avoid:
        return 0
    free = evaluation.best(streets, investor)
    bound = evaluation.best([street for street in streets if street not in avoid], investor)
    losses = [
        -evaluation.gain_after(((spot.street, investor),), seat) if spot.street in streets else 0.0
        for spot in (free, bound)
    ]
    return max_price(evaluation, max(0.0, losses[0] - losses[1]), _money(evaluation, seat))


# -- answering and paying --------------------------------------------------------------------------------------


def _answer(evaluation: Evaluation, seat: Seat, stage: Bargaining, offer: OfferMade) -> BotChoice:
    """Accept an offer above the expected gain from bidding."""
    own = [other for other in stage.seats if other != offer.investor].index(seat)
    gets = offer.amounts[own] + _MEAN_BLIND_CHEQUE * offer.draws[own]
    gets += _gain_from_avoided(evaluation, seat, offer.investor, offer.option, offer.avoid)
    return _ACCEPT if gets > _expected_bid_gain(evaluation, seat, stage) else _DECLINE


def _pay(evaluation: Evaluation, seat: Seat, prompt: Prompt, offer: OfferMade) -> BotChoice:
    """Pay what was agreed; if the seat may decline, only when the right is worth the price."""
    shares = _shares(prompt)
    if shares is None:
        return _DECLINE_PAYMENT
    pay = _pay_choice(shares, prompt)
    if prompt.admit(_DECLINE_PAYMENT.command) is not None:
        return pay
    hand = evaluation.state.hands[seat]
    price = sum(map(sum, shares)) + sum(offer.draws) * sum(hand) // len(hand)
    return pay if price <= _limit(evaluation, seat, offer.option, offer.avoid) else _DECLINE_PAYMENT


def _shares(prompt: Prompt) -> tuple[tuple[int, ...], ...] | None:
    """Return the cheques that cover the dues most closely, or None if the prompt does not allow to pay."""
    for choice in prompt.choices:
        if choice.command is PayOffer:
            space = choice.spaces["cheques"]
            assert isinstance(space, Shares)
            return covering_shares(space.values, tuple(space.dues.values()), space.maximum)
    return None


def _pay_choice(shares: tuple[tuple[int, ...], ...], prompt: Prompt) -> BotChoice:
    is_agreed = prompt.admit(_DECLINE_PAYMENT.command) is not None
    return BotChoice(PayOffer(shares), Reason("inv.hint.pay_agreed" if is_agreed else "inv.hint.pay_offer"))
