"""Sequential halving: a best-arm search that drops the weaker half of the candidates after each round."""

from __future__ import annotations

from collections.abc import Callable, Sequence

Simulate = Callable[[Sequence[int]], Sequence[float]]
"""Simulates the candidates of these numbers once, all with the same luck, and returns a result for each of them."""


def sequential_halving(
    candidates: int, simulate: Simulate, simulations: int, max_per_candidate: int, is_late: Callable[[], bool]
) -> int:
    """Return the number of the best candidate after a budget of simulations, or as soon as `is_late`.

    Candidate 0 is the prior choice: it stays until the last round, and wins where nothing is simulated.
    """
    totals = [0.0] * candidates
    order = list(range(candidates))
    spent = 0
    while len(order) > 1:
        rounds_left = (len(order) - 1).bit_length()
        repetitions = min(max_per_candidate, max(2, (simulations - spent) // (len(order) * rounds_left)))
        for _ in range(repetitions):
            if is_late():
                return max(order, key=totals.__getitem__)
            for candidate, result in zip(order, simulate(order), strict=True):
                totals[candidate] += result
            spent += len(order)
        order.sort(key=lambda candidate: -totals[candidate])
        kept = order[: len(order) // 2]
        order = kept if 0 in kept or len(order) == 2 else [*kept, 0]
    return order[0]
