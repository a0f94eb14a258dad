"""What a recorded process has submitted to its store, what was acknowledged, and the comparison with a disk image."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import msgpack


class Entry(NamedTuple):
    """A log entry that was submitted as write number `write`."""

    write: int
    head: bytes
    key: str | None
    request_hash: bytes
    answer: bytes


class Value(NamedTuple):
    """A value that write number `write` has stored, or None if it has deleted it."""

    write: int
    value: bytes | None


@dataclass
class StoredState:
    """The content of a store after a cut."""

    logs: dict[str, list[bytes]]
    """By table: the head hash after each entry."""

    answers: dict[tuple[str, str], tuple[bytes, bytes]]
    """By table and idempotency key: request hash and answer."""

    values: dict[tuple[str, str], bytes]


class Lost(AssertionError):
    """A disk image lacks what was acknowledged, or has more than was submitted."""


@dataclass
class History:
    """All writes up to a moment, in the order in which the store carries them out."""

    logs: dict[str, list[Entry]] = field(default_factory=dict)
    created: dict[str, int] = field(default_factory=dict)
    values: dict[tuple[str, str], list[Value]] = field(default_factory=dict)
    submitted: int = 0
    acknowledged: int = 0
    """The last write that was acknowledged: all up to it must be durable."""

    replied: dict[str, None] = field(default_factory=dict)
    """The idempotency keys of requests that a client was told to be done."""

    effective: set[int] = field(default_factory=set)
    """The writes that were acknowledged as having taken effect."""

    _numbers: dict[int, int] = field(default_factory=dict)
    """By number of the current process: the number of a write here."""

    def add(self, mark: bytes) -> None:
        """Add a mark of the recorded process; each write to the file of marks holds whole ones."""
        for kind, *rest in _unpacked(mark):
            match kind, rest:
                case "submitted", [number, write]:
                    self.submitted += 1
                    self._numbers[number] = self.submitted
                    self._submit(*write)
                case "acknowledged", [number, has_effect]:
                    self.acknowledged = max(self.acknowledged, self._numbers[number])
                    if has_effect:
                        self.effective.add(self._numbers[number])
                    else:
                        self._forget(self._numbers[number])
                case "replied", [key]:
                    self.replied[key] = None
                case "opened", [lengths, values]:
                    self._reopen(lengths, {(kind, key): value for kind, key, value in values})
                case _:
                    raise AssertionError((kind, rest))

    def _submit(self, kind: str, name: str, *rest: Any) -> None:
        match kind, rest:
            case "create", [heads]:
                if name not in self.created:
                    self.created[name] = self.submitted
                    self.logs[name] = [Entry(self.submitted, head, None, b"", b"") for head in heads]
            case "append", [seq, head, key, request_hash, answer]:
                log = self.logs[name]
                if seq == len(log) + 1:
                    log.append(Entry(self.submitted, head, key, request_hash, answer))
            case "put", [key, value]:
                self.values.setdefault((name, key), []).append(Value(self.submitted, value))
            case "put_if_absent", [key, value]:
                timeline = self.values.setdefault((name, key), [])
                if not timeline or timeline[-1].value is None:
                    timeline.append(Value(self.submitted, value))
            case "take", [key]:
                self.values.setdefault((name, key), []).append(Value(self.submitted, None))
            case _:
                raise AssertionError((kind, rest))

    def _forget(self, write: int) -> None:
        """Remove a write that had no effect, such as an append or a replacement that was refused."""
        for log in self.logs.values():
            if log and log[-1].write == write:
                log.pop()
        for timeline in self.values.values():
            if timeline and timeline[-1].write == write:
                timeline.pop()

    def _reopen(self, lengths: dict[str, int], values: dict[tuple[str, str], bytes]) -> None:
        """Go on after a kill: writes that had not reached the file by then will never take effect."""
        self._numbers.clear()
        _, highest = self._range(lengths)
        for table in [table for table, write in self.created.items() if write > highest]:
            del self.created[table], self.logs[table]
        for table, log in self.logs.items():
            self.logs[table] = log[: lengths[table]]
        for name, timeline in self.values.items():
            while timeline and (timeline[-1].write > highest or timeline[-1].value != values.get(name)):
                timeline.pop()

    def _range(self, lengths: dict[str, int]) -> tuple[int, int]:
        """Return the lowest and the highest number of writes after which the logs have these lengths."""
        lowest, highest = self.acknowledged, self.submitted
        if unknown := lengths.keys() - self.created.keys():
            raise Lost(f"tables that were never created: {sorted(unknown)}")
        for table, log in self.logs.items():
            if table not in lengths:
                highest = min(highest, self.created[table] - 1)
                continue
            length = lengths[table]
            if length > len(log):
                raise Lost(f"{table} has {length} entries, of which only {len(log)} were submitted")
            lowest = max(lowest, log[length - 1].write if length else self.created[table])
            if length < len(log):
                highest = min(highest, log[length].write - 1)
        if lowest > highest:
            raise Lost(f"write {lowest} is acknowledged, or in the file; write {highest + 1} is missing")
        return lowest, highest

    def compare(self, state: StoredState, *, is_ordered: bool = True) -> None:
        """Raise Lost unless the state is the one after some number of writes, not less than were acknowledged.

        A store that does not carry all writes out in the order of submission has that for each table and each value.
        """
        lengths = {table: len(heads) for table, heads in state.logs.items()}
        if is_ordered:
            lowest, highest = self._range(lengths)
            self._compare_values(state, lowest, highest)
        else:
            self._compare_each(state, lengths)
        expected: dict[tuple[str, str], tuple[bytes, bytes]] = {}
        for table, heads in state.logs.items():
            for seq, (entry, head) in enumerate(zip(self.logs[table], heads, strict=False), 1):
                if entry.head != head:
                    raise Lost(f"entry {seq} of {table} is not the one that was submitted")
                if entry.key is not None:
                    expected[table, entry.key] = entry.request_hash, entry.answer
        if expected != state.answers:
            different = {
                key for key in expected.keys() | state.answers.keys() if expected.get(key) != state.answers.get(key)
            }
            raise Lost(f"entries and idempotency keys differ: {sorted(different)[:3]}")
        stored_keys = {key for _, key in state.answers}
        known_keys = {entry.key for log in self.logs.values() for entry in log}
        if missing := (self.replied.keys() & known_keys) - stored_keys:
            raise Lost(f"clients were told that these are done: {sorted(missing)[:3]}")

    def _compare_each(self, state: StoredState, lengths: dict[str, int]) -> None:
        for table, log in self.logs.items():
            if table not in lengths:
                if self.created[table] in self.effective:
                    raise Lost(f"{table} was created, and is missing")
                continue
            last = max((seq for seq, entry in enumerate(log, 1) if entry.write in self.effective), default=0)
            if not last <= lengths[table] <= len(log):
                raise Lost(f"{table} has {lengths[table]} entries of {last} acknowledged and {len(log)} submitted")
        for name in self.values.keys() | state.values.keys():
            timeline = self.values.get(name, [])
            known = max((index for index, value in enumerate(timeline) if value.write in self.effective), default=-1)
            possible = {value.value for value in timeline[max(known, 0) :]} | ({None} if known < 0 else set())
            if state.values.get(name) not in possible:
                raise Lost(f"the value of {name} is not the acknowledged one")

    def _compare_values(self, state: StoredState, lowest: int, highest: int) -> None:
        for name in self.values.keys() | state.values.keys():
            timeline = self.values.get(name, [])
            before = [value for value in timeline if value.write <= lowest]
            possible = {before[-1].value if before else None}
            possible |= {value.value for value in timeline if lowest < value.write <= highest}
            if state.values.get(name) not in possible:
                raise Lost(f"the value of {name} is not the acknowledged one")


def _unpacked(mark: bytes) -> Iterator[Any]:
    unpacker = msgpack.Unpacker()
    unpacker.feed(mark)
    return iter(unpacker)
