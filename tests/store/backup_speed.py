"""How long appends wait while a large file is backed up: `python -m tests.store.backup_speed FOLDER [MEGABYTES]`.

A file of the given size is made in FOLDER. Ten tables are appended to, one entry after the other, at first for some
seconds without a backup, then until a backup is complete.
"""

import asyncio
import os
import shutil
import sys
import time
from pathlib import Path

from server.store.api import Appended, NewEntry
from server.store.sqlite import SqliteStore
from tests.store.table_owner import TableOwner

TABLES = 10
QUIET_SECONDS = 5.0
PAUSE_SECONDS = 0.005


async def fill(store: SqliteStore, megabytes: int) -> list[TableOwner]:
    owners = [await TableOwner.create(store, f"table-{number}") for number in range(TABLES)]
    payload = bytes(range(250)) * 80  # 20 kB
    while sum(owner.end.seq for owner in owners) * len(payload) < megabytes * 1_000_000:
        await asyncio.gather(*(owner.append(str(owner.end.seq), payload) for owner in owners))
    return owners


async def play(owner: TableOwner, waits: list[float], end: asyncio.Event) -> None:
    while not end.is_set():
        begun = time.perf_counter()
        result = await owner.store.append(owner.table, owner.fence, owner.end, NewEntry(bytes(400)))
        waits.append(time.perf_counter() - begun)
        assert isinstance(result, Appended)
        owner.end = type(owner.end)(result.seq, result.head)
        await asyncio.sleep(PAUSE_SECONDS)


async def measured(owners: list[TableOwner], work: asyncio.Future[None]) -> list[float]:
    """Append until the work is done, and return how long each append took."""
    waits: list[float] = []
    end = asyncio.Event()
    work.add_done_callback(lambda _: end.set())
    await asyncio.gather(*(play(owner, waits, end) for owner in owners))
    await work
    return sorted(waits)


def report(title: str, waits: list[float], seconds: float) -> None:
    p50, p99, longest = (1000 * waits[int(part * (len(waits) - 1))] for part in (0.5, 0.99, 1))
    print(f"{title}: {len(waits)} appends in {seconds:.1f} s; p50 {p50:.1f}, p99 {p99:.1f}, longest {longest:.1f} ms")  # noqa: T201


async def main(folder: Path, megabytes: int) -> None:
    os.makedirs(folder)
    try:
        store = await SqliteStore.open(folder / "tables.db")
        owners = await fill(store, megabytes)
        for title, work in (
            ("no backup", asyncio.sleep(QUIET_SECONDS)),
            (f"backup of {megabytes} MB", store.backup(folder / "copy.db")),
        ):
            begun = time.perf_counter()
            waits = await measured(owners, asyncio.ensure_future(work))
            report(title, waits, time.perf_counter() - begun)
        await store.close()
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 500))
