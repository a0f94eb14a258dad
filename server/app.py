"""Where the parts are joined, and the only such place: store, identity, lobby, tables, bots and gateway.

`build` opens everything and closes it again in the opposite order; `serve` runs it as a server until told to stop.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import random
import socket
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from importlib import metadata

import uvloop
from starlette.types import ASGIApp

from server.bots.pauses import Pauses
from server.bots.registry import strengths_of
from server.bots.thinking import Thinking
from server.bots.workers import Workers
from server.games.registry import GAMES, games_described
from server.gateway.counts import Metrics
from server.gateway.endpoint import Health, build_endpoint
from server.gateway.log_lines import start_logging
from server.gateway.serving import Server, ServerOptions, listen, raise_file_limit, uvicorn_config
from server.gateway.switchboard import Parts, Switchboard
from server.lobby.directory import LISTED_PHASES, TableDirectory
from server.lobby.identity import Identity
from server.lobby.lobby import Lobby
from server.settings import Settings
from server.store.base import Records, StorageFailed, TableStore
from server.store.sqlite import SqliteStore
from server.table.keeper import Keeper

log = logging.getLogger(__name__)

_PROBE_EVERY = 5.0
_PROBE_WITHIN = 2.0


@dataclass(frozen=True, slots=True)
class App:
    """All parts, joined and running."""

    asgi: ASGIApp
    board: Switchboard
    keeper: Keeper

    async def drain(self) -> None:
        """Take on nothing new, and finish what is in hand, so that everybody who was promised an answer gets it."""
        await self.board.drain()
        await self.keeper.close()


@contextlib.asynccontextmanager
async def build(settings: Settings) -> AsyncIterator[App]:
    """Open and join all parts. Raises `StoreUnusable` if there is no working with the database."""
    store = await SqliteStore.open(settings.database, "fast" if settings.durability == "fast" else "full")
    try:
        async with _joined(settings, store) as app:
            yield app
    finally:
        await store.close()


@contextlib.asynccontextmanager
async def _joined(settings: Settings, store: TableStore) -> AsyncIterator[App]:
    directory = TableDirectory()
    for phase in LISTED_PHASES:
        directory.load(await store.tables(phase))
    pauses = Pauses(settings.bot_least_seconds, settings.bot_most_seconds)
    bots = Thinking(Workers(settings.bot_workers), pauses, random.SystemRandom())
    keeper = Keeper(store, directory, bots)
    lobby = await Lobby.open(store.records, directory, keeper)
    games = [
        {**game, "strengths": list(strengths_of(name))} for name, game in zip(GAMES, games_described(), strict=True)
    ]
    parts = Parts(Identity(store.records), lobby, keeper, games)
    board = Switchboard(parts, settings.limits(), time.monotonic)
    metrics = Metrics(
        board.counts,
        {
            "connections": ("Websockets that are open.", lambda: len(board)),
            "tables_awake": ("Tables in memory.", lambda: keeper.awake),
            **{f"tables_{phase}": (f"Public tables, {phase}.", _count_of(directory, phase)) for phase in LISTED_PHASES},
        },
    )
    asgi = build_endpoint(
        board,
        origins=settings.origins,
        bounds=settings.bounds(),
        health=Health(version(), StoreProbe(store.records), lambda: keeper.awake),
        metrics=metrics,
        web=settings.web,
    )
    keeper.start()
    lag = asyncio.create_task(metrics.watch_loop())
    try:
        yield App(asgi, board, keeper)
    finally:
        lag.cancel()
        directory.close()
        await keeper.close()
        await bots.close()


def _count_of(directory: TableDirectory, phase: str) -> Callable[[], float]:
    return lambda: directory.counts()[phase]


class StoreProbe:
    """Finds out whether the store still takes what it is given, at most every few seconds."""

    def __init__(self, records: Records, clock: Callable[[], float] = time.monotonic) -> None:
        self._records = records
        self._clock = clock
        self._asked_at = float("-inf")
        self._state = "ok"

    async def __call__(self) -> str:
        """Give `ok` or `failing`."""
        if self._clock() - self._asked_at >= _PROBE_EVERY:
            self._asked_at = self._clock()
            try:
                async with asyncio.timeout(_PROBE_WITHIN):
                    await self._records.put("probe", "health", b"", time.time() + 60)
                self._state = "ok"
            except (StorageFailed, TimeoutError):
                self._state = "failing"
        return self._state


def version() -> str:
    """Give the version of this installation."""
    try:
        return metadata.version("sanfrancisco-tables")
    except metadata.PackageNotFoundError:
        return "unknown"


def serve(settings: Settings, announce: Callable[[str], None]) -> None:
    """Serve until told to stop. `announce` is told the address as soon as it can be opened.

    Raises `CannotListen` or `StoreUnusable` with a sentence for the operator.
    """
    with contextlib.closing(listen(settings.host, settings.port)) as listener:
        start_logging(settings.log_level)
        raise_file_limit(settings.connections)
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
        await server.serve([listener])
    log.info("stopped")
