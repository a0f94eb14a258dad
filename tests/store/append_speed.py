"""Measure the CPU time of durable appends: `python -m tests.store.append_speed [--against TREE] [--rounds N]`.

The appends come one by one at the pace of people (40 and 400 a second over 200 tables), at 2,000 a second, and from 64
tables at once as fast as they are stored. In "busy", each of these tables also computes before it appends, as a server
at saturation does, so that the loop and the thread of the store compete for the interpreter.

`--against` names another checkout of this project, with its own `.venv`; it is measured in turn with this one, and what
counts is the ratio within each round. The store in memory shows what the measurement itself takes, and "bare sync" what
no durable store can do without: another thread that writes as much to a file and syncs it. Each run is a process of
its own, on one core if it is started with `taskset`.
"""

import argparse
import asyncio
import json
import os
import random
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple, Self

import uvloop

from server.store.api import GENESIS, Appended, AppendResult, Claimed, NewEntry, Position, TableStore
from server.store.group_commit import GroupCommit
from server.store.memory import MemoryStore
from server.store.sqlite import SqliteStore

TABLES = 200
MOVES_BEFORE = 40
"""Entries that each table has before the measurement, so that no two tables share a page."""

AT_ONCE = 64
BARE_FILE_SIZE = 4 << 20
BUSY_STEPS = 3_000
"""The number of steps that the loop computes before each append in "busy": about 0.15 ms."""

WORKLOADS = ("40/s", "400/s", "2000/s", "at once", "busy")
THIS_TREE = Path(__file__).parents[2]


class Spent(NamedTuple):
    """The cost of one append in microseconds: CPU time of all threads, that of the loop's thread, and the wait."""

    cpu: float
    loop_cpu: float
    wait: float
    appends_per_second: float


class Owner:
    """An owner of one table, who appends entries as large as those of a game."""

    def __init__(self, store: TableStore, table: str, rng: random.Random) -> None:
        self._store = store
        self._table = table
        self._rng = rng
        self._fence = ""
        self._end = Position(0, GENESIS)

    async def start(self) -> None:
        """Create the table and own it."""
        await self._store.create(self._table, "running", self._rng.randbytes(500))
        claimed = await self._store.claim(self._table, "worker", 3600)
        assert isinstance(claimed, Claimed)
        self._fence = claimed.fence
        for _ in range(MOVES_BEFORE):
            await self.append()

    async def append(self) -> None:
        """Append an entry with an idempotency key and a summary of the table."""
        key = f"{self._rng.randbytes(8).hex()}/{self._rng.randbytes(8).hex()}"
        rng = self._rng
        request_hash = sha256(rng.randbytes(100)).digest()
        entry = NewEntry(rng.randbytes(200), key, request_hash, rng.randbytes(40), rng.randbytes(500))
        result = await self._store.append(self._table, self._fence, self._end, entry)
        assert isinstance(result, Appended)
        self._end = Position(result.seq, result.head)


async def measure(store: TableStore, workload: str, seconds: float) -> Spent:
    """Return what an append takes."""
    rng = random.Random(1)
    owners = [Owner(store, f"table-{number}", rng) for number in range(TABLES)]
    await asyncio.gather(*(owner.start() for owner in owners))
    waits: list[float] = []

    async def append(owner: Owner) -> None:
        begun = time.perf_counter()
        await owner.append()
        waits.append(time.perf_counter() - begun)

    cpu, loop_cpu, begun = time.process_time(), time.thread_time(), time.perf_counter()
    if workload in ("at once", "busy"):

        async def append_on(owner: Owner) -> None:
            while time.perf_counter() < begun + seconds:
                if workload == "busy":
                    sum(step for step in range(BUSY_STEPS))
                    await asyncio.sleep(0)
                await append(owner)

        await asyncio.gather(*map(append_on, owners[:AT_ONCE]))
    else:
        pace = float(workload.removesuffix("/s"))
        due = begun
        pending: dict[Owner, asyncio.Task[None]] = {}
        while (due := due + rng.expovariate(pace)) < begun + seconds:
            await asyncio.sleep(due - time.perf_counter())
            owner = rng.choice(owners)
            if owner not in pending or pending[owner].done():
                pending[owner] = asyncio.create_task(append(owner))
        await asyncio.gather(*pending.values())
    cpu, loop_cpu, took = time.process_time() - cpu, time.thread_time() - loop_cpu, time.perf_counter() - begun
    count = len(waits)
    return Spent(cpu / count * 1e6, loop_cpu / count * 1e6, statistics.median(waits) * 1e6, count / took)


