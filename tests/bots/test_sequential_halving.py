"""Sequential halving finds the best candidate, and stays within its budget of simulations and time."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from server.bots.sequential_halving import sequential_halving


class FakeSimulation:
    """Candidates with fixed results, and the number of simulations of each."""

    def __init__(self, *results: float) -> None:
        self.results = results
        self.times = [0] * len(results)

    def __call__(self, order: Sequence[int]) -> list[float]:
        for candidate in order:
            self.times[candidate] += 1
        return [self.results[candidate] for candidate in order]

    def best(self, simulations: int = 40, max_per_candidate: int = 8, late_after: int = 1_000) -> int:
        return sequential_halving(
            len(self.results), self, simulations, max_per_candidate, lambda: max(self.times) >= late_after
        )


@pytest.mark.parametrize("best", range(6))
def test_the_best_candidate_is_found_at_every_index(best: int) -> None:
    assert FakeSimulation(*(float(candidate == best) for candidate in range(6))).best() == best


def test_of_equal_candidates_the_prior_choice_wins() -> None:
    assert FakeSimulation(1.0, 1.0, 1.0).best() == 0


def test_a_single_candidate_needs_no_simulation() -> None:
    simulation = FakeSimulation(1.0)
    assert simulation.best() == 0
    assert simulation.times == [0]


def test_the_prior_choice_stays_to_the_last_round_and_a_weak_candidate_is_dropped_early() -> None:
    simulation = FakeSimulation(0.0, 3.0, 2.0, 1.0)
    assert simulation.best() == 1
    assert simulation.times[0] == simulation.times[1] > simulation.times[3]


def test_when_time_is_up_the_best_candidate_so_far_wins() -> None:
    assert FakeSimulation(0.0, 1.0).best(late_after=0) == 0
    assert FakeSimulation(0.0, 1.0).best(late_after=1) == 1
