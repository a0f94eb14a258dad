"""When the pending frames of each websocket are written: for players at once, for spectators in batches.

Writing to a thousand spectators takes some milliseconds, and a move that arrives meanwhile would wait as long. So
spectators are flushed a few hundred at a time between iterations of the event loop. When moves arrive faster than that,
several frames leave in one write, which costs hardly more than one.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Final, Protocol

MIN_BATCH: Final = 256
"""Transports that can wait and are flushed in one iteration of the event loop, at least."""

MAX_ITERATIONS: Final = 8
"""Iterations after which every transport that can wait has been flushed."""


class Flushable(Protocol):
    """A transport with pending frames."""

    def flush(self) -> None: ...


class FlushScheduler:
    """The transports of one event loop that have pending frames."""

    __slots__ = ("_deferred", "_is_scheduled", "_loop", "_urgent")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._is_scheduled = False
        self._urgent: list[Flushable] = []
        self._deferred: deque[Flushable] = deque()

    def add(self, transport: Flushable, *, can_wait: bool) -> None:
        """Flush the transport after this iteration of the event loop, or some iterations later if it can wait."""
        (self._deferred if can_wait else self._urgent).append(transport)
        self._schedule()

    def _schedule(self) -> None:
        if not self._is_scheduled:
            self._is_scheduled = True
            self._loop.call_soon(self._flush)

    def _flush(self) -> None:
        self._is_scheduled = False
        urgent, self._urgent = self._urgent, []
        for transport in urgent:
            transport.flush()
        deferred = self._deferred
        for _ in range(min(len(deferred), max(MIN_BATCH, len(deferred) // MAX_ITERATIONS))):
            deferred.popleft().flush()
        if deferred:
            self._schedule()
