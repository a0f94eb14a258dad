"""Time at a table, without a clock of its own: every method is told what time it is.

Thinking time runs while a seat is awaited. Time away runs only while a seat is awaited and nobody is connected to
it. What is used is charged when the decision is closed and is then part of the log; a restart in between gives the
time back. All times are milliseconds of a clock that only goes forward.
"""

from __future__ import annotations

from collections.abc import Iterable

from protocol.messages import BankClock, Clock
from server.games.game import Seat


class Stopwatch:
    """How long one decision has been open for each seat, thinking and away."""

    def __init__(self, seats: int, now: int) -> None:
        self._since: list[int | None] = [None] * seats
        self._thought = [0] * seats
        self._is_here = [False] * seats
        self._away = [0] * seats
        self._read_at = now

    def set_here(self, here: Iterable[Seat], now: int) -> None:
        """Say which seats somebody is connected to."""
        self.advance(now)
        present = set(here)
        self._is_here = [seat in present for seat in range(len(self._is_here))]

    def restart(self, awaited: Iterable[Seat], now: int) -> None:
        """Begin anew for a decision that these seats owe."""
        seats = len(self._thought)
        self._thought, self._away = [0] * seats, [0] * seats
        self.set_awaited(awaited, now)

    def set_awaited(self, awaited: Iterable[Seat], now: int) -> None:
        """Go on for these seats and stop for the others; none while the game is paused."""
        self.advance(now)
        waiting = set(awaited)
        self._since = [now if seat in waiting else None for seat in range(len(self._since))]

    def advance(self, now: int) -> None:
        """Let the time since the last look pass."""
        passed, self._read_at = now - self._read_at, now
        for seat, since in enumerate(self._since):
            if since is not None:
                self._thought[seat] += passed
                if not self._is_here[seat]:
                    self._away[seat] += passed

    def elapsed(self) -> int:
        """Give the longest that any awaited seat has been thinking."""
        return max((self._thought[seat] for seat, since in enumerate(self._since) if since is not None), default=0)

    def spent(self) -> tuple[list[int], list[int]]:
        """Give the time thought and the time away of each seat in this decision."""
        return list(self._thought), list(self._away)

    def due(self, thinking: list[int | None], away: list[int | None]) -> list[tuple[int, Seat]]:
        """Give, soonest first, in how many milliseconds each awaited seat runs out of time, if nothing changes."""
        dues = []
        for seat, since in enumerate(self._since):
            if since is None:
                continue
            left = []
            budget, absence = thinking[seat], away[seat]
            if budget is not None:
                left.append(budget - self._thought[seat])
            if absence is not None and not self._is_here[seat]:
                left.append(absence - self._away[seat])
            if left:
                dues.append((min(left), seat))
        return sorted(dues)


def charged(
    clock: Clock, thinking: list[int | None], away: list[int | None], spent: tuple[list[int], list[int]]
) -> tuple[list[int | None], list[int | None]]:
    """Give what is left to each seat after a decision; a bank gets its increment where the seat was asked."""
    thought, absent = spent
    left: list[int | None] = []
    for seat, budget in enumerate(thinking):
        if budget is None or not isinstance(clock, BankClock) or not thought[seat]:
            left.append(budget)
        else:
            left.append(max(0, budget - thought[seat]) + clock.increment * 1000)
    return left, [None if bank is None else max(0, bank - absent[seat]) for seat, bank in enumerate(away)]