class BareSync(MemoryStore):
    """A lower bound for a single durable append: a thread writes the entry into a file of fixed size, and syncs it."""

    def __init__(self, commits: GroupCommit, file: int) -> None:
        super().__init__()
        self._commits = commits
        self._file = file

    @classmethod
    async def open(cls, path: Path) -> Self:
        """Create the file, and start the thread."""
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        for offset in range(0, BARE_FILE_SIZE, 4096):
            os.pwrite(file, bytes(4096), offset)
        os.fsync(file)
        # The thread uses no database; its connection is never touched.
        return cls(await GroupCommit.start(closing(sqlite3.connect(":memory:", check_same_thread=False))), file)

    async def append(self, table: str, fence: str, expected: Position, entry: NewEntry) -> AppendResult:
        """Append in memory; sync once the measurement has begun."""

        def sync(_: sqlite3.Connection) -> None:
            os.pwrite(
                self._file, b"".join((entry.payload, entry.answer, entry.summary or b"")), expected.seq % 1000 * 4096
            )
            os.fdatasync(self._file)

        if expected.seq >= MOVES_BEFORE:
            await self._commits.exclusive(sync)
        return await super().append(table, fence, expected, entry)

    async def close(self) -> None:
        """End the thread."""
        await self._commits.close()
        os.close(self._file)


async def measure_here(kind: str, workload: str, seconds: float, folder: Path | None) -> Spent:
    """Return what an append takes in this process, in memory or in a new file."""
    with tempfile.TemporaryDirectory(dir=folder) as made:
        path = Path(made) / "tables.db"
        store: TableStore
        if kind == "memory":
            store = MemoryStore()
        else:
            store = await (BareSync if kind == "bare" else SqliteStore).open(path)
        try:
            return await measure(store, workload, seconds)
        finally:
            await store.close()


def measure_tree(tree: Path, *args: str) -> Spent:
    """Return what an append takes with the server of a checkout, in a process of its own."""
    command = [tree / ".venv/bin/python", Path(__file__).resolve(), *args]
    done = subprocess.run(
        command, cwd=tree, env={**os.environ, "PYTHONPATH": str(tree)}, stdout=subprocess.PIPE, check=True, text=True
    )
    return Spent(*json.loads(done.stdout))


def compare(trees: dict[str, tuple[Path, str]], workload: str, rounds: int, options: list[str]) -> None:
    """Print a line for each contestant, and the ratio of this tree to the other one."""
    found: dict[str, list[Spent]] = {name: [] for name in trees}
    for number in range(rounds):
        for name in list(trees)[:: 1 if number % 2 else -1]:
            tree, kind = trees[name]
            found[name].append(measure_tree(tree, "--here", kind, "--workload", workload, *options))
    for name, spent in found.items():
        cpu, loop_cpu, wait, per_second = (statistics.median(column) for column in zip(*spent, strict=True))
        sys.stdout.write(
            f"{workload:>8} {name:<9} CPU {cpu:5.0f} µs (loop {loop_cpu:4.0f}, store {cpu - loop_cpu:4.0f}), "
            f"wait {wait:6.0f} µs, {per_second:6,.0f} appends/s\n"
        )
    if "against" in found:
        ratios = sorted(ours.cpu / theirs.cpu for ours, theirs in zip(found["here"], found["against"], strict=True))
        ratio = f"{statistics.median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})"
        sys.stdout.write(f"{workload:>8} CPU here by against: {ratio}\n")
    sys.stdout.flush()


def main() -> None:
    """Measure what the arguments ask for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--against", type=Path, help="another checkout to compare with")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--workload", choices=WORKLOADS, action="append")
    parser.add_argument("--folder", type=Path, help="a folder on the disk to measure")
    parser.add_argument("--here", choices=("memory", "bare", "sqlite"), help="measure in this process, and print JSON")
    args = parser.parse_args()
    workloads = args.workload or WORKLOADS
    if args.here:
        measured = measure_here(args.here, workloads[0], args.seconds, args.folder)
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            sys.stdout.write(json.dumps(runner.run(measured)))
        return
    trees = {"memory": (THIS_TREE, "memory"), "here": (THIS_TREE, "sqlite")}
    if args.against is not None:
        trees["against"] = (args.against.resolve(), "sqlite")
    options = ["--seconds", str(args.seconds), *(["--folder", str(args.folder)] if args.folder else [])]
    for workload in workloads:
        # With more than one append at a time, a thread that syncs each alone is no bound.
        bare = {"bare sync": (THIS_TREE, "bare")} if workload == "40/s" else {}
        compare({**trees, **bare}, workload, args.rounds, options)


if __name__ == "__main__":
    main()
