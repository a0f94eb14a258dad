"""Measure durable appends per second: `python -m tests.store.speed [FOLDER]`.

The folder selects the disk; the default is the folder for temporary files.
"""

import asyncio
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from server.store.api import GENESIS, Appended, Claimed, NewEntry, Position, TableStore
from server.store.database_file import Durability
from server.store.sqlite import SqliteStore

PAYLOAD = bytes(200)
ANSWER = bytes(40)
REQUEST_HASH = bytes(32)

MEASURED: tuple[tuple[Durability, int], ...] = (("full", 1), ("full", 8), ("full", 64), ("full", 500), ("fast", 64))


@dataclass(frozen=True, slots=True)
class Speed:
    """The result of a measurement. A wait is the time from a call of `append` to its result."""

    appends_per_second: float
    median_wait_ms: float
    p99_wait_ms: float


async def measure_appends(folder: Path, in_flight: int, seconds: float = 3.0, durability: Durability = "full") -> Speed:
    """Return the speed of the store in a file."""
    store = await SqliteStore.open(folder / f"speed-{in_flight}-{durability}.db", durability)
    try:
        return await measure_store(store, in_flight, seconds)
    finally:
        await store.close()


async def measure_store(store: TableStore, in_flight: int, seconds: float) -> Speed:
    """Return the speed of a store to which `in_flight` tables append at once, with idempotency keys."""
    waits: list[float] = []

    async def play(table: str, until: float) -> None:
        await store.create(table, "running", b"about")
        claimed = await store.claim(table, "worker", 3600)
        assert isinstance(claimed, Claimed)
        end = Position(0, GENESIS)
        while (start := time.perf_counter()) < until:
            entry = NewEntry(PAYLOAD, f"command-{end.seq}", REQUEST_HASH, ANSWER)
            result = await store.append(table, claimed.fence, end, entry)
            assert isinstance(result, Appended)
            end = Position(result.seq, result.head)
            waits.append(time.perf_counter() - start)

    start = time.perf_counter()
    async with asyncio.TaskGroup() as group:
        for number in range(in_flight):
            group.create_task(play(f"table-{number}", start + seconds))
    took = time.perf_counter() - start
    waits.sort()
    return Speed(len(waits) / took, waits[len(waits) // 2] * 1e3, waits[len(waits) * 99 // 100] * 1e3)


def main(folder: str | None = None) -> None:
    """Print a line for each number of concurrent tables."""
    with tempfile.TemporaryDirectory(dir=folder) as made:
        for durability, in_flight in MEASURED:
            speed = asyncio.run(measure_appends(Path(made), in_flight, durability=durability))
            sys.stdout.write(
                f"{durability}, {in_flight:>3} in flight: {speed.appends_per_second:>7,.0f} appends/s, "
                f"wait {speed.median_wait_ms:.1f} ms, p99 {speed.p99_wait_ms:.1f} ms\n"
            )


if __name__ == "__main__":
    main(*sys.argv[1:2])
