"""Telling ideas apart by trying them out: after each round of trials the weaker half of them is dropped."""

from __future__ import annotations

from collections.abc import Callable, Sequence

TryOut = Callable[[Sequence[int]], Sequence[float]]
"""Tries the ideas of these numbers out once, all with the same luck, and gives how each of them did."""


def best_of(ideas: int, try_out: TryOut, trials: int, most_per_idea: int, is_late: Callable[[], bool]) -> int:
    """Give the number of the best of so many ideas, after so many trials in all or when it is late.

    Idea 0 is the one to trust: it is not dropped for bad luck in a few trials, and wins where nothing is tried.
    """
    totals = [0.0] * ideas
    order = list(range(ideas))
    tried = 0
    while len(order) > 1:
        droppings = (len(order) - 1).bit_length()
        times = min(most_per_idea, max(2, (trials - tried) // (len(order) * droppings)))
        for _ in range(times):
            if is_late():
                return max(order, key=totals.__getitem__)
            for idea, result in zip(order, try_out(order), strict=True):
                totals[idea] += result
            tried += len(order)
        order.sort(key=lambda idea: -totals[idea])
        kept = order[: len(order) // 2]
        order = kept if 0 in kept or len(order) == 2 else [*kept, 0]
    return order[0]
