"""Restoring into a Redis: who uses it, what it holds, and a mark in it until the restore is complete."""

from __future__ import annotations

import asyncio
import time
from typing import Self

from redis.exceptions import RedisError

from server.redis_pipeline import Pipeline, pipeline_from_url, reason

from .api import StorageFailed, StoreUnusable

_AT_ONCE = 1000


class RedisRestore:
    """A Redis, or a cluster, before and during a restore. Use `at` to make one, and await `close` at the end."""

    def __init__(self, pipeline: Pipeline, prefix: str) -> None:
        self._pipeline = pipeline
        self._prefix = prefix
        self._mark = f"{prefix}restoring"

    @classmethod
    def at(cls, url: str, prefix: str = "sf:") -> Self:
        """Return the state of the Redis, or the cluster, at this URL. It connects on first use."""
        return cls(pipeline_from_url(url, StorageFailed), prefix)

    async def close(self) -> None:
        await self._pipeline.close()

    async def is_incomplete(self) -> bool:
        """Return whether a restore has begun and not ended."""
        return bool(await self._pipeline.command("EXISTS", self._mark))

    async def is_empty(self) -> bool:
        """Return whether there are neither tables nor users."""
        tables = await self._pipeline.command("SCARD", f"{self._prefix}tables")
        return not tables and not await self._pipeline.command("EXISTS", f"{self._prefix}records:{{user}}:values")

    async def has_workers(self) -> bool:
        """Return whether a worker is connected to the bus, or holds the lease of a table."""
        try:
            for client in await self._pipeline.clients():
                for _, subscribers in await client.pubsub_numsub(f"{self._prefix}bus:*"):
                    if subscribers:
                        return True
        except RedisError as error:
            raise StorageFailed(f"Redis failed: {reason(error)}.") from error
        names = [name.decode() for name in await self._pipeline.command("SMEMBERS", f"{self._prefix}tables")]
        now = time.time()
        for start in range(0, len(names), _AT_ONCE):
            keys = [f"{self._prefix}{{{name}}}:table" for name in names[start : start + _AT_ONCE]]
            leases = await asyncio.gather(*(self._pipeline.command("HMGET", key, "fence", "until") for key in keys))
            if any(fence and until is not None and float(until) > now for fence, until in leases):
                return True
        return False

    async def begin(self) -> None:
        """Set the mark, and delete everything else that servers have stored."""
        await self._pipeline.command("SET", self._mark, "")
        try:
            for client in await self._pipeline.clients():
                keys: list[str] = []
                async for key in client.scan_iter(match=f"{self._prefix}*", count=_AT_ONCE):
                    keys += [] if key == self._mark.encode() else [key.decode()]
                    if len(keys) >= _AT_ONCE:
                        await self._delete(keys)
                        keys = []
                await self._delete(keys)
        except RedisError as error:
            raise StorageFailed(f"Redis failed: {reason(error)}.") from error

    async def _delete(self, keys: list[str]) -> None:
        # One command for each: in a cluster the keys of one command must be in the same slot.
        await asyncio.gather(*(self._pipeline.command("UNLINK", key) for key in keys))

    async def end(self) -> None:
        """Delete the mark: servers may start."""
        await self._pipeline.command("DEL", self._mark)


async def check_restored(url: str) -> None:
    """Raise StoreUnusable, with a sentence for the operator, if a restore into this Redis is not complete."""
    restore = RedisRestore.at(url)
    try:
        if await restore.is_incomplete():
            raise StoreUnusable("A restore into this Redis is not complete. Run it again, or wait until it has ended.")
    except StorageFailed as error:
        raise StoreUnusable(str(error)) from error
    finally:
        await restore.close()
