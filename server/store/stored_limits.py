"""Rate limits of a single process that survive its restart.

The process decides alone and at once. Every few seconds the debts that have changed are written to the key-value store,
each until it is paid, so that a restart gives nobody a new burst. A killed process loses the last few seconds.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from itertools import islice
from typing import Final, Self

from server.rate_limit import FREE, Clock, Rate, Throttle

from .api import KeyValueStore, StorageFailed

log = logging.getLogger(__name__)

KIND: Final = "limit"

SAVE_SECONDS: Final = 5.0
"""The time between two writes. A debt that is shorter is not worth one."""

MAX_SAVED: Final = 500
"""Debts in one write; more of them wait for the next one."""


class StoredLimits:
    """A source of limiters. Created by `open`; `wall` returns the seconds since 1970."""

    def __init__(self, key_values: KeyValueStore, clock: Clock, wall: Callable[[], float]) -> None:
        self._key_values = key_values
        self._clock = clock
        self._wall = wall
        self._throttles: dict[str, Throttle] = {}
        self._loaded: dict[str, dict[str, float]] = {}
        """By name and key, when the debts that were stored will be paid."""

        self._changed: dict[tuple[str, str], None] = {}
        self._saving: asyncio.Task[None] | None = None

    @classmethod
    async def open(
        cls, key_values: KeyValueStore, clock: Clock = time.monotonic, wall: Callable[[], float] = time.time
    ) -> Self:
        """Return a source with the debts in the store."""
        limits = cls(key_values, clock, wall)
        for found, value in await key_values.find(KIND):
            name, _, key = found.partition(" ")
            limits._loaded.setdefault(name, {})[key] = float(value)
        return limits

    def start(self) -> None:
        """Begin to write changed debts every few seconds."""
        self._saving = asyncio.get_running_loop().create_task(self._save_regularly())

    async def close(self) -> None:
        """Write what has changed, and stop."""
        if self._saving is not None:
            self._saving.cancel()
            await asyncio.gather(self._saving, return_exceptions=True)
        while self._changed and await self.save():
            pass

    def limiter(self, name: str, rate: Rate) -> StoredLimiter:
        throttle = self._throttles.get(name)
        if throttle is None:
            throttle = self._throttles[name] = Throttle(rate, self._clock)
            for key, paid_at in self._loaded.pop(name, {}).items():
                throttle.set_debt(key, max(0.0, paid_at - self._wall()))
        return StoredLimiter(name, throttle, self._changed)

    async def save(self) -> bool:
        """Write some of the debts that have changed; return False if the store failed, and keep them for later."""
        changed = list(islice(self._changed, MAX_SAVED))
        for name_and_key in changed:
            del self._changed[name_and_key]
        try:
            await asyncio.gather(*(self._put(name, key) for name, key in changed))
        except StorageFailed:
            log.warning("limits not stored", extra={"count": len(changed)})
            self._changed.update(dict.fromkeys(changed))
            return False
        return True

    async def _put(self, name: str, key: str) -> None:
        debt = self._throttles[name].debt(key)
        if debt >= SAVE_SECONDS:
            paid_at = self._wall() + debt
            await self._key_values.put(KIND, f"{name} {key}", repr(paid_at).encode(), paid_at)

    async def _save_regularly(self) -> None:
        while True:
            await asyncio.sleep(SAVE_SECONDS)
            await self.save()


class StoredLimiter:
    """One limit that survives a restart."""

    def __init__(self, name: str, throttle: Throttle, changed: dict[tuple[str, str], None]) -> None:
        self._name = name
        self._throttle = throttle
        self._changed = changed

    @property
    def rate(self) -> Rate:
        return self._throttle.rate

    def wait(self, key: str) -> float:
        return self._throttle.wait(key)

    async def take(self, key: str) -> float:
        wait = self._throttle.take(key)
        if wait == FREE:
            self._changed[self._name, key] = None
        return wait
