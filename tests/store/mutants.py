"""Mutants of the stores (mutation testing): each has one bug, made by replacing a piece of the source text.

A piece that does not occur exactly once in its module fails the test; the mutant must then be updated.
"""

import inspect
from dataclasses import dataclass
from types import ModuleType
from typing import cast

from server.store import memory, sqlite, sqlite_key_value


@dataclass(frozen=True, slots=True)
class Mutant:
    """A bug, as pairs of a piece of the source and its replacement."""

    bug: str
    changes: tuple[tuple[str, str], ...]

    def of(self, module: ModuleType) -> ModuleType:
        """Return the module with the bug in it."""
        source = inspect.getsource(module)
        for text, wrong in self.changes:
            assert source.count(text) == 1, f"{self.bug}: {text!r} occurs {source.count(text)} times"
            source = source.replace(text, wrong)
        made = ModuleType(module.__name__)
        made.__package__ = module.__package__
        exec(compile(source, f"<{self.bug}>", "exec"), made.__dict__)  # noqa: S102
        return made


def mutant(bug: str, *texts: str) -> Mutant:
    """Return a mutant; `texts` alternate between a piece of the source and its replacement."""
    return Mutant(bug, tuple(zip(texts[::2], texts[1::2], strict=True)))


MEMORY_DEDUP = """\
        if key is not None and (known := row.answer_to(key, entry.request_hash)):
            return known
"""
MEMORY_FENCE = """\
        if row.fence != fence:
            return Fenced()
        end = row.end()
"""
MEMORY_POSITION = """\
        if end.seq != expected.seq:
            return Conflict(end.seq, end.head)
"""
MEMORY_WRITE = """\
        row.write(fence, entry.payload)
"""
MEMORY_ANSWER = """\
        if key is not None:
            row.commands[key] = _Command(entry.request_hash, entry.answer)
"""

