"""Looking ahead: a possible state played on by the rules, everybody taking the turn that normal would take."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from server.bots.builders.evaluation import Evaluation, Weights
from server.bots.builders.plans import best_plan
from server.games.builders.commands import Confirm
from server.games.builders.rules import BUILDERS
from server.games.builders.scoring import outcome
from server.games.builders.state import Confirming, Over, State
from server.games.engine.dice import Dice
from server.games.engine.game import Seat
from server.games.engine.prompts import Command

_CONFIRM: Final = Confirm()

_SPREAD, _SPREAD_PER_TURN = 2.0, 0.15
"""By how many points a lead must be larger to be that much safer: at the end, and more for each turn to come."""


def turn_taken(state: State, commands: Sequence[Command], dice: Dice) -> State:
    """Give the state after the seat in turn has given these answers and confirmed its turn."""
    seat = state.turn
    for command in commands:
        state, _ = BUILDERS.resolve(state, {seat: command}, dice)
    if isinstance(state.stage, Confirming):
        state, _ = BUILDERS.resolve(state, {seat: _CONFIRM}, dice)
    return state


def played_on(state: State, turns: int, weights: Weights, dice: Dice) -> State:
    """Give the state so many turns of any seats later, or at the end."""
    for _ in range(turns):
        if isinstance(state.stage, Over):
            break
        state = turn_taken(state, best_plan(Evaluation(state, state.turn, weights)).commands, dice)
    return state


def chance_to_win(state: State, seat: Seat, weights: Weights) -> float:
    """Give how likely a seat is to win from here; certain when the game is over."""
    result = outcome(state)
    if result is not None:
        return 1 / len(result.winners) if seat in result.winners else 0.0
    evaluations = [Evaluation(state, other, weights) for other in range(state.seats)]
    totals = [evaluation.total for evaluation in evaluations]
    spread = _SPREAD + _SPREAD_PER_TURN * evaluations[seat].pace.turns
    most = max(totals)
    shares = [math.exp((total - most) / spread) for total in totals]
    return shares[seat] / sum(shares)
