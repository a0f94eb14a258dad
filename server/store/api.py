"""What a store promises: the log of every table, who may write to it, and small records beside it.

A log only grows, and every append is a compare-and-set on (fence, sequence, head hash) in one transaction. Safety
rests on that alone. A lease says only who may try; it may run out early, late or twice without harm.

The store never looks into what it keeps: events, answers, snapshots and records are bytes made by others.
A "no" to an append is a value. An exception means that the storage failed, or that a caller broke its duty.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Protocol

GENESIS = bytes(32)
"""The head of a log without events."""


def chain(head: bytes, seq: int, payload: bytes) -> bytes:
    """The head after event number `seq`, given the head before it."""
    return sha256(b"log/v1" + head + seq.to_bytes(8, "big") + payload).digest()


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One stored event. Events of a table are numbered 1, 2, 3, … without a gap.

    `fence` is that of the owner who wrote it, or empty for the events a table was created with.
    """

    seq: int
    head: bytes
    fence: str
    payload: bytes


@dataclass(frozen=True, slots=True)
class Position:
    """The end of a log: the number of its last event (0: none) and the head hash after it."""

    seq: int
    head: bytes


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A table as it was after event `seq`: a cache that may vanish at any time, never the truth.

    A reader that does not know `version` ignores the snapshot and replays the log.
    """

    seq: int
    head: bytes
    version: str
    blob: bytes


@dataclass(frozen=True, slots=True)
class TableRow:
    """One table in a list. `updated` is the wall-clock time of the last append, in seconds since 1970."""

    table: str
    phase: str
    summary: bytes
    seq: int
    updated: float


# Results of create.


@dataclass(frozen=True, slots=True)
class Created:
    """The table is durable, and ends at this position."""

    seq: int
    head: bytes


@dataclass(frozen=True, slots=True)
class Exists:
    """A table of that name was there already, and is unchanged."""


# Results of claim.


@dataclass(frozen=True, slots=True)
class Claimed:
    """The caller owns the table, whose log ends at this position. Every earlier fence is void."""

    fence: str
    seq: int
    head: bytes


@dataclass(frozen=True, slots=True)
class Held:
    """The lease of this worker has not run out."""

    by: str


@dataclass(frozen=True, slots=True)
class Missing:
    """There is no such table."""


# Results of append.


@dataclass(frozen=True, slots=True)
class Appended:
    """The events are durable, and the log now ends at this position."""

    seq: int
    head: bytes


@dataclass(frozen=True, slots=True)
class Known:
    """This command was appended before; here is the answer it got then. Nothing was written."""

    answer: bytes


@dataclass(frozen=True, slots=True)
class Reused:
    """The command id was used before with another request. Nothing was written."""


@dataclass(frozen=True, slots=True)
class Fenced:
    """The caller does not own the table, or no longer does. It must drop what it holds of it."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """The log begins with what the caller has seen, and goes on to this position. The caller must read on."""

    seq: int
    head: bytes


@dataclass(frozen=True, slots=True)
class Rewound:
    """The log, which ends at this position, does not contain what the caller has seen.

    The storage went back to an older copy. The caller must start afresh and tell the people at the table.
    """

    seq: int
    head: bytes


AppendResult = Appended | Known | Reused | Fenced | Conflict | Rewound


class StorageFailed(Exception):
    """The storage could not carry out a request: full, broken, overloaded or closed.

    Nothing was acknowledged. Whether an append took place is only certain after repeating it with the same command
    id: a process that is killed right after a failed write may find it stored.
    """


class StoreUnusable(Exception):
    """A store cannot be opened. The text is a sentence for the operator."""


class StoreInUse(StoreUnusable):
    """Another process has the store open."""


class StoreDamaged(StoreUnusable):
    """The file of the store is not what was written to it."""


class LogDamaged(Exception):
    """The log of one table is not what was appended to it; other tables are not concerned."""

    def __init__(self, table: str, seq: int) -> None:
        super().__init__(f"The log of table {table} is damaged at event {seq}.")
        self.table = table
        self.seq = seq


class KeyValueStore(Protocol):
    """Small durable values found by kind and key: users, hashed session tokens, one-time codes.

    `expires_at` is wall-clock time in seconds since 1970. From that moment on, a record is as good as deleted.
    """

    async def put(self, kind: str, key: str, value: bytes, expires_at: float | None = None) -> None:
        """Write a record, in place of any earlier one."""

    async def put_if_absent(self, kind: str, key: str, value: bytes, expires_at: float | None = None) -> bool:
        """Write a record if there is none; False, and no change, if there is one."""

    async def get(self, kind: str, key: str) -> bytes | None:
        """The value of a record, or None."""

    async def take(self, kind: str, key: str) -> bytes | None:
        """Delete a record and give its value, or None. Of several who ask at once, one gets it."""

    async def delete(self, kind: str, key: str) -> bool:
        """Delete a record; False if there was none."""

    async def find(self, kind: str, prefix: str = "") -> list[tuple[str, bytes]]:
        """All records of a kind whose key begins with `prefix`, as (key, value) in order of keys."""


class TableStore(Protocol):
    """The log of every table.

    Any call may be cancelled by its caller at any moment. What it asked for may then have happened or not; the
    store is in order either way.
    """

    @property
    def key_values(self) -> KeyValueStore:
        """The records kept in the same place, with the same durability."""

    async def create(self, table: str, phase: str, summary: bytes, entries: Sequence[bytes] = ()) -> Created | Exists:
        """Make a table that nobody owns yet, with its first events, if any."""

    async def tables(self, phase: str | None = None) -> list[TableRow]:
        """All tables, or those in one phase; the last updated first."""

    async def claim(self, table: str, worker: str, ttl_seconds: float) -> Claimed | Held | Missing:
        """Become the owner of a table, unless somebody's lease on it is running, be it the caller's own."""

    async def renew(self, fences: Mapping[str, str], ttl_seconds: float) -> frozenset[str]:
        """Prolong the leases of the tables in `fences` (table to fence); gives those the caller no longer owns.

        A lease that ran out is renewed all the same as long as nobody else claimed the table.
        """

    async def release(self, table: str, fence: str) -> bool:
        """Give up a table, so that it can be claimed at once; False if `fence` does not own it.

        The fence is void from then on: it neither appends nor renews.
        """

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
        """Add events to the end of a log, all or none, if the log ends exactly where the caller thinks it does.

        The checks, in this order: a known command gets its old answer, or Reused if its request hash differs, whoever
        asks and whatever else has changed; then the fence; then the position; then everything is written at once:
        events, answer, and the new `summary` and `phase` where given.

        `command_id` is None when nobody asked (a timer); then `request_hash` and `answer` are not kept. A command that
        changes nothing durable is not appended: without events this is a ValueError.
        """

    async def answer_to(self, table: str, command_id: str, request_hash: bytes) -> Known | Reused | None:
        """What `append` would say of a command that it knows, or None if it does not know it.

        None may be out of date as soon as it is told: only an append decides.
        """

    async def read(self, table: str, after: int = 0, limit: int = 1000) -> list[LogEntry]:
        """At most `limit` events that follow number `after`; none if there is no such table.

        Their hashes are checked; LogDamaged names the first event that is wrong or missing.
        """

    async def head(self, table: str) -> Position | None:
        """Where the log of a table ends, or None if there is no such table."""

    async def put_snapshot(self, table: str, fence: str, seq: int, head: bytes, version: str, blob: bytes) -> bool:
        """Keep a snapshot, in place of any earlier one.

        False, and no change, if `fence` does not own the table or the log does not have `head` at `seq`.
        """

    async def snapshot(self, table: str) -> Snapshot | None:
        """The snapshot of a table, if there is one that is intact and belongs to the log as it now is."""

    async def archive(self, table: str, fence: str) -> bool:
        """Make a table as small as it can be kept, since little will happen to it any more.

        Its snapshot is dropped; nothing else can be told from outside, and it can still be read and appended to.
        False, and no change, if `fence` does not own the table.
        """

    async def close(self) -> None:
        """Finish what was asked, and let go of the storage. Later calls raise StorageFailed."""


def checked(table: str, after: Position, end: Position, limit: int, entries: Iterable[LogEntry]) -> list[LogEntry]:
    """The events a store found behind `after`, unless they are not the next `limit` up to the `end`: LogDamaged."""
    seq, head = after.seq, after.head
    good: list[LogEntry] = []
    for event in entries:
        seq += 1
        head = chain(head, seq, event.payload)
        if event.seq != seq or event.head != head:
            raise LogDamaged(table, seq)
        good.append(event)
    if seq < min(end.seq, after.seq + limit):
        raise LogDamaged(table, seq + 1)
    if seq > end.seq or (seq == end.seq and head != end.head):
        raise LogDamaged(table, seq)
    return good


async def verify(store: TableStore, table: str) -> Position:
    """Check the whole log of a table against its hashes; gives its end, or raises LogDamaged."""
    last = Position(0, GENESIS)
    while entries := await store.read(table, last.seq):
        last = Position(entries[-1].seq, entries[-1].head)
    return last
