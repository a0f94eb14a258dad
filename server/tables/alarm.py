"""A timer of the event loop that can be set anew."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Alarm:
    """Calls back once, after the time for which it was set last."""

    __slots__ = ("_on_alarm", "_timer")

    def __init__(self, on_alarm: Callable[[], None]) -> None:
        self._on_alarm = on_alarm
        self._timer: asyncio.TimerHandle | None = None

    @property
    def is_set(self) -> bool:
        return self._timer is not None

    def set(self, seconds: float | None) -> None:
        """Call back after so many seconds and not before; never with None."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None if seconds is None else asyncio.get_running_loop().call_later(seconds, self._ring)

    def close(self) -> None:
        """Never call back again, and forget the callback: it may refer to the owner of the alarm."""
        self.set(None)
        self._on_alarm = _do_nothing

    def _ring(self) -> None:
        self._timer = None
        self._on_alarm()


def _do_nothing() -> None:
    pass
