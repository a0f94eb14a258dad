"""A strong opponent: it plays its best ideas on, in positions that could be the true one, and counts the wins.

Every idea is tried in the same possible positions with the same luck, so that ideas are told apart by what they do and
not by what was dealt. After each round of trials the weaker half of the ideas is dropped.
"""

from __future__ import annotations

from random import Random
from time import monotonic
from typing import Final, NamedTuple

from server.bots.investors.ahead import chance_to_win, played_on
from server.bots.investors.ideas import ideas
from server.bots.investors.knowledge import known_state, possible_state
from server.bots.investors.prospects import Manner, Prospects
from server.bots.strategy import Chosen, Question
from server.games.dice import SEED_BYTES, Dice


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
_MANNER: Final = Manner()


class Hard:
    """Answers by looking ahead."""

    def __init__(self, effort: Effort = _EFFORT, manner: Manner = _MANNER) -> None:
        self._effort, self._manner = effort, manner

    def choose(self, question: Question, chooser: Random, seconds: float) -> Chosen:
        end = monotonic() + seconds
        prospects = Prospects(known_state(question), self._manner)
        left = ideas(prospects, question.seat, question.prompt, chooser)
        totals = [0.0] * len(left)
        order = list(range(len(left)))
        tried = 0
        while len(order) > 1:
            for _ in range(self._times(len(order), tried)):
                if monotonic() >= end:
                    return left[max(order, key=totals.__getitem__)]
                self._try_out(question, left, order, totals, chooser)
                tried += len(order)
            order.sort(key=lambda idea: -totals[idea])
            kept = order[: len(order) // 2]
            # Normal's own answer is not dropped for bad luck in a few trials.
            order = kept if 0 in kept or len(order) == 2 else [*kept, 0]
        return left[order[0]]

    def _times(self, ideas_left: int, tried: int) -> int:
        """Give how often each of the ideas that are left is tried before some are dropped."""
        droppings = (ideas_left - 1).bit_length()
        return min(self._effort.most_per_idea, max(2, (self._effort.trials - tried) // (ideas_left * droppings)))

    def _try_out(
        self, question: Question, left: list[Chosen], order: list[int], totals: list[float], chooser: Random
    ) -> None:
        """Play each idea that is left on in one possible position."""
        state = possible_state(question, chooser)
        dice, luck = Dice(chooser.randbytes(SEED_BYTES)), chooser.getrandbits(64)
        for idea in order:
            given = {question.seat: left[idea].command}
            later = played_on(state, given, self._effort.rounds, self._manner, dice, Random(luck))  # noqa: S311
            totals[idea] += chance_to_win(later, question.seat, self._manner) + (_TRUST if idea == 0 else 0.0)
