"""The pace of a table: live, or by the day, where people come back when it is their move.

Whoever plays by the day is away most of the time. So such a table has no bank for absence, its clocks follow the log
and the wall clock (`day_clocks.py`), and nobody closes it because everybody is away.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from protocol.messages import Clock, TableSettings

DAY_DECISION_SECONDS: Final = 3_600
"""A clock with so many seconds for a decision, or as an increment, is one for a game by the day."""

DAY_BANK_SECONDS: Final = 43_200
"""A bank of so many seconds is one for a game by the day."""


def is_day_clock(clock: Clock) -> bool:
    """Return whether a clock gives people hours or days for a decision."""
    return _is_long(clock.model_dump())


def is_by_the_day(settings: TableSettings) -> bool:
    """Return whether a table is played by the day.

    Tables of earlier versions may have a bank for absence beside such a clock; those are played as they were begun.
    """
    return settings.absence_seconds is None and is_day_clock(settings.clock)


def pace_of(settings: Mapping[str, Any]) -> str:
    """Return the pace of a table from its settings as JSON: `live` or `days`."""
    is_slow = settings.get("absence_seconds", 0) is None and _is_long(settings.get("clock") or {"kind": "none"})
    return "days" if is_slow else "live"


def _is_long(clock: Mapping[str, Any]) -> bool:
    if clock["kind"] == "decision":
        return bool(clock["seconds"] >= DAY_DECISION_SECONDS)
    if clock["kind"] == "bank":
        return bool(clock["seconds"] >= DAY_BANK_SECONDS or clock["increment"] >= DAY_DECISION_SECONDS)
    return False
