"""The composition root: the only module that joins store, identity, lobby, tables, bots, cluster and gateway.

`build` opens all parts and closes them in reverse order; `serve` runs them as a server until it gets a signal to stop.
"""

from __future__ import annotations

import asyncio
import contextlib
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

from server import BUILD, version
from server.bots.registry import strengths_of
from server.bots.service import BotService
from server.bots.think_time import ThinkTime
from server.bots.worker_pool import WorkerPool
from server.cluster.bus.redis import RedisBus
from server.cluster.channels import PeerChannels
from server.cluster.events import ClusterDirectory, ClusterEvents, EventReceiver, join_statuses
from server.cluster.presence import ClusterPresence, chosen_worker
from server.cluster.router import TableRouter
from server.cluster.worker import ClusterWorker
from server.coach.service import Coach
from server.config import Settings
from server.control import control_path, control_socket
from server.games.registry import GAMES, games_described
from server.garbage import GrowthCollector
from server.gateway.connections import ConnectionRegistry
from server.gateway.http.health import Health
from server.gateway.log_format import start_logging
from server.gateway.metrics import Gauges, Metrics
from server.gateway.operator_pages import operator_app, serving_operator
from server.gateway.routes import build_app
from server.gateway.server import Server, ServerOptions, listen, raise_file_limit, uvicorn_config
from server.gateway.services import NO_COACH, Services
from server.gateway.services import Coach as CoachService
from server.history.parts import HistoryParts
from server.history.played import games_of_user
from server.history.projection import Projection
from server.lessons.progress import LessonProgress
from server.lessons.service import LessonService
from server.lobby.attendance import Attendance
from server.lobby.big_table import BigTable
from server.lobby.directory import TableDirectory
from server.lobby.due import DueTables
from server.lobby.identity import Identity
from server.lobby.listed_table import LISTED_PHASES
from server.lobby.lobby import Lobby
from server.notifications.parts import NotificationOptions, NotificationParts
from server.notifications.situations import Refresh, nothing_to_refresh
from server.people.circle import NO_PEER_CIRCLES, PeerCircles
from server.people.parts import PeopleParts
from server.people.service import PeopleService
from server.store.api import TableStore
from server.store.health import StoreHealth, redis_durability
from server.store.redis import RedisStore
from server.store.redis_checks import check_redis
from server.store.redis_limits import RedisLimits
from server.store.redis_restore import check_restored
from server.store.sqlite import SqliteStore
from server.store.stored_limits import StoredLimits
from server.supervisor import Supervisor
from server.tables.api import Tables
from server.tables.context import ClusterHooks
from server.tables.registry import TableRegistry
from server.tools.backup import BACKUP, backup_handler
from server.tools.reindex import REINDEX, reindex_handler

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class App:
    """All parts, joined and running. `worker` is None for a single process."""

    asgi: ASGIApp
    operator: ASGIApp
    """The application of the operator's port."""

    connections: ConnectionRegistry
    registry: TableRegistry
    worker: ClusterWorker | None = None

    async def drain(self) -> None:
        """Accept no more requests, and finish those that are being handled, so that each gets its reply."""
        await self.connections.drain()
        await self.registry.close()
        if self.worker is not None:
            # Only after the leases are released, so that the other workers can take the tables over at once.
            await self.worker.close()


@contextlib.asynccontextmanager
async def build(settings: Settings) -> AsyncIterator[App]:
    """Open and join all parts. Raises `StoreUnusable` if the database or the Redis cannot be used."""
    async with contextlib.AsyncExitStack() as closing:
        store, durability = await _open_store(settings)
        closing.push_async_callback(store.close)
        health = await _store_health(settings, store, durability)
        think_time = ThinkTime(settings.bot_min_seconds, settings.bot_max_seconds)
        bots = BotService(WorkerPool(settings.bot_workers), think_time, random.SystemRandom())
        closing.push_async_callback(bots.close)
        limits = await _open_limits(settings, store)
        closing.push_async_callback(limits.close)
        builder = _Builder(settings, store, health, bots, closing, limits)
        app = await (_build_worker(builder) if settings.redis else _build_single(builder))
        if isinstance(store, SqliteStore):
            projection = Projection(store, app.registry.turns)
            handlers = {
                BACKUP: backup_handler(store, settings.database),
                REINDEX: reindex_handler(store, projection),
            }
            await closing.enter_async_context(control_socket(control_path(settings.database), handlers))
        yield app


