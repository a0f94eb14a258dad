"""The few answers to a prompt that deserve a closer look, normal's own answer first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Final

from server.bots.investors import bidding, building, option_bids, subsidies
from server.bots.investors.effects import NO_USE, placings
from server.bots.investors.normal import answered
from server.bots.investors.prospects import Prospects
from server.bots.investors.purse import payments
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

Ideas = Callable[[Prospects, Seat, Prompt, Command], list[BotChoice]]

_SUMS: Final = 5
"""How many different sums are thought of where cheques are sealed."""

_CARD_STEPS: Final = (-4, -2, -1, 1, 2)
"""Which influence cards are thought of, beside the one that normal would play."""

_PLACES: Final = 4
"""How many places for a stick, and uses of an action card, are thought of."""


def ideas(prospects: Prospects, seat: Seat, prompt: Prompt, rng: Random) -> list[BotChoice]:
    """Give answers that the prompt admits, each with its reason."""
    first = answered(prospects, seat, prompt, rng)
    if prompt.choices == (prompt.choices[0],) and not prompt.choices[0].spaces:
        return [first]
    more = _MORE.get(type(prospects.state.stage))
    found = {first.command: first}
    for idea in () if more is None else more(prospects, seat, prompt, first.command):
        if idea.command not in found and prompt.admit(idea.command) is None:
            found[idea.command] = idea
    return list(found.values())


def _consider(prospects: Prospects, seat: Seat, prompt: Prompt, first: Command) -> list[BotChoice]:
    return [building.ACCEPT, building.REJECT]


def _influence(prospects: Prospects, seat: Seat, prompt: Prompt, first: Command) -> list[BotChoice]:
    middle = first.card if isinstance(first, PlayInfluence) else 0
    return [bidding.ABSTAIN, *(bidding.influence(max(0, middle + step)) for step in _CARD_STEPS)]


def _cheques(prospects: Prospects, seat: Seat, prompt: Prompt, first: Command) -> list[BotChoice]:
    return [bidding.passed(prospects), *filter(None, (bidding.least_raise(prospects, seat),))]


def _options(prospects: Prospects, seat: Seat, prompt: Prompt, first: Command) -> list[BotChoice]:
    return [option_bids.chosen_option(option) for option in OPTION_TILES]


def _sealed(prospects: Prospects, seat: Seat, prompt: Prompt, first: Command) -> list[BotChoice]:
    if prompt.choices[0].command is not BidCheques:
        return []
    ways = payments(prospects.state.hands[seat], MAX_SEALED_CHEQUES)
    sums = sorted(ways)
    most = option_bids.most_for(prospects, seat) * 1.2
    sensible = [total for total in sums if total <= most]
    step = max(1, len(sensible) // _SUMS)
    return [option_bids.sealed(ways[total]) for total in (0, *sensible[step::step])]


def _deals(prospects: Prospects, seat: Seat, prompt: Prompt, first: Command) -> list[BotChoice]:
    return option_bids.deals(prospects, seat, prompt)


def _places(prospects: Prospects, seat: Seat, prompt: Prompt, first: Command) -> list[BotChoice]:
    found = placings(prospects, building.streets_of(prompt), seat, most=_PLACES)
    return [building.explained(prospects, seat, use) for use in found]


def _actions(prospects: Prospects, seat: Seat, prompt: Prompt, first: Command) -> list[BotChoice]:
    found = sorted(building.action_uses(prospects, seat, prompt), key=lambda use: -use.gain)[:_PLACES]
    return [building.explained(prospects, seat, use) for use in (*found, NO_USE)]


def _claims(prospects: Prospects, seat: Seat, prompt: Prompt, first: Command) -> list[BotChoice]:
    if "sticks" not in prompt.choices[0].spaces:
        return [subsidies.claimed(mode) for mode in subsidies.MODES]
    order = subsidies.least_missed_first(prospects, seat)
    counts = sorted({0, len(order) // 4, len(order) // 2})
    return [subsidies.removed(mode, tuple(order[:count])) for mode in subsidies.MODES for count in counts]


def _draws(prospects: Prospects, seat: Seat, prompt: Prompt, first: Command) -> list[BotChoice]:
    return [subsidies.drawn(prospects, seat), subsidies.stopped(prospects, seat)]


_MORE: Final[Mapping[type[Stage], Ideas]] = {
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
