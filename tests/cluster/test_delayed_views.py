"""Commentators at other workers than the owner of the table, which is killed, frozen and taken over."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from server.cluster.channels import PEER_TIMEOUT_SECONDS
from server.model import Done
from server.tables.log import LEASE_SECONDS
from server.tables.proofs import time_of_proof
from tests.cluster.simulated_cluster import SimulatedCluster, start_cluster
from tests.replies import code_of
from tests.tables.delayed import DELAY, MINUTES, TimedScreen, opened
from tests.tables.table_server import person, toys, wall
from tests.tables.virtual_time import in_virtual_time


@pytest.fixture(autouse=True)
def _toys() -> Iterator[None]:
    with toys():
        yield


async def key_of(cluster: SimulatedCluster, table: str, worker: str = "a", **fields: Any) -> str:
    return str((await cluster.do(worker, "ann", "commentary_key", table, **fields))["key"])


async def commentate(cluster: SimulatedCluster, worker: str, name: str, table: str, key: str) -> TimedScreen:
    screen = TimedScreen(person(name))
    assert isinstance(await asyncio.wait_for(cluster.try_watch(worker, screen, table, delayed=True, key=key), 60), Done)
    return screen


async def play_round(cluster: SimulatedCluster, table: str, *workers: str) -> None:
    for worker, name in zip(workers, ("ann", "ben"), strict=True):
        assert isinstance(await cluster.seal(worker, name, table), Done)


def check(cluster: SimulatedCluster, table: str, *screens: TimedScreen) -> None:
    """Assert that nothing of the game came earlier than its delay, and that no number went back."""
    secret = cluster.state(table).secret
    ahead = wall() - asyncio.get_running_loop().time()
    for screen in screens:
        numbered = [(came, message) for came, message in screen.came if "number" in message]
        numbers = [message["number"] for _, message in numbered]
        assert numbers == sorted(numbers)
        for came, message in numbered:
            if message["type"] == "view" and message["view"]["play"] is None:
                continue
            at = time_of_proof(secret, message["stamp"])
            assert at is not None
            assert came + ahead - at / 1000 >= DELAY - 0.001


@in_virtual_time
async def test_a_delayed_frame_goes_to_each_worker_once() -> None:
    cluster = await start_cluster("a", "b")
    table = await cluster.begin(absence_seconds=None, delayed_view=MINUTES)
    key = await key_of(cluster, table)
    screens = [await commentate(cluster, "b", f"c{number}", table, key) for number in range(20)]
    await play_round(cluster, table, "a", "b")
    sent: list[str] = []
    channels = cluster.workers["a"].channels
    send = channels.send

    def note(peer: str, kind: str, content: list[Any]) -> None:
        sent.append(kind)
        send(peer, kind, content)

    channels.send = note  # type: ignore[method-assign]
    await asyncio.sleep(DELAY + 1)
    assert sent.count("frame") == 0
    assert sent.count("frames") == 3, "the start of the game, and two answers"
    assert len({screen.number for screen in screens}) == 1
    assert all(len(opened(screen)) == 2 for screen in screens)
    check(cluster, table, *screens)
    await cluster.close()


@in_virtual_time
async def test_when_the_owner_is_killed_nothing_comes_earlier_and_no_view_goes_back() -> None:
    cluster = await start_cluster("a", "b", "c")
    table = await cluster.begin(absence_seconds=None, delayed_view=MINUTES)
    key = await key_of(cluster, table)
    screens = [await commentate(cluster, worker, f"c{worker}", table, key) for worker in ("b", "c")]
    await play_round(cluster, table, "a", "b")
    await asyncio.sleep(DELAY - 30)
    await play_round(cluster, table, "a", "b")
    await asyncio.sleep(31)
    before = [screen.number for screen in screens]
    assert cluster.owner(table) == "a"
    await cluster.kill("a")
    await asyncio.sleep(PEER_TIMEOUT_SECONDS + LEASE_SECONDS + 1)
    assert [screen.number for screen in screens] == before
    assert not [message for screen in screens for message in screen.messages if message["type"] == "refused"]
    await asyncio.sleep(DELAY)
    assert cluster.owner(table) in ("b", "c")
    assert all(screen.number > number for screen, number in zip(screens, before, strict=True))
    check(cluster, table, *screens)
    await cluster.close()


@in_virtual_time
async def test_an_owner_that_was_frozen_shows_nothing_early_and_hands_commentators_over() -> None:
    cluster = await start_cluster("a", "b")
    table = await cluster.begin(absence_seconds=None, delayed_view=MINUTES)
    key = await key_of(cluster, table)
    here, there = [await commentate(cluster, worker, f"c{worker}", table, key) for worker in ("a", "b")]
    cluster.workers["a"].freeze()
    await asyncio.sleep(PEER_TIMEOUT_SECONDS + LEASE_SECONDS)
    assert isinstance(await cluster.seal("b", "ben", table), Done)
    cluster.workers["a"].thaw()
    cluster.workers["a"].channels.tick()
    assert isinstance(await cluster.seal("a", "ann", table), Done)
    assert cluster.owner(table) == "b"
    await asyncio.sleep(DELAY + 5)
    assert here.number == there.number > 0
    assert here.view == there.view
    check(cluster, table, here, there)
    await cluster.close()


@in_virtual_time
async def test_a_renewed_key_and_the_end_reach_commentators_of_other_workers() -> None:
    cluster = await start_cluster("a", "b")
    table = await cluster.begin(absence_seconds=None, delayed_view=MINUTES)
    cat = await commentate(cluster, "b", "cat", table, await key_of(cluster, table))
    key = await key_of(cluster, table, renew=True)
    await asyncio.sleep(1)
    assert cat.messages[-1]["code"] == "no_such_table"
    cat = await commentate(cluster, "b", "cat", table, key)
    await cluster.do("b", "ben", "vote", table, on="commentary", agree=False)
    await asyncio.sleep(1)
    assert cat.messages[-1]["code"] == "commentary_ended"
    reply = await cluster.try_watch("b", TimedScreen(person("cat")), table, delayed=True, key=key)
    assert code_of(reply) == "commentary_ended"
    await cluster.close()
