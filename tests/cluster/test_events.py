"""Events that every worker learns of, and what a worker does that has missed one."""

from __future__ import annotations

import asyncio

from tests.cluster.simulated_cluster import NoConnections, SimulatedCluster
from tests.tables.virtual_time import in_virtual_time


class Connections(NoConnections):
    """Records the sessions that ended, and counts how often all of them were checked."""

    def __init__(self) -> None:
        self.ended: list[str] = []
        self.checks = 0

    def end_session_local(self, user_id: str, token_hash: str | None) -> None:
        self.ended.append(user_id)

    async def check_sessions(self) -> None:
        self.checks += 1


@in_virtual_time
async def test_a_worker_that_missed_the_end_of_a_session_checks_all_of_them() -> None:
    cluster, connections = SimulatedCluster("a", "b"), Connections()
    await cluster.workers["a"].start()
    await cluster.workers["b"].start(connections)
    await asyncio.sleep(1)
    events = cluster.workers["a"].cluster_events
    events.session_ended("ann", None)
    await asyncio.sleep(5)
    assert (connections.ended, connections.checks) == (["ann"], 0)
    cluster.hub.loses = lambda sender, receiver: receiver == "b"
    events.session_ended("ben", None)
    await asyncio.sleep(0.1)
    cluster.hub.loses = lambda sender, receiver: False
    events.session_ended("cat", None)
    await asyncio.sleep(5)
    assert (connections.ended, connections.checks) == (["ann", "cat"], 1)
    await cluster.close()
