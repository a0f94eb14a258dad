"""Tenders by option tiles, and bargaining over them (RULES 4.5 to 4.8, 10)."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from server.bots.investors.prospects import Prospects
from server.bots.investors.purse import STEP, USUAL_CHEQUE, payments
from server.bots.investors.wants import likely_money, price
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

_GUESSES: Final = 12
"""How many times the sealed cheques of all others are guessed."""

_SHARED: Final = 0.25
"""What is left of an option's worth for each of those that bid against each other for it."""

_EAGERNESS: Final = 0.9
"""How near to its worth others are thought to bid at most."""

_BLIND: Final = round(USUAL_CHEQUE)
"""What a cheque is thought to be that is drawn blindly."""

PASS_OFFER: Final = BotChoice(PassOffer(), Reason("inv.hint.pass_offer"))
_ACCEPT: Final = BotChoice(AcceptOffer(), Reason("inv.hint.accept_offer"))
_DECLINE: Final = BotChoice(DeclineOffer(), Reason("inv.hint.decline_offer"))
_DECLINE_PAYMENT: Final = BotChoice(DeclineOffer(), Reason("inv.hint.decline_payment"))


def option_worth(prospects: Prospects, option: str) -> list[float]:
    """Give what the right of an option is worth to each seat."""
    return [spot.gain for spot in prospects.best_at(option)]


def choose_option(prospects: Prospects, seat: Seat, prompt: Prompt, rng: Random) -> BotChoice:
    """Choose what is worth most, the less so the more the others want it too."""
    space = prompt.choices[0].spaces["option"]
    assert isinstance(space, OneOf)
    options = [str(option) for option in space.values]
    worth = {option: option_worth(prospects, option) for option in options}
    scores = {}
    for option in options:
        alone = 1.0
        for other in range(prospects.seats):
            if other != seat:
                wishes = [max(worth[wish][other], 0.05) ** 2 for wish in options]
                alone *= 1 - wishes[options.index(option)] / sum(wishes)
        scores[option] = worth[option][seat] * (alone + (1 - alone) * _SHARED)
    # Whoever always takes the best is met there by everybody who thinks alike.
    best = max(options, key=lambda option: scores[option] * (0.8 + 0.4 * rng.random()))
    return chosen_option(best)


def chosen_option(option: str) -> BotChoice:
    """Give the choice of an option."""
    return BotChoice(ChooseOption(option), Reason(f"inv.hint.option_{option}"))


def option_bid(prospects: Prospects, seat: Seat, prompt: Prompt, rng: Random) -> BotChoice:
    """Pay the smallest cheque for an option of one's own; against others, bid what does best against guesses."""
    state = prospects.state
    hand = state.hands[seat]
    if prompt.choices[0].command is PayCheque:
        return BotChoice(PayCheque(min(hand)), Reason("inv.hint.pay_least", {"cheque": min(hand)}))
    return sealed(sealed_bid(prospects, seat, rng))


def sealed(cheques: tuple[int, ...]) -> BotChoice:
    """Give a sealed bid."""
    reason = Reason("inv.hint.bid", {"bid": sum(cheques)}) if cheques else Reason("inv.hint.bid_nothing")
    return BotChoice(BidCheques(cheques), reason)


def most_for(prospects: Prospects, seat: Seat) -> int:
    """Give what the right of the option that a seat has chosen is worth to it in money."""
    assert prospects.state.options is not None
    worth = option_worth(prospects, prospects.state.options[seat])
    return price(prospects, worth[seat], sum(prospects.state.hands[seat]))


