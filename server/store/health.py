"""Checks whether the store works, is still the one that this process started with, and how durable it is.

A marker is written into a store when it is used for the first time: a random id, and when that was. A store that has no
marker any more, or another one, works but has lost everything that was acknowledged: somebody emptied or replaced it,
or it came back without its data.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Self

from redis.exceptions import RedisError

from .api import KeyValueStore, StorageFailed, StoreUnusable, TableStore
from .redis_checks import StoreEvicts, check_redis

log = logging.getLogger(__name__)

INTERVAL: Final = 5.0
"""Seconds between two checks."""

TIMEOUT: Final = 2.0

PROBE_BYTES: Final = 16 * 1024
"""The size of the test write: no move is larger, so where this fits, a move does."""

_MARKER: Final = ("store", "identity")
_PROBE: Final = ("probe", "health")
_PROBE_LIFE: Final = 60.0


@dataclass(frozen=True, slots=True)
class StoreState:
    """What is known of a store."""

    state: str
    """`ok`; `failing`: it does not answer or does not store; `emptied`: its marker is gone; `replaced`: it is another
    store, or its file was deleted or replaced."""

    durability: str
    since: str
    """When the store was first used, in UTC."""


@dataclass(frozen=True, slots=True)
class _Marker:
    id: str
    since: str


class StoreHealth:
    """The checks of one store. `open` makes one when the process starts."""

    def __init__(
        self,
        key_values: KeyValueStore,
        marker: _Marker,
        durability: Callable[[], Awaitable[str]],
        last_durability: str,
        file: Path | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._key_values = key_values
        self._marker = marker
        self._ask_durability = durability
        self._durability = last_durability
        self._file = file
        self._file_ids = _file_ids(file)
        self._clock = clock
        self._is_writing = True
        """Whether the last test write succeeded."""
        self._identity = "ok"
        self._written_at = float("-inf")
        self._probe = secrets.token_bytes(PROBE_BYTES)

    @classmethod
    async def open(
        cls,
        store: TableStore,
        durability: Callable[[], Awaitable[str]],
        last_durability: str,
        file: Path | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> Self:
        """Read the marker of the store, or write it if this is the first start; raise StorageFailed if that fails."""
        marker = await _read(store.key_values) or await _mark(store, is_shared=file is None)
        return cls(store.key_values, marker, durability, last_durability, file, clock)

    async def __call__(self) -> StoreState:
        """Return the state of the store, after checks that are at most `INTERVAL` seconds old."""
        if self._clock() - self._written_at >= INTERVAL:
            self._written_at = self._clock()
            await self.look()
            await self._write()
        state = self._identity if self._identity != "ok" else "ok" if self._is_writing else "failing"
        return StoreState(state, self._durability, self._marker.since)

    async def watch(self) -> None:
        """Check without writing, until cancelled: the log tells of changes even if nobody asks for the health."""
        while True:
            await asyncio.sleep(INTERVAL)
            await self.look()

    async def look(self) -> None:
        """Check the identity and the durability of the store."""
        identity = await self._find_identity()
        if identity != self._identity:
            self._identity = identity
            if identity == "emptied":
                log.error("store emptied", extra={"since": self._marker.since})
            elif identity == "replaced":
                log.error("store replaced", extra={"since": self._marker.since})
        durability = await self._find_durability()
        if durability != self._durability:
            log.warning("durability changed", extra={"was": self._durability, "now": durability})
            self._durability = durability

    async def _find_identity(self) -> str:
        if _file_ids(self._file) != self._file_ids:
            return "replaced"
        try:
            async with asyncio.timeout(TIMEOUT):
                found = await _read(self._key_values)
        except (StorageFailed, TimeoutError):
            return "failing"
        if found is None:
            return "emptied"
        return "ok" if found.id == self._marker.id else "replaced"

    async def _find_durability(self) -> str:
        try:
            async with asyncio.timeout(TIMEOUT):
                return await self._ask_durability()
        except (StorageFailed, TimeoutError):
            return "unverified"

    async def _write(self) -> None:
        try:
            async with asyncio.timeout(TIMEOUT):
                await self._key_values.put(*_PROBE, self._probe, time.time() + _PROBE_LIFE)
            self._is_writing = True
        except (StorageFailed, TimeoutError):
            self._is_writing = False


async def redis_durability(url: str) -> str:
    """Return the durability of a Redis that is in use: as `check_redis`, or what makes it unfit by now."""
    try:
        return await check_redis(url)
    except StoreEvicts:
        return "evicting"
    except (StoreUnusable, RedisError, OSError):
        # Redis does not answer, or went away between two questions.
        return "unverified"


async def _read(key_values: KeyValueStore) -> _Marker | None:
    value = await key_values.get(*_MARKER)
    if value is None:
        return None
    try:
        found = json.loads(value)
        return _Marker(str(found["id"]), str(found["since"]))
    except (ValueError, TypeError, KeyError):
        # Not ours: as good as another store.
        return _Marker("", "")


async def _mark(store: TableStore, *, is_shared: bool) -> _Marker:
    """Write the marker into a store that has none. If another worker is faster, its marker counts."""
    rows = await store.tables()
    # A store of an earlier version has tables but no marker; it is at least as old as its oldest table.
    first = min((row.updated for row in rows), default=time.time())
    since = datetime.fromtimestamp(first, UTC).isoformat(timespec="seconds")
    value = json.dumps({"id": secrets.token_hex(16), "since": since}).encode()
    if await store.key_values.put_if_absent(*_MARKER, value) and not rows:
        if is_shared:
            log.warning("store is new", extra={"since": since})
        else:
            log.info("store is new", extra={"since": since})
    marker = await _read(store.key_values)
    if marker is None:
        raise StorageFailed("The store did not keep its first value.")
    return marker


def _file_ids(file: Path | None) -> tuple[tuple[int, int] | None, ...]:
    """Return device and inode of a database file and its write-ahead log, or None for each that is missing."""
    return () if file is None else tuple(_file_id(path) for path in (file, file.with_name(f"{file.name}-wal")))


def _file_id(path: Path) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino
