"""Statuses of tables and the number of connected users, as people see them at any worker."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import msgpack
import pytest

from server.cluster.channels import PEER_TIMEOUT_SECONDS
from server.cluster.events import RELOAD_DELAY_SECONDS
from server.cluster.presence import ClusterPresence
from server.cluster.statuses import RENEWED_SECONDS, SEND_INTERVAL_SECONDS
from server.lobby.lists import ONLINE_INTERVAL_SECONDS
from server.tables.log import LEASE_SECONDS
from tests.cluster.simulated_cluster import SimulatedCluster, start_cluster
from tests.lobby.fakes import FakeSubscriber
from tests.tables.table_server import person, toys
from tests.tables.virtual_time import in_virtual_time

SENT = 2 * SEND_INTERVAL_SECONDS


@pytest.fixture(autouse=True)
def _toys() -> Iterator[None]:
    with toys():
        yield


async def connect(cluster: SimulatedCluster, worker: str, name: str) -> FakeSubscriber:
    """Connect somebody to a worker, and wait for their tables."""
    connection = FakeSubscriber(person(name))
    cluster.workers[worker].directory.connected(connection)
    await asyncio.sleep(0.01)
    return connection


def own(connection: FakeSubscriber) -> dict[str, Any]:
    (table,) = connection.own
    return {key: table[key] for key in ("seat", "awaited", "about", "progress")}


@in_virtual_time
async def test_people_at_all_workers_see_whether_their_game_waits_for_them() -> None:
    cluster = await start_cluster("a", "b", "c")
    table = await cluster.begin()
    ann, ben, phone = [await connect(cluster, *who) for who in (("a", "ann"), ("b", "ben"), ("c", "ben"))]
    await asyncio.sleep(SENT)
    for connection, seat in ((ann, 0), (ben, 1), (phone, 1)):
        assert own(connection) == {"seat": seat, "awaited": True, "about": "bid", "progress": {"round": 1}}
    await cluster.seal("c", "ben", table)
    await asyncio.sleep(SENT)
    assert [own(connection)["awaited"] for connection in (ann, ben, phone)] == [True, False, False]
    await cluster.seal("a", "ann", table)
    await asyncio.sleep(SENT)
    for connection in (ann, ben, phone):
        assert own(connection)["awaited"]
        assert own(connection)["progress"] == {"round": 2}
    assert len({connection.own[0]["since"] for connection in (ann, ben, phone)}) == 1
    await cluster.close()


def statuses_between(cluster: SimulatedCluster) -> list[tuple[str, list[Any]]]:
    """Return the receiver and the rows of all statuses sent from now on."""
    carry, sent = cluster.hub.carry, []

    def noted(sender: str, receiver: str, envelope: bytes) -> None:
        _, _, kind, content = msgpack.unpackb(envelope)
        if kind == "statuses":
            sent.append((receiver, content[0]))
        carry(sender, receiver, envelope)

    cluster.hub.carry = noted  # type: ignore[method-assign]
    return sent


@in_virtual_time
async def test_a_worker_is_told_only_of_its_own_users_and_only_what_has_changed() -> None:
    cluster = await start_cluster("a", "b", "c")
    table = await cluster.begin(show_decided=False)
    await connect(cluster, "b", "ben")
    await connect(cluster, "c", "pat")
    await asyncio.sleep(SENT)
    sent = statuses_between(cluster)
    await cluster.seal("a", "ann", table)
    await asyncio.sleep(SENT)
    assert sent == []
    await cluster.seal("b", "ben", table)
    await asyncio.sleep(SENT)
    ((receiver, ((name, user, is_awaited, about, _, progress),)),) = sent
    assert (receiver, name, user, is_awaited, about, progress) == ("b", table, "ben", True, "bid", {"round": 2})
    await cluster.close()


@in_virtual_time
async def test_many_changes_are_sent_in_one_envelope_each_half_second() -> None:
    cluster = await start_cluster("a", "b")
    tables = [await cluster.begin(f"table{number}") for number in range(3)]
    ben = await connect(cluster, "b", "ben")
    await asyncio.sleep(SENT)
    sent = statuses_between(cluster)
    for _ in range(2):
        for table in tables:
            for worker, name in (("a", "ann"), ("b", "ben")):
                await cluster.seal(worker, name, table)
    await asyncio.sleep(SENT)
    assert [len(rows) for _, rows in sent] == [3]
    assert [one["progress"] for one in ben.own] == [{"round": 3}] * 3
    await cluster.close()


@in_virtual_time
async def test_a_user_who_connects_to_another_worker_gets_the_latest_status_at_once() -> None:
    cluster = await start_cluster("a", "b")
    table = await cluster.begin()
    # Nobody is connected to worker b meanwhile, so nobody tells it.
    for _ in range(3):
        for name in ("ann", "ben"):
            await cluster.seal("a", name, table)
    await cluster.seal("a", "ben", table)
    ben = await connect(cluster, "b", "ben")
    assert own(ben) == {"seat": 1, "awaited": False, "about": "bid", "progress": {"round": 4}}
    assert ben.kinds() == ["your_tables"]
    await cluster.close()


@in_virtual_time
async def test_the_tables_come_even_if_their_statuses_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    cluster = await start_cluster("a", "b")
    await cluster.begin()
    cluster.workers["b"]._link.cut()
    ben = await connect(cluster, "b", "ben")
    assert [one["seat"] for one in ben.own] == [1]
    await cluster.close()


@in_virtual_time
async def test_a_lost_envelope_is_made_up_for() -> None:
    cluster = await start_cluster("a", "b")
    table = await cluster.begin()
    ben = await connect(cluster, "b", "ben")
    await asyncio.sleep(SENT)
    carry = cluster.hub.carry
    lost: list[str] = []

    def losing(sender: str, receiver: str, envelope: bytes) -> None:
        kind = msgpack.unpackb(envelope)[2]
        if kind == "statuses":
            lost.append(kind)
        else:
            carry(sender, receiver, envelope)

    cluster.hub.carry = losing  # type: ignore[method-assign]
    await cluster.seal("a", "ben", table)
    await asyncio.sleep(SENT)
    assert lost
    cluster.hub.carry = carry  # type: ignore[method-assign]
    await asyncio.sleep(RELOAD_DELAY_SECONDS + 1)
    assert not own(ben)["awaited"]
    await cluster.close()


@in_virtual_time
async def test_what_a_dying_worker_did_not_send_is_read_from_the_store() -> None:
    cluster = await start_cluster("a", "b")
    table = await cluster.begin()
    ben = await connect(cluster, "b", "ben")
    await asyncio.sleep(SENT)
    assert cluster.owner(table) == "a"
    await cluster.seal("a", "ben", table)
    await cluster.kill("a")
    await asyncio.sleep(PEER_TIMEOUT_SECONDS + RELOAD_DELAY_SECONDS + 1)
    assert not own(ben)["awaited"]
    await asyncio.sleep(LEASE_SECONDS)
    number = msgpack.unpackb((await cluster.store.rows([table]))[0].summary)["status"][3]["round"]
    await cluster.do("b", "ann", "decide", table, decision=number, command={"do": "sit"})
    await asyncio.sleep(SENT)
    assert own(ben)["awaited"]
    await cluster.close()


@in_virtual_time
async def test_a_worker_that_was_suspended_sends_no_status_of_a_table_that_it_may_have_lost() -> None:
    cluster = await start_cluster("a", "b")
    table = await cluster.begin()
    ben = await connect(cluster, "b", "ben")
    await asyncio.sleep(SENT)
    sent = statuses_between(cluster)
    sender, _ = cluster.workers["a"]._statuses
    sender._pending.add(("ben", table))
    sender._send(asyncio.get_running_loop().time() - 5)
    assert sent == []
    await asyncio.sleep(RENEWED_SECONDS + 1)
    assert [receiver for receiver, _ in sent] == ["b"]
    assert own(ben)["awaited"]
    await cluster.close()


@in_virtual_time
async def test_users_of_all_workers_are_counted_once() -> None:
    cluster = await start_cluster("a", "b")
    ann = await connect(cluster, "a", "ann")
    cluster.workers["a"].directory.subscribe(ann)
    await connect(cluster, "b", "ann")
    ben = await connect(cluster, "b", "ben")
    await asyncio.sleep(ONLINE_INTERVAL_SECONDS + 1)
    assert ann.online == 2
    cluster.workers["b"].directory.disconnected(ben)
    await asyncio.sleep(ONLINE_INTERVAL_SECONDS + 1)
    assert ann.online == 1
    await cluster.close()


@in_virtual_time
async def test_readings_that_overlap_do_not_take_each_other_for_the_same(caplog: pytest.LogCaptureFixture) -> None:
    """Each reading must know which statuses were received while it was under way."""
    cluster = await start_cluster("a", "b")
    table = await cluster.begin()
    receiver = cluster.workers["b"]._statuses[1]
    rows, delays = receiver._store.rows, iter((0.3, 0.1))

    async def slow_rows(tables: list[str]) -> Any:
        await asyncio.sleep(next(delays))
        return await rows(tables)

    receiver._store.rows = slow_rows  # type: ignore[method-assign, assignment]
    for name in ("ben", "pat"):
        receiver.read(name, [table])
    readings = list(receiver._tasks)
    await asyncio.sleep(0.2)
    # The second reading is over; a status that arrives now concerns the first one.
    receiver.on_statuses("a", [[table, "ben", False, None, None, None]])
    await asyncio.gather(*readings)
    assert receiver._received == {}
    await cluster.close()


@in_virtual_time
async def test_a_page_that_is_hidden_at_one_worker_is_known_at_all() -> None:
    cluster = await start_cluster("a", "b")
    ann = await connect(cluster, "a", "ann")
    phone = await connect(cluster, "b", "ann")
    await asyncio.sleep(SENT)
    here, there = (cluster.workers[name].directory for name in ("a", "b"))
    here.set_visible(ann, False)
    await asyncio.sleep(SENT)
    assert [directory.is_looking("ann") for directory in (here, there)] == [True, True]
    there.set_visible(phone, False)
    await asyncio.sleep(SENT)
    assert [directory.is_looking("ann") for directory in (here, there)] == [False, False]
    here.set_visible(ann, True)
    await asyncio.sleep(SENT)
    assert [directory.is_looking("ann") for directory in (here, there)] == [True, True]
    here.disconnected(ann)
    await asyncio.sleep(SENT)
    assert [directory.is_looking("ann") for directory in (here, there)] == [False, False]
    await cluster.close()


def test_a_worker_that_joins_learns_whose_pages_are_hidden() -> None:
    presence = ClusterPresence()
    presence.replace("a", ["ann", "ben"])
    presence.set_hidden("a", ["ann"])
    assert [presence.is_looking(name) for name in ("ann", "ben", "cy")] == [False, True, False]
    # A page that was closed and opened again can be seen.
    presence.disconnect("a", "ann")
    presence.connect("a", "ann")
    assert presence.is_looking("ann")
    presence.set_looking("a", "ann", is_looking=False)
    presence.connect("b", "ann")
    assert presence.is_looking("ann")
    presence.forget("b")
    assert not presence.is_looking("ann")


@in_virtual_time
async def test_the_status_of_a_table_elsewhere_is_read_for_somebody_who_is_away() -> None:
    cluster = await start_cluster("a", "b")
    table = await cluster.begin()
    await asyncio.sleep(SENT)
    others = [worker for worker in cluster.workers.values() if not worker.registry.owns(table)]
    assert others
    for worker in others:
        before = worker.directory.status_for(table, "ben")
        assert before is not None
        assert not before.awaited
        await worker._statuses[1].refresh([table])
        status = worker.directory.status_for(table, "ben")
        assert status is not None
        assert status.awaited == {"ben"}
    await cluster.close()
