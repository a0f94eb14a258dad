"""Tables of absent people in a cluster: everybody at any worker is present, and one worker acts."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from server.cluster.presence import chosen_worker
from server.lobby.attendance import Attendance
from server.tables.messages import PeopleAway
from tests.cluster.simulated_cluster import SimulatedCluster, Worker, start_cluster
from tests.lobby.fakes import FakeSubscriber
from tests.tables.table_server import person, toys, wall
from tests.tables.virtual_time import in_virtual_time

TABLE = "table1"


@pytest.fixture(autouse=True)
def _toys() -> Iterator[None]:
    with toys():
        yield


def attend(cluster: SimulatedCluster) -> list[tuple[str, str]]:
    """Start the attendance of every worker, as `server/app.py` does; return worker and table of each message sent."""
    sent: list[tuple[str, str]] = []

    def start(worker: Worker) -> None:
        def is_responsible(table: str) -> bool:
            chosen = chosen_worker(table, [worker.name, *worker.channels.peers])
            return worker.registry.owns(table) or chosen == worker.name

        def notify(table: str, message: PeopleAway) -> None:
            sent.append((worker.name, table))
            worker.registry.post(table, message)

        Attendance(worker.directory, notify, asyncio.get_running_loop(), is_responsible, wall).start()

    for worker in cluster.workers.values():
        start(worker)
    return sent


@in_virtual_time
async def test_a_host_at_any_worker_is_present_and_a_deserted_table_is_closed_by_one() -> None:
    cluster = await start_cluster("a", "b", "c")
    sent = attend(cluster)
    ann = FakeSubscriber(person("ann"))
    cluster.workers["b"].directory.connected(ann)
    await cluster.create("a", "ann", TABLE)
    readers = {name: FakeSubscriber(person("zoe")) for name in cluster.workers}
    for name, reader in readers.items():
        cluster.workers[name].directory.subscribe(reader)
    await asyncio.sleep(20 * 60)
    assert [reader.page() for reader in readers.values()] == [[TABLE]] * 3
    cluster.workers["b"].directory.disconnected(ann)
    await asyncio.sleep(60)
    assert [reader.page() for reader in readers.values()] == [[]] * 3
    cluster.workers["c"].directory.connected(ann)
    await asyncio.sleep(10)
    assert [reader.page() for reader in readers.values()] == [[TABLE]] * 3
    assert sent == []
    cluster.workers["c"].directory.disconnected(ann)
    await asyncio.sleep(10 * 60)
    assert [row.phase for row in await cluster.store.tables()] == ["over"]
    assert len({worker for worker, _ in sent}) == 1
    await cluster.close()
