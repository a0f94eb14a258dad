"""Several workers on one loop, one store and one bus, to which everything can happen that happens to processes.

A worker can be killed (it does nothing any more), frozen (it hears nothing and renews nothing until it wakes up), or
end in good order. The bus can lose envelopes. Time is virtual.
"""

from __future__ import annotations

import asyncio
import random
from itertools import count
from typing import Any, cast

from protocol.messages import REQUESTS, CreateTable, TableRequest, TableSettings, Watch
from server.cluster.bus.memory import MemoryBus, MemoryHub
from server.cluster.channels import PeerChannels
from server.cluster.events import ClusterEvents
from server.cluster.router import TableRouter
from server.cluster.worker import ClusterWorker
from server.lobby.directory import TableDirectory
from server.lobby.identity import Identity
from server.store.api import AppendResult, Claimed, Held, LogEntry, Missing, Position, StorageFailed
from server.store.memory import MemoryStore
from server.tables.registry import Clocks, TableRegistry
from tests.tables.table_server import Answer, PatientBots, Screen, now_milliseconds, person, wall


class Worker:
    """One process."""

    def __init__(self, name: str, hub: MemoryHub, store: MemoryStore, bot_seconds: float | None) -> None:
        self.name = name
        self.hub = hub
        self.directory = TableDirectory()
        self.identity = Identity(store.key_values, wall)
        self.channels = PeerChannels(name, MemoryBus(hub))
        self.cluster_events = ClusterEvents(self.channels, store, self.directory, self.identity)
        clocks = Clocks(now_milliseconds, lambda: round(wall() * 1000))
        seeds = random.Random(name)
        bots = PatientBots(bot_seconds, rng=random.Random(name))
        self.registry = TableRegistry(
            store, self.cluster_events, bots, clocks, lambda: seeds.randbytes(32), worker=name
        )
        self.tables = TableRouter(self.channels, self.registry)
        self.worker_node = ClusterWorker(self.channels, self.tables, self.cluster_events)

    async def start(self) -> None:
        await self.worker_node.start()
        self.registry.start()

    async def drain(self) -> None:
        """End in good order."""
        await self.registry.close()
        await self.worker_node.close()
        self.directory.close()

    async def kill(self) -> None:
        """End at once, saying nothing to anybody."""
        self.hub.hearers.pop(self.name, None)
        bus: Any = self.channels._bus
        bus.send = bus.send_all = lambda *envelope: None
        tasks = [*self.registry._chores, *(actor._task for actor in self.registry._actors.values())]
        if self.channels._ticking is not None:
            tasks.append(self.channels._ticking)
        for actor in self.registry._actors.values():
            actor._mailbox.is_open = False
            actor._log._fence = ""
            actor._bots.close()
            actor._set_timer(None)
            if actor._subscribers is not None:
                actor._subscribers._is_closed = True
                if actor._subscribers._presence_timer is not None:
                    actor._subscribers._presence_timer.cancel()
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        self.tables.close()
        self.directory.close()


class FailingStore(MemoryStore):
    """A store that is away at times. A write that failed may have taken place."""

    chance: random.Random | None = None

    async def append(self, *asked: Any, **more: Any) -> AppendResult:
        if self.chance is None:
            return await super().append(*asked, **more)
        if self.chance.random() < 0.3:
            await super().append(*asked, **more)
        raise StorageFailed("away")

    async def claim(self, *asked: Any) -> Claimed | Held | Missing:
        self._look()
        return await super().claim(*asked)

    async def renew(self, *asked: Any) -> frozenset[str]:
        self._look()
        return await super().renew(*asked)

    async def read(self, *asked: Any) -> list[LogEntry]:
        self._look()
        return await super().read(*asked)

    async def head(self, *asked: Any) -> Position | None:
        self._look()
        return await super().head(*asked)

    def _look(self) -> None:
        if self.chance is not None:
            raise StorageFailed("away")


