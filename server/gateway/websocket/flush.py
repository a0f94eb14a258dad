"""When sockets are flushed: who plays at the end of this turn of the event loop, who only watches soon after.

A thousand who watch take some milliseconds to write to, and a move that comes meanwhile would wait as long. So they are
served a few hundred at a time between the turns. When moves come faster than all can be told, several leave in one
write, which costs hardly more than one.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Final, Protocol

SERVED_AT_ONCE: Final = 256
TURNS_TO_WAIT: Final = 8
"""Sockets that can wait and are flushed in one turn, at least; and in how many turns everybody is served."""


class Flushable(Protocol):
    """A socket for which something has gathered."""

    def flush(self) -> None: ...


class FlushScheduler:
    """The turns of an event loop, and the sockets that were written to."""

    __slots__ = ("_is_called", "_loop", "_now", "_soon")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._is_called = False
        self._now: list[Flushable] = []
        self._soon: deque[Flushable] = deque()

    def add(self, socket: Flushable, *, can_wait: bool) -> None:
        """Have a socket flushed when this turn is over; one that can wait, a few turns later at the latest."""
        (self._soon if can_wait else self._now).append(socket)
        self._call()

    def _call(self) -> None:
        if not self._is_called:
            self._is_called = True
            self._loop.call_soon(self._end)

    def _end(self) -> None:
        self._is_called = False
        now, self._now = self._now, []
        for socket in now:
            socket.flush()
        soon = self._soon
        for _ in range(min(len(soon), max(SERVED_AT_ONCE, len(soon) // TURNS_TO_WAIT))):
            soon.popleft().flush()
        if soon:
            self._call()
