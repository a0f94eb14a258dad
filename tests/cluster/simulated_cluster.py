"""Several workers on one event loop with one store and one bus, and the faults that processes suffer.

A worker can be killed (store and bus are cut off at once), frozen (it is cut off from the bus and renews no lease until
it is thawed), or drained. It can lose its subscription to the bus, so that others take it for dead. The bus can lose
envelopes, and the store can fail. Time is virtual.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from itertools import count
from typing import Any

from protocol.messages import REQUESTS, CreateTable, TableRequest, TableSettings, Watch
from server.cluster.channels import PeerChannels
from server.cluster.events import ClusterDirectory, ClusterEvents, Connections, EventReceiver, join_statuses
from server.cluster.presence import ClusterPresence
from server.cluster.router import TableRouter
from server.cluster.worker import ClusterWorker
from server.lobby.directory import TableDirectory
from server.lobby.identity import Identity
from server.model import Done, Reply, User
from server.store.api import AppendResult, Claimed, Held, LogEntry, Missing, Position, StorageFailed, TableStore
from server.store.memory import MemoryStore
from server.tables.api import OnReply
from server.tables.bots import Bots
from server.tables.context import ClusterHooks
from server.tables.registry import Clocks, TableRegistry
from tests.cluster.memory_bus import MemoryBus, MemoryHub
from tests.replies import result_of
from tests.tables.store_link import StoreLink
from tests.tables.table_server import PatientBots, Screen, now_milliseconds, person, wall


class NoConnections:
    """The connections of a worker that has none of its own."""

    def rename_local(self, user: User) -> None:
        pass

    def sign_out_local(self, user_id: str, keep: Callable[[str], bool]) -> None:
        pass

    def end_session_local(self, user_id: str, token_hash: str | None) -> None:
        pass

    async def check_sessions(self) -> None:
        pass

    def users(self) -> list[str]:
        return []


class Worker:
    """One process of a cluster, joined as `server/app.py` joins it."""

    def __init__(self, name: str, hub: MemoryHub, store: TableStore, bots: Bots, entropy: Callable[[], bytes]) -> None:
        self.name = name
        self.is_alive = True
        self.channels = PeerChannels(name, MemoryBus(hub))
        self.cluster_events = ClusterEvents(self.channels)
        self._hub = hub
        self._link = StoreLink(store)
        self._store = self._link.as_store
        self._presence = ClusterPresence()
        self.directory = TableDirectory(
            users_elsewhere=self._presence,
            on_presence=self.cluster_events.presence_changed,
            on_looking=self.cluster_events.looking_changed,
        )
        self.identity = Identity(store.key_values, wall, self.cluster_events.user_changed)
        hooks = ClusterHooks(is_dead=self.channels.is_dead)
        lists = ClusterDirectory(self.directory, self.cluster_events)
        self.registry = TableRegistry(
            self._store,
            lists,
            bots,
            Clocks(now_milliseconds, lambda: round(wall() * 1000), asyncio.get_running_loop().time),
            entropy,
            worker=name,
            hooks=hooks,
        )
        self.tables = TableRouter(self.channels, self.registry)
        hooks.route, hooks.on_subscription_moved = self.tables.route, self.tables.on_subscription_moved
        self._statuses = join_statuses(self.channels, self._presence, self._store, self.directory, lists, self.registry)
        self._worker: ClusterWorker | None = None

    async def start(self, connections: Connections | None = None) -> None:
        receiver = EventReceiver(
            self.channels,
            self.directory,
            self.identity,
            self._presence,
            connections or NoConnections(),
            *self._statuses,
        )
        self._worker = ClusterWorker(self.channels, self.tables, receiver)
        await self._worker.start()
        self.registry.start()

    async def drain(self) -> None:
        """End in good order."""
        await self.registry.close()
        if self._worker is not None:
            await self._worker.close()
        self.directory.close()

    async def kill(self) -> None:
        """End at once: nothing that the worker still does has an effect outside of it."""
        self.is_alive = False
        self._hub.cut_off(self.name)
        self._hub.leave(self.name)
        self._link.cut()
        await self.drain()

    def freeze(self) -> None:
        """Cut the worker off from the others, and let its leases expire."""
        self._hub.cut_off(self.name)
        self._link.renews_leases = False

    def unsubscribe(self, *, is_cut_off: bool) -> None:
        """End the subscription of the worker, which goes on with the store, and perhaps cannot send either."""
        self._hub.unsubscribe(self.name)
        if is_cut_off:
            self._hub.cut_off(self.name)

    def thaw(self) -> None:
        self._hub.reconnect(self.name)
        self._link.renews_leases = True

    def while_alive(self, on_reply: OnReply) -> OnReply:
        """Return a callback that drops the replies of a dead process."""

        def on_reply_while_alive(reply: Reply) -> None:
            if self.is_alive:
                on_reply(reply)

        return on_reply_while_alive


class FailingStore(MemoryStore):
    """A store that fails while it has `chance`. A write that failed may have taken effect."""

    chance: random.Random | None = None

    async def append(self, *args: Any, **kwargs: Any) -> AppendResult:
        if self.chance is None:
            return await super().append(*args, **kwargs)
        if self.chance.random() < 0.3:
            await super().append(*args, **kwargs)
        raise StorageFailed("no connection")

    async def claim(self, *args: Any, **kwargs: Any) -> Claimed | Held | Missing:
        self._check()
        return await super().claim(*args, **kwargs)

    async def renew(self, *args: Any) -> frozenset[str]:
        self._check()
        return await super().renew(*args)

    async def read(self, *args: Any) -> list[LogEntry]:
        self._check()
        return await super().read(*args)

    async def head(self, *args: Any) -> Position | None:
        self._check()
        return await super().head(*args)

    def _check(self) -> None:
        if self.chance is not None:
            raise StorageFailed("no connection")


class SimulatedCluster:
    """All workers, and the requests of people to them."""

    def __init__(self, *names: str, bot_seconds: float | None = None) -> None:
        self.store = FailingStore(asyncio.get_running_loop().time, wall)
        self.hub = MemoryHub()
        self._bot_seconds = bot_seconds
        self.workers = {name: self._new_worker(name) for name in names}
        self._ids = count(1)

    def _new_worker(self, name: str) -> Worker:
        seeds = random.Random(name)
        bots = PatientBots(self._bot_seconds, rng=random.Random(name))
        return Worker(name, self.hub, self.store, bots, lambda: seeds.randbytes(32))

    async def start(self) -> None:
        for worker in self.workers.values():
            await worker.start()
        await asyncio.sleep(1)

    async def close(self) -> None:
        for worker in self.workers.values():
            await worker.drain()

    async def add(self, name: str) -> None:
        """Start another worker."""
        self.workers[name] = self._new_worker(name)
        await self.workers[name].start()

    def fail_store(self, chance: random.Random) -> None:
        self.store.chance = chance

    def mend_store(self) -> None:
        self.store.chance = None

    async def kill(self, name: str) -> None:
        await self.workers.pop(name).kill()

    def owner(self, table: str) -> str:
        """Return the one worker that may write to a table."""
        fence = self.store._tables[table].fence
        (owner,) = [
            name
            for name, worker in self.workers.items()
            if table in worker.registry._actors and worker.registry._actors[table].fence == fence
        ]
        return owner

    def state(self, table: str) -> Any:
        """Return the state of a table at its owner."""
        loaded = self.workers[self.owner(table)].registry._actors[table]._loaded
        assert loaded is not None
        return loaded.core.state

    def send(self, worker: str, name: str, kind: str, table: str, **fields: Any) -> asyncio.Future[Reply]:
        """Send a request to a table through a worker; return the future reply."""
        request = REQUESTS.validate_python({"id": f"r{next(self._ids)}", **fields, "type": kind, "table": table})
        assert isinstance(request, TableRequest)
        reply: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        sender = self.workers[worker]
        sender.tables.ask(person(name), request, sender.while_alive(reply.set_result))
        return reply

    async def do(self, worker: str, name: str, kind: str, table: str, **fields: Any) -> dict[str, Any]:
        """Send a request to a table through a worker; it must be accepted."""
        return dict(result_of(await asyncio.wait_for(self.send(worker, name, kind, table, **fields), 60)))

    async def create(self, worker: str, host: str, table: str = "table1", **settings: Any) -> str:
        chosen = TableSettings.model_validate({"game": "auction", "seats": 2, **settings})
        request = CreateTable(type="create_table", id="create", settings=chosen)
        reply: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self.workers[worker].tables.create(person(host), request, table, reply.set_result)
        assert isinstance(await asyncio.wait_for(reply, 60), Done)
        return table

    async def watch(self, worker: str, name: str, table: str, **fields: Any) -> Screen:
        """Subscribe a new connection of somebody to a table, through a worker."""
        screen = Screen(person(name))
        assert isinstance(await asyncio.wait_for(self.try_watch(worker, screen, table, **fields), 60), Done)
        return screen

    def try_watch(self, worker: str, screen: Screen, table: str, **fields: Any) -> asyncio.Future[Reply]:
        request = Watch(type="watch", id=f"w{next(self._ids)}", table=table, **fields)
        reply: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self.workers[worker].tables.subscribe(screen.user, request, screen, reply.set_result)
        return reply

    async def begin(self, table: str = "table1", **settings: Any) -> str:
        """Seat Ann, at worker a, and Ben, at worker b, at a table and start the game."""
        await self.create("a", "ann", table, **settings)
        await self.do("b", "ben", "take_seat", table)
        await self.do("b", "ben", "ready", table, ready=True)
        await self.do("a", "ann", "start", table)
        return table

    def seal(self, worker: str, name: str, table: str) -> asyncio.Future[Reply]:
        """Stay out of the open bidding."""
        number = self.state(table).play.number
        return self.send(worker, name, "decide", table, decision=number, command={"do": "sit"})


async def start_cluster(*names: str) -> SimulatedCluster:
    """Return a cluster with these workers, started."""
    cluster = SimulatedCluster(*names)
    await cluster.start()
    return cluster
