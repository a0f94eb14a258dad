"""Random faults of a cluster, clients that play on through them, and the invariants that must hold afterwards."""

from __future__ import annotations

import asyncio
import random
from typing import Any

from protocol.messages import REQUESTS, TableRequest, Watch
from server.model import Done, Refused, Reply
from server.tables.views import table_view
from tests.cluster.simulated_cluster import SimulatedCluster, Worker
from tests.store.table_owner import verify
from tests.tables.table_server import Screen, person

RECOVERY_SECONDS = 20.0
ANSWER_SECONDS = 15.0


class Client:
    """A player or spectator of one table, connected to some worker. Reconnects and repeats requests like the page."""

    def __init__(self, cluster: SimulatedCluster, name: str, table: str, rng: random.Random) -> None:
        self.cluster = cluster
        self.name = name
        self.table = table
        self.rng = rng
        self.screen = Screen(person(name))
        self.worker: Worker | None = None
        self.acknowledged: list[str] = []
        self.waited: list[float] = []
        self._unanswered: dict[str, dict[str, Any]] = {}
        self._count = 0

    async def live(self, until: asyncio.Event) -> None:
        """Stay subscribed to the table and answer decisions until the event is set."""
        while not until.is_set():
            if self.worker is None or self.worker not in self.cluster.workers.values():
                self._connect()
            self._decide()
            await asyncio.sleep(self.rng.uniform(0.05, 0.4))

    def _connect(self) -> None:
        self.worker = self.rng.choice(list(self.cluster.workers.values()))
        before, self.screen = self.screen, Screen(person(self.name))
        request = Watch(type="watch", id="watch", table=self.table, have=before.number or None, stamp=before.stamp)
        on_reply = self.worker.while_alive(self._watched)
        self.worker.tables.subscribe(self.screen.user, request, self.screen, on_reply)
        for request_id in list(self._unanswered):
            self._send(request_id)

    def _watched(self, answer: Reply) -> None:
        if isinstance(answer, Refused):
            self.worker = None

    def _decide(self) -> None:
        view = self.screen.view
        play = None if view is None else view["play"]
        decision = play["decision"] if play else None
        if view is None or self._unanswered or not decision or view["mine"] not in decision["awaited"]:
            return
        self._count += 1
        request_id = f"{self.name}{self._count}"
        fallback = decision["prompt"]["fallback"]
        self._unanswered[request_id] = {"decision": decision["number"], "command": fallback}
        self._send(request_id)

    def _send(self, request_id: str) -> None:
        assert self.worker is not None
        began = asyncio.get_running_loop().time()
        fields = {"type": "decide", "id": request_id, "table": self.table, **self._unanswered[request_id]}
        request = REQUESTS.validate_python(fields)
        assert isinstance(request, TableRequest)
        worker = self.worker

        def answered(answer: Reply) -> None:
            if worker is not self.worker or request_id not in self._unanswered:
                return
            self.waited.append(asyncio.get_running_loop().time() - began)
            del self._unanswered[request_id]
            if isinstance(answer, Done):
                self.acknowledged.append(request_id)

        worker.tables.ask(person(self.name), request, worker.while_alive(answered))


class FaultSchedule:
    """Draws faults at random."""

    def __init__(self, cluster: SimulatedCluster, rng: random.Random) -> None:
        self.cluster = cluster
        self.rng = rng
        self.names = (f"worker{number}" for number in range(10_000))
        self.counts: dict[str, int] = {}

    async def run(self, seconds: float) -> None:
        """Cause a fault about every 1.5 seconds."""
        end = asyncio.get_running_loop().time() + seconds
        while asyncio.get_running_loop().time() < end:
            fault = self.rng.choice((self.kill, self.drain, self.freeze, self.unsubscribe, self.lose, self.fail))
            self.counts[fault.__name__] = self.counts.get(fault.__name__, 0) + 1
            await fault()
            await asyncio.sleep(self.rng.uniform(0.2, 2.5))

    async def kill(self) -> None:
        await self.cluster.kill(self.rng.choice(list(self.cluster.workers)))
        await self._replace()

    async def drain(self) -> None:
        await self.cluster.workers.pop(self.rng.choice(list(self.cluster.workers))).drain()
        await self._replace()

    async def freeze(self) -> None:
        """Cut a worker off from the others, and let its leases expire."""
        worker = self.cluster.workers[self.rng.choice(list(self.cluster.workers))]
        worker.freeze()
        await asyncio.sleep(self.rng.uniform(0.5, 7))
        worker.thaw()

    async def unsubscribe(self) -> None:
        """End the subscription of a worker for a while. If it cannot send either, others take it for dead."""
        worker = self.cluster.workers[self.rng.choice(list(self.cluster.workers))]
        worker.unsubscribe(is_cut_off=self.rng.random() < 0.5)
        await asyncio.sleep(self.rng.uniform(0.2, 3))
        worker.thaw()

    async def lose(self) -> None:
        self.cluster.hub.loses = lambda sender, receiver: self.rng.random() < 0.3
        await asyncio.sleep(self.rng.uniform(0.5, 3))
        self.cluster.hub.loses = lambda sender, receiver: False

    async def fail(self) -> None:
        """Make the store fail for a while; some of the failed writes take effect."""
        self.cluster.fail_store(self.rng)
        await asyncio.sleep(self.rng.uniform(0.2, 3))
        self.cluster.mend_store()

    async def _replace(self) -> None:
        await self.cluster.add(next(self.names))


async def check(cluster: SimulatedCluster, clients: list[Client]) -> None:
    """Assert the invariants after the last fault."""
    for table in {client.table for client in clients}:
        row = cluster.store._tables[table]
        await verify(cluster.store, table)
        fences = [entry.fence for entry in row.entries if entry.fence]
        epochs = [int(fence.partition(".")[0]) for fence in fences]
        assert epochs == sorted(epochs), "owners write one after the other"
        state = cluster.state(table)
        for client in clients:
            if client.table != table:
                continue
            for request_id in client.acknowledged:
                assert f"{client.name}/{request_id}" in row.commands, f"{request_id} was acknowledged"
            assert client.screen.view == table_view(state, state.seat_of(client.name)), client.name
