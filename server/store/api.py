"""The contract of a store: the log of every table, the lease on it, and key-value pairs beside it.

A log is append-only (event sourcing). Every append is a compare-and-swap on fencing token, sequence number and head
hash, in one transaction; correctness rests on that alone. A lease only saves workers from competing: it may expire
early, late or twice without harm.

A store never looks into what it keeps: payloads, answers, summaries and values are opaque bytes.
A refused append is a return value. An exception means that the storage failed, or that the caller broke the contract.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple, Protocol

from .games_api import GameIndex

GENESIS = bytes(32)
"""The head hash of an empty log."""


def chain(head: bytes, seq: int, payload: bytes) -> bytes:
    """Return the head hash after entry number `seq`, given the head hash before it (a hash chain)."""
    return sha256(b"log/v1" + head + seq.to_bytes(8, "big") + payload).digest()


@dataclass(frozen=True, slots=True)
class LogEntry:
    """A stored entry. The entries of a table are numbered 1, 2, 3, … without a gap.

    `fence` is the fencing token of the owner that appended it; it is empty for the entries a table was created with.
    """

    seq: int
    head: bytes
    fence: str
    payload: bytes


@dataclass(frozen=True, slots=True)
class Position:
    """A position in a log: the number of an entry (0: before the first) and the head hash after it."""

    seq: int
    head: bytes


class NewEntry(NamedTuple):
    """An entry to append, and what is stored with it in the same transaction.

    `idempotency_key` is None if no request caused the entry (a timer did); `request_hash` and `answer` are not
    stored then. `summary` and `phase` replace those of the table; None leaves them as they are.
    """

    payload: bytes
    idempotency_key: str | None = None
    request_hash: bytes = b""
    answer: bytes = b""
    summary: bytes | None = None
    phase: str | None = None


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table in a list. `updated` is the wall-clock time of the last append, in seconds since 1970."""

    table: str
    phase: str
    summary: bytes
    seq: int
    updated: float


@dataclass(frozen=True, slots=True)
class TableCopy:
    """A whole table at one moment, without its lease: what a backup holds of it.

    `answers` are the request hash and the answer by idempotency key, of the requests in `entries`. `epoch` is the
    number of claims so far, with which the next fencing token begins.
    """

    table: str
    phase: str
    summary: bytes
    updated: float
    epoch: int
    entries: Sequence[LogEntry]
    answers: Mapping[str, tuple[bytes, bytes]]


class KeyValue(NamedTuple):
    """A value of one kind with its key, and its time of expiry, if any."""

    key: str
    value: bytes
    expires_at: float | None


# Results of create.


@dataclass(frozen=True, slots=True)
class Created:
    """The table is durable, and its log ends at this position."""

    seq: int
    head: bytes


@dataclass(frozen=True, slots=True)
class Exists:
    """A table of that name already exists. Nothing was written."""


# Results of claim.


@dataclass(frozen=True, slots=True)
class Claimed:
    """The caller owns the table, whose log ends at this position. Every earlier fencing token is void."""

    fence: str
    seq: int
    head: bytes


@dataclass(frozen=True, slots=True)
class Held:
    """The worker `by` holds the lease on the table."""

    by: str


@dataclass(frozen=True, slots=True)
class Missing:
    """There is no such table."""


# Results of append.


@dataclass(frozen=True, slots=True)
class Appended:
    """The compare-and-swap succeeded: the entry is durable, and the log now ends at this position."""

    seq: int
    head: bytes


@dataclass(frozen=True, slots=True)
class Known:
    """The idempotency key was appended before, with this answer. Nothing was written."""

    answer: bytes


@dataclass(frozen=True, slots=True)
class Reused:
    """The idempotency key was appended before with another request hash. Nothing was written."""


