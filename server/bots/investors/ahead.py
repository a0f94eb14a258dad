"""Looking ahead: a possible state played on by the rules, everybody answering by normal judgement."""

from __future__ import annotations

import math
from collections.abc import Mapping
from random import Random

from server.bots.investors.normal import answered
from server.bots.investors.prospects import Prospects, Weights
from server.bots.investors.purse import influence_worth, money_worth
from server.games.engine.dice import Dice
from server.games.engine.game import Seat
from server.games.engine.prompts import Command
from server.games.investors.components import YEARS
from server.games.investors.rules import INVESTORS
from server.games.investors.scoring import outcome
from server.games.investors.state import Over, State

_SPREAD, _SPREAD_PER_YEAR = 1.5, 0.5
"""By how much prestige a lead must be larger to be that much safer: at the end, and more for each year to come."""


def played_on(
    state: State, given: Mapping[Seat, Command], rounds: int, weights: Weights, dice: Dice, rng: Random
) -> State:
    """Give the state some rounds later; some seats' answers to the open decision are given."""
    last = state.round + rounds
    prospects = Prospects(state, weights)
    while state.round <= last and not isinstance(state.stage, Over):
        decision = INVESTORS.decision(state)
        assert decision is not None
        prospects = prospects.at(state)
        answers = {
            seat: given[seat] if seat in given else answered(prospects, seat, prompt, rng).command
            for seat, prompt in decision.prompts.items()
        }
        given = {}
        state, _ = INVESTORS.resolve(state, answers, dice)
    return state


def chance_to_win(state: State, seat: Seat, weights: Weights) -> float:
    """Give how likely a seat is to win from here; certain when the game is over."""
    result = outcome(state)
    if result is not None:
        return 1 / len(result.winners) if seat in result.winners else 0.0
    prospects = Prospects(state, weights)
    totals = [float(prestige) for prestige in state.prestige]
    for key, view in zip(prospects.keys, prospects.evaluations, strict=True):
        if view.prize:
            for other, share in enumerate(view.shares[key]):
                totals[other] += view.prize * share
    years = YEARS - len(state.years)
    for other in range(prospects.seats):
        totals[other] += influence_worth(state.influence[other], years, weights.thrift)
        totals[other] += money_worth(sum(state.hands[other]), years, weights.thrift)
    spread = _SPREAD + _SPREAD_PER_YEAR * years
    most = max(totals)
    shares = [math.exp((total - most) / spread) for total in totals]
    return shares[seat] / sum(shares)
