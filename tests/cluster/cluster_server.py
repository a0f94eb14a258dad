"""The server of the secrecy tests as two processes: one owns the table, the observer is connected to the other.

Seats that are not the observer's decide at the owner. So everything that crosses the bus to the observer's process is
for the observer or for strangers; it is recorded, and must not depend on secrets either.
"""

from __future__ import annotations

import asyncio
from typing import Any, NamedTuple

import msgpack

from server.games.registry import games_described
from server.gateway.connections import ConnectionRegistry
from server.gateway.services import Services
from server.gateway.websocket.connection import Connection
from server.lobby.lobby import Lobby
from server.model import User
from server.tables.messages import TimerFired
from tests.cluster.memory_bus import MemoryHub
from tests.cluster.simulated_cluster import Worker
from tests.gateway.fakes import FakeIdentity
from tests.scenarios.server_under_test import TABLE, UNLIMITED_RATES, RecordingTransport, ServerUnderTest
from tests.tables.table_server import PatientBots

OWNER, WINDOW = "owner", "window"


class TapedHub(MemoryHub):
    """A hub that records the envelopes from the owner to the observer's process."""

    def __init__(self, transport: RecordingTransport) -> None:
        super().__init__()
        self._transport = transport

    def carry(self, sender: str, receiver: str, envelope: bytes) -> None:
        # Heartbeats hold only counts, and their time relative to the recording is arbitrary.
        if (sender, receiver) == (OWNER, WINDOW) and msgpack.unpackb(envelope)[2] != "alive":
            self._transport.write(envelope)
        super().carry(sender, receiver, envelope)


class Process(NamedTuple):
    worker: Worker
    connections: ConnectionRegistry


class ClusterServer(ServerUnderTest):
    """Two processes with a bus between them."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.between = RecordingTransport()

    async def start(self) -> None:
        assert self.between is not None
        hub = TapedHub(self.between)
        self._owner = await self._process(OWNER, hub)
        self._window = await self._process(WINDOW, hub)
        self.registry, self.directory = self._owner.worker.registry, self._owner.worker.directory
        self.connections = self._owner.connections
        self.start_metrics()
        # Until both know the users of the other: how many iterations of the loop a table takes to load is arbitrary.
        await asyncio.sleep(0.1)
        # Before another process can claim the table.
        self.registry.post(TABLE, TimerFired())
        await asyncio.sleep(1)

    def registry_for(self, user: User) -> ConnectionRegistry:
        is_from_outside = user.id == self.observer.id or not user.id.startswith("user")
        return self._window.connections if is_from_outside else self.connections

    async def close(self) -> None:
        for process in (self._owner, self._window):
            await process.worker.drain()

    def _connections(self) -> list[Connection]:
        return [*self.connections, *self._window.connections]

    async def _process(self, name: str, hub: MemoryHub) -> Process:
        worker = Worker(name, hub, self._store, PatientBots(), lambda: bytes(32))
        worker.directory.load(await self._store.tables("running"))
        lobby = Lobby(worker.directory, worker.tables, bytes(32))
        services = Services(FakeIdentity(), lobby, worker.tables, games_described(), worker.cluster_events)
        connections = ConnectionRegistry(services, UNLIMITED_RATES, asyncio.get_running_loop().time)
        await worker.start(connections)
        return Process(worker, connections)
