"""The store of many processes: a Redis that all of them share.

Every operation on a table is one Lua script over keys with the same hash tag, so it is atomic, in a cluster too. Leases
use the clock of Redis, which is the same for all workers. Acknowledged appends are as durable as Redis is configured
to be: with `appendfsync always` they are on its disk. With `replicas` they are also in the memory of so many replicas,
so they survive the promotion of any one of these.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from itertools import compress
from struct import pack, unpack_from
from typing import NamedTuple, Self
from weakref import WeakValueDictionary
from zlib import compress as deflate
from zlib import decompress

import msgpack

from server.redis_pipeline import Pipeline, pipeline_from_url

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
    NewEntry,
    Position,
    Reused,
    Rewound,
    StorageFailed,
    TableCopy,
    TableRow,
    chain,
    chained,
    end_of,
    verified,
)
from .games_api import GameIndex
from .lua import script
from .redis_games import RedisGameIndex
from .redis_key_value import RedisKeyValueStore

_CREATE = script("log", "create")
_CLAIM = script("claim")
_RENEW = script("renew")
_RELEASE = script("release")
_APPEND = script("log", "append")
_READ = script("log", "read", is_read_only=True)
_ARCHIVE = script("archive")
_COPY = script("copy", is_read_only=True)
_RESTORE = script("restore")

_PAGE = 1000
_RENEWED_AT_ONCE = 100
"""Leases that one script renews; Redis serves nobody else meanwhile."""


class _Archive(NamedTuple):
    """The entries and the answers by idempotency key of a finished game, unpacked from one compressed value."""

    entries: list[LogEntry]
    answers: dict[bytes, bytes]


class RedisStore:
    """A TableStore in Redis. All its keys begin with `prefix`; tests replace the clock of Redis by `clock`."""

    def __init__(self, pipeline: Pipeline, prefix: str = "sf:", clock: Callable[[], float] | None = None) -> None:
        self._pipeline = pipeline
        self._prefix = prefix
        self._clock = clock
        self._key_values = RedisKeyValueStore(self._pipeline, prefix, self._time)
        self._games = RedisGameIndex(self._pipeline, prefix, self._finished)
        self._append_locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """Locks by table, of the tables that are being appended to."""

    @classmethod
    def at(cls, url: str, prefix: str = "sf:", clock: Callable[[], float] | None = None, *, replicas: int = 0) -> Self:
        """Return a store in the Redis, or the cluster, at this URL. It connects on first use.

        So many `replicas` must confirm each write before it is acknowledged.
        """
        return cls(pipeline_from_url(url, StorageFailed, replicas), prefix, clock)

    @property
    def key_values(self) -> KeyValueStore:
        return self._key_values

    @property
    def games(self) -> GameIndex:
        return self._games

    async def create(self, table: str, phase: str, summary: bytes, payloads: Sequence[bytes] = ()) -> Created | Exists:
        entries = chained(("", payload) for payload in payloads)
        end = end_of(entries)
        arguments = [word for entry in entries for word in (entry.head, entry.payload)]
        # Add the name first: a listed name without a table is skipped, an unlisted table would never be found.
        await self._pipeline.command("SADD", self._list, table)
        keys = (self._key(table), self._key(table, "log"))
        created = await self._pipeline.run(_CREATE, keys, self._time(), phase, summary, end.head, *arguments)
        return Created(end.seq, end.head) if created else Exists()

    async def tables(self, phase: str | None = None) -> list[TableRow]:
        names = [name.decode() for name in await self._pipeline.command("SMEMBERS", self._list)]
        rows = [row for row in await self.rows(names) if phase is None or row.phase == phase]
        return sorted(rows, key=lambda row: (-row.updated, row.table))

    async def rows(self, tables: Sequence[str]) -> list[TableRow]:
        names = list(set(tables))
        fields = ("phase", "about", "seq", "updated")
        found = await asyncio.gather(*(self._pipeline.command("HMGET", self._key(name), *fields) for name in names))
        return [
            TableRow(name, table_phase.decode(), summary, int(seq), float(updated))
            for name, (table_phase, summary, seq, updated) in zip(names, found, strict=True)
            if table_phase is not None
        ]

    async def claim(
        self, table: str, worker: str, ttl_seconds: float, dead_worker: str = ""
    ) -> Claimed | Held | Missing:
        nonce = secrets.token_hex(8)
        arguments = (self._time(), worker, ttl_seconds, nonce, dead_worker)
        match await self._pipeline.run(_CLAIM, (self._key(table),), *arguments):
            case [b"claimed", fence, seq, head]:
                return Claimed(fence.decode(), int(seq), head)
            case [b"held", by]:
                return Held(by.decode())
        return Missing()

    async def renew(self, fences: Mapping[str, str], ttl_seconds: float) -> frozenset[str]:
        tables = list(fences)
        size = _RENEWED_AT_ONCE if self._pipeline.takes_keys_of_all_slots else 1
        chunks = [tables[start : start + size] for start in range(0, len(tables), size)]
        owned = await asyncio.gather(*(self._renew(chunk, fences, ttl_seconds) for chunk in chunks))
        return frozenset(tables) - frozenset().union(*owned)

    async def release(self, table: str, fence: str) -> bool:
        return bool(await self._pipeline.run(_RELEASE, (self._key(table),), fence))

    async def append(self, table: str, fence: str, expected: Position, entry: NewEntry) -> AppendResult:
        seq = expected.seq + 1
        head = chain(expected.head, seq, entry.payload)
        # The next append must not overtake one that has to look into the archive first.
        async with self._append_locks.setdefault(table, asyncio.Lock()):
            for has_read_archive in (False, True):
                result = await self._pipeline.run(
                    _APPEND,
                    (self._key(table), self._key(table, "log"), self._key(table, "commands")),
                    self._time(),
                    fence,
                    expected.seq,
                    expected.head,
                    _optional(entry.idempotency_key),
                    _joined(entry.request_hash, entry.answer),
                    _optional(entry.summary),
                    _optional(entry.phase),
                    int(has_read_archive),
                    head,
                    entry.payload,
                )
                match result:
                    case [b"appended"]:
                        return Appended(seq, head)
                    case [b"known", stored]:
                        return _known(stored, entry.request_hash)
                    case [b"conflict", end_seq, end_head]:
                        return Conflict(end_seq, end_head)
                    case [b"rewound", end_seq, end_head]:
                        return Rewound(end_seq, end_head)
                    case [b"stale", end_seq, end_head]:
                        is_in_log = await self._has(table, expected)
                        return Conflict(end_seq, end_head) if is_in_log else Rewound(end_seq, end_head)
                    case [b"archived"]:
                        assert entry.idempotency_key is not None
                        known = await self._archived_answer(table, entry.idempotency_key, entry.request_hash)
                        if known is not None:
                            return known
                    case _:
                        return Fenced()
            raise AssertionError("the script asked for the archive twice")

    async def answer_to(self, table: str, idempotency_key: str, request_hash: bytes) -> Known | Reused | None:
        stored = await self._pipeline.command("HGET", self._key(table, "commands"), _optional(idempotency_key))
        if stored is None:
            return await self._archived_answer(table, idempotency_key, request_hash)
        return _known(stored, request_hash)

    async def read(self, table: str, after: int = 0, limit: int = 1000) -> list[LogEntry]:
        found = await self._pipeline.run(_READ, (self._key(table), self._key(table, "log")), after, limit)
        if found is None or after > found[0]:
            return []
        seq, head, head_before, raw, archived = found
        if after < archived:
            archive = await self._archive(table)
            if len(archive.entries) != archived:
                raise LogDamaged(table, len(archive.entries) + 1)
            start = end_of(archive.entries[:after])
            page = archive.entries[after : after + limit]
            intact = verified(table, start, end_of(archive.entries), limit, page)
            rest = limit - len(intact)
            return intact + (await self.read(table, archived, rest) if rest and archived < seq else [])
        if not head_before:
            raise LogDamaged(table, after)
        return verified(table, Position(after, head_before), Position(seq, head), limit, map(_log_entry, raw))

    async def head(self, table: str) -> Position | None:
        seq, head = await self._pipeline.command("HMGET", self._key(table), "seq", "head")
        return None if seq is None else Position(int(seq), head)

    async def archive(self, table: str, fence: str) -> bool:
        end = await self.head(table)
        if end is None:
            return False
        entries = await self.read(table, 0, end.seq + 1)
        answers = (await self._archive(table)).answers
        flat = await self._pipeline.command("HGETALL", self._key(table, "commands"))
        answers |= dict(zip(flat[::2], flat[1::2], strict=True)) if isinstance(flat, list) else flat
        packed = _packed(entries, answers)
        return bool(await self._pipeline.run(_ARCHIVE, self._keys(table), fence, end.seq, packed))

    async def names(self) -> list[str]:
        found = sorted(name.decode() for name in await self._pipeline.command("SMEMBERS", self._list))
        # A name may be listed whose table was never created.
        exist = await asyncio.gather(*(self._pipeline.command("EXISTS", self._key(name)) for name in found))
        return [name for name, is_there in zip(found, exist, strict=True) if is_there]

    async def copy(self, table: str) -> TableCopy | None:
        keys = (self._key(table), self._key(table, "commands"), self._key(table, "archive"))
        found = await self._pipeline.run(_COPY, keys)
        if found is None:
            return None
        (phase, summary, updated, epoch, seq, head), flat, archive = found
        end = Position(int(seq), head)
        answers = _unpacked(archive).answers if archive else {}
        answers |= dict(zip(flat[::2], flat[1::2], strict=True))
        log: list[LogEntry] = []
        while len(log) < end.seq and (page := await self.read(table, len(log), min(_PAGE, end.seq - len(log)))):
            log += page
        if end_of(log) != end:
            raise LogDamaged(table, len(log) + 1 if len(log) < end.seq else end.seq)
        known = {key[1:].decode(): _request_and_answer(stored) for key, stored in answers.items()}
        return TableCopy(table, phase.decode(), summary, float(updated), int(epoch), log, known)

    async def restore(self, copy: TableCopy, *, compact: bool = False) -> bool:
        end = end_of(copy.entries)
        answers = {_optional(key): _joined(*known) for key, known in copy.answers.items()}
        details: list[bytes | str] = []
        if not compact:
            details += [word for entry in copy.entries for word in (entry.head, entry.fence, entry.payload)]
            details += [word for each in answers.items() for word in each]
        row = (copy.phase, copy.summary, repr(copy.updated), copy.epoch, end.seq, end.head)
        archive = _packed(copy.entries, answers) if compact else b""
        await self._pipeline.command("SADD", self._list, copy.table)
        entries = 0 if compact else end.seq
        return bool(await self._pipeline.run(_RESTORE, self._keys(copy.table), *row, archive, entries, *details))

    async def close(self) -> None:
        await self._pipeline.close()

    async def _renew(self, tables: list[str], fences: Mapping[str, str], ttl_seconds: float) -> set[str]:
        """Renew the leases on tables in one step; return the tables whose fence is the current one."""
        keys = tuple(map(self._key, tables))
        tokens = [fences[table] for table in tables]
        owned = await self._pipeline.run(_RENEW, keys, self._time(), ttl_seconds, *tokens)
        return set(compress(tables, owned))

    async def _finished(self, are_new: Callable[[Sequence[str]], Awaitable[list[str]]]) -> list[str]:
        """Return the tables in the phase `over` among those for which `are_new` holds, the oldest first."""
        names = [name.decode() for name in await self._pipeline.command("SMEMBERS", self._list)]
        found: list[tuple[float, str]] = []
        for first in range(0, len(names), _PAGE):
            new = await are_new(names[first : first + _PAGE])
            found += [(row.updated, row.table) for row in await self.rows(new) if row.phase == "over"]
        return [name for _, name in sorted(found)]

    async def _has(self, table: str, position: Position) -> bool:
        """Return whether a log contains this position."""
        if position.seq == 0:
            return position.head == GENESIS and await self.head(table) is not None
        found = await self.read(table, position.seq - 1, 1)
        return bool(found) and found[0].head == position.head

    async def _archive(self, table: str) -> _Archive:
        packed = await self._pipeline.command("GET", self._key(table, "archive"))
        return _Archive([], {}) if packed is None else _unpacked(packed)

    async def _archived_answer(self, table: str, idempotency_key: str, request_hash: bytes) -> Known | Reused | None:
        stored = (await self._archive(table)).answers.get(_optional(idempotency_key))
        return None if stored is None else _known(stored, request_hash)

    def _time(self) -> str:
        return "" if self._clock is None else repr(self._clock())

    @property
    def _list(self) -> str:
        return f"{self._prefix}tables"

    def _key(self, table: str, part: str = "table") -> str:
        # The hash tag keeps the keys of a table in one slot of a cluster.
        return f"{self._prefix}{{{table}}}:{part}"

    def _keys(self, table: str) -> tuple[str, ...]:
        return tuple(self._key(table, part) for part in ("table", "log", "commands", "archive"))


def _packed(entries: Sequence[LogEntry], answers: Mapping[bytes, bytes]) -> bytes:
    """Return an archive as one compressed value."""
    return deflate(msgpack.packb([[(entry.fence, entry.payload) for entry in entries], answers]), level=9)


def _unpacked(packed: bytes) -> _Archive:
    entries, answers = msgpack.unpackb(decompress(packed), strict_map_key=False)
    return _Archive(chained(entries), answers)


def _optional(value: str | bytes | None) -> bytes:
    """Return the argument for an optional value: empty for None, else `+` and the value, which may be empty."""
    if value is None:
        return b""
    return b"+" + (value.encode() if isinstance(value, str) else value)


def _known(stored: bytes, request_hash: bytes) -> Known | Reused:
    """Return the result for a known idempotency key."""
    digest, answer = _request_and_answer(stored)
    return Known(answer) if digest == request_hash else Reused()


def _joined(request_hash: bytes, answer: bytes) -> bytes:
    """Return what is stored for an idempotency key: the length of the hash in two bytes, the hash, and the answer."""
    return pack(">H", len(request_hash)) + request_hash + answer


def _request_and_answer(stored: bytes) -> tuple[bytes, bytes]:
    (length,) = unpack_from(">H", stored)
    start = 2 + length
    return stored[2:start], stored[start:]


def _log_entry(entry: Sequence[bytes | Sequence[bytes]]) -> LogEntry:
    name, fields = entry
    assert isinstance(name, bytes)
    _, head, _, fence, _, payload = fields
    assert isinstance(head, bytes)
    assert isinstance(fence, bytes)
    assert isinstance(payload, bytes)
    return LogEntry(int(name.partition(b"-")[0]), head, fence.decode(), payload)
