"""The store of many processes: a Redis that all of them share.

Every step on a table is one Lua script over keys with the same hash tag, so it is atomic, also in a cluster. Leases run
by the clock of Redis, which is the same for all workers; as everywhere, only the compare-and-set in `append` makes
writing safe. What was answered is as durable as the Redis is told to be: with `appendfsync always` it is on its disk.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from struct import pack, unpack_from
from typing import NamedTuple, Self
from weakref import WeakValueDictionary
from zlib import compress, decompress

import msgpack

from server.redis_pipeline import Pipeline, Word, pipeline_from_url

from .api import (
    GENESIS,
    Appended,
    AppendResult,
    Claimed,
    Conflict,
    Created,
    Exists,
    Fenced,
    Held,
    KeyValueStore,
    Known,
    LogDamaged,
    LogEntry,
    Missing,
    Position,
    Reused,
    Rewound,
    Snapshot,
    StorageFailed,
    TableRow,
    chain,
    checked,
)
from .lua import script
from .redis_key_value import RedisKeyValueStore

_CREATE = script("log", "create")
_CLAIM = script("claim")
_RENEW = script("renew")
_RELEASE = script("release")
_APPEND = script("log", "append")
_READ = script("log", "read")
_PUT_SNAPSHOT = script("put_snapshot")
_ARCHIVE = script("archive")


class _Archive(NamedTuple):
    """The first events of a log and the commands that they answer, as they are kept when a game is over."""

    entries: list[LogEntry]
    commands: dict[bytes, bytes]


class RedisStore:
    """A TableStore in Redis. `prefix` begins all its keys; `clock`, for tests, is used instead of Redis's own."""

    def __init__(self, pipeline: Pipeline, prefix: str = "sf:", clock: Callable[[], float] | None = None) -> None:
        self._pipeline = pipeline
        self._prefix = prefix
        self._clock = clock
        self._key_values = RedisKeyValueStore(self._pipeline, prefix, self._time)
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """By table: whose turn it is to append, while anybody does."""

    @classmethod
    def at(cls, url: str, prefix: str = "sf:", clock: Callable[[], float] | None = None) -> Self:
        """Use the Redis, or the cluster, of this address; a connection is made when it is needed."""
        return cls(pipeline_from_url(url, StorageFailed), prefix, clock)

    @property
    def key_values(self) -> KeyValueStore:
        return self._key_values

    async def create(self, table: str, phase: str, summary: bytes, entries: Sequence[bytes] = ()) -> Created | Exists:
        end, grown = _grown(Position(0, GENESIS), entries)
        # First the list: a name in it without a table is passed over, a table that is not in it would be lost.
        await self._pipeline.command("SADD", self._list, table)
        keys = (self._key(table), self._key(table, "log"))
        created = await self._pipeline.run(_CREATE, keys, self._time(), phase, summary, end.head, *grown)
        return Created(end.seq, end.head) if created else Exists()

    async def tables(self, phase: str | None = None) -> list[TableRow]:
        names = [name.decode() for name in await self._pipeline.command("SMEMBERS", self._list)]
        wanted = ("phase", "about", "seq", "updated")
        found = await asyncio.gather(*(self._pipeline.command("HMGET", self._key(name), *wanted) for name in names))
        rows = [
            TableRow(name, of_phase.decode(), summary, int(seq), float(updated))
            for name, (of_phase, summary, seq, updated) in zip(names, found, strict=True)
            if of_phase is not None and (phase is None or of_phase.decode() == phase)
        ]
        return sorted(rows, key=lambda row: (-row.updated, row.table))

    async def claim(self, table: str, worker: str, ttl_seconds: float) -> Claimed | Held | Missing:
        nonce = secrets.token_hex(8)
        match await self._pipeline.run(_CLAIM, (self._key(table),), self._time(), worker, ttl_seconds, nonce):
            case [b"claimed", fence, seq, head]:
                return Claimed(fence.decode(), int(seq), head)
            case [b"held", by]:
                return Held(by.decode())
        return Missing()

    async def renew(self, fences: Mapping[str, str], ttl_seconds: float) -> frozenset[str]:
        renewed = (
            self._pipeline.run(_RENEW, (self._key(table),), self._time(), fence, ttl_seconds)
            for table, fence in fences.items()
        )
        owned = await asyncio.gather(*renewed)
        return frozenset(table for table, is_owned in zip(fences, owned, strict=True) if not is_owned)

    async def release(self, table: str, fence: str) -> bool:
        return bool(await self._pipeline.run(_RELEASE, (self._key(table),), fence))

    async def append(
        self,
        table: str,
        fence: str,
        expected_seq: int,
        expected_head: bytes,
        command_id: str | None,
        request_hash: bytes,
        answer: bytes,
        entries: Sequence[bytes],
        summary: bytes | None = None,
        phase: str | None = None,
    ) -> AppendResult:
        if not entries:
            raise ValueError("An append needs at least one event.")
        end, grown = _grown(Position(expected_seq, expected_head), entries)
        # An append that has to look into the archive first must not be overtaken by the next.
        async with self._turns.setdefault(table, asyncio.Lock()):
            for was_archive_asked in (False, True):
                result = await self._pipeline.run(
                    _APPEND,
                    (self._key(table), self._key(table, "log"), self._key(table, "commands")),
                    self._time(),
                    fence,
                    expected_seq,
                    expected_head,
                    _given(command_id),
                    pack(">H", len(request_hash)) + request_hash + answer,
                    _given(summary),
                    _given(phase),
                    end.head,
                    int(was_archive_asked),
                    *grown,
                )
                match result:
                    case [b"appended"]:
                        return Appended(end.seq, end.head)
                    case [b"known", command]:
                        return _answer(command, request_hash)
                    case [b"conflict", seq, head]:
                        return Conflict(seq, head)
                    case [b"rewound", seq, head]:
                        return Rewound(seq, head)
                    case [b"stale", seq, head]:
                        has_seen = await self._has(table, Position(expected_seq, expected_head))
                        return Conflict(seq, head) if has_seen else Rewound(seq, head)
                    case [b"archived"]:
                        assert command_id is not None
                        known = await self._archived_answer(table, command_id, request_hash)
                        if known is not None:
                            return known
                    case _:
                        return Fenced()
            raise AssertionError("the archive was asked twice")

    async def answer_to(self, table: str, command_id: str, request_hash: bytes) -> Known | Reused | None:
        command = await self._pipeline.command("HGET", self._key(table, "commands"), _given(command_id))
        if command is None:
            return await self._archived_answer(table, command_id, request_hash)
        return _answer(command, request_hash)

    async def read(self, table: str, after: int = 0, limit: int = 1000) -> list[LogEntry]:
        found = await self._pipeline.run(_READ, (self._key(table), self._key(table, "log")), after, limit)
        if found is None or after > found[0]:
            return []
        seq, head, before, raw, archived = found
        if after < archived:
            archive = await self._archive(table)
            entries = archive.entries[after : after + limit]
            if len(archive.entries) != archived:
                raise LogDamaged(table, len(archive.entries) + 1)
            start = archive.entries[after - 1].head if after else GENESIS
            end = Position(archived, archive.entries[-1].head)
            good = checked(table, Position(after, start), end, limit, entries)
            rest = limit - len(good)
            return good + (await self.read(table, archived, rest) if rest and archived < seq else [])
        if not before:
            raise LogDamaged(table, after)
        return checked(table, Position(after, before), Position(seq, head), limit, map(_log_entry, raw))

    async def head(self, table: str) -> Position | None:
        seq, head = await self._pipeline.command("HMGET", self._key(table), "seq", "head")
        return None if seq is None else Position(int(seq), head)

    async def put_snapshot(self, table: str, fence: str, seq: int, head: bytes, version: str, blob: bytes) -> bool:
        if not await self._has(table, Position(seq, head)):
            return False
        keys = (self._key(table), self._key(table, "snapshot"))
        digest = sha256(blob).digest()
        return bool(await self._pipeline.run(_PUT_SNAPSHOT, keys, fence, seq, head, version, blob, digest))

    async def snapshot(self, table: str) -> Snapshot | None:
        seq, head, version, blob, digest = await self._pipeline.command(
            "HMGET", self._key(table, "snapshot"), "seq", "head", "version", "blob", "digest"
        )
        if seq is None or sha256(blob).digest() != digest or not await self._has(table, Position(int(seq), head)):
            return None
        return Snapshot(int(seq), head, version.decode(), blob)

    async def archive(self, table: str, fence: str) -> bool:
        end = await self.head(table)
        if end is None:
            return False
        entries = await self.read(table, 0, end.seq + 1)
        answers = {**(await self._archive(table)).commands}
        flat = await self._pipeline.command("HGETALL", self._key(table, "commands"))
        answers |= dict(zip(flat[::2], flat[1::2], strict=True)) if isinstance(flat, list) else flat
        packed = compress(msgpack.packb([[(event.fence, event.payload) for event in entries], answers]), level=9)
        parts = ("table", "log", "commands", "snapshot", "archive")
        keys = tuple(self._key(table, part) for part in parts)
        return bool(await self._pipeline.run(_ARCHIVE, keys, fence, end.seq, packed))

    async def close(self) -> None:
        await self._pipeline.close()

    async def _has(self, table: str, seen: Position) -> bool:
        """Tell whether the log of a table contains what was seen of it."""
        if seen.seq == 0:
            return seen.head == GENESIS and await self.head(table) is not None
        found = await self.read(table, seen.seq - 1, 1)
        return bool(found) and found[0].head == seen.head

    async def _archive(self, table: str) -> _Archive:
        packed = await self._pipeline.command("GET", self._key(table, "archive"))
        if packed is None:
            return _Archive([], {})
        stored, commands = msgpack.unpackb(decompress(packed), strict_map_key=False)
        entries: list[LogEntry] = []
        head = GENESIS
        for seq, (fence, payload) in enumerate(stored, 1):
            head = chain(head, seq, payload)
            entries.append(LogEntry(seq, head, fence, payload))
        return _Archive(entries, commands)

    async def _archived_answer(self, table: str, command_id: str, request_hash: bytes) -> Known | Reused | None:
        command = (await self._archive(table)).commands.get(_given(command_id))
        return None if command is None else _answer(command, request_hash)

    def _time(self) -> str:
        return "" if self._clock is None else repr(self._clock())

    @property
    def _list(self) -> str:
        return f"{self._prefix}tables"

    def _key(self, table: str, part: str = "table") -> str:
        # The braces keep what belongs together on one node of a cluster.
        return f"{self._prefix}{{{table}}}:{part}"


def _grown(end: Position, entries: Sequence[bytes]) -> tuple[Position, list[Word]]:
    """Give the end of a log after the events, and each with the head behind it, as the scripts want them."""
    seq, head = end.seq, end.head
    grown: list[Word] = []
    for payload in entries:
        seq += 1
        head = chain(head, seq, payload)
        grown += (head, payload)
    return Position(seq, head), grown


def _given(value: str | bytes | None) -> bytes:
    """Tell what was given, though it be empty, apart from nothing."""
    if value is None:
        return b""
    return b"+" + (value.encode() if isinstance(value, str) else value)


def _answer(command: bytes, request_hash: bytes) -> Known | Reused:
    (length,) = unpack_from(">H", command)
    start = 2 + length
    return Known(command[start:]) if command[2:start] == request_hash else Reused()


def _log_entry(entry: Sequence[bytes | Sequence[bytes]]) -> LogEntry:
    name, fields = entry
    assert isinstance(name, bytes)
    _, head, _, fence, _, payload = fields
    assert isinstance(head, bytes)
    assert isinstance(fence, bytes)
    assert isinstance(payload, bytes)
    return LogEntry(int(name.partition(b"-")[0]), head, fence.decode(), payload)
