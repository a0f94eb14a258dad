"""A worker that has died is noticed by its lost subscription; one that is only slow, frozen or unsubscribed is not."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator

import pytest

from server.cluster.probes import MIN_PROBES, PROBE_INTERVAL_SECONDS
from server.cluster.requests import SUSPECT_SECONDS
from server.model import Done
from server.tables.log import LEASE_SECONDS
from tests.cluster.simulated_cluster import SimulatedCluster, start_cluster
from tests.tables.table_server import toys
from tests.tables.virtual_time import in_virtual_time

TAKE_OVER_SECONDS = SUSPECT_SECONDS + MIN_PROBES * PROBE_INTERVAL_SECONDS + 0.5
"""A request to a dead worker is answered by another one within so long."""


@pytest.fixture(autouse=True)
def _toys() -> Iterator[None]:
    with toys():
        yield


async def answer_seconds(cluster: SimulatedCluster, worker: str, name: str, table: str) -> float:
    """Return how long an accepted request takes."""
    began = asyncio.get_running_loop().time()
    await cluster.do(worker, name, "say", table, text="hello")
    return asyncio.get_running_loop().time() - began


@in_virtual_time
async def test_tables_of_a_killed_worker_are_taken_over_before_its_lease_runs_out() -> None:
    cluster = await start_cluster("a", "b", "c")
    table = await cluster.begin()
    assert cluster.owner(table) == "a"
    await cluster.kill("a")
    assert await answer_seconds(cluster, "b", "ben", table) < TAKE_OVER_SECONDS < LEASE_SECONDS
    await cluster.close()


@in_virtual_time
async def test_a_worker_that_starts_after_the_death_finds_it_out_too() -> None:
    cluster = await start_cluster("a")
    await cluster.create("a", "ann")
    await cluster.kill("a")
    await cluster.add("b")
    assert await answer_seconds(cluster, "b", "ann", "table1") < TAKE_OVER_SECONDS
    await cluster.close()


@in_virtual_time
async def test_a_frozen_worker_keeps_its_tables_until_its_lease_runs_out() -> None:
    cluster = await start_cluster("a", "b")
    table = await cluster.begin()
    cluster.workers["a"].freeze()
    # The last renewal was up to a third of a lease ago.
    assert await answer_seconds(cluster, "b", "ben", table) > LEASE_SECONDS * 2 / 3 - 0.5
    assert not cluster.workers["b"].channels.is_dead("a")
    cluster.workers["a"].thaw()
    await cluster.close()


@in_virtual_time
async def test_a_worker_that_lost_its_subscription_but_sends_heartbeats_is_not_dead() -> None:
    cluster = await start_cluster("a", "b")
    table = await cluster.begin()
    cluster.workers["a"].unsubscribe(is_cut_off=False)
    asked = cluster.send("b", "ben", "say", table, text="hello")
    await asyncio.sleep(5)
    assert not cluster.workers["b"].channels.is_dead("a")
    assert cluster.owner(table) == "a"
    cluster.workers["a"].thaw()
    assert isinstance(await asked, Done)
    await cluster.close()


@in_virtual_time
async def test_a_worker_that_hears_nothing_itself_declares_nobody_dead() -> None:
    cluster = await start_cluster("a", "b", "c")
    hub = cluster.hub
    # Worker b is told that nobody receives its envelopes, but does not receive its own heartbeats either.
    hub.loses = lambda sender, receiver: receiver == "b"
    hub.unsubscribe("a")
    await asyncio.sleep(5)
    assert not cluster.workers["b"].channels.is_dead("a")
    hub.loses = lambda sender, receiver: False
    hub.reconnect("a")
    await cluster.close()


@in_virtual_time
async def test_a_false_alarm_costs_a_worker_its_tables_and_nothing_else(caplog: pytest.LogCaptureFixture) -> None:
    cluster = await start_cluster("a", "b")
    table = await cluster.begin()
    assert isinstance(await cluster.seal("a", "ann", table), Done)
    seq = len(cluster.store._tables[table].entries)
    cluster.workers["a"].unsubscribe(is_cut_off=True)
    assert await answer_seconds(cluster, "b", "ben", table) < TAKE_OVER_SECONDS
    assert cluster.workers["b"].channels.is_dead("a")
    # Worker a still reaches the store, but its fencing token is void.
    late = cluster.send("a", "ann", "say", table, text="still here")
    cluster.workers["a"].thaw()
    assert isinstance(await asyncio.wait_for(late, 30), Done)
    assert cluster.owner(table) == "b"
    assert len(cluster.store._tables[table].entries) == seq + 2
    assert not cluster.workers["b"].channels.is_dead("a")
    assert [record.message for record in caplog.records if record.levelno == logging.WARNING].count(
        "worker was not dead"
    ) == 1
    await cluster.close()


@in_virtual_time
async def test_a_worker_that_is_cut_off_for_a_moment_is_not_dead() -> None:
    cluster = await start_cluster("a", "b")
    for _ in range(20):
        cluster.workers["a"].unsubscribe(is_cut_off=True)
        cluster.workers["b"].channels.suspect("a")
        await asyncio.sleep(PROBE_INTERVAL_SECONDS * (MIN_PROBES - 1) - 0.05)
        assert not cluster.workers["b"].channels.is_dead("a")
        cluster.workers["a"].thaw()
        await asyncio.sleep(0.83)
    await cluster.close()
