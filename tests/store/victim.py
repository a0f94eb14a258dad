"""A process that appends until it is killed: `python -m tests.store.victim FILE TABLES`.

Every table gets entries under the idempotency keys 1, 2, 3, …, which are also their payloads. A line "TABLE KEY" says
that an append is acknowledged. After a start, each table repeats its last append, as a client without an answer would.
"""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

from server.store.api import Appended, Known
from server.store.sqlite import SqliteStore
from tests.store.table_owner import TableOwner


async def play(store: SqliteStore, table: str) -> None:
    """Append until the process is killed."""
    await store.create(table, "running", b"")
    owner = await TableOwner.claim(store, table)
    key = max(owner.end.seq, 1)
    while True:
        result = await owner.append(str(key))
        assert isinstance(result, Appended | Known), result
        os.write(sys.stdout.fileno(), f"{table} {key}\n".encode())
        key += 1


def start_victim(path: Path, tables: int) -> "subprocess.Popen[str]":
    """Start a process that appends to this many tables. The caller must kill it."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.store.victim", str(path), str(tables)], stdout=subprocess.PIPE, text=True
    )


async def main(path: str, tables: str) -> None:
    """Append to all tables concurrently."""
    store = await SqliteStore.open(Path(path))
    async with asyncio.TaskGroup() as group:
        for number in range(int(tables)):
            group.create_task(play(store, f"table-{number}"))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
