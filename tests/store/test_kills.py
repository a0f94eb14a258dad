"""A process that is killed at any moment loses nothing that it acknowledged, and repeats nothing."""

import random
import time
from collections import Counter
from pathlib import Path

from server.store.api import Claimed, Known, verify
from server.store.sqlite import SqliteStore
from tests.store.player import Player
from tests.store.victim import start_victim

KILLS = 20
TABLES = 8


def run_and_kill(path: Path, chance: random.Random) -> list[str]:
    """The acknowledgements of a process that lived for a random time, mostly while it was appending."""
    victim = start_victim(path, TABLES)
    assert victim.stdout is not None
    seen = [victim.stdout.readline() for _ in range(chance.choice((0, 1, chance.randrange(300))))]
    time.sleep(chance.random() * 0.02)
    victim.kill()
    rest, _ = victim.communicate()
    # The last line may have been cut off by the kill.
    return [line for line in [*seen, *rest.splitlines(keepends=True)] if line.endswith("\n")]


async def test_every_acknowledged_command_survives_kills_exactly_once(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    chance = random.Random(20)
    acknowledged: Counter[str] = Counter()
    for _ in range(KILLS):
        for line in run_and_kill(path, chance):
            table, command = line.split()
            acknowledged[table] = max(acknowledged[table], int(command))
    assert acknowledged.total() > KILLS * TABLES, "too few appends to prove anything"
    store = await SqliteStore.open(path)
    for table, last in acknowledged.items():
        log = await all_payloads(store, table)
        assert log == [str(number) for number in range(1, len(log) + 1)]
        assert len(log) >= last
        assert (await verify(store, table)).seq == len(log)
        stranger = Player(store, table, Claimed("0.nobody", 0, bytes(32)))
        for command in ("1", str(last)):
            assert await stranger.ask(command) == Known(b"answer to " + command.encode())
    await store.close()


async def all_payloads(store: SqliteStore, table: str) -> list[str]:
    found: list[str] = []
    while page := await store.read(table, len(found)):
        found += [event.payload.decode() for event in page]
    return found
