"""A disk that loses power: replays a recording, and builds the images that a cut at this moment may leave behind.

The model is as hostile as POSIX allows. Of the writes to a file since its last completed sync, any may be lost, in any
order, also single sectors of one. A file may have its new size without its new content. A file name that was created,
renamed or removed is on the disk only after its folder was synced. What a completed sync covers is never lost, and a
write changes no byte outside of itself (SQLite calls that "powersafe overwrite").
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tests.faults.power_recording import Record

SECTOR = 512

LOCK_SUFFIX = ".lock"
"""Files with this suffix hold nothing that must survive, and are never synced."""

KINDS = ("lost", "kept", "prefix", "bytes", "tail", "subset", "sectors", "ahead")
"""What happens to unsynced writes:
- lost, kept: all are lost, or all are kept;
- prefix, bytes: those up to one are kept, or up to a byte within one;
- tail: like bytes, but the files have their full size, with zeros or garbage where content is missing;
- subset, sectors: any of them are kept, or any sectors of any of them;
- ahead: like subset, but the files have their full size, like tail."""

IN_ORDER = KINDS[:5]
"""The kinds in which nothing is kept that was written after something lost."""


class Pending(NamedTuple):
    """A write, or a truncation if `data` is None, that no sync covers yet. `number` is its place in the recording."""

    number: int
    offset: int
    data: bytes | None


@dataclass(eq=False)
class _File:
    durable: bytearray = field(default_factory=bytearray)
    pending: list[Pending] = field(default_factory=list)

    def sync(self, count: int) -> None:
        for write in self.pending[:count]:
            _apply(self.durable, write)
        del self.pending[:count]


class _NameChange(NamedTuple):
    """A change of a folder that is not synced yet: the file of each name, None for a removed one."""

    number: int
    names: dict[str, _File | None]


class _Sync(NamedTuple):
    file: _File | None
    path: str
    covers: int
    number: int


class Disk:
    """The files of the recorded folder: durable content, and what is not synced yet."""

    def __init__(self, files: dict[str, bytes] | None = None, *, is_journaled: bool = False) -> None:
        """`is_journaled`: any sync also makes all earlier changes of names durable, as ext4, XFS and Btrfs do."""
        self._is_journaled = is_journaled
        self._durable: dict[str, _File] = {name: _File(bytearray(data)) for name, data in (files or {}).items()}
        self._names = dict(self._durable)
        self._by_inode: dict[int, _File] = {}
        self._changes: list[_NameChange] = []
        self._syncs: dict[int, _Sync] = {}
        self._count = 0

    @property
    def has_pending(self) -> bool:
        """Return whether a cut now could lose anything."""
        files = {id(file): name for name, file in (*self._durable.items(), *self._names.items())}
        return bool(self._changes) or any(
            file.pending for file in self._files() if not files[id(file)].endswith(LOCK_SUFFIX)
        )

    def apply(self, record: Record) -> bytes | None:
        """Apply the next record; return the mark if it is one."""
        self._count += 1
        match record.kind:
            case "M":
                return record.data
            case "C":
                file = self._by_inode[record.inode] = _File()
                self._change({record.path: file})
            case "W":
                self._by_inode[record.inode].pending.append(Pending(self._count, record.offset, record.data))
            case "T":
                self._by_inode[record.inode].pending.append(Pending(self._count, record.offset, None))
            case "F":
                file = self._file_of_content(record)
                file.pending.append(Pending(self._count, len(record.data), None))
                file.pending.append(Pending(self._count, 0, record.data))
            case "O":
                self._by_inode[record.inode] = self._names[record.path]
            case "R":
                file, target = self._names[record.path], record.data.decode()
                if _folder(record.path) == _folder(target):
                    self._change({record.path: None, target: file})
                else:
                    # Both folders must be synced.
                    self._change({target: file})
                    self._change({record.path: None})
            case "U":
                self._change({record.path: None})
            case "S":
                synced = self._by_inode.get(record.inode) if record.inode else None
                covers = 0 if synced is None else len(synced.pending)
                self._syncs[record.offset] = _Sync(synced, record.path, covers, self._count)
            case "E":
                self._end_sync(self._syncs.pop(record.offset))
            case _:
                raise AssertionError(record.kind)
        return None

    def _end_sync(self, sync: _Sync) -> None:
        if sync.file is not None:
            sync.file.sync(sync.covers)
        left = []
        for change in self._changes:
            is_synced = sync.file is None and all(_folder(name) == sync.path for name in change.names)
            if change.number < sync.number and (is_synced or self._is_journaled):
                _rename(self._durable, change)
            else:
                left.append(change)
        self._changes = left

    def _change(self, names: dict[str, _File | None]) -> None:
        change = _NameChange(self._count, names)
        self._changes.append(change)
        _rename(self._names, change)

    def _file_of_content(self, record: Record) -> _File:
        """Return the file whose content was recorded as a whole; nobody saw who created it."""
        file = self._names.get(record.path)
        if file is None or self._by_inode.get(record.inode) is not file:
            file = self._by_inode[record.inode] = _File()
            self._change({record.path: file})
        return file

    def _files(self) -> list[_File]:
        names = [*self._durable.values(), *self._names.values()]
        return list({id(file): file for file in names}.values())

    def image(self, kind: str, rng: random.Random) -> dict[str, bytes]:
        """Return the content of each file after a cut of this kind."""
        pending = sorted({write.number for file in self._files() for write in file.pending})
        pending += [change.number for change in self._changes]
        # Up to here everything is kept, in the kinds that keep a prefix; the write of this number is torn.
        last = rng.choice([0, *pending]) if kind in ("prefix", "bytes", "tail") else 0
        share = rng.choice((0.2, 0.5, 0.8))
        names = dict(self._durable)
        for change in self._changes:
            if kind == "kept" or (change.number <= last if kind in IN_ORDER else rng.random() < share):
                _rename(names, change)
        return {name: bytes(_content(file, kind, rng, last, share)) for name, file in sorted(names.items())}


def _content(file: _File, kind: str, rng: random.Random, last: int, share: float) -> bytearray:
    content = bytearray(file.durable)
    for write in file.pending:
        match kind:
            case "lost":
                continue
            case "kept":
                _apply(content, write)
            case "prefix":
                if write.number <= last:
                    _apply(content, write)
            case "bytes" | "tail":
                if write.number < last:
                    _apply(content, write)
                elif write.number == last:
                    _apply(content, _torn(write, rng))
                if kind == "tail" and write.number >= last and write.data is not None:
                    _extend(content, write, rng)
            case "sectors":
                for part in _sectors(write):
                    if rng.random() < share:
                        _apply(content, part)
            case _:
                if rng.random() < share:
                    _apply(content, write)
                elif kind == "ahead" and write.data is not None:
                    _extend(content, write, rng)
    return content


def _apply(content: bytearray, write: Pending) -> None:
    if write.data is None:
        size = write.offset
        if size < len(content):
            del content[size:]
        else:
            content.extend(bytes(size - len(content)))
        return
    if write.offset > len(content):
        content.extend(bytes(write.offset - len(content)))
    content[write.offset : write.offset + len(write.data)] = write.data


def _torn(write: Pending, rng: random.Random) -> Pending:
    return write if write.data is None else write._replace(data=write.data[: rng.randint(0, len(write.data))])


def _sectors(write: Pending) -> Sequence[Pending]:
    if write.data is None:
        return [write]
    parts, start, end = [], write.offset, write.offset + len(write.data)
    while start < end:
        stop = min(end, (start // SECTOR + 1) * SECTOR)
        parts.append(Pending(write.number, start, write.data[start - write.offset : stop - write.offset]))
        start = stop
    return parts


def _extend(content: bytearray, write: Pending, rng: random.Random) -> None:
    """Give a file the size that a lost write would have given it, without the content."""
    assert write.data is not None
    missing = write.offset + len(write.data) - len(content)
    if missing > 0:
        content.extend(bytes(missing) if rng.random() < 0.5 else rng.randbytes(missing))


def _rename(names: dict[str, _File], change: _NameChange) -> None:
    for name, file in change.names.items():
        if file is None:
            names.pop(name, None)
        else:
            names[name] = file


def _folder(name: str) -> str:
    return name.rpartition("/")[0]
