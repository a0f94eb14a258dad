"""Stores with one mistake each, made by changing the text of a good store in one or two places.

A text that no longer occurs exactly once in its module is reported; the mutant then needs to be brought up to date.
"""

import inspect
from dataclasses import dataclass
from types import ModuleType
from typing import cast

from server.store import memory, sqlite, sqlite_key_value


@dataclass(frozen=True, slots=True)
class Mutant:
    """A mistake, as (text, text in its place)."""

    mistake: str
    changes: tuple[tuple[str, str], ...]

    def of(self, module: ModuleType) -> ModuleType:
        """The module with the mistake in it."""
        source = inspect.getsource(module)
        for text, wrong in self.changes:
            assert source.count(text) == 1, f"{self.mistake}: {text!r} occurs {source.count(text)} times"
            source = source.replace(text, wrong)
        made = ModuleType(module.__name__)
        made.__package__ = module.__package__
        exec(compile(source, f"<{self.mistake}>", "exec"), made.__dict__)  # noqa: S102
        return made


def mutant(mistake: str, *texts: str) -> Mutant:
    """A mistake from texts that come in pairs: what is there, what is put in its place."""
    return Mutant(mistake, tuple(zip(texts[::2], texts[1::2], strict=True)))


MEMORY_DEDUP = """\
        if command_id is not None and (known := row.answer_to(command_id, request_hash)):
            return known
"""
MEMORY_FENCE = """\
        if row.fence != fence:
            return Fenced()
        end = row.end()
"""
MEMORY_POSITION = """\
        if end.seq != expected_seq:
            return Conflict(end.seq, end.head)
        end = row.write(fence, entries)
"""
MEMORY_ANSWER = """\
        if command_id is not None:
            row.commands[command_id] = _Command(request_hash, answer)
"""

