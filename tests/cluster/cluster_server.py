"""The server of the secrecy tests as two processes: one owns the table, the observer is connected to the other.

Seats that are not the observer's decide at the owner. So whatever comes to the observer's process was meant for the
observer, or for strangers; it is taped, and must not depend on secrets either.
"""

from __future__ import annotations

import asyncio
from typing import Any

import msgpack

from server.cluster.bus.memory import MemoryBus, MemoryHub
from server.cluster.channels import PeerChannels
from server.cluster.events import ClusterEvents
from server.cluster.router import TableRouter
from server.cluster.worker import ClusterWorker
from server.games.registry import games_described
from server.gateway.connections import ConnectionRegistry, Services
from server.gateway.websocket.connection import Connection
from server.lobby.directory import TableDirectory
from server.lobby.identity import Identity
from server.lobby.lobby import Lobby
from server.model import User
from server.tables.messages import TimerFired
from server.tables.registry import Clocks, TableRegistry
from tests.gateway.fakes import FakeIdentity
from tests.scenarios.server_under_test import ROOMY, TABLE, ServerUnderTest, Tape
from tests.tables.table_server import PatientBots, now_milliseconds, wall

OWNER, WINDOW = "owner", "window"


class ClusterServer(ServerUnderTest):
    """Two processes with a bus between them."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.between = Tape()

    async def wake(self) -> None:
        self._hub = MemoryHub()
        self._hub.carry = self._taped  # type: ignore[method-assign]
        self.registry, self.directory, self.connections, self._worker = await self._process(OWNER)
        self._window = await self._process(WINDOW)
        # Before anybody else can: the table belongs to the owner.
        self.registry.post(TABLE, TimerFired())
        await asyncio.sleep(1)

    def board_of(self, user: User) -> ConnectionRegistry:
        is_from_outside = user.id == self.observer.id or not user.id.startswith("user")
        return self._window[2] if is_from_outside else self.connections

    async def close(self) -> None:
        for registry, directory, _, worker_node in (
            (self.registry, self.directory, self.connections, self._worker),
            self._window,
        ):
            directory.close()
            await registry.close()
            await worker_node.close()

    def _connections(self) -> list[Connection]:
        return [*self.connections, *self._window[2]]

    def _taped(self, sender: str, receiver: str, envelope: bytes) -> None:
        assert self.between is not None
        # Signs of life only count the envelopes, and may fall before or behind the moment of a look at the tape.
        if (sender, receiver) == (OWNER, WINDOW) and msgpack.unpackb(envelope)[2] != "alive":
            self.between.write(envelope)
        MemoryHub.carry(self._hub, sender, receiver, envelope)

    async def _process(self, name: str) -> tuple[TableRegistry, TableDirectory, ConnectionRegistry, ClusterWorker]:
        directory = TableDirectory()
        directory.load(await self._store.tables("running"))
        channels = PeerChannels(name, MemoryBus(self._hub))
        cluster_events = ClusterEvents(channels, self._store, directory, Identity(self._store.key_values, wall))
        clocks = Clocks(now_milliseconds, lambda: round(wall() * 1000))
        registry = TableRegistry(self._store, cluster_events, PatientBots(), clocks, lambda: bytes(32), worker=name)
        tables = TableRouter(channels, registry)
        services = Services(
            FakeIdentity(), Lobby(directory, tables, bytes(32)), tables, games_described(), cluster_events
        )
        connections = ConnectionRegistry(services, ROOMY, asyncio.get_running_loop().time)
        cluster_events.connect(connections)
        worker_node = ClusterWorker(channels, tables, cluster_events)
        await worker_node.start()
        registry.start()
        return registry, directory, connections, worker_node
