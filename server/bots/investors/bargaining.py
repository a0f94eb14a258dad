"""Bargaining over option tiles: offers of money, blind draws and streets to keep off (RULES 10).

A deal is compared with bidding. To a seat that lets another invest it is worth the money, the expected value of the
draws, and what it gains when the investor keeps off streets. Whoever gains most from the right should have it, so the
seats propose that this seat invests, be it themselves or another.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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

_ASKED_PART: Final = 0.5
"""The part of the gain from a deal that a seat asks for when it proposes that another one invests."""

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
    return _pay(evaluation, seat, prompt, stage, stage.offer)


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


def _money(evaluation: Evaluation, seat: Seat, asking: Seat) -> int:
    """Return the money of a seat as another one knows it: of all hands but its own, only the number of cheques."""
    return sum(evaluation.state.hands[seat]) if seat == asking else estimated_money(evaluation, seat)


def _expected_bid_gain(evaluation: Evaluation, seat: Seat, stage: Bargaining, asking: Seat) -> int:
    """Return, in money, the expected gain of a seat from bidding instead of a deal."""
    worth = option_worth(evaluation, stage.option)[seat]
    return int(max_price(evaluation, worth, _money(evaluation, seat, asking)) * SHARED) // STEP * STEP


# -- making an offer -------------------------------------------------------------------------------------------


class _Terms(NamedTuple):
    """An offer, and how much better than bidding it is for the seat that makes it, in money."""

    offer: MakeOffer
    profit: int


def _offer(evaluation: Evaluation, seat: Seat, prompt: Prompt, stage: Bargaining) -> BotChoice:
    """Offer that the seat that gains most invests, and that all others get a little more than bidding promises them."""
    worth = option_worth(evaluation, stage.option)
    investor = max(stage.seats, key=lambda other: (worth[other], other == seat))
    best = evaluation.best_at(stage.option)[investor].street
    propose = _own_terms if investor == seat else _terms_of_another
    found = [
        terms
        for avoid in ((), (best,))
        for with_draws in (False, True)
        if (terms := propose(evaluation, seat, investor, stage, avoid, with_draws)) is not None
        and prompt.admit(terms.offer) is None
    ]
    if not found:
        return PASS_OFFER
    offer = max(found, key=lambda terms: terms.profit).offer
    if investor != seat:
        return BotChoice(offer, Reason("inv.hint.make_offer_to_another"))
    if any(offer.draws) or offer.avoid:
        return BotChoice(offer, Reason("inv.hint.make_offer_with_more"))
    return BotChoice(offer, Reason("inv.hint.make_offer", {"amount": sum(offer.amounts)}))


def _own_terms(
    evaluation: Evaluation, seat: Seat, investor: Seat, stage: Bargaining, avoid: tuple[int, ...], with_draws: bool
) -> _Terms | None:
    """Return the cheapest terms that should be better than bidding for all others, or None if they cost too much."""
    hand = evaluation.state.hands[seat]
    cost_of_draw = round(sum(hand) / len(hand)) if hand else 0
    amounts, draws = [], []
    for other in stage.seats:
        if other != seat:
            need = _need(evaluation, other, seat, stage, avoid, seat)
            count = -(-need // _MEAN_BLIND_CHEQUE)
            is_drawn = with_draws and count * cost_of_draw < need
            amounts.append(0 if is_drawn else need)
            draws.append(count if is_drawn else 0)
    if not any(amounts) and not any(draws):
        amounts[0] = STEP
    shares = covering_shares(hand, amounts, max(0, len(hand) - sum(draws)))
    if shares is None:
        return None
    profit = _limit(evaluation, seat, stage.option, avoid, seat) - _price(hand, shares, sum(draws))
    profit -= _expected_bid_gain(evaluation, seat, stage, seat)
    return _Terms(MakeOffer(seat, tuple(amounts), tuple(draws), avoid), profit) if profit >= 0 else None


def _terms_of_another(
    evaluation: Evaluation, seat: Seat, investor: Seat, stage: Bargaining, avoid: tuple[int, ...], with_draws: bool
) -> _Terms | None:
    """Return terms for another investor that leave all seats more than bidding, or None if there is too little."""
    partners = [other for other in stage.seats if other != investor]
    needs = {other: _need(evaluation, other, investor, stage, avoid, seat) for other in partners}
    limit = _limit(evaluation, investor, stage.option, avoid, seat)
    left = limit - _expected_bid_gain(evaluation, investor, stage, seat) - sum(needs.values())
    if left < 0:
        return None
    asked = int(left * _ASKED_PART) // STEP * STEP
    needs[seat] = max(needs[seat] + asked, STEP)
    if not with_draws:
        return _Terms(MakeOffer(investor, tuple(needs.values()), (0,) * len(needs), avoid), asked)
    draws = tuple(round(need / _MEAN_BLIND_CHEQUE) for need in needs.values())
    asked += draws[partners.index(seat)] * _MEAN_BLIND_CHEQUE - needs[seat]
    return _Terms(MakeOffer(investor, (0,) * len(draws), draws, avoid), asked)


def _need(
    evaluation: Evaluation, seat: Seat, investor: Seat, stage: Bargaining, avoid: tuple[int, ...], asking: Seat
) -> int:
    """Return the money with which a deal is better for a seat than bidding."""
    need = _expected_bid_gain(evaluation, seat, stage, asking) + STEP
    need -= _gain_from_avoided(evaluation, seat, investor, stage.option, avoid, asking)
    return max(0, -(-need // STEP) * STEP)


def _limit(evaluation: Evaluation, seat: Seat, option: str, avoid: Sequence[int], asking: Seat) -> int:
    """Return the highest price of the right for a seat that keeps off these streets."""
    streets = [street for street in evaluation.state.open_streets(option) if street not in avoid]
    return max_price(evaluation, evaluation.best(streets, seat).gain, _money(evaluation, seat, asking))


def _gain_from_avoided(
    evaluation: Evaluation, seat: Seat, investor: Seat, option: str, avoid: Sequence[int], asking: Seat
) -> int:
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
    return max_price(evaluation, max(0.0, losses[0] - losses[1]), _money(evaluation, seat, asking))


def _price(hand: Sequence[int], shares: Iterable[Sequence[int]], draws: int) -> int:
    """Return the cost of a deal to its investor: the cheques it pays, and the mean of what is left for each draw."""
    paid = [cheque for share in shares for cheque in share]
    left = len(hand) - len(paid)
    return sum(paid) + (round(draws * (sum(hand) - sum(paid)) / left) if draws and left else 0)


# -- answering and paying --------------------------------------------------------------------------------------


def _answer(evaluation: Evaluation, seat: Seat, stage: Bargaining, offer: OfferMade) -> BotChoice:
    """Accept an offer above the expected gain from bidding."""
    own = [other for other in stage.seats if other != offer.investor].index(seat)
    gets = offer.amounts[own] + _MEAN_BLIND_CHEQUE * offer.draws[own]
    gets += _gain_from_avoided(evaluation, seat, offer.investor, offer.option, offer.avoid, seat)
    return _ACCEPT if gets > _expected_bid_gain(evaluation, seat, stage, seat) else _DECLINE


def _pay(evaluation: Evaluation, seat: Seat, prompt: Prompt, stage: Bargaining, offer: OfferMade) -> BotChoice:
    """Pay what was agreed; if the seat may decline, only when the right leaves more than the gain from bidding."""
    shares = _shares(prompt)
    if shares is None:
        return _DECLINE_PAYMENT
    pay = _pay_choice(shares, prompt)
    if prompt.admit(_DECLINE_PAYMENT.command) is not None:
        return pay
    profit = _limit(evaluation, seat, offer.option, offer.avoid, seat)
    profit -= _price(evaluation.state.hands[seat], shares, sum(offer.draws))
    return pay if profit >= _expected_bid_gain(evaluation, seat, stage, seat) else _DECLINE_PAYMENT


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
