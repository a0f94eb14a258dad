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

    trials: int = 48
    """How many times positions are played on, for all ideas together."""

    rounds: int = 3
    """How many rounds beyond the open one."""


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
        while len(order) > 1 and monotonic() < end:
            stages = max(1, (len(order) - 1).bit_length())
            times = max(2, (self._effort.trials - tried) // (len(order) * stages))
            for _ in range(times):
                self._try_out(question, [left[idea] for idea in order], order, totals, chooser)
            tried += times * len(order)
            order.sort(key=lambda idea: -totals[idea])
            kept = order[: len(order) // 2]
            # Normal's own answer is not dropped for bad luck in a few trials.
            order = kept if 0 in kept or len(order) == 2 else [*kept, 0]
        return left[order[0]]

    def _try_out(
        self, question: Question, tried: list[Chosen], order: list[int], totals: list[float], chooser: Random
    ) -> None:
        """Play each idea on in one possible position."""
        state = possible_state(question, chooser)
        dice, luck = Dice(chooser.randbytes(SEED_BYTES)), chooser.getrandbits(64)
        for idea, chosen in zip(order, tried, strict=True):
            given = {question.seat: chosen.command}
            later = played_on(state, given, self._effort.rounds, self._manner, dice, Random(luck))  # noqa: S311
            totals[idea] += chance_to_win(later, question.seat, self._manner)
