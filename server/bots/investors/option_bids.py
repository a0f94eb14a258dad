"""Tenders by option tiles, and bargaining over them (RULES 4.5 to 4.8, 10)."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from server.bots.investors.evaluation import Evaluation
from server.bots.investors.resources import MEAN_CHEQUE, STEP, payments
from server.bots.investors.valuations import estimated_money, max_price
from server.bots.strategy import BotChoice, Reason
from server.games.engine.game import Seat
from server.games.engine.prompts import OneOf, Prompt, Shares, covering_shares
from server.games.investors.commands import (
    AcceptOffer,
    BidCheques,
    ChooseOption,
    DeclineOffer,
    MakeOffer,
    PassOffer,
    PayCheque,
    PayOffer,
)
from server.games.investors.components import MAX_SEALED_CHEQUES
from server.games.investors.events import OfferMade
from server.games.investors.state import Bargaining

_SAMPLES: Final = 12
"""Samples of the sealed cheques of all others (Monte Carlo)."""

_SHARED: Final = 0.25
"""The part of an option's value that is left for each of the seats that bid against each other for it."""

_EAGERNESS: Final = 0.9
"""The largest part of an option's value that others are assumed to bid."""

_MEAN_BLIND_CHEQUE: Final = round(MEAN_CHEQUE)
"""The expected value of a cheque that is drawn face down."""

PASS_OFFER: Final = BotChoice(PassOffer(), Reason("inv.hint.pass_offer"))
_ACCEPT: Final = BotChoice(AcceptOffer(), Reason("inv.hint.accept_offer"))
_DECLINE: Final = BotChoice(DeclineOffer(), Reason("inv.hint.decline_offer"))
_DECLINE_PAYMENT: Final = BotChoice(DeclineOffer(), Reason("inv.hint.decline_payment"))


def option_worth(evaluation: Evaluation, option: str) -> list[float]:
    """Return the value of the right of an option for each seat."""
    return [spot.gain for spot in evaluation.best_at(option)]


def choose_option(evaluation: Evaluation, seat: Seat, prompt: Prompt, rng: Random) -> BotChoice:
    """Choose the option with the highest value, reduced by the probability that others choose it too."""
    space = prompt.choices[0].spaces["option"]
    assert isinstance(space, OneOf)
    options = [str(option) for option in space.values]
    worth = {option: option_worth(evaluation, option) for option in options}
    scores = {}
    for option in options:
        alone = 1.0
        for other in range(evaluation.seats):
            if other != seat:
                wishes = [max(worth[wish][other], 0.05) ** 2 for wish in options]
                alone *= 1 - wishes[options.index(option)] / sum(wishes)
        scores[option] = worth[option][seat] * (alone + (1 - alone) * _SHARED)
    # Noise: bots that always took the best option would all meet there.
    best = max(options, key=lambda option: scores[option] * (0.8 + 0.4 * rng.random()))
    return option_choice(best)


def option_choice(option: str) -> BotChoice:
    """Return the choice of an option."""
    return BotChoice(ChooseOption(option), Reason(f"inv.hint.option_{option}"))


def option_bid(evaluation: Evaluation, seat: Seat, prompt: Prompt, rng: Random) -> BotChoice:
    """Pay the smallest cheque for an uncontested option; else seal the best bid against sampled bids."""
    state = evaluation.state
    hand = state.hands[seat]
    if prompt.choices[0].command is PayCheque:
        return BotChoice(PayCheque(min(hand)), Reason("inv.hint.pay_least", {"cheque": min(hand)}))
    return sealed_choice(sealed_bid(evaluation, seat, rng))


def sealed_choice(cheques: tuple[int, ...]) -> BotChoice:
    """Return the choice of a sealed bid."""
    reason = Reason("inv.hint.bid", {"bid": sum(cheques)}) if cheques else Reason("inv.hint.bid_nothing")
    return BotChoice(BidCheques(cheques), reason)


def max_option_price(evaluation: Evaluation, seat: Seat) -> int:
    """Return the value, in money, of the right of the option that a seat has chosen."""
    assert evaluation.state.options is not None
    worth = option_worth(evaluation, evaluation.state.options[seat])
    return max_price(evaluation, worth[seat], sum(evaluation.state.hands[seat]))


