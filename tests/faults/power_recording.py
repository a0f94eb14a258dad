"""Recordings of everything that a process writes to a folder, as `power_recorder.c` makes them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from struct import Struct
from typing import NamedTuple

from tests.faults.preload import compiled, preloaded

_HEADER = Struct("<IIQqII")

MARKS = "marks"
"""The name of the file in the recorded folder by which a process tells what it has acknowledged."""


class Record(NamedTuple):
    """One call of a recorded process. `kind` is a letter of the enumeration in `power_recorder.c`."""

    kind: str
    inode: int
    offset: int
    path: str
    data: bytes


def recorded(folder: Path, log: Path) -> dict[str, str]:
    """Return the environment of a process whose writes to a folder are appended to the recording `log`."""
    return preloaded(compiled("power_recorder.c"), POWER_FOLDER=folder, POWER_LOG=log)


def read_recording(log: Path) -> list[Record]:
    """Return all records, with marks as records of the kind M.

    An incomplete last record, of a killed process, is left out.
    """
    records: list[Record] = []
    inode = None
    for record in _records(log.read_bytes()):
        if record.kind in "CO" and record.path == MARKS:
            inode = record.inode
        elif record.inode == inode and record.kind == "W":
            records.append(record._replace(kind="M"))
        else:
            records.append(record)
    return records


def _records(raw: bytes) -> Iterator[Record]:
    start = 0
    while start + _HEADER.size <= len(raw):
        size, kind, inode, offset, path_size, data_size = _HEADER.unpack_from(raw, start)
        end = start + size
        if end > len(raw):
            return
        path = start + _HEADER.size
        data = path + path_size
        assert data + data_size == end
        yield Record(chr(kind), inode, offset, raw[path:data].decode(), raw[data:end])
        start = end


class Marker:
    """Appends marks to a recording from a process that is not recorded itself."""

    def __init__(self, log: Path) -> None:
        self._file = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def mark(self, data: bytes) -> None:
        path = MARKS.encode()
        header = _HEADER.pack(_HEADER.size + len(path) + len(data), ord("M"), 0, 0, len(path), len(data))
        os.write(self._file, header + path + data)

    def close(self) -> None:
        os.close(self._file)
