"""Simulated power cuts of the store in a file: images of the disk are opened with the real code and compared.

`python -m tests.faults.power_cuts RECORDING SEED NUMBER` repeats one cut of a kept recording, and leaves its image.
"""

from __future__ import annotations

import asyncio
import copy
import random
import re
import shutil
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from server.store.api import Appended, Claimed, Known, LogEntry, NewEntry, Position
from server.store.sqlite import SqliteStore
from tests.faults.power_disk import KINDS, Disk
from tests.faults.power_history import History, Lost, StoredState
from tests.faults.power_recording import Record, read_recording, recorded
from tests.faults.preload import memory_folder

DATABASE = "tables.db"


class Cut(NamedTuple):
    """A power cut after so many records. Its number and the seed determine everything."""

    number: int
    position: int
    is_at_sync: bool


class Failure(NamedTuple):
    cut: Cut
    kind: str
    reason: str


@dataclass
class Report:
    """The result of many cuts."""

    cuts: Counter[str] = field(default_factory=Counter)
    """The number of cuts by kind."""

    at_syncs: int = 0
    boundaries: tuple[int, int] = (0, 0)
    """How many sync boundaries were tried, of how many in the recording."""

    failures: list[Failure] = field(default_factory=list)
    acknowledged: int = 0
    """Acknowledged writes that were looked for, over all cuts."""

    def __str__(self) -> str:
        kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(self.cuts.items()))
        return (
            f"{self.cuts.total()} cuts ({kinds}), {self.at_syncs} of them at {self.boundaries[0]} of "
            f"{self.boundaries[1]} sync boundaries, "
            f"{self.acknowledged} acknowledged writes looked for, {len(self.failures)} failures"
        )


@dataclass(frozen=True)
class Recording:
    """A recording, its file, and what was on the disk and acknowledged when it began."""

    records: Sequence[Record]
    log: Path | None = None
    files: dict[str, bytes] = field(default_factory=dict)
    history: History = field(default_factory=History)
    is_journaled: bool = False

    def boundaries(self) -> list[int]:
        """Return where a sync has not taken effect yet, where it has, and where what it covers was acknowledged."""
        return self.positions("S|E|M(?!M)")

    def positions(self, pattern: str) -> list[int]:
        """Return the positions after the records whose kinds match."""
        kinds = "".join(record.kind for record in self.records)
        return [match.end() for match in re.finditer(pattern, kinds)]

    def replay(self) -> Iterator[tuple[int, Disk, History]]:
        """Yield the disk and the history, which change with the next record, after each record."""
        disk, history = Disk(self.files, is_journaled=self.is_journaled), copy.deepcopy(self.history)
        for position, record in enumerate(self.records, 1):
            mark = disk.apply(record)
            if mark is not None:
                history.add(mark)
            yield position, disk, history