async def _open_store(settings: Settings) -> tuple[TableStore, str]:
    """Open the store; return it with the name of its durability."""
    if not settings.redis:
        durability: Literal["full", "fast"] = "fast" if settings.durability == "fast" else "full"
        return await SqliteStore.open(settings.database, durability), durability
    durability_of_redis = await check_redis(settings.redis, settings.redis_replicas)
    await check_restored(settings.redis)
    return RedisStore.at(settings.redis, replicas=settings.redis_replicas), durability_of_redis


async def _open_limits(settings: Settings, store: TableStore) -> StoredLimits | RedisLimits:
    """Open the limits that hold over all workers, or over restarts of a single process."""
    if settings.redis:
        return RedisLimits.at(settings.redis)
    limits = await StoredLimits.open(store.key_values)
    limits.start()
    return limits


async def _store_health(settings: Settings, store: TableStore, durability: str) -> StoreHealth:
    async def ask_durability() -> str:
        return await redis_durability(settings.redis) if settings.redis else durability

    return await StoreHealth.open(store, ask_durability, durability, None if settings.redis else settings.database)


@dataclass(frozen=True, slots=True)
class _Builder:
    """Builds the parts that a single process and a worker of a cluster have in common."""

    settings: Settings
    store: TableStore
    store_health: StoreHealth
    bots: BotService
    closing: contextlib.AsyncExitStack
    limits: StoredLimits | RedisLimits

    async def load(self, directory: TableDirectory) -> None:
        for phase in LISTED_PHASES:
            directory.load(await self.store.tables(phase))
        self.closing.callback(directory.close)

    async def open_people(self) -> PeopleParts:
        people = await PeopleParts.open(self.store.key_values)
        self.closing.callback(people.close)
        return people

    def people_service(
        self,
        people: PeopleParts,
        identity: Identity,
        directory: TableDirectory,
        registry: TableRegistry,
        tables: Tables,
        peers: PeerCircles = NO_PEER_CIRCLES,
    ) -> PeopleService:
        def games_of(user_id: str) -> AsyncIterator[dict[str, Any]]:
            return games_of_user(self.store.games, user_id)

        shows = (identity.forget, directory.on_user_deleted, registry.on_user_deleted)
        return people.service(identity, self.limits, directory, tables, games_of, shows, peers)

    def lessons(self) -> LessonService:
        return LessonService(LessonProgress(self.store.key_values))

    def open_history(
        self, registry: TableRegistry, hooks: ClusterHooks, is_responsible: Callable[[], bool] = lambda: True
    ) -> HistoryParts:
        """Return the parts for finished games; tables report those that end."""
        history = HistoryParts(self.store, registry.turns, is_responsible)
        hooks.on_game_over = history.indexer.report
        self.closing.push_async_callback(history.indexer.close)
        return history

    def open_coach(self, history: HistoryParts) -> CoachService:
        """Return the analyses of finished games, if there are to be any."""
        if not self.settings.coach_workers:
            return NO_COACH
        coach = Coach(self.store, history.finished, self.settings.coach_workers)
        self.closing.push_async_callback(coach.close)
        return coach

    async def open_notifications(
        self,
        people: PeopleParts,
        identity: Identity,
        directory: TableDirectory,
        refresh: Refresh = nothing_to_refresh,
        is_responsible: Callable[[str], bool] = lambda key: True,
    ) -> NotificationParts:
        """Return the parts that tell people who are away; they start to send with `serve`."""
        settings = self.settings
        options = NotificationOptions(
            settings.notification_grace,
            settings.push == "on",
            settings.push_hosts,
            settings.webhooks == "on",
            settings.outbound_networks,
            settings.smtp_url,
            settings.mail_from,
            settings.operator_contact,
            settings.mail_rate,
            settings.origins,
        )
        parts = await NotificationParts.open(
            options, self.store.key_values, identity, people.directory, directory, self.limits, refresh, is_responsible
        )
        self.closing.push_async_callback(parts.dispatcher.close)
        return parts

    def connect(self, services: Services) -> ConnectionRegistry:
        connections = ConnectionRegistry(services, self.settings.limits(), time.monotonic, self.limits)
        if isinstance(self.limits, RedisLimits):
            self.limits.on_unavailable = connections.counters.count_limits_unavailable
        return connections

    def serve(
        self,
        connections: ConnectionRegistry,
        registry: TableRegistry,
        directory: TableDirectory,
        notifications: NotificationParts,
        count_workers: Callable[[], int] = lambda: 1,
        is_responsible: Callable[[str], bool] = lambda table: True,
    ) -> tuple[ASGIApp, ASGIApp]:
        """Start the periodic tasks, and return the applications of the public and of the operator's port."""
        metrics = Metrics(connections.counters, gauges_of(connections, registry, directory))
        health = Health(
            version(),
            BUILD.name,
            self.store_health,
            is_draining=lambda: connections.is_draining,
            workers=count_workers,
            tables=lambda: registry.loaded,
            connections=lambda: len(connections),
        )
        registry.start()
        notifications.senders.on_outcome = connections.counters.count_notification
        notifications.dispatcher.start()
        attendance = Attendance(directory, registry.post, asyncio.get_running_loop(), is_responsible)
        attendance.start()
        self.closing.callback(attendance.close)
        due = DueTables(directory, self.store, registry.load, registry.owns, registry.day_time)
        due.start()
        self.closing.callback(due.close)
        for periodic in (metrics.measure_lag(), self.store_health.watch()):
            self.closing.callback(asyncio.create_task(periodic).cancel)
        public = build_app(
            connections,
            origins=self.settings.origins,
            transport_limits=self.settings.transport_limits(),
            health=health,
            web=self.settings.web,
        )
        return public, operator_app(metrics, health, self.settings.metrics_token)


