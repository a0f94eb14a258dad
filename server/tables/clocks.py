"""The clocks of a table, without a time source: every method gets the current time as an argument.

Thinking time runs while a person is awaited. Time away runs only while a person is awaited and not connected. Both are
charged when the decision closes, which is part of the log; a restart before that gives the time back. All times are
milliseconds of a monotonic clock.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from protocol.messages import BankClock, Clock
from server.games.engine.game import Seat


@dataclass(slots=True)
class Spent:
    """The time that one decision has cost one seat so far."""

    thought: int = 0
    away: int = 0
    was_asked: bool = False


class Stopwatch:
    """The time since one decision was opened, and its cost for each seat."""

    def __init__(self, seats: int, now: int) -> None:
        self._spent = [Spent() for _ in range(seats)]
        self._thinkers: frozenset[Seat] = frozenset()
        self._connected: frozenset[Seat] = frozenset()
        self._is_running = False
        self._elapsed = 0
        self._read_at = now

    def set_connected(self, connected: Iterable[Seat], now: int) -> None:
        """Set the seats whose people are connected."""
        self.advance(now)
        self._connected = frozenset(connected)

    def begin(self, seats: int, now: int) -> None:
        """Start for the first decision of a game; the host may have changed the number of seats before."""
        self.advance(now)
        self._spent = [Spent() for _ in range(seats)]
        self._elapsed = 0

    def restart(self, now: int) -> None:
        """Start again for another decision."""
        self.advance(now)
        self._spent = [Spent() if cost.was_asked else cost for cost in self._spent]
        self._elapsed = 0

    def go_on(self, thinkers: Iterable[Seat], now: int, *, is_running: bool) -> None:
        """Run for these seats from now on, and stop for the others. `is_running`: the age of the decision runs too."""
        self.advance(now)
        self._thinkers = frozenset(thinkers)
        self._is_running = is_running
        for seat in self._thinkers:
            self._spent[seat].was_asked = True

    def advance(self, now: int) -> None:
        """Add the time since the last call."""
        passed, self._read_at = now - self._read_at, now
        if self._is_running:
            self._elapsed += passed
        for seat in self._thinkers:
            self._spent[seat].thought += passed
            if seat not in self._connected:
                self._spent[seat].away += passed

    @property
    def elapsed(self) -> int:
        """Return the age of the decision without pauses; it does not depend on who has answered."""
        return self._elapsed

    @property
    def spent(self) -> list[Spent]:
        """Return the time that the decision has cost each seat so far."""
        return self._spent

    def due(self, thinking: list[int | None], away: list[int | None]) -> list[tuple[int, Seat]]:
        """Return the milliseconds until each awaited person runs out of time, with the seats, soonest first."""
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


class Absences:
    """For how long the people of the seats have been away in one stretch, whether they are awaited or not.

    This is in memory only. It starts anew when the table is loaded, so that a restart never shortens an absence that
    others must wait for.
    """

    def __init__(self, now: int) -> None:
        self._began = self._now = now
        self._connected: frozenset[Seat] = frozenset()
        self._left_at: dict[Seat, int] = {}

    def begin(self, now: int) -> None:
        """Count anew for all seats: the game begins."""
        self._began = self._now = now
        self._left_at.clear()

    def set_connected(self, connected: Iterable[Seat], now: int) -> None:
        """Set the seats whose people are connected."""
        self.advance(now)
        before, self._connected = self._connected, frozenset(connected)
        self._left_at |= dict.fromkeys(before - self._connected, now)

    def advance(self, now: int) -> None:
        """Set the time."""
        self._now = now

    def since(self, seat: Seat) -> int | None:
        """Return the time since which the person of a seat has been away, or None if connected."""
        return None if seat in self._connected else self._left_at.get(seat, self._began)

    def of(self, seat: Seat) -> int | None:
        """Return for how many milliseconds the person of a seat has been away, or None if connected."""
        since = self.since(seat)
        return None if since is None else self._now - since


def charged(
    clock: Clock, thinking: list[int | None], away: list[int | None], spent: list[Spent]
) -> tuple[list[int | None], list[int | None]]:
    """Return the time left to each seat after a decision; a bank gets its increment if the seat was asked."""
    thinking, away = list(thinking), list(away)
    for seat, cost in enumerate(spent):
        budget, bank = thinking[seat], away[seat]
        if budget is not None and cost.was_asked and type(clock) is BankClock:
            thinking[seat] = max(0, budget - cost.thought) + clock.increment * 1000
        if bank is not None:
            away[seat] = max(0, bank - cost.away)
    return thinking, away
