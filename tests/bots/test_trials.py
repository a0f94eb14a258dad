"""Ideas that are tried out: the better one is found, and nothing is tried for longer than agreed."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from server.bots.trials import best_of


class Tries:
    """Ideas of known worth, and how often each of them was tried."""

    def __init__(self, *worth: float) -> None:
        self.worth = worth
        self.times = [0] * len(worth)

    def __call__(self, order: Sequence[int]) -> list[float]:
        for idea in order:
            self.times[idea] += 1
        return [self.worth[idea] for idea in order]

    def best(self, trials: int = 40, most_per_idea: int = 8, late_after: int = 1_000) -> int:
        return best_of(len(self.worth), self, trials, most_per_idea, lambda: max(self.times) >= late_after)


@pytest.mark.parametrize("best", range(6))
def test_the_best_idea_is_found_wherever_it_stands(best: int) -> None:
    assert Tries(*(float(idea == best) for idea in range(6))).best() == best


def test_of_equal_ideas_the_trusted_one_is_taken() -> None:
    assert Tries(1.0, 1.0, 1.0).best() == 0


def test_a_single_idea_needs_no_trial() -> None:
    tries = Tries(1.0)
    assert tries.best() == 0
    assert tries.times == [0]


def test_the_trusted_idea_is_tried_to_the_last_and_a_weak_one_is_dropped_early() -> None:
    tries = Tries(0.0, 3.0, 2.0, 1.0)
    assert tries.best() == 1
    assert tries.times[0] == tries.times[1] > tries.times[3]


def test_when_it_is_late_the_best_so_far_is_taken() -> None:
    assert Tries(0.0, 1.0).best(late_after=0) == 0
    assert Tries(0.0, 1.0).best(late_after=1) == 1