MEMORY_TABLES = (
    mutant(
        "a known command is looked for after the fence", MEMORY_DEDUP, "", MEMORY_FENCE, MEMORY_FENCE + MEMORY_DEDUP
    ),
    mutant(
        "a known command is looked for after the position",
        MEMORY_DEDUP,
        "",
        MEMORY_POSITION,
        MEMORY_POSITION.replace("        end = row.write", MEMORY_DEDUP + "        end = row.write"),
    ),
    mutant("the fence is not checked", MEMORY_FENCE, "        end = row.end()\n"),
    mutant(
        "only the epoch of the fence is checked",
        MEMORY_FENCE,
        MEMORY_FENCE.replace("row.fence != fence", "(row.fence or '').split('.')[0] != fence.split('.')[0]"),
    ),
    mutant("the head is not compared", "if row.head_at(expected_seq) != expected_head:", "if expected_seq > end.seq:"),
    mutant("a position in the past will do", MEMORY_POSITION, "        end = row.write(fence, entries)\n"),
    mutant(
        "a lost past is taken for a mere delay",
        "return Rewound(end.seq, end.head)",
        "return Conflict(end.seq, end.head)",
    ),
    mutant("the answer is not kept", MEMORY_ANSWER, ""),
    mutant(
        "a new answer replaces the old one", MEMORY_DEDUP, MEMORY_DEDUP.replace("return known", "return Known(answer)")
    ),
    mutant("a refused command is remembered", MEMORY_ANSWER, "", MEMORY_FENCE, MEMORY_ANSWER + MEMORY_FENCE),
    mutant("the request hash is not compared", "if known.request_hash == request_hash else", "if True else"),
    mutant("an id used again is carried out again", "else Reused()", "else None"),
    mutant(
        "tables share their command ids",
        "commands: dict[str, _Command] = field(default_factory=dict)",
        "commands: dict[str, _Command] = field(default_factory=lambda shared={}: shared)",
    ),
    mutant(
        "timers are taken for one command",
        "if command_id is not None and (known",
        "if (known",
        "if command_id is not None:\n            row.commands[command_id] =",
        "if True:\n            row.commands[command_id] =",
    ),
    mutant(
        "events are written twice",
        "end = row.write(fence, entries)\n        if",
        "end = row.write(fence, [*entries, *entries])\n        if",
    ),
    mutant(
        "only the first event is written",
        "end = row.write(fence, entries)\n        if",
        "end = row.write(fence, entries[:1])\n        if",
    ),
    mutant("the chain leaves out the number", "head = chain(head, seq, payload)", "head = chain(head, 0, payload)"),
    mutant(
        "events do not say who wrote them", "LogEntry(seq, head, fence, payload)", "LogEntry(seq, head, '', payload)"
    ),
    mutant("the phase is not kept", "row.phase = row.phase if phase is None else phase", ""),
    mutant("what is shown in lists is not kept", "row.summary = row.summary if summary is None else summary", ""),
    mutant("an append does not date the table", "row.updated = self._wall()", ""),
    mutant("lists ignore the phase", "if phase is None or row.phase == phase", ""),
    mutant("a table is created twice", "if table in self._open_tables():", "if False:"),
    mutant("a table that was never created can be claimed", "return Missing()", "return Claimed('1.x', 0, GENESIS)"),
    mutant("a running lease is ignored", "if row.fence is not None and now < row.leased_until:", "if False:"),
    mutant("a lease never runs out", "and now < row.leased_until", ""),
    mutant("a lease lasts a moment too long", "and now < row.leased_until", "and now <= row.leased_until"),
    mutant("the wrong holder is named", "return Held(row.worker)", "return Held(worker)"),
    mutant("epochs do not increase", "row.epoch += 1", "row.epoch = 1"),
    mutant("fences come again after a loss", "secrets.token_hex(8)", "'nonce'"),
    mutant("a claim leaves the old fence", "row.fence = f", "row.fence = row.fence or f"),
    mutant(
        "a claim gives the wrong position",
        "return Claimed(row.fence, end.seq, end.head)",
        "return Claimed(row.fence, 0, GENESIS)",
    ),
    mutant(
        "a stranger renews",
        "if row is None or row.fence != fence:\n                lost",
        "if row is None:\n                lost",
    ),
    mutant(
        "a lease that ran out cannot be renewed",
        "if row is None or row.fence != fence:\n                lost",
        "if row is None or row.fence != fence or row.leased_until <= self._monotonic():\n                lost",
    ),
    mutant("renewing has no effect", "row.leased_until = until", "pass"),
    mutant(
        "a stranger releases",
        "if row is None or row.fence != fence:\n            return False",
        "if row is None:\n            return False",
    ),
    mutant(
        "a released fence still writes",
        "row.fence = None\n        return True",
        "row.leased_until = 0\n        return True",
    ),
    mutant(
        "a stale owner puts a snapshot", "row.fence != fence or row.head_at(seq) != head", "row.head_at(seq) != head"
    ),
    mutant("a snapshot of a lost past is kept", "row.fence != fence or row.head_at(seq) != head", "row.fence != fence"),
    mutant("the first snapshot stays", "row.snapshot = Snapshot(", "row.snapshot = row.snapshot or Snapshot("),
    mutant("reading skips an event", "row.entries[after : after + limit]", "row.entries[after + 1 : after + limit]"),
    mutant("reading ignores its limit", "row.entries[after : after + limit]", "row.entries[after:]"),
)

MEMORY_RECORDS = (
    mutant("records do not expire", "if expires_at is not None and expires_at <= self._wall():", "if False:"),
    mutant("records live a moment too long", "expires_at <= self._wall()", "expires_at < self._wall()"),
    mutant("taking leaves the record", "self._key_values.pop((kind, key), None)", "self._key_values.get((kind, key))"),
    mutant(
        "a new record loses its expiry",
        "self._key_values[kind, key] = (value, expires_at)",
        "self._key_values[kind, key] = (value, None)",
    ),
    mutant("put if absent replaces", "is record", "is record or bool(self._key_values.update({(kind, key): record}))"),
    mutant("put if absent always says yes", "is record", "is not None"),
    mutant("finding mixes kinds", "if of_kind == kind and key", "if (kind, key) in self._key_values and key"),
    mutant("finding ignores the prefix", "and key.startswith(prefix)", ""),
    mutant(
        "finding shows what has expired", "for key in keys:\n            self._forget_if_expired(kind, key)", "pass"
    ),
)

