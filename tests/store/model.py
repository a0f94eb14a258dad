"""What a table in a store must be, said a second time and in another way than the stores say it."""

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
    Position,
    Reused,
    Rewound,
    Snapshot,
    TableRow,
)


@dataclass(frozen=True, slots=True)
class Intent:
    """The arguments of one append, kept so that it can be repeated."""

    table: str
    fence: str
    expected_seq: int
    expected_head: bytes
    command_id: str | None
    request_hash: bytes
    answer: bytes
    events: tuple[bytes, ...]
    summary: bytes | None = None
    phase: str | None = None

    def by(self, fence: str, end: Position) -> "Intent":
        """The same command, tried again by somebody else."""
        return replace(self, fence=fence, expected_seq=end.seq, expected_head=end.head)


@dataclass
class TableModel:
    """One table: its whole history in plain lists."""

    phase: str
    summary: bytes
    updated: float
    log: list[LogEntry] = field(default_factory=list)
    commands: dict[str, tuple[bytes, bytes]] = field(default_factory=dict)
    claims: list[str] = field(default_factory=list)
    owner: str | None = None
    worker: str = ""
    leased_until: float = 0.0
    snapshot: Snapshot | None = None

    def positions(self) -> list[Position]:
        """Every position the log has had, the present one last."""
        return [Position(0, bytes(32)), *(Position(event.seq, event.head) for event in self.log)]

    def end(self) -> Position:
        return self.positions()[-1]

    def row(self, table: str) -> TableRow:
        return TableRow(table, self.phase, self.summary, len(self.log), self.updated)

    def grow(self, fence: str, events: Sequence[bytes]) -> None:
        grown = heads([*(event.payload for event in self.log), *events])
        for payload in events:
            seq = len(self.log) + 1
            self.log.append(LogEntry(seq, grown[seq - 1], fence, payload))

    def answer_to(self, command_id: str, request_hash: bytes) -> Known | Reused | None:
        if command_id not in self.commands:
            return None
        first_request_hash, answer = self.commands[command_id]
        return Known(answer) if request_hash == first_request_hash else Reused()

    def append(self, intent: Intent, now: float) -> AppendResult:
        """What the store must answer; if that is Appended, the table changes."""
        known = None if intent.command_id is None else self.answer_to(intent.command_id, intent.request_hash)
        if known is not None:
            return known
        if self.owner != intent.fence:
            return Fenced()
        end = self.end()
        seen = Position(intent.expected_seq, intent.expected_head)
        if seen not in self.positions():
            return Rewound(end.seq, end.head)
        if seen != end:
            return Conflict(end.seq, end.head)
        self.grow(intent.fence, intent.events)
        if intent.command_id is not None:
            self.commands[intent.command_id] = (intent.request_hash, intent.answer)
        if intent.summary is not None:
            self.summary = intent.summary
        if intent.phase is not None:
            self.phase = intent.phase
        self.updated = now
        end = self.end()
        return Appended(end.seq, end.head)


def heads(payloads: Sequence[bytes]) -> list[bytes]:
    """The head hash after each event of a log."""
    found: list[bytes] = []
    for seq, payload in enumerate(payloads, 1):
        digest = hashlib.sha256(b"log/v1")
        digest.update(found[-1] if found else b"\0" * 32)
        digest.update(seq.to_bytes(8, "big"))
        digest.update(payload)
        found.append(digest.digest())
    return found
