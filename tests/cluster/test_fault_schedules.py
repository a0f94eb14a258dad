"""Random faults of workers, bus and store: nothing acknowledged is lost, and all clients come to see the same.

Each seed is one simulated cluster in virtual time. `FAULT_SCHEDULES=1000` runs more of them.
"""

from __future__ import annotations

import asyncio
import logging
import os
import random
from collections.abc import Iterator
from typing import Any

import pytest

from tests.cluster.fault_schedule import ANSWER_SECONDS, RECOVERY_SECONDS, Client, FaultSchedule, check
from tests.cluster.simulated_cluster import SimulatedCluster
from tests.tables.table_server import toys
from tests.tables.virtual_time import run_in_virtual_time

SEEDS = range(int(os.environ.get("FAULT_SCHEDULES", "10")))


@pytest.fixture(autouse=True)
def _toys() -> Iterator[None]:
    with toys():
        yield


@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_fault_schedule(seed: int, caplog: pytest.LogCaptureFixture) -> None:
    run_in_virtual_time(play_through_faults(random.Random(seed)))
    # Screens log frames out of order as errors, and workers log their exceptions.
    assert [record.message for record in caplog.records if record.levelno >= logging.ERROR] == []


async def play_through_faults(rng: random.Random) -> None:
    cluster = SimulatedCluster("a", "b", "c", bot_seconds=0.3)
    await cluster.start()
    settings: tuple[dict[str, Any], ...] = (
        {"game": "auction", "options": {"rounds": 6}},
        {"game": "mosaic"},
        {"game": "investors", "seats": 3},
    )
    clients: list[Client] = []
    for number, chosen in enumerate(settings):
        table = f"table{number}"
        await cluster.create("a", "ann", table, **{"seats": 3, "absence_seconds": None, **chosen})
        await cluster.do("b", "ben", "take_seat", table)
        await cluster.do("b", "ben", "ready", table, ready=True)
        await cluster.do("a", "ann", "add_bot", table)
        await cluster.do("a", "ann", "start", table)
        clients += [Client(cluster, name, table, random.Random(rng.random())) for name in ("ann", "ben", "pat", "pam")]
    enough = asyncio.Event()
    living = [asyncio.create_task(client.live(enough)) for client in clients]
    schedule = FaultSchedule(cluster, rng)
    await schedule.run(40)
    await asyncio.sleep(RECOVERY_SECONDS)
    enough.set()
    await asyncio.gather(*living)
    await asyncio.sleep(RECOVERY_SECONDS)
    assert all(not client._unanswered for client in clients), "everybody who asked was answered"
    assert max(wait for client in clients for wait in client.waited) <= ANSWER_SECONDS
    await check(cluster, clients)
    await cluster.close()
