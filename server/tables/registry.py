"""All tables of this process: each is loaded on the first request for it, and unloaded when it is idle."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from protocol.messages import CreateTable, TableRequest, TableSettings, TakeSeat, Watch
from server.games.engine.events import Event
from server.games.registry import game_named
from server.model import Done, Refused, Reply, User
from server.store.api import StorageFailed, TableStore
from server.tables.actor import TableActor
from server.tables.api import ContinuedTable, Directory, OnReply, Subscriber
from server.tables.bots import Bots
from server.tables.context import ClusterHooks, TableContext
from server.tables.delay import WallOffset
from server.tables.entries import write_entry
from server.tables.events import BotSeated, ContinuedFrom, TableOpened
from server.tables.failures import INTERNAL_ERROR, log_failure
from server.tables.log import LEASE_SECONDS
from server.tables.messages import (
    Message,
    RequestReceived,
    Responder,
    Subscribe,
    TableDeserted,
    TableQueried,
    TimerFired,
    UserRenamed,
    refuse,
)
from server.tables.names import host_name
from server.tables.people import NO_ACCOUNTS, SeatedPeople, TablePeople
from server.tables.results import refused
from server.tables.seating import begun_if_full, bots_seated, sat_down
from server.tables.seed_exchange import server_seed_drawn
from server.tables.state import TableState, opened
from server.tables.summary import keeps_waiting, pack_summary
from server.tables.turns import BackgroundTurns

log = logging.getLogger(__name__)

UNLOAD_INTERVAL_SECONDS = 30.0
DESERTED_INTERVAL_SECONDS = 3_600.0
MAX_DESERTED = 100
"""Deserted tables that are abandoned in one run."""

DESERTED_SECONDS = {"open": 24 * 3_600, "running": 30 * 24 * 3_600}
"""By phase: a table without subscribers whose log has not grown for so long is abandoned."""


@dataclass(frozen=True, slots=True)
class Clocks:
    """The clocks of a registry, in milliseconds; that of slices of work in seconds."""

    monotonic: Callable[[], int] = lambda: time.monotonic_ns() // 1_000_000
    wall: Callable[[], int] = lambda: time.time_ns() // 1_000_000
    slices: Callable[[], float] = time.perf_counter


class TableRegistry:
    """The actors of all loaded tables. Implements `api.Tables`.

    `worker` is the name of this process in a cluster; without one the process is alone.
    """

    def __init__(
        self,
        store: TableStore,
        directory: Directory,
        bots: Bots,
        clocks: Clocks | None = None,
        entropy: Callable[[], bytes] = lambda: secrets.token_bytes(32),
        worker: str | None = None,
        hooks: ClusterHooks | None = None,
        people: TablePeople = NO_ACCOUNTS,
    ) -> None:
        clocks = clocks or Clocks()
        self._context = TableContext(
            store=store,
            directory=directory,
            bots=bots,
            worker=worker or secrets.token_hex(8),
            is_alone=worker is None,
            milliseconds=clocks.monotonic,
            wall_milliseconds=clocks.wall,
            wall_ahead=clocks.wall() - clocks.monotonic(),
            wall_offset=WallOffset(clocks.wall, clocks.monotonic),
            entropy=entropy,
            hooks=hooks or ClusterHooks(),
            open_rematch=self._open_rematch,
            people=people,
            turns=BackgroundTurns(clocks.slices),
        )
        self._actors: dict[str, TableActor] = {}
        self._unloading: dict[str, TableActor] = {}
        self._periodic: list[asyncio.Task[None]] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_closing = False

    @property
    def loaded(self) -> int:
        """Return the number of tables in memory, without those that another worker owns."""
        return sum(bool(actor.fence) for actor in self._actors.values())

    @property
    def turns(self) -> BackgroundTurns:
        """Return the turns for work that can wait."""
        return self._context.turns

    def day_time(self) -> int:
        """Return the time by which tables by the day go, in milliseconds since 1970."""
        return self._context.milliseconds() + self._context.wall_ahead

    def owns(self, table: str) -> bool:
        """Return whether this process holds the lease of a table, as far as it knows."""
        actor = self._actors.get(table)
        return actor is not None and bool(actor.fence)

    def start(self) -> None:
        """Start to renew leases, to unload idle tables and to abandon deserted ones, periodically.

        A process that is alone renews none: nobody else claims its tables, and appends are fenced in any case.
        """
        actions: list[tuple[float, Callable[[], Awaitable[None]]]] = [
            (UNLOAD_INTERVAL_SECONDS, self._unload_idle),
            (DESERTED_INTERVAL_SECONDS, self._abandon_deserted),
        ]
        if not self._context.is_alone:
            actions.append((LEASE_SECONDS / 3, self._renew_leases))
        for seconds, action in actions:
            self._periodic.append(asyncio.get_running_loop().create_task(_repeat(seconds, action)))

    async def close(self) -> None:
        """Finish every mailbox, release all leases, and end."""
        self._is_closing = True
        for task in self._periodic:
            task.cancel()
        await asyncio.gather(*self._periodic, *self._tasks, return_exceptions=True)
        await asyncio.gather(*(actor.close() for actor in (*self._unloading.values(), *self._actors.values())))
        self._unloading.clear()
        self._actors.clear()

    # -- api.Tables -------------------------------------------------------------------------------------------

    def create(self, user: User, request: CreateTable, table: str, on_reply: OnReply) -> None:
        message = TableQueried(user, request.id, Responder(on_reply))
        key = self._context.entropy().hex()[:32]
        self._run(self._open(user, request.settings, table, key, message))

    def go_on(self, user: User, opening: ContinuedTable, request_id: str, on_reply: OnReply) -> None:
        """Open a table that goes on from a step of another game, like `create`."""
        message = TableQueried(user, request_id, Responder(on_reply))
        key, seat = self._context.entropy().hex()[:32], opening.continued.seat
        bots: list[BotSeated] = []
        if opening.strength is not None:
            others = [other for other in range(opening.settings.seats) if other != seat]
            bots = bots_seated(opening.table, others, opening.strength, taken={user.name})
        self._run(self._open(user, opening.settings, opening.table, key, message, bots, opening.continued))

    def ask(self, user: User, request: TableRequest, on_reply: OnReply) -> None:
        self.post(request.table, RequestReceived(user, request, Responder(on_reply)))

    def subscribe(self, user: User, request: Watch, subscriber: Subscriber, on_reply: OnReply) -> None:
        self.post(request.table, Subscribe(user, request, subscriber, Responder(on_reply)))

    def unsubscribe(self, table: str, subscriber: Subscriber) -> None:
        actor = self._actors.get(table)
        if actor is not None:
            actor.unsubscribe(subscriber)

    def refresh(self, table: str, subscriber: Subscriber) -> None:
        actor = self._actors.get(table)
        if actor is not None:
            actor.refresh(subscriber)

    def rename(self, user: User, tables: list[str]) -> None:
        for table in tables:
            self.post(table, UserRenamed(user))

    def post(self, table: str, message: Message) -> None:
        """Put a message into the mailbox of a table in this process, or refuse it."""
        if self._is_closing or not self._actor(table).post(message):
            refuse(message, refused("busy"))

    def on_user_deleted(self, user_id: str) -> None:
        """Show "former player" in place of a user at the tables in memory."""
        for actor in self._actors.values():
            actor.on_user_deleted(user_id)

    def load(self, table: str) -> None:
        """Load a table, which then reports its summary and status, unless it is loaded."""
        self.post(table, TimerFired())

    # -- opening tables ---------------------------------------------------------------------------------------

    def _actor(self, table: str) -> TableActor:
        actor = self._actors.get(table)
        if actor is None:
            # An actor that is being unloaded must release its lease first.
            actor = self._actors[table] = TableActor(table, self._context, self._unloading.get(table))
        return actor

    async def _open(
        self,
        user: User,
        settings: TableSettings,
        table: str,
        key: str,
        then: TableQueried | RequestReceived,
        bots: Sequence[BotSeated] = (),
        continued: ContinuedFrom | None = None,
        *,
        expects_seats: bool = False,
    ) -> None:
        """Create the table unless it exists, then send it the message."""
        try:
            await self._create(user, settings, table, key, bots, continued, expects_seats)
        except StorageFailed:
            then.respond(refused("storage_failed"))
        except Exception as error:  # noqa: BLE001 - every request gets a reply
            log_failure("table not opened", table, error)
            then.respond(INTERNAL_ERROR)
        else:
            (self._context.hooks.route or self.post)(table, then)

    async def _create(
        self,
        user: User,
        settings: TableSettings,
        table: str,
        key: str,
        bots: Sequence[BotSeated],
        continued: ContinuedFrom | None,
        expects_seats: bool,
    ) -> None:
        """Store a table with its host and the bots seated, unless a table of that id exists."""
        event = TableOpened(
            table=table,
            rules_version=game_named(settings.game).rules_version,
            settings=settings.model_dump_json(),
            host=user.id,
            key=key,
            created=self._context.wall_milliseconds(),
            secret=self._context.entropy().hex()[:32],
        )
        name = host_name(user.name, [bot.display_name for bot in bots if bot.display_name is not None])
        seat = 0
        origin: list[Event] = [server_seed_drawn(table, 1, self._context.entropy(), expects_seats=expects_seats)]
        if continued is not None:
            # What was dealt at another table cannot be verified here.
            seat, origin = continued.seat, [continued]
        new_events: list[Event] = [event, *origin, *sat_down(seat, user.id, name, settings), *bots]
        state = opened(event)
        state.people = SeatedPeople(self._context.people)
        state.people.note(user)
        state.apply(new_events[1:])
        entries = [write_entry(new_events, event.created)]
        begun = begun_if_full(state, self._context.entropy)
        if begun is not None:
            # A rematch against bots alone is full from the first moment.
            start, play = begun
            entries.append(write_entry(start, event.created))
            state.apply(start, play)
        await self._context.store.create(table, state.phase, pack_summary(state), entries)

    def _open_rematch(
        self, over: TableState, user: User, request_id: str, table: str, key: str, on_reply: OnReply
    ) -> None:
        """Open the table at which the same people play again, unless it exists, and seat the user there."""

        def on_seated(reply: Reply) -> None:
            if isinstance(reply, Refused) and reply.code == "wrong_phase":
                # The game may have begun by itself with the user at the table, who opened it.
                opener = TableQueried(user, request_id, Responder(partial(on_queried, reply)))
                (self._context.hooks.route or self.post)(table, opener)
                return
            is_seated = isinstance(reply, Done) or reply.code == "already_seated"
            on_reply(Done({"table": table, "key": key}) if is_seated else reply)

        def on_queried(refusal: Refused, reply: Reply) -> None:
            on_reply(Done({"table": table, "key": key}) if isinstance(reply, Done) else refusal)

        take_seat = TakeSeat(type="take_seat", id=request_id, table=table, key=key)
        settings = over.settings.model_copy(update={"private": True})
        # People take the first free seats, so the bots of the finished table get the last ones.
        bots = [(chair.bot, chair.name, chair.style) for chair in over.chairs if chair.bot is not None]
        first = len(over.chairs) - len(bots)
        seated_bots = [BotSeated(seat, *bot) for seat, bot in enumerate(bots, start=first)]
        message = RequestReceived(user, take_seat, Responder(on_seated))
        expects_seats = over.exchange is not None and bool(over.exchange.commitments)
        self._run(self._open(user, settings, table, key, message, seated_bots, expects_seats=expects_seats))

    def _run(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # -- periodic tasks ---------------------------------------------------------------------------------------

    async def _renew_leases(self) -> None:
        fences = {table: actor.fence for table, actor in self._actors.items() if actor.fence}
        sent_at = self._context.milliseconds()
        self._context.wall_offset.observe()
        lost = await self._context.store.renew(fences, LEASE_SECONDS)
        for table, fence in fences.items():
            actor = self._actors.get(table)
            if actor is None:
                continue
            if table in lost:
                actor.on_lease_lost(fence)
            else:
                actor.on_lease_renewed(fence, sent_at)

    async def _unload_idle(self) -> None:
        for table in [table for table, actor in self._actors.items() if actor.is_idle]:
            # A message may have come while the tables before this one were unloaded.
            if self._actors[table].is_idle:
                actor = self._unloading[table] = self._actors.pop(table)
                await actor.close()
                del self._unloading[table]

    async def _abandon_deserted(self) -> None:
        wall = self._context.wall_milliseconds()
        # A wall clock that was set forward makes no table older.
        skipped = max(0, wall - self.day_time())
        now = (wall - skipped) / 1000
        for phase, seconds in DESERTED_SECONDS.items():
            rows = await self._context.store.tables(phase)
            deserted = [row for row in rows if now - row.updated >= seconds and not keeps_waiting(row, now)]
            for row in deserted[-MAX_DESERTED:]:
                self.post(row.table, TableDeserted(row.seq))


async def _repeat(seconds: float, action: Callable[[], Awaitable[None]]) -> None:
    """Run an action periodically, also after it has failed."""
    while True:
        await asyncio.sleep(seconds)
        try:
            await action()
        except StorageFailed:
            log.warning("storage failed", extra={"task": action.__qualname__})
        except Exception:
            log.exception("periodic task failed", extra={"task": action.__qualname__})