MEMORY_TABLES = (
    mutant(
        "a known idempotency key is looked for after the fence",
        MEMORY_DEDUP,
        "",
        MEMORY_FENCE,
        MEMORY_FENCE + MEMORY_DEDUP,
    ),
    mutant(
        "a known idempotency key is looked for after the position",
        MEMORY_DEDUP,
        "",
        MEMORY_POSITION,
        MEMORY_POSITION + MEMORY_DEDUP,
    ),
    mutant("the fence is not checked", MEMORY_FENCE, "        end = row.end()\n"),
    mutant(
        "only the epoch of the fence is checked",
        MEMORY_FENCE,
        MEMORY_FENCE.replace("row.fence != fence", "(row.fence or '').split('.')[0] != fence.split('.')[0]"),
    ),
    mutant("the head is not compared", "if row.head_at(expected.seq) != expected.head:", "if expected.seq > end.seq:"),
    mutant("an earlier position is accepted", MEMORY_POSITION, ""),
    mutant(
        "a rolled back log is taken for a conflict",
        "return Rewound(end.seq, end.head)",
        "return Conflict(end.seq, end.head)",
    ),
    mutant("the answer is not stored", MEMORY_ANSWER, ""),
    mutant(
        "a new answer replaces the old one",
        MEMORY_DEDUP,
        MEMORY_DEDUP.replace("return known", "return Known(entry.answer)"),
    ),
    mutant("the answer of a refused append is stored", MEMORY_ANSWER, "", MEMORY_FENCE, MEMORY_ANSWER + MEMORY_FENCE),
    mutant("the request hash is not compared", "if known.request_hash == request_hash else", "if True else"),
    mutant("a reused idempotency key is appended again", "else Reused()", "else None"),
    mutant(
        "tables share their idempotency keys",
        "commands: dict[str, _Command] = field(default_factory=dict)",
        "commands: dict[str, _Command] = field(default_factory=lambda shared={}: shared)",
    ),
    mutant(
        "all timers share one idempotency key",
        "if key is not None and (known",
        "if (known",
        "if key is not None:\n            row.commands[key] =",
        "if True:\n            row.commands[key] =",
    ),
    mutant("an entry is written twice", MEMORY_WRITE, MEMORY_WRITE * 2),
    mutant("an entry is not written", MEMORY_WRITE, ""),
    mutant("the hash chain leaves out the number", "chain(end.head, seq, payload)", "chain(end.head, 0, payload)"),
    mutant("entries lack the fencing token of their writer", "payload), fence, payload)", "payload), '', payload)"),
    mutant("the phase is not stored", "row.phase = row.phase if entry.phase is None else entry.phase", ""),
    mutant("the summary is not stored", "row.summary = row.summary if entry.summary is None else entry.summary", ""),
    mutant("an append does not date the table", "row.updated = self._wall()", ""),
    mutant("lists ignore the phase", "if phase is None or row.phase == phase", ""),
    mutant("a table is created twice", "if table in self._open_tables():", "if False:"),
    mutant("a table that was never created can be claimed", "return Missing()", "return Claimed('1.x', 0, GENESIS)"),
    mutant("a running lease is ignored", "if row.fence is not None and now < row.leased_until and", "if False and"),
    mutant("a dead worker keeps its lease", " and row.worker != dead_worker", ""),
    mutant("one death ends all leases", "row.worker != dead_worker", "not dead_worker"),
    mutant("a lease never expires", "and now < row.leased_until", ""),
    mutant("a lease is still valid when it expires", "and now < row.leased_until", "and now <= row.leased_until"),
    mutant("the wrong holder is named", "return Held(row.worker)", "return Held(worker)"),
    mutant("epochs do not increase", "row.epoch += 1", "row.epoch = 1"),
    mutant("fencing tokens occur again after a rollback", "secrets.token_hex(8)", "'nonce'"),
    mutant("a claim keeps the old fencing token", "row.fence = f", "row.fence = row.fence or f"),
    mutant(
        "a claim returns the wrong position",
        "return Claimed(row.fence, end.seq, end.head)",
        "return Claimed(row.fence, 0, GENESIS)",
    ),
    mutant(
        "any fencing token renews",
        "if row is None or row.fence != fence:\n                not_owned",
        "if row is None:\n                not_owned",
    ),
    mutant(
        "an expired lease cannot be renewed",
        "if row is None or row.fence != fence:\n                not_owned",
        "if row is None or row.fence != fence or row.leased_until <= self._monotonic():\n                not_owned",
    ),
    mutant("renewing has no effect", "row.leased_until = until", "pass"),
    mutant(
        "any fencing token releases",
        "if row is None or row.fence != fence:\n            return False",
        "if row is None:\n            return False",
    ),
    mutant(
        "a released fencing token still appends",
        "row.fence = None\n        return True",
        "row.leased_until = 0\n        return True",
    ),
    mutant("any fencing token archives", "row is not None and row.fence == fence", "row is not None"),
    mutant("reading skips an entry", "row.entries[after : after + limit]", "row.entries[after + 1 : after + limit]"),
    mutant("reading ignores its limit", "row.entries[after : after + limit]", "row.entries[after:]"),
    mutant("a restored table replaces another", "if copy.table in self._open_tables():", "if False:"),
    mutant("a restored table begins with the first epoch again", ", epoch=copy.epoch", ""),
    mutant(
        "a restored table has lost its answers", "{key: _Command(*known) for key, known in copy.answers.items()}", "{}"
    ),
    mutant(
        "a copy has the answer in place of the request", "(known.request_hash, known.answer)", "(known.answer,) * 2"
    ),
)

MEMORY_VALUES = (
    mutant("values do not expire", "if expires_at is not None and expires_at <= self._wall():", "if False:"),
    mutant("a value is still there when it expires", "expires_at <= self._wall()", "expires_at < self._wall()"),
    mutant("take does not delete the value", "self._values.pop((kind, key), None)", "self._values.get((kind, key))"),
    mutant(
        "a new value loses its expiry",
        "self._values[kind, key] = (value, expires_at)",
        "self._values[kind, key] = (value, None)",
    ),
    mutant("put if absent replaces", "is new", "is new or bool(self._values.update({(kind, key): new}))"),
    mutant("put if absent always returns True", "is new", "is not None"),
    mutant("find returns all kinds", "if each_kind == kind and key", "if (kind, key) in self._values and key"),
    mutant("find ignores the prefix", "and key.startswith(prefix)", ""),
    mutant("a page ignores where it begins", "if key > after", ""),
    mutant("a page ignores its limit", "if key > after][:limit]", "if key > after]"),
    mutant("find returns expired values", "for key in keys:\n            self._delete_if_expired(kind, key)", "pass"),
)