async def _build_single(builder: _Builder) -> App:
    """Join the parts of a process without a cluster."""
    store = builder.store
    people = await builder.open_people()
    directory = TableDirectory(is_former=people.directory.is_former)
    await builder.load(directory)
    identity = Identity(store.key_values, on_change=people.forget)
    hooks = ClusterHooks()
    registry = TableRegistry(store, directory, builder.bots, hooks=hooks, people=people.directory)
    directory.load_table = registry.load
    builder.closing.push_async_callback(registry.close)
    lobby = await Lobby.open(store.key_values, directory, registry, builder.settings.hosted_tables)
    service = builder.people_service(people, identity, directory, registry, registry)
    history = builder.open_history(registry, hooks)
    finished = history.service(people.directory, directory, registry, lobby.table_id, strengths_of)
    files = history.files(people.directory, lobby.table_id)
    notifications = await builder.open_notifications(people, identity, directory)
    services = Services(
        identity,
        lobby,
        registry,
        _games(),
        people=service,
        history=finished,
        files=files,
        lessons=builder.lessons(),
        coach=builder.open_coach(history),
        notifications=notifications.service,
        big_table=BigTable(directory, registry, store.key_values, finished.public_ratings),
    )
    connections = service.sockets = builder.connect(services)
    history.indexer.start()
    return App(*builder.serve(connections, registry, directory, notifications), connections, registry)


async def _build_worker(builder: _Builder) -> App:
    """Join the parts of one worker of a cluster, and let it join the cluster."""
    store, redis = builder.store, builder.settings.redis
    # The random part makes a restarted process another worker, so that it does not take old leases for its own.
    name = f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(8)}"
    channels = PeerChannels(name, RedisBus.at(redis))
    cluster_events = ClusterEvents(channels)
    presence = ClusterPresence()
    people = await builder.open_people()
    people.broadcast_deleted = cluster_events.user_deleted
    directory = TableDirectory(
        users_elsewhere=presence,
        on_presence=cluster_events.presence_changed,
        on_looking=cluster_events.looking_changed,
        is_former=people.directory.is_former,
    )
    await builder.load(directory)

    def on_user_changed(user_id: str) -> None:
        people.forget(user_id)
        cluster_events.user_changed(user_id)

    identity = Identity(store.key_values, on_change=on_user_changed)
    hooks = ClusterHooks(is_dead=channels.is_dead)
    lists = ClusterDirectory(directory, cluster_events)
    registry = TableRegistry(store, lists, builder.bots, worker=name, hooks=hooks, people=people.directory)
    router = TableRouter(channels, registry)
    statuses = join_statuses(channels, presence, store, directory, lists, registry)
    hooks.route, hooks.on_subscription_moved = router.route, router.on_subscription_moved
    lobby = await Lobby.open(store.key_values, directory, router, builder.settings.hosted_tables)
    service = builder.people_service(people, identity, directory, registry, router, cluster_events)
    is_first = lambda: chosen_worker("games", [name, *channels.peers]) == name  # noqa: E731
    history = builder.open_history(registry, hooks, is_first)
    finished = history.service(people.directory, directory, router, lobby.table_id, strengths_of)
    files = history.files(people.directory, lobby.table_id)
    lessons, coach = builder.lessons(), builder.open_coach(history)
    is_own = lambda key: chosen_worker(key, [name, *channels.peers]) == name  # noqa: E731
    notifications = await builder.open_notifications(people, identity, directory, statuses[1].refresh, is_own)
    big_table = BigTable(directory, router, store.key_values, finished.public_ratings)
    services = Services(
        identity,
        lobby,
        router,
        _games(),
        cluster_events,
        service,
        finished,
        files,
        lessons,
        coach,
        big_table,
        notifications.service,
    )
    connections = service.sockets = builder.connect(services)
    receiver = EventReceiver(channels, directory, identity, presence, connections, *statuses, people)
    worker = ClusterWorker(channels, router, receiver)
    builder.closing.push_async_callback(worker.close)
    builder.closing.push_async_callback(registry.close)
    await worker.start()
    history.indexer.start()

    def is_responsible(table: str) -> bool:
        return registry.owns(table) or chosen_worker(table, [name, *channels.peers]) == name

    count_workers = lambda: 1 + len(channels.peers)  # noqa: E731
    apps = builder.serve(connections, registry, directory, notifications, count_workers, is_responsible)
    return App(*apps, connections, registry, worker)