class SimulatedCluster:
    """All workers, and what people ask of them."""

    def __init__(self, *names: str, bot_seconds: float | None = None) -> None:
        self.store = FailingStore(asyncio.get_running_loop().time, wall)
        self.hub = MemoryHub()
        self._bot_seconds = bot_seconds
        self.workers = {name: Worker(name, self.hub, self.store, bot_seconds) for name in names}
        self._ids = count(1)

    async def start(self) -> None:
        for worker in self.workers.values():
            await worker.start()
        await asyncio.sleep(1)

    async def close(self) -> None:
        for worker in self.workers.values():
            await worker.drain()

    async def add(self, name: str) -> None:
        """Begin another worker."""
        self.workers[name] = Worker(name, self.hub, self.store, self._bot_seconds)
        await self.workers[name].start()

    def fail_store(self, chance: random.Random) -> None:
        self.store.chance = chance

    def mend_store(self) -> None:
        self.store.chance = None

    async def kill(self, name: str) -> None:
        await self.workers.pop(name).kill()

    def owner(self, table: str) -> str:
        """Give the one worker that may write to a table."""
        fence = self.store._tables[table].fence
        (owner,) = [
            name
            for name, worker in self.workers.items()
            if table in worker.registry._actors and worker.registry._actors[table].fence == fence
        ]
        return owner

    def state(self, table: str) -> Any:
        """Give a table as its owner has it."""
        core = self.workers[self.owner(table)].registry._actors[table]._core
        assert core is not None
        return core.state

    def send(self, worker: str, name: str, kind: str, table: str, **fields: Any) -> asyncio.Future[Answer]:
        """Put a request to a table through a worker; gives its answer when there is one."""
        request = REQUESTS.validate_python({"id": f"r{next(self._ids)}", **fields, "type": kind, "table": table})
        assert isinstance(request, TableRequest)
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self.workers[worker].tables.ask(person(name), request, answer.set_result)
        return answer

    async def do(self, worker: str, name: str, kind: str, table: str, **fields: Any) -> dict[str, Any]:
        """Put a request to a table through a worker; it must be accepted."""
        answer = await asyncio.wait_for(self.send(worker, name, kind, table, **fields), 60)
        assert answer["type"] == "done", f"{name} may not {kind}: {answer}"
        return cast("dict[str, Any]", answer["result"])

    async def create(self, worker: str, host: str, table: str = "table1", **settings: Any) -> str:
        chosen = TableSettings.model_validate({"game": "auction", "seats": 2, **settings})
        request = CreateTable(type="create_table", id="create", settings=chosen)
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self.workers[worker].tables.create(person(host), request, table, answer.set_result)
        assert (await asyncio.wait_for(answer, 60))["type"] == "done"
        return table

    async def watch(self, worker: str, name: str, table: str, **fields: Any) -> Screen:
        """Let somebody follow a table through a worker."""
        screen = Screen(person(name))
        assert (await asyncio.wait_for(self.try_watch(worker, screen, table, **fields), 60))["type"] == "done"
        return screen

    def try_watch(self, worker: str, screen: Screen, table: str, **fields: Any) -> asyncio.Future[Answer]:
        request = Watch(type="watch", id=f"w{next(self._ids)}", table=table, **fields)
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self.workers[worker].tables.watch(screen.user, request, screen, answer.set_result)
        return answer

    async def begin(self, table: str = "table1", **settings: Any) -> str:
        """Let Ann, at worker a, and Ben, at worker b, sit down at a table and begin."""
        await self.create("a", "ann", table, **settings)
        await self.do("b", "ben", "take_seat", table)
        await self.do("b", "ben", "ready", table, ready=True)
        await self.do("a", "ann", "start", table)
        return table

    def seal(self, worker: str, name: str, table: str) -> asyncio.Future[Answer]:
        """Stay out of the open bidding."""
        number = self.state(table).play.number
        return self.send(worker, name, "decide", table, decision=number, command={"do": "sit"})