def choose_cuts(recording: Recording, count: int, seed: int) -> list[Cut]:
    """Return cuts in order of position: half of them beside a sync, the others anywhere.

    Positions are used again only when each was used once, so enough cuts cover all of them.
    """
    rng = random.Random(f"{seed}/positions")
    at_syncs, anywhere = recording.boundaries(), recording.positions("[^M]")
    rng.shuffle(at_syncs)
    rng.shuffle(anywhere)
    cuts = []
    for number in range(count):
        is_at_sync = number % 2 == 0
        positions = at_syncs if is_at_sync else anywhere
        cuts.append(Cut(number, positions[number // 2 % len(positions)], is_at_sync))
    return sorted(cuts, key=lambda cut: cut.position)


def images(
    recording: Recording, cuts: Sequence[Cut], seed: int, kinds: Sequence[str] = KINDS
) -> Iterator[tuple[Cut, str, dict[str, bytes], History]]:
    """Yield each cut with its kind, its image, and the history up to it."""
    waiting = list(reversed(cuts))
    for position, disk, history in recording.replay():
        while waiting and waiting[-1].position == position:
            cut = waiting.pop()
            rng = random.Random(f"{seed}/{cut.number}")
            kind = rng.choice(kinds) if disk.has_pending else "nothing unsynced"
            yield cut, kind, disk.image("lost" if kind == "nothing unsynced" else kind, rng), history
        if not waiting:
            return


def record_load(folder: Path, log: Path, entries: int, seed: int, durability: str = "full", end: str = "kill") -> None:
    """Record a process that writes to the store in a folder."""
    arguments = (folder / DATABASE, str(entries), str(seed), durability, end)
    subprocess.run(
        [sys.executable, "-m", "tests.faults.power_load", *arguments], env=recorded(folder, log), check=False
    )


CheckLogs = Callable[[dict[str, list[LogEntry]]], None]
"""Takes the log of each table, and raises Lost if one does not replay."""


async def try_cuts(
    recording: Recording, cuts: Sequence[Cut], seed: int, check_logs: CheckLogs | None = None, max_failures: int = 10
) -> Report:
    """Try these cuts, which are in order of position, and return what was found."""
    report, folder = Report(), memory_folder("power-")
    tried = {cut.position for cut in cuts if cut.is_at_sync}
    report.boundaries = len(tried), len(recording.boundaries())
    try:
        for cut, kind, files, history in images(recording, cuts, seed):
            report.cuts[kind] += 1
            report.at_syncs += cut.is_at_sync
            report.acknowledged += history.acknowledged
            reason = await check_image(files, history, folder, check_logs)
            if reason is not None:
                report.failures.append(Failure(cut, kind, reason))
                if len(report.failures) >= max_failures:
                    break
    finally:
        shutil.rmtree(folder)
    return report


async def check_image(
    files: dict[str, bytes], history: History, folder: Path, check_logs: CheckLogs | None = None
) -> str | None:
    """Open an image with the real code and compare it with the history; return what is wrong, or None."""
    write_files(files, folder)
    try:
        store = await SqliteStore.open(folder / DATABASE)
    except Exception as error:  # noqa: BLE001 - whatever it is, the store does not open
        return f"does not open: {error!r}"
    try:
        logs = {row.table: await store.read(row.table, 0, 1_000_000) for row in await store.tables()}
        history.compare(await _stored_state(store, logs))
        if check_logs is not None:
            check_logs(logs)
        await _go_on(store, history)
    except Exception as error:  # noqa: BLE001 - also LogDamaged, and errors of SQLite
        return f"{type(error).__name__}: {error}"
    finally:
        await store.close()
    return None


def write_files(files: dict[str, bytes], folder: Path) -> None:
    """Replace the content of a folder."""
    for path in folder.rglob("*"):
        if path.is_file():
            path.unlink()
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


async def _stored_state(store: SqliteStore, logs: dict[str, list[LogEntry]]) -> StoredState:
    def work(db: sqlite3.Connection) -> StoredState:
        answers = db.execute(
            "SELECT name, command_id, request_hash, answer FROM commands JOIN tables ON tables.number = commands.number"
        )
        values = db.execute("SELECT kind, key, value FROM records")
        return StoredState(
            {table: [entry.head for entry in log] for table, log in logs.items()},
            {(table, key): (request_hash, answer) for table, key, request_hash, answer in answers},
            {(kind, key): value for kind, key, value in values},
        )

    return await store._commits.read(work)


async def _go_on(store: SqliteStore, history: History) -> None:
    """Append to one table, and repeat its last request: the store works, and has no second effect."""
    stored = {row.table for row in await store.tables()}
    table = next((table for table in reversed(history.logs) if table in stored), None)
    if table is None:
        return
    claimed = await store.claim(table, "after the cut", 3_600)
    assert isinstance(claimed, Claimed), claimed
    end = Position(claimed.seq, claimed.head)
    known = [entry for entry in history.logs[table][: end.seq] if entry.key is not None]
    if known:
        entry = known[-1]
        again = NewEntry(b"again", entry.key, entry.request_hash)
        if await store.append(table, claimed.fence, end, again) != Known(entry.answer):
            raise Lost(f"the request {entry.key} is carried out twice")
    assert isinstance(await store.append(table, claimed.fence, end, NewEntry(b"", "after the cut")), Appended)


def main(log: str, seed: str, number: str) -> None:
    """Repeat one cut of a recording that begins with an empty folder."""
    recording = Recording(read_recording(Path(log)))
    cuts = [cut for cut in choose_cuts(recording, int(number) + 1, int(seed)) if cut.number == int(number)]
    for cut, kind, files, history in images(recording, cuts, int(seed)):
        folder = memory_folder("power-")
        reason = asyncio.run(check_image(files, history, folder))
        write_files(files, folder)
        print(f"{cut}, {kind}: {reason or 'nothing is lost'}; the image is in {folder}")  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:])
