"""Candidate moves: the few answers to a prompt that `hard` simulates, the answer of `normal` first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Final

from server.bots.investors import bargaining, bidding, building, option_bids, subsidies
from server.bots.investors.action_cards import NO_USE, placements
from server.bots.investors.evaluation import Evaluation
from server.bots.investors.normal import normal_choice
from server.bots.investors.resources import payments
from server.bots.strategy import BotChoice
from server.games.engine.game import Seat
from server.games.engine.prompts import Command, Prompt
from server.games.investors.commands import BidCheques, PlayInfluence
from server.games.investors.components import MAX_SEALED_CHEQUES, OPTION_TILES
from server.games.investors.state import (
    Acting,
    Bargaining,
    ChequeBidding,
    Claiming,
    Considering,
    Drawing,
    InfluenceBidding,
    Investing,
    OptionBidding,
    OptionChoosing,
    Stage,
)

CandidateGenerator = Callable[[Evaluation, Seat, Prompt, Command], list[BotChoice]]

_SUMS: Final = 5
"""The number of different sums for a sealed bid."""

_CARD_STEPS: Final = (-4, -2, -1, 1, 2)
"""The influence cards to consider, relative to the one that `normal` would play."""

_PLACES: Final = 4
"""The number of streets for a stick, and of uses of an action card."""


def candidates(evaluation: Evaluation, seat: Seat, prompt: Prompt, rng: Random) -> list[BotChoice]:
    """Return answers that the prompt admits, each with its reason."""
    first = normal_choice(evaluation, seat, prompt, rng)
    if prompt.choices == (prompt.choices[0],) and not prompt.choices[0].spaces:
        return [first]
    more = _GENERATORS.get(type(evaluation.state.stage))
    found = {first.command: first}
    for candidate in () if more is None else more(evaluation, seat, prompt, first.command):
        if candidate.command not in found and prompt.admit(candidate.command) is None:
            found[candidate.command] = candidate
    return list(found.values())


def _consider(evaluation: Evaluation, seat: Seat, prompt: Prompt, first: Command) -> list[BotChoice]:
    return [building.ACCEPT, building.REJECT]


def _influence(evaluation: Evaluation, seat: Seat, prompt: Prompt, first: Command) -> list[BotChoice]:
    middle = first.card if isinstance(first, PlayInfluence) else 0
    return [bidding.ABSTAIN, *(bidding.influence_choice(max(0, middle + step)) for step in _CARD_STEPS)]


def _cheques(evaluation: Evaluation, seat: Seat, prompt: Prompt, first: Command) -> list[BotChoice]:
    return [bidding.pass_choice(evaluation), *bidding.raises(evaluation, seat)]


def _options(evaluation: Evaluation, seat: Seat, prompt: Prompt, first: Command) -> list[BotChoice]:
    return [option_bids.option_choice(option) for option in OPTION_TILES]


def _sealed(evaluation: Evaluation, seat: Seat, prompt: Prompt, first: Command) -> list[BotChoice]:
    if prompt.choices[0].command is not BidCheques:
        return []
    ways = payments(evaluation.state.hands[seat], MAX_SEALED_CHEQUES)
    sums = sorted(ways)
    limit = option_bids.max_option_price(evaluation, seat) * 1.2
    sensible = [total for total in sums if total <= limit]
    step = max(1, len(sensible) // _SUMS)
    return [option_bids.sealed_choice(ways[total]) for total in (0, *sensible[step::step])]


def _deals(evaluation: Evaluation, seat: Seat, prompt: Prompt, first: Command) -> list[BotChoice]:
    return bargaining.deals(evaluation, seat, prompt)


def _places(evaluation: Evaluation, seat: Seat, prompt: Prompt, first: Command) -> list[BotChoice]:
    found = placements(evaluation, building.streets_of(prompt), seat, limit=_PLACES)
    return [building.with_reason(evaluation, seat, use) for use in found]


def _actions(evaluation: Evaluation, seat: Seat, prompt: Prompt, first: Command) -> list[BotChoice]:
    found = sorted(building.action_uses(evaluation, seat, prompt), key=lambda use: -use.gain)[:_PLACES]
    return [building.with_reason(evaluation, seat, use) for use in (*found, NO_USE)]


def _claims(evaluation: Evaluation, seat: Seat, prompt: Prompt, first: Command) -> list[BotChoice]:
    if "sticks" not in prompt.choices[0].spaces:
        return [subsidies.claim_choice(mode) for mode in subsidies.MODES]
    order = subsidies.by_removal_loss(evaluation, seat)
    counts = sorted({0, len(order) // 4, len(order) // 2})
    return [subsidies.removal_choice(mode, tuple(order[:count])) for mode in subsidies.MODES for count in counts]


def _draws(evaluation: Evaluation, seat: Seat, prompt: Prompt, first: Command) -> list[BotChoice]:
    return [subsidies.draw_choice(evaluation, seat), subsidies.stop_choice(evaluation, seat)]


_GENERATORS: Final[Mapping[type[Stage], CandidateGenerator]] = {
    Considering: _consider,
    InfluenceBidding: _influence,
    ChequeBidding: _cheques,
    OptionChoosing: _options,
    OptionBidding: _sealed,
    Bargaining: _deals,
    Investing: _places,
    Acting: _actions,
    Claiming: _claims,
    Drawing: _draws,
}
