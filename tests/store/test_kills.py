"""A process that is killed at any moment loses no acknowledged append, and repeats none."""

import random
import time
from collections import Counter
from pathlib import Path

from server.store.api import Claimed, Known
from server.store.sqlite import SqliteStore
from tests.store.table_owner import TableOwner, verify
from tests.store.victim import start_victim

KILLS = 20
TABLES = 8


def run_and_kill(path: Path, rng: random.Random) -> list[str]:
    """Kill a process after a random time, mostly while it is appending; return the lines that it wrote."""
    victim = start_victim(path, TABLES)
    assert victim.stdout is not None
    seen = [victim.stdout.readline() for _ in range(rng.choice((0, 1, rng.randrange(300))))]
    time.sleep(rng.random() * 0.02)
    victim.kill()
    rest, _ = victim.communicate()
    # The kill may have cut off the last line.
    return [line for line in [*seen, *rest.splitlines(keepends=True)] if line.endswith("\n")]


async def test_every_acknowledged_append_survives_kills_exactly_once(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    rng = random.Random(20)
    acknowledged: Counter[str] = Counter()
    for _ in range(KILLS):
        for line in run_and_kill(path, rng):
            table, key = line.split()
            acknowledged[table] = max(acknowledged[table], int(key))
    assert acknowledged.total() > KILLS * TABLES, "too few appends to prove anything"
    store = await SqliteStore.open(path)
    for table, last in acknowledged.items():
        log = await all_payloads(store, table)
        assert log == [str(number) for number in range(1, len(log) + 1)]
        assert len(log) >= last
        assert (await verify(store, table)).seq == len(log)
        stranger = TableOwner(store, table, Claimed("0.nobody", 0, bytes(32)))
        for key in ("1", str(last)):
            assert await stranger.append(key) == Known(b"answer to " + key.encode())
    await store.close()


async def all_payloads(store: SqliteStore, table: str) -> list[str]:
    found: list[str] = []
    while page := await store.read(table, len(found)):
        found += [entry.payload.decode() for entry in page]
    return found
