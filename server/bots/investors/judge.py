"""Judges answers in Investors: determinized positions, played on by the rules as `normal` plays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from server.bots.investors.candidates import candidates
from server.bots.investors.evaluation import Evaluation, Weights
from server.bots.investors.knowledge import determinized_state, known_state
from server.bots.investors.rollout import rollout, win_probability
from server.bots.strategy import Judgement, Question
from server.games.engine.dice import SEED_BYTES, Dice
from server.games.engine.game import Seat
from server.games.engine.prompts import Command, Prompt
from server.games.investors.commands import PlayInfluence
from server.games.investors.state import State

_ROUNDS: Final = 1
"""Rounds that are played on beyond the open one."""

_TO_END: Final = 1_000
"""More rounds than any game has."""

_NEARBY: Final = (-1, 1, -2, 2, -3)
"""The influence cards to compare with the one that was played, relative to it."""

_MAX_ALTERNATIVES: Final = 10


class InvestorsJudge:
    """The judge of Investors."""

    def __init__(self, rounds: int = _ROUNDS) -> None:
        self._rounds = rounds
        self._weights = Weights()

    def alternatives(self, question: Question, played: Command, rng: Random) -> tuple[Command, ...]:
        evaluation = Evaluation(known_state(question), self._weights)
        found = [choice.command for choice in candidates(evaluation, question.seat, question.prompt, rng)]
        near = _nearby(question.prompt, played)
        return tuple(dict.fromkeys((played, found[0], *near, *found)))[: 1 + _MAX_ALTERNATIVES]

    def judge(
        self, question: Question, answers: Sequence[Command], rng: Random, trials: int, *, to_end: bool = False
    ) -> Judgement:
        given = [{question.seat: answer} for answer in answers]
        rounds = _TO_END if to_end else self._rounds
        found = [self._trial(question, given, rng, rounds) for _ in range(trials)]
        return Judgement(tuple(answers), tuple(zip(*found, strict=True)))

    def chances(self, question: Question, rng: Random, trials: int) -> tuple[tuple[float, ...], ...]:
        return tuple(self._trial(question, [{}], rng, _TO_END)[0] for _ in range(trials))

    def _trial(
        self, question: Question, given: Sequence[Mapping[Seat, Command]], rng: Random, rounds: int
    ) -> list[tuple[float, ...]]:
        """Return the chances of all seats after each of these answers, in one position with the same luck."""
        state = determinized_state(question, rng)
        dice, seed = Dice(rng.randbytes(SEED_BYTES)), rng.getrandbits(64)
        return [
            self._chances(rollout(state, answers, rounds, self._weights, dice, Random(seed)))  # noqa: S311
            for answers in given
        ]

    def _chances(self, state: State) -> tuple[float, ...]:
        return tuple(win_probability(state, seat, self._weights) for seat in range(state.settings.seats))


def _nearby(prompt: Prompt, played: Command) -> list[Command]:
    if not isinstance(played, PlayInfluence):
        return []
    cards = [PlayInfluence(played.card + step) for step in _NEARBY]
    return [card for card in cards if prompt.admit(card) is None]
