"""What of a table's log delayed viewers may know by now: everything that is shown late is decided here.

With a delay in minutes an entry is released when it has been known for so long, by a clock that nobody can set. With a
delay in decisions it is released when the game has got so many decisions further than the entry; a decision that was
undone and is made again is no progress. What happened before the game began is public and never delayed.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from protocol.messages import Delay, MinutesBehind
from server.games.engine.events import Event
from server.games.engine.play import Undone

if TYPE_CHECKING:
    from server.tables.history import History

LAST_DECISIONS_MILLISECONDS: Final = 5_000
"""The time from one decision to the next that are still to be released when a game is over: no later ones will come."""


class WallOffset:
    """The lowest difference between the wall clock and the monotonic clock that this process has seen.

    A log entry of another process, or of this one before a restart, has only the time of a wall clock, which may have
    been set meanwhile. With the lowest difference an entry is never taken for older than it is by a step that this
    process has seen.
    """

    def __init__(self, wall: Callable[[], int], monotonic: Callable[[], int]) -> None:
        self._wall = wall
        self._monotonic = monotonic
        self._lowest = wall() - monotonic()

    def observe(self) -> int:
        """Note what the clocks show now, and return the lowest difference so far."""
        self._lowest = min(self._lowest, self._wall() - self._monotonic())
        return self._lowest


class Milestones:
    """The positions in the log at which the game of a table got further than ever before."""

    def __init__(self) -> None:
        self.positions = array("I")
        """The first one is that of the beginning of the game."""

        self.over_at: int | None = None
        """The position of the entry that ended the game, or the table."""

        self._net_steps = 0
        self._steps = array("I")

    def add_step(self, position: int, new_events: Sequence[Event]) -> None:
        """Add an entry that opened another decision of the game, or ended it."""
        self._steps.append(position)
        self._net_steps += -1 if Undone in map(type, new_events) else 1
        if self._net_steps > len(self.positions):
            self.positions.append(position)

    def steps_at(self, position: int) -> int:
        """Return how many steps of the game the log has up to a position."""
        return bisect_right(self._steps, position)

    def steps_after(self, position: int) -> int:
        """Return how many steps of the game the log has after a position."""
        return len(self._steps) - self.steps_at(position)


class DelaySchedule:
    """The positions up to which the log of a table is released, and when more of it will be.

    It is made at the time `now`, when the log was loaded, with the `offset` that `WallOffset` had then. Times are those
    of the monotonic clock, in milliseconds.
    """

    def __init__(self, history: History, offset: int, now: int) -> None:
        self._history = history
        self._offset = offset
        self._loaded = len(history.times)
        self._loaded_at = now
        self._known = array("q")
        """When the entries became known that were appended here: what this process has seen itself is exact."""

    def note(self, now: int) -> None:
        """Note that the last entry of the history became durable."""
        self._known.append(now)

    def released(self, delay: Delay, now: int) -> int:
        """Return the position of the last entry that delayed viewers may know of."""
        milestones, last = self._history.milestones.positions, len(self._history.times)
        if not milestones:
            return last
        before_game = milestones[0] - 1
        if isinstance(delay, MinutesBehind):
            latest = now - delay.minutes * 60_000
            return max(before_game, bisect_right(range(1, last + 1), latest, key=self._known_at))
        reached = len(milestones) - delay.decisions + self._given_afterwards(now)
        return last if reached >= len(milestones) else milestones[max(0, reached)] - 1

    def wait(self, delay: Delay, now: int) -> int | None:
        """Return the milliseconds until time releases more; None if time does not."""
        released = self.released(delay, now)
        if released == len(self._history.times):
            return None
        if isinstance(delay, MinutesBehind):
            return self._known_at(released + 1) + delay.minutes * 60_000 - now
        over_at = self._history.milestones.over_at
        if over_at is None:
            return None
        return self._known_at(over_at) + (self._given_afterwards(now) + 1) * LAST_DECISIONS_MILLISECONDS - now

    def _given_afterwards(self, now: int) -> int:
        """Return how many decisions the time since the end of the game has released."""
        over_at = self._history.milestones.over_at
        return 0 if over_at is None else max(0, now - self._known_at(over_at)) // LAST_DECISIONS_MILLISECONDS

    def _known_at(self, position: int) -> int:
        """Return a time at which an entry was durable already."""
        if position > self._loaded:
            return self._known[position - self._loaded - 1]
        return min(self._loaded_at, self._history.times[position - 1] - self._offset)
