"""A bound on work that takes long: some at a time, some more wait in the order of requests, and others are refused."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Crowded(Exception):
    """Too many wait already."""


class Slots:
    """A semaphore for `at_once` holders, for which at most `max_waiting` wait."""

    def __init__(self, at_once: int, max_waiting: int) -> None:
        self._semaphore = asyncio.Semaphore(at_once)
        self._max_waiting = max_waiting
        self._waiting = 0

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """Hold a slot while the context is open; raise `Crowded` if too many wait for one."""
        if self._semaphore.locked() and self._waiting >= self._max_waiting:
            raise Crowded
        self._waiting += 1
        try:
            await self._semaphore.acquire()
        finally:
            self._waiting -= 1
        try:
            yield
        finally:
            self._semaphore.release()
