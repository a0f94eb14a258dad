"""Rate limits that all workers share: one theoretical arrival time (GCRA) for each key, in Redis.

A limit is one key and each step one Lua script, so it holds over all workers, in a Redis Cluster too, and as long as
Redis keeps its data. The clock is that of Redis. Each worker remembers what Redis told it, and refuses by that without
a round trip: nobody's debt shrinks faster than time passes, so a refusal that was right stays right until then.

Limits fail open: without an answer within a quarter of a second, the worker decides by what it has granted itself.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final, Self

from server.rate_limit import FREE, Clock, Rate, Throttle
from server.redis_pipeline import Pipeline, pipeline_from_url

from .lua import script

REPLY_SECONDS: Final = 0.25
"""The longest time for which a request waits for its limit."""

PAUSE_SECONDS: Final = 1.0
"""The time after a failure for which Redis is not asked, so that requests do not queue up behind it."""

_TAKE: Final = script("take_limit")


class LimitsUnavailable(Exception):
    """Redis did not answer."""


class RedisLimits:
    """A source of limiters in Redis. All its keys begin with `prefix`; tests replace the clock of Redis."""

    def __init__(
        self,
        pipeline: Pipeline,
        prefix: str = "sf:",
        redis_clock: Callable[[], float] | None = None,
        clock: Clock = time.monotonic,
    ) -> None:
        self.on_unavailable: Callable[[], None] = lambda: None
        """Called for each decision that is made without Redis."""

        self._pipeline = pipeline
        self._prefix = prefix
        self._redis_clock = redis_clock
        self._clock = clock
        self._paused_until = float("-inf")

    @classmethod
    def at(cls, url: str, prefix: str = "sf:") -> Self:
        """Return a source in the Redis, or the cluster, at this URL. It has a connection of its own.

        Its commands must not queue up behind the appends of moves, nor before them.
        """
        return cls(pipeline_from_url(url, LimitsUnavailable), prefix)

    def limiter(self, name: str, rate: Rate) -> RedisLimiter:
        return RedisLimiter(self, name, Throttle(rate, self._clock))

    async def ask(self, name: str, key: str, rate: Rate) -> tuple[float, float] | None:
        """Return the seconds to wait and the seconds of debt after taking one; None without an answer from Redis."""
        if self._clock() < self._paused_until:
            self.on_unavailable()
            return None
        now = "" if self._redis_clock is None else repr(self._redis_clock())
        try:
            async with asyncio.timeout(REPLY_SECONDS):
                wait, debt = await self._pipeline.run(
                    _TAKE, (f"{self._prefix}limit:{name}:{key}",), now, repr(rate.interval), repr(rate.tolerance)
                )
        except (LimitsUnavailable, TimeoutError):
            self.on_unavailable()
            self._paused_until = self._clock() + PAUSE_SECONDS
            return None
        return float(wait), float(debt)

    async def close(self) -> None:
        await self._pipeline.close()


class RedisLimiter:
    """One limit in Redis, and what this worker knows of it."""

    def __init__(self, limits: RedisLimits, name: str, known: Throttle) -> None:
        self._limits = limits
        self._name = name
        self._known = known

    @property
    def rate(self) -> Rate:
        return self._known.rate

    def wait(self, key: str) -> float:
        return self._known.wait(key)

    async def take(self, key: str) -> float:
        wait = self._known.wait(key)
        if wait != FREE:
            return wait
        answer = await self._limits.ask(self._name, key, self.rate)
        if answer is None:
            return self._known.take(key)
        wait, debt = answer
        self._known.set_debt(key, debt)
        return wait