SQLITE_FENCE = """\
        if row.fence != wanted.fence:
            return Fenced()
"""
SQLITE_TABLES = (
    mutant(
        "a known command is looked for after the fence",
        SQLITE_FENCE,
        "",
        "        if wanted.command_id is not None:\n            known",
        SQLITE_FENCE + "        if wanted.command_id is not None:\n            known",
    ),
    mutant("the fence is not checked", SQLITE_FENCE, ""),
    mutant(
        "the head is not compared",
        "if _head_at(db, row, wanted.expected_seq) != wanted.expected_head:",
        "if wanted.expected_seq > row.seq:",
    ),
    mutant("a position in the past will do", "if row.seq != wanted.expected_seq:", "if False:"),
    mutant("the request hash is not compared", "if known[0] == request_hash else", "if True else"),
    mutant(
        "tables share their command ids",
        "answer FROM commands WHERE number = ? AND command_id = ?",
        "answer FROM commands WHERE ? > 0 AND command_id = ?",
    ),
    mutant("straight on, the fence is not checked", "AND fence = ? AND seq = ?", "AND ? > '' AND seq = ?"),
    mutant("straight on, an id used again is carried out again", "if noted.rowcount == 0:", "if False:"),
    mutant(
        "straight on, a refused command is remembered",
        "DELETE FROM commands WHERE number = ? AND command_id = ?",
        "SELECT ?, ?",
    ),
    mutant("the phase is not kept", "if wanted.phase is not None:", "if False:"),
    mutant("all tables get the phase", "SET phase = ? WHERE number = ?", "SET phase = ? WHERE ? > 0"),
    mutant("a running lease is ignored", "and now < lease.until", "and False"),
    mutant("epochs do not increase", "SET epoch = epoch + 1,", "SET epoch = 0,"),
    mutant("a claim covers all tables", "worker = ? WHERE number = ?", "worker = ? WHERE ? > 0"),
    mutant("a released fence still writes", "SET fence = NULL WHERE number = ?", "SET epoch = epoch WHERE number = ?"),
    mutant(
        "a stale owner puts a snapshot",
        "row.fence != fence or _head_at(db, row, seq) != head",
        "_head_at(db, row, seq) != head",
    ),
    mutant(
        "a snapshot of a lost past is kept",
        "row.fence != fence or _head_at(db, row, seq) != head",
        "row.fence != fence",
    ),
    mutant(
        "the log of all tables is one",
        "FROM events WHERE number = ? AND seq > ?",
        "FROM events WHERE ? > 0 AND seq > ?",
    ),
)

SQLITE_RECORDS = (
    mutant("records do not expire", "AND (expires_at IS NULL OR expires_at > ?)", "AND ? > 0"),
    mutant("taking leaves the record", "DELETE FROM records WHERE kind = ? AND key = ?", "SELECT ?, ?"),
    mutant(
        "taking deletes one kind of key everywhere",
        "DELETE FROM records WHERE kind = ? AND key = ?",
        "DELETE FROM records WHERE ? > '' AND key = ?",
    ),
    mutant("put if absent replaces", "INSERT OR IGNORE", "INSERT OR REPLACE"),
    mutant("what has expired is in the way", "            self._sweep(db)\n            written", "            written"),
    mutant("sweeping takes too much", "WHERE expires_at <= ?", "WHERE expires_at <= ? + 1"),
    mutant("finding shows what has expired", "if expires_at is None or expires_at > now", ""),
    mutant("finding goes beyond the prefix", "takewhile(lambda row: row[0].startswith(prefix), rows)", "rows"),
)


def memory_store(wrong: Mutant) -> type[memory.MemoryStore]:
    """The store in memory with a mistake."""
    return cast("type[memory.MemoryStore]", wrong.of(memory).MemoryStore)


def sqlite_store(wrong: Mutant) -> type[sqlite.SqliteStore]:
    """The store in a file with a mistake."""
    return cast("type[sqlite.SqliteStore]", wrong.of(sqlite).SqliteStore)


def sqlite_store_with_records(wrong: Mutant) -> type[sqlite.SqliteStore]:
    """The store in a file with a mistake in its records."""
    make = wrong.of(sqlite_key_value).SqliteKeyValueStore
    return type(
        "SqliteStore", (sqlite.SqliteStore,), {"key_values": property(lambda store: make(store._commits, store._wall))}
    )
