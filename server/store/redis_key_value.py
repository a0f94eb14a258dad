"""The key-value store in Redis: for each kind a hash of values, the keys in order, and their times of expiry."""

from __future__ import annotations

from typing import cast

from server.redis_pipeline import Pipeline

from .api import KeyValue
from .lua import TimeSource, script

_PUT = script("key_value", "put_value")
_REPLACE = script("key_value", "replace_value")
_GET = script("key_value", "get_value", is_read_only=True)
_TAKE = script("key_value", "take_value")
_FIND = script("key_value", "find_values", is_read_only=True)
_PAGE = script("key_value", "page_values", is_read_only=True)


class RedisKeyValueStore:
    """A KeyValueStore in Redis. `time` returns the time argument of the scripts."""

    def __init__(self, pipeline: Pipeline, prefix: str, time: TimeSource) -> None:
        self._pipeline = pipeline
        self._prefix = prefix
        self._time = time

    async def put(self, kind: str, key: str, value: bytes, expires_at: float | None = None) -> None:
        await self._put(kind, key, value, expires_at, keep_old=False)

    async def put_if_absent(self, kind: str, key: str, value: bytes, expires_at: float | None = None) -> bool:
        return await self._put(kind, key, value, expires_at, keep_old=True)

    async def replace(
        self, kind: str, key: str, expected: bytes, value: bytes, expires_at: float | None = None
    ) -> bool:
        expires = "" if expires_at is None else repr(expires_at)
        arguments = (self._time(), key, expected, value, expires)
        return bool(await self._pipeline.run(_REPLACE, self._keys(kind), *arguments))

    async def get(self, kind: str, key: str) -> bytes | None:
        return cast("bytes | None", await self._pipeline.run(_GET, self._keys(kind), self._time(), key))

    async def take(self, kind: str, key: str) -> bytes | None:
        return cast("bytes | None", await self._pipeline.run(_TAKE, self._keys(kind), self._time(), key))

    async def delete(self, kind: str, key: str) -> bool:
        return await self.take(kind, key) is not None

    async def find(self, kind: str, prefix: str = "") -> list[tuple[str, bytes]]:
        found = await self._pipeline.run(_FIND, self._keys(kind), self._time(), prefix)
        return [(key.decode(), value) for key, value in zip(found[::2], found[1::2], strict=True)]

    async def kinds(self) -> list[str]:
        before, after = f"{self._prefix}records:{{", "}:values"
        found: set[str] = set()
        for client in await self._pipeline.clients():
            async for key in client.scan_iter(match=f"{before}*{after}", count=1000):
                found.add(key.decode().removeprefix(before).removesuffix(after))
        return sorted(found)

    async def page(self, kind: str, after: str = "", limit: int = 1000) -> list[KeyValue]:
        found = await self._pipeline.run(_PAGE, self._keys(kind), self._time(), after, limit)
        rows = zip(found[::3], found[1::3], found[2::3], strict=True)
        return [KeyValue(key.decode(), value, float(expiry) if expiry else None) for key, value, expiry in rows]

    async def _put(self, kind: str, key: str, value: bytes, expires_at: float | None, *, keep_old: bool) -> bool:
        expires = "" if expires_at is None else repr(expires_at)
        written = await self._pipeline.run(_PUT, self._keys(kind), self._time(), key, value, expires, int(keep_old))
        return bool(written)

    def _keys(self, kind: str) -> tuple[str, str, str]:
        # The hash tag keeps the keys of a kind in one slot of a cluster.
        stem = f"{self._prefix}records:{{{kind}}}:"
        return f"{stem}values", f"{stem}keys", f"{stem}expiry"
