"""A second, independent implementation of the append contract, for the state machines to compare the stores with."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from server.store.api import (
    Appended,
    AppendResult,
    Conflict,
    Fenced,
    Known,
    LogEntry,
    NewEntry,
    Position,
    Reused,
    Rewound,
    TableRow,
)


@dataclass(frozen=True, slots=True)
class AppendCall:
    """The arguments of one append, kept so that it can be repeated."""

    table: str
    fence: str
    expected: Position
    entry: NewEntry

    def repeated_by(self, fence: str, end: Position) -> "AppendCall":
        """Return the same request, appended by another owner."""
        return replace(self, fence=fence, expected=end)


@dataclass
class TableModel:
    """One table: its whole history in plain lists."""

    phase: str
    summary: bytes
    updated: float
    log: list[LogEntry] = field(default_factory=list)
    answers: dict[str, tuple[bytes, bytes]] = field(default_factory=dict)
    claims: list[str] = field(default_factory=list)
    owner: str | None = None
    worker: str = ""
    leased_until: float = 0.0

    def positions(self) -> list[Position]:
        """Return every position of the log, the end last."""
        return [Position(0, bytes(32)), *(Position(entry.seq, entry.head) for entry in self.log)]

    def end(self) -> Position:
        return self.positions()[-1]

    def row(self, table: str) -> TableRow:
        return TableRow(table, self.phase, self.summary, len(self.log), self.updated)

    def add(self, fence: str, payloads: Sequence[bytes]) -> None:
        all_heads = heads([*(entry.payload for entry in self.log), *payloads])
        for payload in payloads:
            seq = len(self.log) + 1
            self.log.append(LogEntry(seq, all_heads[seq - 1], fence, payload))

    def answer_to(self, idempotency_key: str, request_hash: bytes) -> Known | Reused | None:
        if idempotency_key not in self.answers:
            return None
        first_request_hash, answer = self.answers[idempotency_key]
        return Known(answer) if request_hash == first_request_hash else Reused()

    def append(self, call: AppendCall, now: float) -> AppendResult:
        """Return what the store must return; if that is Appended, change the table."""
        entry = call.entry
        key = entry.idempotency_key
        known = None if key is None else self.answer_to(key, entry.request_hash)
        if known is not None:
            return known
        if self.owner != call.fence:
            return Fenced()
        end = self.end()
        if call.expected not in self.positions():
            return Rewound(end.seq, end.head)
        if call.expected != end:
            return Conflict(end.seq, end.head)
        self.add(call.fence, [entry.payload])
        if key is not None:
            self.answers[key] = (entry.request_hash, entry.answer)
        if entry.summary is not None:
            self.summary = entry.summary
        if entry.phase is not None:
            self.phase = entry.phase
        self.updated = now
        end = self.end()
        return Appended(end.seq, end.head)


def heads(payloads: Sequence[bytes]) -> list[bytes]:
    """Return the head hash after each entry of a log."""
    found: list[bytes] = []
    for seq, payload in enumerate(payloads, 1):
        digest = hashlib.sha256(b"log/v1")
        digest.update(found[-1] if found else b"\0" * 32)
        digest.update(seq.to_bytes(8, "big"))
        digest.update(payload)
        found.append(digest.digest())
    return found
