"""The weekly rhythm of a person: the hours in which their clock runs at tables that are played by the day.

A rhythm is a window of hours on some days of the week, in the time zone of the person. A window whose end is not after
its start lasts into the next day. Nothing here reads a clock: all times are milliseconds since 1970, so whoever has the
log of a table computes the same.

Where the zone changes to daylight saving, a time that is skipped counts as one hour later; where it changes back, a
time that comes twice means the first of the two.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

MIN_WEEKLY_HOURS: Final = 14
"""A rhythm has at least so many hours in a week, so that nobody can keep a game from going on."""

DAY_MINUTES: Final = 24 * 60

_MAX_DAYS: Final = 20_000
"""Days after which a search for running hours gives up; a zone whose data is missing must not stop a process."""


@dataclass(frozen=True, slots=True)
class Rhythm:
    """The windows of a week."""

    zone: str
    """The IANA name of the time zone."""

    start: int
    """Minutes after midnight, in the zone."""

    end: int
    days: tuple[int, ...]
    """The days on which a window starts; Monday is 0."""

    @property
    def weekly_minutes(self) -> int:
        """Return the minutes of all windows of a week."""
        length = (self.end - self.start) % DAY_MINUTES or DAY_MINUTES
        return length * len(self.days)


@cache
def zone_names() -> frozenset[str]:
    """Return the names of all time zones."""
    return frozenset(available_timezones())


def running(rhythm: Rhythm | None, start: int, end: int) -> int:
    """Return the milliseconds between two times during which a clock runs; without a rhythm it always does."""
    if rhythm is None or start >= end:
        return max(0, end - start)
    total = 0
    for begin, until in _windows(rhythm, start):
        if begin >= end:
            break
        total += min(until, end) - max(begin, start)
    return total


def runs_out(rhythm: Rhythm | None, start: int, budget: int) -> int:
    """Return the time at which a clock that goes on at `start` has run for so many milliseconds."""
    if rhythm is None or budget <= 0:
        return start + max(0, budget)
    for begin, until in _windows(rhythm, start):
        goes_on = max(begin, start)
        if budget <= until - goes_on:
            return goes_on + budget
        budget -= until - goes_on
    return start + budget


def pauses(rhythm: Rhythm | None, start: int, end: int, limit: int) -> list[tuple[int, int]]:
    """Return the first stretches between two times in which a clock stands still."""
    found: list[tuple[int, int]] = []
    if rhythm is None:
        return found
    at = start
    for begin, until in _windows(rhythm, start):
        if at >= end or len(found) == limit:
            break
        if begin > at:
            found.append((at, begin))
        at = until
    return found


def _windows(rhythm: Rhythm, after: int) -> Iterator[tuple[int, int]]:
    """Yield the windows that end after a time, in order."""
    zone = _zone(rhythm.zone)
    first = datetime.fromtimestamp(after / 1000, zone).date() - timedelta(days=1)
    is_over_night = rhythm.end <= rhythm.start
    for passed in range(_MAX_DAYS):
        day = first + timedelta(days=passed)
        if day.weekday() not in rhythm.days:
            continue
        begin = _instant(day, rhythm.start, zone)
        until = _instant(day + timedelta(days=is_over_night), rhythm.end, zone)
        # A window may vanish in the hour that daylight saving skips.
        if until > max(begin, after):
            yield begin, until


def _instant(day: date, minutes: int, zone: tzinfo) -> int:
    local = datetime.combine(day, time(minutes // 60, minutes % 60), zone)
    return round(local.timestamp() * 1000)


@cache
def _zone(name: str) -> tzinfo:
    # A log may name a zone that the data of this machine does not have any more.
    return ZoneInfo(name) if name in zone_names() else UTC
