"""Games during which the masters of a Redis with replicas are killed, one after the other."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

from server.store.redis import RedisStore
from server.tables.state import TableState
from tests.faults.kills import Report, counted_play, free_port
from tests.faults.observers import Observer, check_observer, read_history
from tests.gateway.process import ServerProcess
from tests.scenarios.people import UNLIMITED, choose_by_number, guest_token, open_table, socket_url

GAMES = (("investors", 3), ("planners", 3), ("builders", 3))
WORKERS = 2


@dataclass
class FailoverReport(Report):
    """The statistics of a run with killed masters."""

    seconds: list[float] = field(default_factory=list)
    """For each kill: the time from the kill to the next accepted decision at any table."""


async def play_while_masters_are_killed(
    folder: Path, url: str, kill_master: Callable[[random.Random], None], settle: Callable[[], None], kills: int
) -> tuple[FailoverReport, list[tuple[TableState, int]]]:
    """Play games at workers of this Redis; `kill_master` kills one and returns when another has taken its place.

    Return the statistics and the tables. Assert that all requests were answered, and that all frames agree with the
    logs: whatever anybody was shown is still there.
    """
    report, rng = FailoverReport(), random.Random(5)
    arguments = (*UNLIMITED, f"--redis={url}", "--redis-replicas=1")
    servers = [ServerProcess(folder, *arguments, f"--port={free_port()}") for _ in range(WORKERS)]
    try:
        async with AsyncExitStack() as stack:

            async def people(count: int) -> list[Observer]:
                tokens = [await asyncio.to_thread(guest_token, servers[0].http) for _ in range(count)]
                return [
                    await stack.enter_async_context(Observer(lambda: socket_url(rng.choice(servers).http), token))
                    for token in tokens
                ]

            groups = [await people(3) for _ in GAMES]
            ids = [
                await open_table([*group], *game, absence_seconds=None)
                for group, game in zip(groups, GAMES, strict=True)
            ]
            games = [
                asyncio.create_task(counted_play(client, table, choose_by_number(number), report))
                for number, (group, table) in enumerate(zip(groups, ids, strict=True))
                for client in group
            ]
            while report.kills < kills and not all(game.done() for game in games):
                await asyncio.sleep(rng.uniform(0.2, 1.0))
                decided, killed_at = report.accepted.total(), time.perf_counter()
                await asyncio.to_thread(kill_master, rng)
                report.kills += 1
                while True:
                    await asyncio.sleep(0.01)
                    if report.accepted.total() > decided or all(game.done() for game in games):
                        break
                report.seconds.append(time.perf_counter() - killed_at)
                if report.kills < kills:
                    await asyncio.to_thread(settle)
            await asyncio.gather(*games)
            everybody = [client for group in groups for client in group]
            report.reconnects = sum(client.reconnects for client in everybody)
            for client in everybody:
                await client.all_answered()
        store = RedisStore.at(url)
        try:
            histories = {table: await read_history(store, table) for table in ids}
            for client in everybody:
                await check_observer(client, histories, store)
        finally:
            await store.close()
        return report, [(expected.state, expected.steps) for expected in histories.values()]
    finally:
        for server in servers:
            server.end()
