"""Tables by the day in a cluster: take-overs change no clock, and somebody loads a table whose time has come."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from server.lobby.due import INTERVAL_SECONDS, DueTables
from tests.cluster.simulated_cluster import SimulatedCluster, Worker, start_cluster
from tests.lobby.fakes import FakeSubscriber
from tests.tables.table_server import person, toys, wall
from tests.tables.virtual_time import in_virtual_time

HOUR = 3_600.0
DAYS = {"clock": {"kind": "decision", "seconds": 3_600}, "absence_seconds": None, "game": "mosaic"}
"""The shortest clock of a table by the day, since the heartbeats of each hour take a while."""


@pytest.fixture(autouse=True)
def _toys() -> Iterator[None]:
    with toys():
        yield


def look_for_due(cluster: SimulatedCluster) -> None:
    """Let every worker look for due tables, as `server/app.py` does."""

    def start(worker: Worker) -> None:
        registry = worker.registry
        DueTables(worker.directory, worker._store, registry.load, registry.owns, registry.day_time).start()

    for worker in cluster.workers.values():
        start(worker)


async def ran_out(cluster: SimulatedCluster, table: str = "table1") -> int:
    return sum(b"time_ran_out" in entry.payload for entry in await cluster.store.read(table))


@pytest.mark.parametrize("end", ["killed", "drained"])
@in_virtual_time
async def test_the_next_owner_of_a_table_goes_on_with_its_clock(end: str) -> None:
    cluster = await start_cluster("a", "b", "c")
    await cluster.begin(**DAYS)
    begun = round(wall() * 1000)
    await asyncio.sleep(0.5 * HOUR)
    owner = cluster.owner("table1") if any(w.registry.owns("table1") for w in cluster.workers.values()) else "a"
    if end == "killed":
        await cluster.kill(owner)
    else:
        await cluster.workers.pop(owner).drain()
    await asyncio.sleep(10)
    other = next(iter(cluster.workers))
    screen = await cluster.watch(other, "pat", "table1")
    assert screen.view is not None
    assert screen.view["clock"]["days"][0]["deadline"] == begun + 3_600_000
    await asyncio.sleep(0.5 * HOUR - 20)
    assert await ran_out(cluster) == 0
    await asyncio.sleep(30)
    assert await ran_out(cluster) == 1
    await cluster.close()


@pytest.mark.parametrize("is_killed", [True, False], ids=["owner is killed", "owner lives"])
@in_virtual_time
async def test_a_table_that_nobody_visits_is_loaded_by_one_worker_when_time_runs_out(is_killed: bool) -> None:
    cluster = await start_cluster("a", "b", "c")
    look_for_due(cluster)
    await cluster.begin(**DAYS, time_up="fallback")
    await asyncio.sleep(300)
    assert not any(worker.registry.loaded for worker in cluster.workers.values())
    if is_killed:
        await cluster.kill("a")
    await asyncio.sleep(HOUR - 330)
    assert await ran_out(cluster) == 0
    await asyncio.sleep(60 + 2 * INTERVAL_SECONDS)
    assert await ran_out(cluster) == 1
    await cluster.close()


@in_virtual_time
async def test_a_user_at_another_worker_sees_the_own_deadline() -> None:
    cluster = await start_cluster("a", "b")
    ann = FakeSubscriber(person("ann"))
    cluster.workers["b"].directory.connected(ann)
    await asyncio.sleep(2)
    await cluster.begin(**DAYS)
    await asyncio.sleep(5)
    (own,) = ann.own
    assert own["awaited"]
    assert own["deadline"] == own["since"] + 3_600_000
    await cluster.close()
