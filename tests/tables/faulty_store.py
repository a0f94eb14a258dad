"""A store that fails, loses replies, is slow or returns chosen results, and records the calls."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

from server.store.api import StorageFailed
from server.store.memory import MemoryStore

Fault = Callable[[Callable[[], Awaitable[Any]]], Awaitable[Any]]
"""Gets the real call as an argument, and runs it or not."""


async def fails(call: Callable[[], Awaitable[Any]]) -> Any:
    """Fail without storing anything."""
    raise StorageFailed("the disk is full")


async def loses_the_reply(call: Callable[[], Awaitable[Any]]) -> Any:
    """Store, and fail nevertheless."""
    await call()
    raise StorageFailed("the connection is lost")


async def works(call: Callable[[], Awaitable[Any]]) -> Any:
    return await call()


def takes(seconds: float) -> Fault:
    async def fault(call: Callable[[], Awaitable[Any]]) -> Any:
        await asyncio.sleep(seconds)
        return await call()

    return fault


def gives(result: Any) -> Fault:
    async def fault(call: Callable[[], Awaitable[Any]]) -> Any:
        return result

    return fault


def raises(error: Exception) -> Fault:
    async def fault(call: Callable[[], Awaitable[Any]]) -> Any:
        raise error

    return fault


class FaultyStore(MemoryStore):
    """A memory store. `plan` sets the faults of the next calls of a method, one after the other."""

    def __init__(self, monotonic: Callable[[], float], wall: Callable[[], float]) -> None:
        super().__init__(monotonic, wall)
        self.calls: list[str] = []
        self._plans: dict[str, deque[Fault]] = {}
        self._always: dict[str, Fault] = {}

    def plan(self, method: str, *faults: Fault) -> None:
        self._plans.setdefault(method, deque()).extend(faults)

    def always(self, method: str, fault: Fault) -> None:
        """Set the fault of every call of a method that has no planned one; `works` ends it."""
        self._always[method] = fault

    async def _call(self, method: str, call: Callable[[], Awaitable[Any]]) -> Any:
        self.calls.append(method)
        plan = self._plans.get(method)
        fault = plan.popleft() if plan else self._always.get(method, works)
        return await fault(call)

    async def create(self, *args: Any, **kwargs: Any) -> Any:
        return await self._call("create", lambda: super(FaultyStore, self).create(*args, **kwargs))

    async def claim(self, *args: Any, **kwargs: Any) -> Any:
        return await self._call("claim", lambda: super(FaultyStore, self).claim(*args, **kwargs))

    async def renew(self, *args: Any, **kwargs: Any) -> Any:
        return await self._call("renew", lambda: super(FaultyStore, self).renew(*args, **kwargs))

    async def release(self, *args: Any, **kwargs: Any) -> Any:
        return await self._call("release", lambda: super(FaultyStore, self).release(*args, **kwargs))

    async def append(self, *args: Any, **kwargs: Any) -> Any:
        return await self._call("append", lambda: super(FaultyStore, self).append(*args, **kwargs))

    async def read(self, *args: Any, **kwargs: Any) -> Any:
        return await self._call("read", lambda: super(FaultyStore, self).read(*args, **kwargs))

    async def answer_to(self, *args: Any, **kwargs: Any) -> Any:
        return await self._call("answer_to", lambda: super(FaultyStore, self).answer_to(*args, **kwargs))

    async def head(self, *args: Any, **kwargs: Any) -> Any:
        return await self._call("head", lambda: super(FaultyStore, self).head(*args, **kwargs))

    async def tables(self, *args: Any, **kwargs: Any) -> Any:
        return await self._call("tables", lambda: super(FaultyStore, self).tables(*args, **kwargs))