def _games() -> list[dict[str, Any]]:
    return [
        {**game, "strengths": list(strengths_of(name))} for name, game in zip(GAMES, games_described(), strict=True)
    ]


def gauges_of(connections: ConnectionRegistry, registry: TableRegistry, directory: TableDirectory) -> Gauges:
    """Return the gauges of the metrics."""
    return {
        "connections": ("Websockets that are open.", lambda: len(connections)),
        "tasks": ("Tasks of the event loop.", lambda: len(asyncio.all_tasks())),
        "tables_awake": ("Tables in memory.", lambda: registry.loaded),
        "analyses_waiting": ("Analyses of finished games that wait.", connections.services.coach.waiting),
        "analyses_running": ("Analyses of finished games that run.", connections.services.coach.running),
        **{f"tables_{phase}": (f"Public tables, {phase}.", _count_of(directory, phase)) for phase in LISTED_PHASES},
    }


def _count_of(directory: TableDirectory, phase: str) -> Callable[[], float]:
    return lambda: directory.counts()[phase]


def serve(settings: Settings, announce: Callable[[str], None]) -> None:
    """Serve until a signal to stop. `announce` is called with the address as soon as clients can connect.

    Raises `CannotListen` or `StoreUnusable` with a sentence for the operator.
    """
    with contextlib.ExitStack() as closing:
        listener = closing.enter_context(contextlib.closing(listen(settings.host, settings.port)))
        # Opened here, so that a port that is taken is reported before any worker starts.
        operator_listeners = [
            closing.enter_context(contextlib.closing(listen(*address)))
            for worker in range(settings.workers)
            if (address := settings.metrics_address(worker)) is not None
        ]
        start_logging(settings.log_level)
        raise_file_limit(settings.connections)
        if settings.workers == 1:
            _run(settings, listener, operator_listeners[0] if operator_listeners else None, announce)
            return
        # Checked once, so that a Redis that cannot be used is reported once and not by every worker.
        asyncio.run(check_redis(settings.redis, settings.redis_replicas))
        asyncio.run(check_restored(settings.redis))
        Supervisor(
            settings.workers,
            lambda index: _run(
                settings,
                listener,
                operator_listeners[index] if operator_listeners else None,
                announce if index == 0 else lambda address: None,
            ),
        ).run()


def _run(
    settings: Settings, listener: socket.socket, operator: socket.socket | None, announce: Callable[[str], None]
) -> None:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_serve(settings, listener, operator, announce))


async def _serve(
    settings: Settings, listener: socket.socket, operator: socket.socket | None, announce: Callable[[str], None]
) -> None:
    options = ServerOptions(
        settings.forwarded_from,
        settings.ping_seconds,
        settings.drain_seconds,
        settings.connections,
        settings.http_connections_per_address,
    )
    async with contextlib.AsyncExitStack() as closing:
        app = await closing.enter_async_context(build(settings))
        if operator is not None:
            await closing.enter_async_context(serving_operator(app.operator, operator))
        http_limits = options.http_limits(app.connections.counters.http_closed)
        server = Server(uvicorn_config(app.asgi, options), app.drain, settings.drain_seconds, http_limits)
        host, port = listener.getsockname()[:2]
        announce(f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}")
        log.info("listening", extra={"host": host, "port": port, "version": version(), "build": str(BUILD)})
        collector = GrowthCollector()
        closing.callback(collector.close)
        collector.start()
        await server.serve([listener])
    log.info("stopped")
