"""A process that appends until it is killed: `python -m tests.store.victim FILE TABLES`.

Every table gets the commands 1, 2, 3, …, each with one event that names it. A line "TABLE COMMAND" says that a command
is acknowledged. After a start, each table repeats its last stored command, as clients would that saw no answer.
"""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

from server.store.api import Appended, Known
from server.store.sqlite import SqliteStore
from tests.store.player import Player


async def play(store: SqliteStore, table: str) -> None:
    """Append for ever."""
    await store.create(table, "running", b"")
    player = await Player.take(store, table)
    command = max(player.seq, 1)
    while True:
        result = await player.ask(str(command))
        assert isinstance(result, Appended | Known), result
        os.write(sys.stdout.fileno(), f"{table} {command}\n".encode())
        command += 1


def start_victim(path: Path, tables: int) -> "subprocess.Popen[str]":
    """A new process that plays at so many tables. Whoever starts it must kill it."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.store.victim", str(path), str(tables)], stdout=subprocess.PIPE, text=True
    )


async def main(path: str, tables: str) -> None:
    """Play at all tables at once."""
    store = await SqliteStore.open(Path(path))
    async with asyncio.TaskGroup() as group:
        for number in range(int(tables)):
            group.create_task(play(store, f"table-{number}"))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
