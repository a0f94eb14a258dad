"""Rollouts: a determinized state played on by the rules, every seat as `normal` plays, and rated at its end."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from server.bots.investors.evaluation import Evaluation, Weights
from server.bots.investors.normal import normal_choice
from server.bots.investors.resources import influence_worth, money_worth
from server.bots.win_probability import share_of_win, softmax
from server.games.engine.dice import Dice
from server.games.engine.game import Seat
from server.games.engine.prompts import Command
from server.games.investors.components import YEARS
from server.games.investors.rules import INVESTORS
from server.games.investors.scoring import outcome
from server.games.investors.state import Over, State

_TEMPERATURE, _TEMPERATURE_PER_YEAR = 1.5, 0.5
"""The temperature of the softmax over prestige: at the end, and more for each year to come."""


def rollout(
    state: State, given: Mapping[Seat, Command], rounds: int, weights: Weights, dice: Dice, rng: Random
) -> State:
    """Return the state some rounds later; `given` holds answers to the open decision, by seat."""
    last = state.round + rounds
    evaluation = Evaluation(state, weights)
    while state.round <= last and not isinstance(state.stage, Over):
        decision = INVESTORS.decision(state)
        assert decision is not None
        evaluation = evaluation.at(state)
        answers = {
            seat: given[seat] if seat in given else normal_choice(evaluation, seat, prompt, rng).command
            for seat, prompt in decision.prompts.items()
        }
        given = {}
        state, _ = INVESTORS.resolve(state, answers, dice)
    return state


def win_probability(state: State, seat: Seat, weights: Weights) -> float:
    """Return the probability that a seat wins from here: 0 or 1, or a shared win, when the game is over."""
    result = outcome(state)
    if result is not None:
        return share_of_win(result, seat)
    evaluation = Evaluation(state, weights)
    totals = evaluation.expected_prestige()
    years = YEARS - len(state.years)
    for other in range(evaluation.seats):
        totals[other] += influence_worth(state.influence[other], years, weights.resources)
        totals[other] += money_worth(sum(state.hands[other]), years, weights.resources)
    return softmax(totals, seat, _TEMPERATURE + _TEMPERATURE_PER_YEAR * years)
