"""All tables of this process: each loaded when somebody asks for it, and put to rest when nobody does."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any

from protocol.codec import ResumePoint
from protocol.messages import CreateTable, TableRequest, TableSettings, TakeSeat, Watch
from server.games.engine.game import Event
from server.games.registry import game_named
from server.model import User
from server.store.api import StorageFailed, TableStore
from server.tables.actor import TableActor
from server.tables.api import Directory, Reply, Subscriber
from server.tables.bots import Bots
from server.tables.context import TableContext
from server.tables.entries import write_entry
from server.tables.events import BotSeated, SeatTaken, TableOpened
from server.tables.failures import INTERNAL_ERROR, log_failure
from server.tables.log import LEASE_SECONDS
from server.tables.messages import (
    Message,
    OneReply,
    RequestReceived,
    Subscribe,
    TableDeserted,
    TableQueried,
    UserRenamed,
    done_message,
    refuse,
)
from server.tables.results import refused
from server.tables.state import TableState, opened
from server.tables.summary import pack_summary

log = logging.getLogger(__name__)

REST_INTERVAL_SECONDS = 30.0
CLEAR_AWAY_INTERVAL_SECONDS = 3_600.0
MAX_CLEARED_AWAY = 100
"""TableDeserted tables that are looked at in one go."""

DESERTED_SECONDS = {"open": 24 * 3_600, "running": 30 * 24 * 3_600}
"""A table at which nothing has happened for so long, and that nobody follows, is over."""


@dataclass(frozen=True, slots=True)
class Clocks:
    """Where a keeper reads the time, in milliseconds: one that only goes forward, and one on the wall."""

    forward: Callable[[], int] = lambda: time.monotonic_ns() // 1_000_000
    wall: Callable[[], int] = lambda: time.time_ns() // 1_000_000


class TableRegistry:
    """Holds the owners of all tables that are awake. Fulfils `interface.Tables`."""

    def __init__(
        self,
        store: TableStore,
        directory: Directory,
        bots: Bots,
        clocks: Clocks | None = None,
        entropy: Callable[[], bytes] = lambda: secrets.token_bytes(32),
        worker: str | None = None,
    ) -> None:
        clocks = clocks or Clocks()
        self.route: Callable[[str, Message], None] = self.post
        """Where messages go that tables write to each other."""
        self.moved: Callable[[str, Subscriber, ResumePoint], None] = lambda table, subscriber, resume_point: None
        """Told of each connection that followed a table here which another worker has taken, and what it was shown."""
        self._context = TableContext(
            store=store,
            directory=directory,
            bots=bots,
            worker=worker or secrets.token_hex(8),
            is_alone=worker is None,
            milliseconds=clocks.forward,
            wall_milliseconds=clocks.wall,
            entropy=entropy,
            moved=self._has_moved,
            play_again=self._play_again,
        )
        self._actors: dict[str, TableActor] = {}
        self._resting: dict[str, TableActor] = {}
        self._chores: list[asyncio.Task[None]] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_closing = False

    @property
    def awake(self) -> int:
        """Give how many tables are in memory; one that turned out to be another worker's is not."""
        return sum(bool(actor.fence) for actor in self._actors.values())

    def owns(self, table: str) -> bool:
        """Tell whether this process may write to a table, as far as it knows."""
        actor = self._actors.get(table)
        return actor is not None and bool(actor.fence)

    def start(self) -> None:
        """Begin to look after leases, tables that nobody follows, and tables that nobody comes back to."""
        for seconds, chore in (
            (LEASE_SECONDS / 3, self._renew_leases),
            (REST_INTERVAL_SECONDS, self._put_to_rest),
            (CLEAR_AWAY_INTERVAL_SECONDS, self._clear_away),
        ):
            self._chores.append(asyncio.get_running_loop().create_task(_every(seconds, chore)))

    async def close(self) -> None:
        """Finish every mailbox, give all tables up, and end."""
        self._is_closing = True
        for chore in self._chores:
            chore.cancel()
        await asyncio.gather(*self._chores, *self._tasks, return_exceptions=True)
        await asyncio.gather(*(actor.close() for actor in (*self._resting.values(), *self._actors.values())))
        self._resting.clear()
        self._actors.clear()

    # -- interface.Tables -------------------------------------------------------------------------------------

    def create(self, user: User, request: CreateTable, table: str, reply: Reply) -> None:
        message = TableQueried(user, request.id, OneReply(reply))
        key = self._context.entropy().hex()[:32]
        self._run(self._open(user, request.settings, table, key, message))

    def ask(self, user: User, request: TableRequest, reply: Reply) -> None:
        self.post(request.table, RequestReceived(user, request, OneReply(reply)))

    def watch(self, user: User, request: Watch, subscriber: Subscriber, reply: Reply) -> None:
        self.post(request.table, Subscribe(user, request, subscriber, OneReply(reply)))

    def unwatch(self, table: str, subscriber: Subscriber) -> None:
        actor = self._actors.get(table)
        if actor is not None:
            actor.unwatch(subscriber)

    def refresh(self, table: str, subscriber: Subscriber) -> None:
        actor = self._actors.get(table)
        if actor is not None:
            actor.refresh(subscriber)

    def rename(self, user: User, tables: list[str]) -> None:
        for table in tables:
            self.post(table, UserRenamed(user))

    def post(self, table: str, message: Message) -> None:
        """Put a message to a table of this process."""
        if self._is_closing or not self._actor(table).post(message):
            refuse(message, refused("busy"))

    # -- within -----------------------------------------------------------------------------------------------

    def _actor(self, table: str) -> TableActor:
        actor = self._actors.get(table)
        if actor is None:
            # One that is being put to rest gives the table up first.
            actor = self._actors[table] = TableActor(table, self._context, self._resting.get(table))
        return actor

    async def _open(
        self,
        user: User,
        settings: TableSettings,
        table: str,
        key: str,
        then: TableQueried | RequestReceived,
        bots: Sequence[BotSeated] = (),
    ) -> None:
        """Make sure that there is such a table, then put the message to it."""
        try:
            await self._create(user, settings, table, key, bots)
        except StorageFailed:
            refuse(then, refused("storage_failed"))
        except Exception as error:  # noqa: BLE001 - whoever asked must get an answer
            log_failure("table not opened", table, error)
            refuse(then, INTERNAL_ERROR)
        else:
            self.route(table, then)

    async def _create(
        self, user: User, settings: TableSettings, table: str, key: str, bots: Sequence[BotSeated]
    ) -> None:
        """Store a table at which its host and the bots sit, unless there is one of that id."""
        event = TableOpened(
            table=table,
            rules_version=game_named(settings.game).rules_version,
            settings=settings.model_dump_json(),
            host=user.id,
            key=key,
            created=self._context.wall_milliseconds(),
            secret=self._context.entropy().hex()[:32],
        )
        new_events: list[Event] = [event, SeatTaken(0, user.id, user.name), *bots]
        state = opened(event)
        state.apply(new_events[1:])
        await self._context.store.create(table, "open", pack_summary(state), [write_entry(new_events, event.created)])

    def _play_again(self, over: TableState, user: User, request_id: str, table: str, key: str, reply: Reply) -> None:
        """Open the table at which the same people play again, if nobody has yet, and sit down at it."""

        def seated(answer: dict[str, Any]) -> None:
            if answer["type"] == "done" or answer["code"] == "already_seated":
                reply(done_message(request_id, {"table": table, "key": key}))
            else:
                reply(answer)

        take_seat = TakeSeat(type="take_seat", id=request_id, table=table, key=key)
        settings = over.settings.model_copy(update={"private": True})
        # People take the first seats that are free, so the bots of this table keep the last ones for themselves.
        bots = [(chair.bot, chair.name) for chair in over.chairs if chair.bot is not None]
        first = len(over.chairs) - len(bots)
        seated_bots = [BotSeated(seat, strength, name) for seat, (strength, name) in enumerate(bots, start=first)]
        self._run(
            self._open(user, settings, table, key, RequestReceived(user, take_seat, OneReply(seated)), seated_bots)
        )

    def _has_moved(self, table: str, subscriber: Subscriber, resume_point: ResumePoint) -> None:
        self.moved(table, subscriber, resume_point)

    def _run(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # -- chores -----------------------------------------------------------------------------------------------

    async def _renew_leases(self) -> None:
        fences = {table: actor.fence for table, actor in self._actors.items() if actor.fence}
        for table in await self._context.store.renew(fences, LEASE_SECONDS):
            if table in self._actors:
                self._actors[table].lost(fences[table])

    async def _put_to_rest(self) -> None:
        for table in [table for table, actor in self._actors.items() if actor.is_idle]:
            # Others were put to rest in the meantime, and somebody may have come.
            if self._actors[table].is_idle:
                actor = self._resting[table] = self._actors.pop(table)
                await actor.close()
                del self._resting[table]

    async def _clear_away(self) -> None:
        now = self._context.wall_milliseconds() / 1000
        for phase, seconds in DESERTED_SECONDS.items():
            rows = await self._context.store.tables(phase)
            deserted = [row for row in rows if now - row.updated >= seconds]
            for row in deserted[-MAX_CLEARED_AWAY:]:
                self.post(row.table, TableDeserted(row.seq))


async def _every(seconds: float, chore: Callable[[], Awaitable[None]]) -> None:
    """Do something again and again; that it failed once is no reason to stop."""
    while True:
        await asyncio.sleep(seconds)
        try:
            await chore()
        except StorageFailed:
            log.warning("storage failed", extra={"chore": chore.__qualname__})
        except Exception:
            log.exception("chore failed", extra={"chore": chore.__qualname__})
