"""A strong opponent: it plays its best ideas on, in positions that could be the true one, and counts the wins.

Every idea is tried in the same possible positions with the same luck, so that ideas are told apart by what they do and
not by what was dealt.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from time import monotonic
from typing import Final, NamedTuple

from server.bots.investors.ahead import chance_to_win, played_on
from server.bots.investors.ideas import ideas
from server.bots.investors.knowledge import known_state, possible_state
from server.bots.investors.prospects import Prospects, Weights
from server.bots.strategy import BotChoice, Question
from server.bots.trials import best_of
from server.games.engine.dice import SEED_BYTES, Dice


class Effort(NamedTuple):
    """How much is tried for one decision."""

    trials: int = 60
    """How many times positions are played on, for all ideas together."""

    most_per_idea: int = 16
    """How many times one idea is tried at most before the weaker half is dropped."""

    rounds: int = 1
    """How many rounds are played beyond the open one."""


_TRUST: Final = 0.01
"""How much less likely to win normal's own answer may seem before another one is preferred: trials are few."""

_EFFORT: Final = Effort()
_WEIGHTS: Final = Weights()


class Hard:
    """Answers by looking ahead."""

    def __init__(self, effort: Effort = _EFFORT, weights: Weights = _WEIGHTS) -> None:
        self._effort, self._weights = effort, weights

    def choose(self, question: Question, rng: Random, seconds: float) -> BotChoice:
        end = monotonic() + seconds
        effort, weights, seat = self._effort, self._weights, question.seat
        found = ideas(Prospects(known_state(question), weights), seat, question.prompt, rng)

        def try_out(order: Sequence[int]) -> list[float]:
            state = possible_state(question, rng)
            dice, luck = Dice(rng.randbytes(SEED_BYTES)), rng.getrandbits(64)
            results = []
            for idea in order:
                given = {seat: found[idea].command}
                later = played_on(state, given, effort.rounds, weights, dice, Random(luck))  # noqa: S311
                results.append(chance_to_win(later, seat, weights) + (0.0 if idea else _TRUST))
            return results

        best = best_of(len(found), try_out, effort.trials, effort.most_per_idea, lambda: monotonic() >= end)
        return found[best]