def sealed_bid(evaluation: Evaluation, seat: Seat, rng: Random) -> tuple[int, ...]:
    """Return the cheques with the best expected gain against sampled bids of the rivals."""
    options = evaluation.state.options
    assert options is not None
    worth = option_worth(evaluation, options[seat])
    rivals = [other for other, theirs in enumerate(options) if theirs == options[seat] and other != seat]
    limits = [max_price(evaluation, worth[rival], estimated_money(evaluation, rival)) for rival in rivals]
    samples = [[int(maximum * _EAGERNESS * rng.random()) // STEP * STEP for maximum in limits] for _ in range(_SAMPLES)]
    limit = max_option_price(evaluation, seat)
    ways = payments(evaluation.state.hands[seat], MAX_SEALED_CHEQUES)
    best, best_gain = 0, 0
    for total in sorted(ways):
        if 0 < total <= limit:
            gain = (limit - total) * sum(_wins(total, bids) for bids in samples)
            if gain > best_gain:
                best, best_gain = total, gain
    return ways[best]


def _wins(total: int, bids: Sequence[int]) -> bool:
    """Return whether a sum wins: the highest that only one seat bids."""
    return total not in bids and all(bid < total or bids.count(bid) > 1 for bid in bids)


# -- bargaining ------------------------------------------------------------------------------------------------


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
    return [_DECLINE_PAYMENT] if shares is None else [_pay_choice(shares), _DECLINE_PAYMENT]


def _expected_bid_gain(evaluation: Evaluation, seat: Seat, stage: Bargaining) -> int:
    """Return, in money, the expected gain of a seat from bidding instead of a deal."""
    worth = option_worth(evaluation, stage.option)[seat]
    # The cheques of others are blanks of 0.
    money = sum(evaluation.state.hands[seat]) or estimated_money(evaluation, seat)
    return int(max_price(evaluation, worth, money) * _SHARED) // STEP * STEP


def _offer(evaluation: Evaluation, seat: Seat, prompt: Prompt, stage: Bargaining) -> BotChoice:
    """Offer to invest if the seat gains most, and offer all others a little more than bidding promises them."""
    worth = option_worth(evaluation, stage.option)
    others = [other for other in stage.seats if other != seat]
    limit = max_price(evaluation, worth[seat], sum(evaluation.state.hands[seat]))
    amounts = tuple(_expected_bid_gain(evaluation, other, stage) + STEP for other in others)
    offer = MakeOffer(seat, amounts, (0,) * len(others), ())
    is_keenest = all(worth[seat] >= worth[other] for other in others)
    if not is_keenest or sum(amounts) > limit or prompt.admit(offer) is not None:
        return PASS_OFFER
    return BotChoice(offer, Reason("inv.hint.make_offer", {"amount": sum(amounts)}))


def _answer(evaluation: Evaluation, seat: Seat, stage: Bargaining, offer: OfferMade) -> BotChoice:
    """Accept an offer above the expected gain from bidding."""
    own = [other for other in stage.seats if other != offer.investor].index(seat)
    gets = offer.amounts[own] + _MEAN_BLIND_CHEQUE * offer.draws[own]
    return _ACCEPT if gets > _expected_bid_gain(evaluation, seat, stage) else _DECLINE


def _pay(evaluation: Evaluation, seat: Seat, prompt: Prompt, offer: OfferMade) -> BotChoice:
    """Pay when the right is worth the price without the streets that the offer excludes."""
    streets = [street for street in evaluation.state.open_streets(offer.option) if street not in offer.avoid]
    limit = max_price(evaluation, evaluation.best(streets, seat).gain, sum(evaluation.state.hands[seat]))
    shares = _shares(prompt)
    if shares is not None and sum(map(sum, shares)) + _MEAN_BLIND_CHEQUE * sum(offer.draws) <= limit:
        return _pay_choice(shares)
    return _DECLINE_PAYMENT


def _shares(prompt: Prompt) -> tuple[tuple[int, ...], ...] | None:
    """Return the cheques that cover the dues most closely, or None if the prompt does not allow to pay."""
    for choice in prompt.choices:
        if choice.command is PayOffer:
            space = choice.spaces["cheques"]
            assert isinstance(space, Shares)
            return covering_shares(space.values, tuple(space.dues.values()))
    return None


def _pay_choice(shares: tuple[tuple[int, ...], ...]) -> BotChoice:
    return BotChoice(PayOffer(shares), Reason("inv.hint.pay_offer"))
