"""Tenders by option tiles, and bargaining over them (RULES 4.5 to 4.8, 10)."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from server.bots.investors.prospects import Prospects
from server.bots.investors.purse import STEP, payments
from server.bots.investors.wants import likely_money, price
from server.bots.strategy import Chosen, Reason
from server.games.game import Seat
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
from server.games.investors.components import SEALED_CHEQUES_MOST
from server.games.investors.events import OfferMade
from server.games.investors.state import Bargaining
from server.games.prompt import OneOf, Prompt

_GUESSES: Final = 12
_SHARED: Final = 0.25
"""What is left of an option's worth for each of those that bid against each other for it."""

_EAGERNESS: Final = 0.9


def option_worth(prospects: Prospects, option: str) -> list[float]:
    """Give what the right of an option is worth to each seat."""
    streets = prospects.state.open_streets(option)
    return [prospects.best(streets, seat).gain for seat in range(prospects.seats)]


def choose_option(prospects: Prospects, seat: Seat, prompt: Prompt, chooser: Random) -> Chosen:
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
    best = max(options, key=lambda option: scores[option] * (0.8 + 0.4 * chooser.random()))
    return Chosen(ChooseOption(best), Reason("inv.hint.option", {"option": best}))


def option_bid(prospects: Prospects, seat: Seat, prompt: Prompt, chooser: Random) -> Chosen:
    """Pay the smallest cheque for an option of one's own; against others, bid what does best against guesses."""
    state = prospects.state
    hand = state.hands[seat]
    if prompt.choices[0].command is PayCheque:
        return Chosen(PayCheque(min(hand)), Reason("inv.hint.pay_least", {"cheque": min(hand)}))
    assert state.options is not None
    option = state.options[seat]
    worth = option_worth(prospects, option)
    rivals = [other for other, theirs in enumerate(state.options) if theirs == option and other != seat]
    cheques, sum_bid = sealed_bid(prospects, seat, rivals, worth, chooser)
    if not cheques:
        return Chosen(BidCheques(()), Reason("inv.hint.bid_nothing"))
    return Chosen(BidCheques(cheques), Reason("inv.hint.bid", {"bid": sum_bid}))


def sealed_bid(
    prospects: Prospects, seat: Seat, rivals: Sequence[Seat], worth: Sequence[float], chooser: Random
) -> tuple[tuple[int, ...], int]:
    """Give the cheques to seal, and their sum."""
    hand = prospects.state.hands[seat]
    limit = price(prospects, worth[seat], sum(hand))
    ways = payments(hand, SEALED_CHEQUES_MOST)
    limits = [price(prospects, worth[rival], likely_money(prospects, rival)) for rival in rivals]
    guesses = []
    for _ in range(_GUESSES):
        bids = [int(most * _EAGERNESS * chooser.random()) // STEP * STEP for most in limits]
        guesses.append(bids)
    best, most_gained = 0, 0.0
    for total in sorted(ways):
        if not 0 < total <= limit:
            continue
        won = sum(_wins(total, bids) for bids in guesses)
        gained = won * (limit - total)
        if gained > most_gained:
            best, most_gained = total, gained
    return ways[best], best


def _wins(total: int, bids: Sequence[int]) -> bool:
    """Tell whether a sum wins: the highest that nobody else bids."""
    return total not in bids and all(bid < total or bids.count(bid) > 1 for bid in bids)


# -- bargaining ------------------------------------------------------------------------------------------------


def bargain(prospects: Prospects, seat: Seat, prompt: Prompt, chooser: Random) -> Chosen:
    """Deal when that is better than bidding against each other."""
    stage = prospects.state.stage
    assert isinstance(stage, Bargaining)
    if stage.offer is None:
        return _offer(prospects, seat, prompt, stage)
    if not stage.accepted:
        return _answer(prospects, seat, stage, stage.offer)
    return _pay(prospects, seat, prompt, stage.offer, stage)


def _bid_hope(prospects: Prospects, seat: Seat, stage: Bargaining) -> int:
    """Give, in money, what a seat can hope to gain from bidding instead of a deal."""
    worth = option_worth(prospects, stage.option)[seat]
    money = sum(prospects.state.hands[seat]) or likely_money(prospects, seat)
    return int(price(prospects, worth, money) * _SHARED) // STEP * STEP


def _offer(prospects: Prospects, seat: Seat, prompt: Prompt, stage: Bargaining) -> Chosen:
    """Offer to invest oneself, and to share the half of the gain among the others."""
    worth = option_worth(prospects, stage.option)
    hand = prospects.state.hands[seat]
    others = [other for other in stage.seats if other != seat]
    limit = price(prospects, worth[seat], sum(hand))
    asked = [_bid_hope(prospects, other, stage) + STEP for other in others]
    is_keenest = all(worth[seat] >= worth[other] for other in others)
    if not is_keenest or sum(asked) > limit or not any(choice.command is MakeOffer for choice in prompt.choices):
        return Chosen(PassOffer(), Reason("inv.hint.pass_offer"))
    command = MakeOffer(seat, tuple(asked), (0,) * len(others), ())
    if prompt.admit(command) is not None:
        return Chosen(PassOffer(), Reason("inv.hint.pass_offer"))
    return Chosen(command, Reason("inv.hint.make_offer", {"amount": sum(asked)}))


def _answer(prospects: Prospects, seat: Seat, stage: Bargaining, offer: OfferMade) -> Chosen:
    """Accept what is more than bidding promises."""
    partners = [other for other in stage.seats if other != offer.investor]
    position = partners.index(seat)
    gets = offer.amounts[position] + 45 * offer.draws[position]
    if gets > _bid_hope(prospects, seat, stage):
        return Chosen(AcceptOffer(), Reason("inv.hint.accept_offer", {"amount": offer.amounts[position]}))
    return Chosen(DeclineOffer(), Reason("inv.hint.decline_offer", {"amount": offer.amounts[position]}))


def _pay(prospects: Prospects, seat: Seat, prompt: Prompt, offer: OfferMade, stage: Bargaining) -> Chosen:
    """Pay when the right is still worth it without the streets to keep off."""
    hand = prospects.state.hands[seat]
    streets = [street for street in prospects.state.open_streets(stage.option) if street not in offer.avoid]
    limit = price(prospects, prospects.best(streets, seat).gain, sum(hand))
    for choice in prompt.choices:
        if choice.command is PayOffer:
            shares = choice.spaces["cheques"].sample(_NO_CHANCE)
            assert isinstance(shares, tuple)
            cost = sum(map(sum, shares)) + 45 * sum(offer.draws)
            if cost <= limit and cost < limit - _bid_hope(prospects, seat, stage) + cost:
                return Chosen(PayOffer(shares), Reason("inv.hint.pay_offer", {"amount": sum(map(sum, shares))}))
    return Chosen(DeclineOffer(), Reason("inv.hint.decline_offer", {"amount": sum(offer.amounts)}))


_NO_CHANCE = Random(0)  # noqa: S311 (handing out cheques to cover dues takes no chance)