SQLITE_FENCE = """\
        if row.fence != fence:
            return Fenced()
"""
SQLITE_TABLES = (
    mutant(
        "a known idempotency key is looked for after the fence",
        SQLITE_FENCE,
        "",
        "        if key is not None:\n            known",
        SQLITE_FENCE + "        if key is not None:\n            known",
    ),
    mutant("the fence is not checked", SQLITE_FENCE, ""),
    mutant(
        "the head is not compared",
        "if _head_at(db, row, expected.seq) != expected.head:",
        "if expected.seq > row.seq:",
    ),
    mutant("an earlier position is accepted", "if row.seq != expected.seq:", "if False:"),
    mutant("the request hash is not compared", "if known[0] == request_hash else", "if True else"),
    mutant(
        "tables share their idempotency keys",
        "answer FROM commands WHERE number = ? AND command_id = ?",
        "answer FROM commands WHERE ? > 0 AND command_id = ?",
    ),
    mutant("the unread append does not check the fence", "AND fence = ? AND seq = ?", "AND ? > '' AND seq = ?"),
    mutant("the unread append appends a known idempotency key again", "if inserted.rowcount == 0:", "if False:"),
    mutant(
        "the unread append stores the answer of a refused append",
        "DELETE FROM commands WHERE number = ? AND command_id = ?",
        "SELECT ?, ?",
    ),
    mutant("the phase is not stored", "if entry.phase is not None:\n            db", "if False:\n            db"),
    mutant("all tables get the phase", "SET phase = ? WHERE number = ?", "SET phase = ? WHERE ? > 0"),
    mutant("a running lease is ignored", "and now < lease.until", "and False"),
    mutant("a dead worker keeps its lease", "if is_running and row.worker != dead_worker:", "if is_running:"),
    mutant("one death ends all leases", "row.worker != dead_worker", "not dead_worker"),
    mutant("epochs do not increase", "SET epoch = epoch + 1,", "SET epoch = 0,"),
    mutant("a claim covers all tables", "worker = ? WHERE number = ?", "worker = ? WHERE ? > 0"),
    mutant(
        "a released fencing token still appends",
        "SET fence = NULL WHERE number = ?",
        "SET epoch = epoch WHERE number = ?",
    ),
    mutant(
        "any fencing token archives",
        "return row is not None and row.fence == fence",
        "return row is not None",
    ),
    mutant(
        "all tables share one log",
        "FROM events WHERE number = ? AND seq > ?",
        "FROM events WHERE ? > 0 AND seq > ?",
    ),
)

SQLITE_VALUES = (
    mutant("values do not expire", "AND key = ? AND (expires_at IS NULL OR expires_at > ?)", "AND key = ? AND ? > 0"),
    mutant("take does not delete the value", "DELETE FROM records WHERE kind = ? AND key = ?", "SELECT ?, ?"),
    mutant(
        "take deletes the key of every kind",
        "DELETE FROM records WHERE kind = ? AND key = ?",
        "DELETE FROM records WHERE ? > '' AND key = ?",
    ),
    mutant("put if absent replaces", "INSERT OR IGNORE", "INSERT OR REPLACE"),
    mutant(
        "an expired value blocks put if absent",
        '            self._delete_expired(db)\n            written = db.execute(\n                "INSERT OR IGNORE',
        '            written = db.execute(\n                "INSERT OR IGNORE',
    ),
    mutant(
        "replace compares nothing", "WHERE kind = ? AND key = ? AND value = ?", "WHERE kind = ? AND key = ? OR ? = 1"
    ),
    mutant("values expire too early", "WHERE expires_at <= ?", "WHERE expires_at <= ? + 1"),
    mutant("find returns expired values", "if expires_at is None or expires_at > now", ""),
    mutant("find ignores the prefix", "takewhile(lambda row: row[0].startswith(prefix), rows)", "rows"),
)


def memory_store(wrong: Mutant) -> type[memory.MemoryStore]:
    """Return the store in memory with a bug."""
    return cast("type[memory.MemoryStore]", wrong.of(memory).MemoryStore)


def sqlite_store(wrong: Mutant) -> type[sqlite.SqliteStore]:
    """Return the store in a file with a bug."""
    return cast("type[sqlite.SqliteStore]", wrong.of(sqlite).SqliteStore)


def sqlite_store_with_values(wrong: Mutant) -> type[sqlite.SqliteStore]:
    """Return the store in a file with a bug in its key-value store."""
    make = wrong.of(sqlite_key_value).SqliteKeyValueStore
    return type(
        "SqliteStore", (sqlite.SqliteStore,), {"key_values": property(lambda store: make(store._commits, store._wall))}
    )
