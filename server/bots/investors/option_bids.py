"""Tenders by option tiles (RULES 4.5 to 4.8)."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from server.bots.investors.evaluation import Evaluation
from server.bots.investors.resources import STEP, payments
from server.bots.investors.valuations import estimated_money, max_price
from server.bots.strategy import BotChoice, Reason
from server.games.engine.game import Seat
from server.games.engine.prompts import OneOf, Prompt
from server.games.investors.commands import BidCheques, ChooseOption, PayCheque
from server.games.investors.components import MAX_SEALED_CHEQUES

_SAMPLES: Final = 12
"""Samples of the sealed cheques of all others (Monte Carlo)."""

SHARED: Final = 0.25
"""The part of an option's value that is left for each of the seats that bid against each other for it."""

_EAGERNESS: Final = 0.9
"""The largest part of an option's value that others are assumed to bid."""


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
        scores[option] = worth[option][seat] * (alone + (1 - alone) * SHARED)
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