@dataclass(frozen=True, slots=True)
class Fenced:
    """The fencing token is not the current one. The caller must discard its state of the table."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """The compare-and-swap failed: the log continues after the expected position and ends at this one.

    The caller must read the entries in between.
    """

    seq: int
    head: bytes


@dataclass(frozen=True, slots=True)
class Rewound:
    """The compare-and-swap failed: the log, which ends at this position, does not contain the expected one.

    The storage was rolled back to an older copy. The caller must load the table again and tell its players.
    """

    seq: int
    head: bytes


AppendResult = Appended | Known | Reused | Fenced | Conflict | Rewound


class StorageFailed(Exception):
    """The storage could not serve a call: it is full, broken, overloaded or closed.

    Nothing was acknowledged. Whether an append took effect is only certain after repeating it with the same
    idempotency key: the entry may be found stored if the process is killed right after a failed write.
    """


class StoreUnusable(Exception):
    """A store cannot be opened. The message is a sentence for the operator."""


class StoreInUse(StoreUnusable):
    """Another process has the store open."""


class StoreDamaged(StoreUnusable):
    """The file of the store is corrupt."""


class LogDamaged(Exception):
    """The log of one table is corrupt. Other tables are not affected."""

    def __init__(self, table: str, seq: int) -> None:
        super().__init__(f"The log of table {table} is damaged at entry {seq}.")
        self.table = table
        self.seq = seq


class KeyValueStore(Protocol):
    """Small durable values by kind and key: users, hashed session tokens, one-time codes.

    `expires_at` is wall-clock time in seconds since 1970. From that moment on, the value counts as deleted.
    """

    async def put(self, kind: str, key: str, value: bytes, expires_at: float | None = None) -> None:
        """Store a value, replacing any earlier one."""

    async def put_if_absent(self, kind: str, key: str, value: bytes, expires_at: float | None = None) -> bool:
        """Store a value if there is none; return whether it was stored."""

    async def replace(
        self, kind: str, key: str, expected: bytes, value: bytes, expires_at: float | None = None
    ) -> bool:
        """Store a value if the present one is `expected` (compare-and-swap); return whether it was stored.

        A time of expiry that has passed deletes the value.
        """

    async def get(self, kind: str, key: str) -> bytes | None:
        """Return the value, or None."""

    async def take(self, kind: str, key: str) -> bytes | None:
        """Delete a value and return it, or None. Of several concurrent calls, one gets it."""

    async def delete(self, kind: str, key: str) -> bool:
        """Delete a value; return whether there was one."""

    async def find(self, kind: str, prefix: str = "") -> list[tuple[str, bytes]]:
        """Return (key, value) of all keys of a kind that begin with `prefix`, in order of keys."""

    async def kinds(self) -> list[str]:
        """Return all kinds that have values, and perhaps some whose values have all expired."""

    async def page(self, kind: str, after: str = "", limit: int = 1000) -> list[KeyValue]:
        """Return at most `limit` values of a kind whose keys come after `after`, in order of keys."""


class TableStore(Protocol):
    """The log of every table.

    A caller may be cancelled at any moment. Its call then has taken effect or not; the store is consistent either way.
    """

    @property
    def key_values(self) -> KeyValueStore:
        """Return the key-value pairs kept in the same place, with the same durability."""

    @property
    def games(self) -> GameIndex:
        """Return the index of finished games, kept in the same place."""

    async def create(self, table: str, phase: str, summary: bytes, payloads: Sequence[bytes] = ()) -> Created | Exists:
        """Create a table without an owner, with the payloads of its first entries, if any."""

    async def tables(self, phase: str | None = None) -> list[TableRow]:
        """Return all tables, or those in one phase; the last updated first."""

    async def rows(self, tables: Sequence[str]) -> list[TableRow]:
        """Return those of these tables that exist, in any order."""

    async def claim(
        self, table: str, worker: str, ttl_seconds: float, dead_worker: str = ""
    ) -> Claimed | Held | Missing:
        """Take the lease on a table and return a new fencing token, unless a lease is running (even the caller's).

        A lease of `dead_worker` counts as expired. The caller may be wrong about it: the fencing token decides.
        """

    async def renew(self, fences: Mapping[str, str], ttl_seconds: float) -> frozenset[str]:
        """Renew the leases of the tables in `fences` (table to fencing token); return those the caller does not own.

        An expired lease is renewed too, as long as no other worker has claimed the table.
        """

    async def release(self, table: str, fence: str) -> bool:
        """Release a table, so that it can be claimed at once; return False if `fence` does not own it.

        The fencing token is void from then on: it neither appends nor renews.
        """

    async def append(self, table: str, fence: str, expected: Position, entry: NewEntry) -> AppendResult:
        """Append an entry if the log ends at `expected` and `fence` owns the table (compare-and-swap).

        The checks, in this order: a known idempotency key returns Known, or Reused if the request hash differs,
        whatever the fencing token and the position; then the fencing token; then the position. Then everything in
        `entry` is written in one transaction.
        """

    async def answer_to(self, table: str, idempotency_key: str, request_hash: bytes) -> Known | Reused | None:
        """Return what `append` would return for a known idempotency key, or None for an unknown one.

        None may be out of date at once: only an append decides.
        """

    async def read(self, table: str, after: int = 0, limit: int = 1000) -> list[LogEntry]:
        """Return at most `limit` entries after number `after`; none if there is no such table.

        Raise LogDamaged, with the number of the first wrong or missing entry, if they do not match the hash chain.
        """

    async def head(self, table: str) -> Position | None:
        """Return the end of a log, or None if there is no such table."""

    async def archive(self, table: str, fence: str) -> bool:
        """Store a finished table as compactly as possible; return False if `fence` does not own it.

        Callers see no difference: the table can still be read and appended to.
        """

    async def names(self) -> list[str]:
        """Return the names of all tables, in order."""

    async def copy(self, table: str) -> TableCopy | None:
        """Return a table as it is at one moment, or None if there is none. Raise LogDamaged as `read` does."""

    async def restore(self, copy: TableCopy, *, compact: bool = False) -> bool:
        """Create a table from a copy, without an owner; return False, with nothing written, if the table exists.

        `compact` stores it as `archive` does.
        """

    async def close(self) -> None:
        """Finish pending calls and close the storage. Later calls raise StorageFailed."""


def chained(entries: Iterable[tuple[str, bytes]]) -> list[LogEntry]:
    """Return all entries of a log, numbered and hashed, from the fencing token and payload of each."""
    head = GENESIS
    log: list[LogEntry] = []
    for seq, (fence, payload) in enumerate(entries, 1):
        head = chain(head, seq, payload)
        log.append(LogEntry(seq, head, fence, payload))
    return log


def end_of(log: Sequence[LogEntry]) -> Position:
    """Return the position at the end of a log, given all its entries."""
    return Position(len(log), log[-1].head) if log else Position(0, GENESIS)


def verified(table: str, after: Position, end: Position, limit: int, entries: Iterable[LogEntry]) -> list[LogEntry]:
    """Return the entries read after `after`, at most `limit` of them, of a log that ends at `end`.

    Raise LogDamaged if one is missing or does not match the hash chain.
    """
    seq, head = after.seq, after.head
    intact: list[LogEntry] = []
    for entry in entries:
        seq += 1
        head = chain(head, seq, entry.payload)
        if entry.seq != seq or entry.head != head:
            raise LogDamaged(table, seq)
        intact.append(entry)
    if seq < min(end.seq, after.seq + limit):
        raise LogDamaged(table, seq + 1)
    if seq > end.seq or (seq == end.seq and head != end.head):
        raise LogDamaged(table, seq)
    return intact
