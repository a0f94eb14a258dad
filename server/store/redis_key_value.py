"""KeyValueStore in Redis: for each kind the values, the keys in order, and when they expire."""

from __future__ import annotations

from typing import cast

from server.redis_pipeline import Pipeline

from .lua import TimeSource, script

_PUT = script("records", "put_record")
_GET = script("records", "get_record")
_TAKE = script("records", "take_record")
_FIND = script("records", "find_records")


class RedisKeyValueStore:
    """KeyValueStore by kind. `time` gives the time that is sent along; Redis takes its own where that is empty."""

    def __init__(self, pipeline: Pipeline, prefix: str, time: TimeSource) -> None:
        self._pipeline = pipeline
        self._prefix = prefix
        self._time = time

    async def put(self, kind: str, key: str, value: bytes, expires_at: float | None = None) -> None:
        await self._put(kind, key, value, expires_at, keep_old=False)

    async def put_if_absent(self, kind: str, key: str, value: bytes, expires_at: float | None = None) -> bool:
        return await self._put(kind, key, value, expires_at, keep_old=True)

    async def get(self, kind: str, key: str) -> bytes | None:
        return cast("bytes | None", await self._pipeline.run(_GET, self._keys(kind), self._time(), key))

    async def take(self, kind: str, key: str) -> bytes | None:
        return cast("bytes | None", await self._pipeline.run(_TAKE, self._keys(kind), self._time(), key))

    async def delete(self, kind: str, key: str) -> bool:
        return await self.take(kind, key) is not None

    async def find(self, kind: str, prefix: str = "") -> list[tuple[str, bytes]]:
        found = await self._pipeline.run(_FIND, self._keys(kind), self._time(), prefix)
        return [(key.decode(), value) for key, value in zip(found[::2], found[1::2], strict=True)]

    async def _put(self, kind: str, key: str, value: bytes, expires_at: float | None, *, keep_old: bool) -> bool:
        expires = "" if expires_at is None else repr(expires_at)
        written = await self._pipeline.run(_PUT, self._keys(kind), self._time(), key, value, expires, int(keep_old))
        return bool(written)

    def _keys(self, kind: str) -> tuple[str, str, str]:
        # The braces keep what belongs together on one node of a cluster.
        stem = f"{self._prefix}records:{{{kind}}}:"
        return f"{stem}values", f"{stem}keys", f"{stem}expiry"
