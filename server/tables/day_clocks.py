"""The clocks of a table that is played by the day: a pure function of its log and of the time.

The stopwatch of a live table is in memory, and a restart gives back what it has not charged. A clock of days would then
never run out, so here the time that a seat has been asked follows from the times of the log's entries. The state of a
table folds it; a restart, an unload or another owner changes nothing.

Each seat has two counts. `own` runs while the person is awaited, and decides. `shown` runs as everybody may know it:
where it is a secret who has sealed an answer, it runs on until the decision closes (`answer_secrecy.py`).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from server.games.engine.game import Seat
from server.tables.clocks import Spent
from server.tables.rhythm import Rhythm, pauses, running, runs_out

DAY_MILLISECONDS: Final = 86_400_000

MAX_PAUSES: Final = 20
"""Stretches in which a clock stands still that a view names; a page shows the next one."""


class Count(NamedTuple):
    """The running time of a clock: `used` milliseconds before `since`, and what ran since then, unless it is None."""

    used: int = 0
    since: int | None = None


UNUSED: Final = Count()


@dataclass(frozen=True, slots=True)
class SeatClock:
    """The clock of one seat for the open decision, with the rhythm and the holidays of its person."""

    rhythm: Rhythm | None = None
    own: Count = UNUSED
    shown: Count = UNUSED
    was_asked: bool = False
    holiday_began: int | None = None
    holiday_until: int | None = None
    """The end of the holiday if nobody ends it before; it may have passed."""

    holidays_used: int = 0
    """The days of holidays that were ended."""

    def used(self, count: Count, at: int) -> int:
        """Return the milliseconds that a count has run."""
        return count.used + (0 if count.since is None else running(self.rhythm, self._begin(count.since), at))

    def runs_out(self, count: Count, budget: int) -> int | None:
        """Return when a count has run for so many milliseconds; None if it does not run."""
        if count.since is None:
            return None
        return runs_out(self.rhythm, self._begin(count.since), budget - count.used)

    def settled(self, at: int) -> SeatClock:
        """Return the clock with its running time so far counted, so that another rhythm or a holiday can begin."""
        return replace(self, own=self._settled(self.own, at), shown=self._settled(self.shown, at))

    def pauses(self, deadline: int) -> list[list[int]]:
        """Return the stretches before a deadline in which the clock stands still, without the holiday."""
        if self.shown.since is None:
            return []
        begin = self._begin(self.shown.since)
        return [list(pause) for pause in pauses(self.rhythm, begin, deadline, MAX_PAUSES)]

    def is_on_holiday(self, at: int) -> bool:
        """Return whether the person is on holiday."""
        return self.holiday_until is not None and at < self.holiday_until

    def holidays_left(self, bank: int) -> int:
        """Return the days that are left: none while a holiday lasts, which may use all of them."""
        return max(0, bank - self.holidays_used) if self.holiday_began is None else 0

    def _begin(self, since: int) -> int:
        return since if self.holiday_until is None else max(since, self.holiday_until)

    def _settled(self, count: Count, at: int) -> Count:
        return count if count.since is None else Count(self.used(count, at), at)

    def going_on(self, at: int, *, is_awaited: bool, is_shown: bool) -> SeatClock:
        """Return the clock after an entry; what runs already is left alone, so that its deadline stays the same."""
        own = self._switched(self.own, at, runs=is_awaited)
        shown = self._switched(self.shown, at, runs=is_shown)
        was_asked = self.was_asked or is_awaited
        if (own, shown, was_asked) == (self.own, self.shown, self.was_asked):
            return self
        return replace(self, own=own, shown=shown, was_asked=was_asked)

    def _switched(self, count: Count, at: int, *, runs: bool) -> Count:
        if runs == (count.since is not None):
            return count
        return Count(count.used, at) if runs else Count(self.used(count, at))


@dataclass(frozen=True, slots=True)
class DayClocks:
    """The clocks of all seats. Every change returns others; they are the same object if nothing has changed."""

    seats: tuple[SeatClock, ...]

    @classmethod
    def begun(cls, rhythms: Sequence[Rhythm | None]) -> DayClocks:
        """Return the clocks at the start of a game."""
        return cls(tuple(SeatClock(rhythm) for rhythm in rhythms))

    def opened(self, rhythms: Sequence[Rhythm | None]) -> DayClocks:
        """Return the clocks for another decision: unused, with the rhythms that people have now."""
        return DayClocks(
            tuple(
                replace(clock, rhythm=rhythm, own=UNUSED, shown=UNUSED, was_asked=False)
                for clock, rhythm in zip(self.seats, rhythms, strict=True)
            )
        )

    def going_on(self, awaited: Collection[Seat], shown: Collection[Seat], at: int) -> DayClocks:
        """Return the clocks after an entry: they run for the awaited people, and as all see it for `shown`."""
        seats = tuple(
            clock.going_on(at, is_awaited=seat in awaited, is_shown=seat in shown)
            for seat, clock in enumerate(self.seats)
        )
        return self if all(map(_is_same, seats, self.seats)) else DayClocks(seats)

    def with_rhythm(self, seat: Seat, rhythm: Rhythm | None, at: int) -> DayClocks:
        """Return the clocks with a rhythm that counts at once."""
        return self._changed(seat, replace(self.seats[seat].settled(at), rhythm=rhythm))

    def with_holiday(self, seat: Seat, until: int, at: int) -> DayClocks:
        """Return the clocks after the beginning of a holiday."""
        return self._changed(seat, replace(self.seats[seat].settled(at), holiday_began=at, holiday_until=until))

    def without_holiday(self, seat: Seat, at: int) -> DayClocks:
        """Return the clocks after the end of a holiday. A day that has begun is used."""
        clock = self.seats[seat]
        if clock.holiday_began is None or clock.holiday_until is None:
            return self
        lasted = min(at, clock.holiday_until) - clock.holiday_began
        used = clock.holidays_used + max(1, -(-lasted // DAY_MILLISECONDS))
        clock = replace(clock.settled(at), holiday_began=None, holiday_until=None, holidays_used=used)
        return self._changed(seat, clock)

    def due(self, thinking: Sequence[int | None]) -> tuple[int, Seat] | None:
        """Return the time at which the first awaited person runs out of time, and the seat; None if no clock runs."""
        dues = [
            (deadline, seat)
            for seat, (clock, budget) in enumerate(zip(self.seats, thinking, strict=True))
            if budget is not None and (deadline := clock.runs_out(clock.own, budget)) is not None
        ]
        return min(dues, default=None)

    def deadline(self, seat: Seat, thinking: Sequence[int | None]) -> int | None:
        """Return the time at which a person runs out of time, as everybody may know it; None if no clock is shown."""
        clock, budget = self.seats[seat], thinking[seat]
        return None if budget is None else clock.runs_out(clock.shown, budget)

    def spent(self, at: int) -> list[Spent]:
        """Return the time that the open decision has cost each seat so far."""
        return [Spent(clock.used(clock.own, at), 0, clock.was_asked) for clock in self.seats]

    def _changed(self, seat: Seat, clock: SeatClock) -> DayClocks:
        return DayClocks((*self.seats[:seat], clock, *self.seats[seat + 1 :]))


def _is_same(one: SeatClock, other: SeatClock) -> bool:
    return one is other