def sealed_bid(prospects: Prospects, seat: Seat, rng: Random) -> tuple[int, ...]:
    """Give the cheques that do best against guesses of what the others seal."""
    options = prospects.state.options
    assert options is not None
    worth = option_worth(prospects, options[seat])
    rivals = [other for other, theirs in enumerate(options) if theirs == options[seat] and other != seat]
    limits = [price(prospects, worth[rival], likely_money(prospects, rival)) for rival in rivals]
    guesses = [[int(most * _EAGERNESS * rng.random()) // STEP * STEP for most in limits] for _ in range(_GUESSES)]
    limit = most_for(prospects, seat)
    ways = payments(prospects.state.hands[seat], MAX_SEALED_CHEQUES)
    best, most_gained = 0, 0
    for total in sorted(ways):
        if 0 < total <= limit:
            gained = (limit - total) * sum(_wins(total, bids) for bids in guesses)
            if gained > most_gained:
                best, most_gained = total, gained
    return ways[best]


def _wins(total: int, bids: Sequence[int]) -> bool:
    """Tell whether a sum wins: the highest that nobody else bids."""
    return total not in bids and all(bid < total or bids.count(bid) > 1 for bid in bids)


# -- bargaining ------------------------------------------------------------------------------------------------


def bargain(prospects: Prospects, seat: Seat, prompt: Prompt, rng: Random) -> BotChoice:
    """Deal when that is better than bidding against each other."""
    stage = prospects.state.stage
    assert isinstance(stage, Bargaining)
    if stage.offer is None:
        return _offer(prospects, seat, prompt, stage)
    if not stage.accepted:
        return _answer(prospects, seat, stage, stage.offer)
    return _pay(prospects, seat, prompt, stage.offer)


def deals(prospects: Prospects, seat: Seat, prompt: Prompt) -> list[BotChoice]:
    """Give all ways to go on in a deal but the making of an offer."""
    stage = prospects.state.stage
    assert isinstance(stage, Bargaining)
    if stage.offer is None:
        return [PASS_OFFER]
    if not stage.accepted:
        return [_ACCEPT, _DECLINE]
    shares = _shares(prompt)
    return [_DECLINE_PAYMENT] if shares is None else [_paid(shares), _DECLINE_PAYMENT]


def _bid_hope(prospects: Prospects, seat: Seat, stage: Bargaining) -> int:
    """Give, in money, what a seat can hope to gain from bidding instead of a deal."""
    worth = option_worth(prospects, stage.option)[seat]
    # Another's cheques are blank.
    money = sum(prospects.state.hands[seat]) or likely_money(prospects, seat)
    return int(price(prospects, worth, money) * _SHARED) // STEP * STEP


def _offer(prospects: Prospects, seat: Seat, prompt: Prompt, stage: Bargaining) -> BotChoice:
    """Offer to invest oneself if one gains most, and give all others a little more than they can hope for."""
    worth = option_worth(prospects, stage.option)
    others = [other for other in stage.seats if other != seat]
    limit = price(prospects, worth[seat], sum(prospects.state.hands[seat]))
    amounts = tuple(_bid_hope(prospects, other, stage) + STEP for other in others)
    offer = MakeOffer(seat, amounts, (0,) * len(others), ())
    is_keenest = all(worth[seat] >= worth[other] for other in others)
    if not is_keenest or sum(amounts) > limit or prompt.admit(offer) is not None:
        return PASS_OFFER
    return BotChoice(offer, Reason("inv.hint.make_offer", {"amount": sum(amounts)}))


def _answer(prospects: Prospects, seat: Seat, stage: Bargaining, offer: OfferMade) -> BotChoice:
    """Accept what is more than bidding promises."""
    own = [other for other in stage.seats if other != offer.investor].index(seat)
    gets = offer.amounts[own] + _BLIND * offer.draws[own]
    return _ACCEPT if gets > _bid_hope(prospects, seat, stage) else _DECLINE


def _pay(prospects: Prospects, seat: Seat, prompt: Prompt, offer: OfferMade) -> BotChoice:
    """Pay when the right is worth it without the streets that are to be kept off."""
    streets = [street for street in prospects.state.open_streets(offer.option) if street not in offer.avoid]
    limit = price(prospects, prospects.best(streets, seat).gain, sum(prospects.state.hands[seat]))
    shares = _shares(prompt)
    if shares is not None and sum(map(sum, shares)) + _BLIND * sum(offer.draws) <= limit:
        return _paid(shares)
    return _DECLINE_PAYMENT


def _shares(prompt: Prompt) -> tuple[tuple[int, ...], ...] | None:
    """Give the cheques that cover what is due most closely, if the prompt allows to pay."""
    for choice in prompt.choices:
        if choice.command is PayOffer:
            space = choice.spaces["cheques"]
            assert isinstance(space, Shares)
            return covering_shares(space.values, tuple(space.dues.values()))
    return None


def _paid(shares: tuple[tuple[int, ...], ...]) -> BotChoice:
    return BotChoice(PayOffer(shares), Reason("inv.hint.pay_offer"))
