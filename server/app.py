"""Where the parts are joined, and the only such place: store, identity, lobby, tables, bots and gateway.

`build` opens everything and closes it again in the opposite order; `serve` runs it as a server until told to stop.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import random
import secrets
import socket
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any, Literal

import uvloop
from starlette.types import ASGIApp

from server import version
from server.bots.pauses import Pauses
from server.bots.registry import strengths_of
from server.bots.thinking import Thinking
from server.bots.workers import Workers
from server.cluster.bus.redis import RedisBus
from server.cluster.channels import PeerChannels
from server.cluster.events import ClusterEvents
from server.cluster.router import TableRouter
from server.cluster.worker import ClusterWorker
from server.config import Settings
from server.games.registry import GAMES, games_described
from server.gateway.connections import NOBODY, ConnectionRegistry, Others, Services
from server.gateway.log_format import start_logging
from server.gateway.metrics import Metrics
from server.gateway.routes import Health, build_endpoint
from server.gateway.server import Server, ServerOptions, listen, raise_file_limit, uvicorn_config
from server.lobby.directory import LISTED_PHASES, TableDirectory
from server.lobby.identity import Identity
from server.lobby.lobby import Lobby
from server.store.api import KeyValueStore, StorageFailed, TableStore
from server.store.redis import RedisStore
from server.store.redis_checks import check_redis
from server.store.sqlite import SqliteStore
from server.supervisor import Supervisor
from server.tables.api import Tables
from server.tables.registry import TableRegistry

log = logging.getLogger(__name__)

_PROBE_INTERVAL = 5.0
_PROBE_TIMEOUT = 2.0


@dataclass(frozen=True, slots=True)
class App:
    """All parts, joined and running."""

    asgi: ASGIApp
    connections: ConnectionRegistry
    registry: TableRegistry
    worker_node: ClusterWorker | None

    async def drain(self) -> None:
        """Take on nothing new, and finish what is in hand, so that everybody who was promised an answer gets it."""
        await self.connections.drain()
        await self.registry.close()
        if self.worker_node is not None:
            # Now that the tables are free, the others can have them.
            await self.worker_node.close()


@contextlib.asynccontextmanager
async def build(settings: Settings) -> AsyncIterator[App]:
    """Open and join all parts. Raises `StoreUnusable` if there is no working with the database or the Redis."""
    async with contextlib.AsyncExitStack() as closing:
        store, durability = await _store(settings)
        closing.push_async_callback(store.close)
        pauses = Pauses(settings.bot_least_seconds, settings.bot_most_seconds)
        bots = Thinking(Workers(settings.bot_workers), pauses, random.SystemRandom())
        closing.push_async_callback(bots.close)
        directory = TableDirectory()
        for phase in LISTED_PHASES:
            directory.load(await store.tables(phase))
        identity = Identity(store.key_values)
        cluster = await _join_cluster(settings, store, directory, identity, bots, closing)
        registry = cluster.registry
        closing.push_async_callback(registry.close)
        closing.callback(directory.close)
        lobby = await Lobby.open(store.key_values, directory, cluster.tables)
        connections = ConnectionRegistry(
            Services(identity, lobby, cluster.tables, _games(), cluster.others), settings.limits(), time.monotonic
        )
        metrics = _metrics(connections, registry, directory)
        asgi = build_endpoint(
            connections,
            origins=settings.origins,
            bounds=settings.bounds(),
            health=Health(
                version(), StoreHealthCheck(store.key_values), lambda: registry.awake, durability, cluster.workers
            ),
            metrics=metrics,
            web=settings.web,
        )
        await cluster.start(connections)
        registry.start()
        lag = asyncio.create_task(metrics.watch_loop())
        closing.callback(lag.cancel)
        yield App(asgi, connections, registry, cluster.worker_node)


async def _store(settings: Settings) -> tuple[TableStore, str]:
    """Open the store; gives it with the word for how durable it is."""
    if not settings.redis:
        durability: Literal["full", "fast"] = "fast" if settings.durability == "fast" else "full"
        return await SqliteStore.open(settings.database, durability), durability
    return RedisStore.at(settings.redis), await check_redis(settings.redis)


@dataclass(frozen=True, slots=True)
class _Cluster:
    """The tables as this process reaches them: its own only, or those of a whole fleet."""

    registry: TableRegistry
    tables: Tables
    others: Others = NOBODY
    worker_node: ClusterWorker | None = None
    cluster_events: ClusterEvents | None = None
    workers: Callable[[], int] = lambda: 1

    async def start(self, connections: ConnectionRegistry) -> None:
        """Begin to talk to the others, if there are any."""
        if self.worker_node is not None and self.cluster_events is not None:
            self.cluster_events.connect(connections)
            await self.worker_node.start()


async def _join_cluster(
    settings: Settings,
    store: TableStore,
    directory: TableDirectory,
    identity: Identity,
    bots: Thinking,
    closing: contextlib.AsyncExitStack,
) -> _Cluster:
    if not settings.redis:
        registry = TableRegistry(store, directory, bots)
        return _Cluster(registry, registry)
    # The last part makes it another worker after a restart, whose leases are its own.
    worker = f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(8)}"
    channels = PeerChannels(worker, RedisBus.at(settings.redis))
    cluster_events = ClusterEvents(channels, store, directory, identity)
    registry = TableRegistry(store, cluster_events, bots, worker=worker)
    tables = TableRouter(channels, registry)
    worker_node = ClusterWorker(channels, tables, cluster_events)
    closing.push_async_callback(worker_node.close)
    return _Cluster(registry, tables, cluster_events, worker_node, cluster_events, lambda: 1 + len(channels.peers))


def _games() -> list[dict[str, Any]]:
    return [
        {**game, "strengths": list(strengths_of(name))} for name, game in zip(GAMES, games_described(), strict=True)
    ]


def _metrics(connections: ConnectionRegistry, registry: TableRegistry, directory: TableDirectory) -> Metrics:
    return Metrics(
        connections.counts,
        {
            "connections": ("Websockets that are open.", lambda: len(connections)),
            "tables_awake": ("Tables in memory.", lambda: registry.awake),
            **{f"tables_{phase}": (f"Public tables, {phase}.", _count_of(directory, phase)) for phase in LISTED_PHASES},
        },
    )


def _count_of(directory: TableDirectory, phase: str) -> Callable[[], float]:
    return lambda: directory.counts()[phase]


class StoreHealthCheck:
    """Finds out whether the store still takes what it is given, at most every few seconds."""

    def __init__(self, key_values: KeyValueStore, clock: Callable[[], float] = time.monotonic) -> None:
        self._key_values = key_values
        self._clock = clock
        self._asked_at = float("-inf")
        self._state = "ok"

    async def __call__(self) -> str:
        """Give `ok` or `failing`."""
        if self._clock() - self._asked_at >= _PROBE_INTERVAL:
            self._asked_at = self._clock()
            try:
                async with asyncio.timeout(_PROBE_TIMEOUT):
                    await self._key_values.put("probe", "health", b"", time.time() + 60)
                self._state = "ok"
            except (StorageFailed, TimeoutError):
                self._state = "failing"
        return self._state


def serve(settings: Settings, announce: Callable[[str], None]) -> None:
    """Serve until told to stop. `announce` is told the address as soon as it can be opened.

    Raises `CannotListen` or `StoreUnusable` with a sentence for the operator.
    """
    with contextlib.closing(listen(settings.host, settings.port)) as listener:
        start_logging(settings.log_level)
        raise_file_limit(settings.connections)
        if settings.workers == 1:
            _run(settings, listener, announce)
            return
        # Once, here: that there is no working with the Redis should be said in one sentence, not by every worker.
        asyncio.run(check_redis(settings.redis))
        Supervisor(
            settings.workers, lambda place: _run(settings, listener, announce if place == 0 else lambda address: None)
        ).run()


def _run(settings: Settings, listener: socket.socket, announce: Callable[[str], None]) -> None:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_serve(settings, listener, announce))


async def _serve(settings: Settings, listener: socket.socket, announce: Callable[[str], None]) -> None:
    options = ServerOptions(
        settings.forwarded_from, settings.ping_seconds, settings.drain_seconds, settings.connections
    )
    async with build(settings) as app:
        server = Server(uvicorn_config(app.asgi, options), app.drain, settings.drain_seconds)
        host, port = listener.getsockname()[:2]
        announce(f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}")
        log.info("listening", extra={"host": host, "port": port, "version": version()})
        # What is there by now stays; the collector need not look at it again and again.
        gc.collect()
        gc.freeze()
        # Each move makes hundreds of lists that live until the next one, and hardly ever a circle of them.
        gc.set_threshold(20_000, 20, 20)
        await server.serve([listener])
    log.info("stopped")
