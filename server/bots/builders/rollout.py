"""Rollouts: a determinized state played on by the rules, every seat as `normal` plays, and rated at its end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from server.bots.builders.evaluation import Evaluation, Weights
from server.bots.builders.plans import best_plan
from server.bots.win_probability import share_of_win, softmax
from server.games.builders.commands import Confirm
from server.games.builders.rules import BUILDERS
from server.games.builders.scoring import outcome
from server.games.builders.state import Confirming, Over, State
from server.games.engine.dice import Dice
from server.games.engine.game import Seat
from server.games.engine.prompts import Command

_CONFIRM: Final = Confirm()

_TEMPERATURE, _TEMPERATURE_PER_TURN = 2.0, 0.15
"""The temperature of the softmax over points: at the end, and more for each turn to come."""


def after_turn(state: State, commands: Sequence[Command], dice: Dice) -> State:
    """Return the state after the seat in turn has given these commands and confirmed its turn."""
    seat = state.turn
    for command in commands:
        state, _ = BUILDERS.resolve(state, {seat: command}, dice)
    if isinstance(state.stage, Confirming):
        state, _ = BUILDERS.resolve(state, {seat: _CONFIRM}, dice)
    return state


def rollout(state: State, turns: int, weights: Weights, dice: Dice) -> State:
    """Return the state so many turns later, counting the turns of all seats, or at the end of the game."""
    for _ in range(turns):
        if isinstance(state.stage, Over):
            break
        state = after_turn(state, best_plan(Evaluation(state, state.turn, weights)).commands, dice)
    return state


def win_probability(state: State, seat: Seat, weights: Weights) -> float:
    """Return the probability that a seat wins from here: 0 or 1, or a shared win, when the game is over."""
    result = outcome(state)
    if result is not None:
        return share_of_win(result, seat)
    evaluations = [Evaluation(state, other, weights) for other in range(state.seats)]
    totals = [evaluation.total for evaluation in evaluations]
    return softmax(totals, seat, _TEMPERATURE + _TEMPERATURE_PER_TURN * evaluations[seat].remaining.turns)
