"""Judges answers in Builders: determinized positions, the turn finished and the game played on as `normal` plays."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from server.bots.builders.evaluation import WEIGHTS, Evaluation
from server.bots.builders.knowledge import determinized_state, known_state
from server.bots.builders.plans import best_plan, plans
from server.bots.builders.rollout import after_turn, rollout, win_probability
from server.bots.strategy import Judgement, Question
from server.games.builders.rules import BUILDERS
from server.games.builders.state import Over, State
from server.games.engine.dice import SEED_BYTES, Dice
from server.games.engine.prompts import Command

_TURNS: Final = 24
"""Turns that are played on after the open one, counting the turns of all seats. Of decisions that seem to cost much
after 12 turns, hardly any does in the end."""

_TO_END: Final = 10_000
"""More turns than any game has."""

_MAX_ALTERNATIVES: Final = 4


class BuildersJudge:
    """The judge of Builders. Answers are compared by the best turn that goes on from each of them."""

    def __init__(self, turns: int = _TURNS) -> None:
        self._turns = turns

    def alternatives(self, question: Question, played: Command, rng: Random) -> tuple[Command, ...]:
        evaluation = Evaluation(known_state(question), question.seat, WEIGHTS)
        found = [plan.commands[0] for plan in plans(evaluation) if plan.commands]
        admitted = [command for command in dict.fromkeys(found) if question.prompt.admit(command) is None]
        return tuple(dict.fromkeys((played, *admitted)))[: 1 + _MAX_ALTERNATIVES]

    def judge(
        self, question: Question, answers: Sequence[Command], rng: Random, trials: int, *, to_end: bool = False
    ) -> Judgement:
        turns = _TO_END if to_end else self._turns
        beginnings = [(answer,) for answer in answers]
        found = [self._trial(question, beginnings, rng, turns) for _ in range(trials)]
        return Judgement(tuple(answers), tuple(zip(*found, strict=True)))

    def chances(self, question: Question, rng: Random, trials: int) -> tuple[tuple[float, ...], ...]:
        return tuple(self._trial(question, [()], rng, _TO_END)[0] for _ in range(trials))

    def _trial(
        self, question: Question, beginnings: Sequence[Sequence[Command]], rng: Random, turns: int
    ) -> list[tuple[float, ...]]:
        """Return the chances of all seats after each beginning of the turn, in one position with the same luck."""
        state, dice = determinized_state(question, rng), Dice(rng.randbytes(SEED_BYTES))
        return [_chances(rollout(_finished(state, commands, dice), turns, WEIGHTS, dice)) for commands in beginnings]


def _finished(state: State, commands: Sequence[Command], dice: Dice) -> State:
    """Return the state after the turn of the seat to move, which begins with these commands."""
    seat = state.turn
    for command in commands:
        state, _ = BUILDERS.resolve(state, {seat: command}, dice)
    if state.turn != seat or isinstance(state.stage, Over):
        return state
    return after_turn(state, best_plan(Evaluation(state, seat, WEIGHTS)).commands, dice)


def _chances(state: State) -> tuple[float, ...]:
    return tuple(win_probability(state, seat, WEIGHTS) for seat in range(state.seats))
