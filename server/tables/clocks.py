"""Time at a table, without a clock of its own: every method is told what time it is.

Thinking time runs while a person is awaited. Time away runs only while a person is awaited and not connected. What is
used is charged when the decision is closed and is then part of the log; a restart in between gives the time back. All
times are milliseconds of a clock that only goes forward.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from protocol.messages import BankClock, Clock
from server.games.engine.game import Seat


@dataclass(slots=True)
class Spent:
    """What one decision has cost one seat so far."""

    thought: int = 0
    away: int = 0
    was_asked: bool = False


class Stopwatch:
    """How long one decision has been open, and what it has cost each seat."""

    def __init__(self, seats: int, now: int) -> None:
        self._spent = [Spent() for _ in range(seats)]
        self._thinkers: frozenset[Seat] = frozenset()
        self._connected: frozenset[Seat] = frozenset()
        self._is_running = False
        self._elapsed = 0
        self._read_at = now

    def set_connected(self, connected: Iterable[Seat], now: int) -> None:
        """Say which seats somebody is connected to."""
        self.advance(now)
        self._connected = frozenset(connected)

    def restart(self, now: int) -> None:
        """Begin anew, for another decision."""
        self.advance(now)
        self._spent = [Spent() if cost.was_asked else cost for cost in self._spent]
        self._elapsed = 0

    def go_on(self, thinkers: Iterable[Seat], now: int, *, is_running: bool) -> None:
        """Run from now on for these seats and stop for the others. `is_running`: the decision itself grows older."""
        self.advance(now)
        self._thinkers = frozenset(thinkers)
        self._is_running = is_running
        for seat in self._thinkers:
            self._spent[seat].was_asked = True

    def advance(self, now: int) -> None:
        """Let the time since the last look pass."""
        passed, self._read_at = now - self._read_at, now
        if self._is_running:
            self._elapsed += passed
        for seat in self._thinkers:
            self._spent[seat].thought += passed
            if seat not in self._connected:
                self._spent[seat].away += passed

    @property
    def elapsed(self) -> int:
        """How old the decision is, pauses not counted: the same to all, whoever has answered it."""
        return self._elapsed

    @property
    def spent(self) -> list[Spent]:
        """What the decision has cost each seat so far."""
        return self._spent

    def due(self, thinking: list[int | None], away: list[int | None]) -> list[tuple[int, Seat]]:
        """Give, soonest first, in how many milliseconds each thinker runs out of time, if nothing changes."""
        dues = []
        for seat in self._thinkers:
            left = []
            budget, absence = thinking[seat], away[seat]
            if budget is not None:
                left.append(budget - self._spent[seat].thought)
            if absence is not None and seat not in self._connected:
                left.append(absence - self._spent[seat].away)
            if left:
                dues.append((min(left), seat))
        return sorted(dues)


def charged(
    clock: Clock, thinking: list[int | None], away: list[int | None], spent: list[Spent]
) -> tuple[list[int | None], list[int | None]]:
    """Give what is left to each seat after a decision; a bank gets its increment where the seat was asked."""
    thinking, away = list(thinking), list(away)
    for seat, cost in enumerate(spent):
        budget, bank = thinking[seat], away[seat]
        if budget is not None and cost.was_asked and type(clock) is BankClock:
            thinking[seat] = max(0, budget - cost.thought) + clock.increment * 1000
        if bank is not None:
            away[seat] = max(0, bank - cost.away)
    return thinking, away
