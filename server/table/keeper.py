"""All tables of this process: each loaded when somebody asks for it, and put to rest when nobody does."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass

from protocol.messages import CreateTable, TableRequest, TableSettings, TakeSeat, Watch
from server.games.game import Event
from server.games.registry import game_named
from server.store.base import Exists, StorageFailed, TableStore
from server.table.actor import (
    LEASE_SECONDS,
    Asked,
    Letter,
    Opened,
    Renamed,
    Surroundings,
    TableActor,
    Watching,
    pack_about,
    summary_of,
)
from server.table.bots import Bots
from server.table.core import refused
from server.table.events import SeatTaken, TableOpened
from server.table.interface import Directory, Listener, Reply, User
from server.table.record import write_record
from server.table.state import TableState, opened

log = logging.getLogger(__name__)

REST_EVERY_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Clocks:
    """Where a keeper reads the time, in milliseconds: one that only goes forward, and one on the wall."""

    forward: Callable[[], int] = lambda: time.monotonic_ns() // 1_000_000
    wall: Callable[[], int] = lambda: time.time_ns() // 1_000_000


class Keeper:
    """Holds the owners of all tables that are awake. Fulfils `interface.Tables`."""

    def __init__(
        self,
        store: TableStore,
        directory: Directory,
        bots: Bots,
        clocks: Clocks | None = None,
        entropy: Callable[[], bytes] = lambda: secrets.token_bytes(32),
    ) -> None:
        clocks = clocks or Clocks()
        self._around = Surroundings(
            store=store,
            directory=directory,
            bots=bots,
            worker=secrets.token_hex(8),
            milliseconds=clocks.forward,
            wall_milliseconds=clocks.wall,
            entropy=entropy,
            again=self._seat_again,
        )
        self._actors: dict[str, TableActor] = {}
        self._resting: dict[str, TableActor] = {}
        self._errands: set[asyncio.Task[None]] = set()
        self._is_closing = False

    @property
    def awake(self) -> int:
        """Give how many tables are in memory."""
        return len(self._actors)

    def start(self) -> None:
        """Begin to look after leases and tables that nobody follows."""
        self._errand(self._renew_leases())
        self._errand(self._put_to_rest())

    async def close(self) -> None:
        """Finish every mailbox, give all tables up, and end."""
        self._is_closing = True
        for errand in self._errands:
            errand.cancel()
        await asyncio.gather(*self._errands, return_exceptions=True)
        await asyncio.gather(*(actor.close() for actor in self._actors.values()))
        self._actors.clear()

    # -- interface.Tables -------------------------------------------------------------------------------------

    def create(self, user: User, request: CreateTable, table: str, reply: Reply) -> None:
        key = secrets.token_hex(16)
        self._errand(self._open(user, request.settings, request.id, table, key, reply))

    def ask(self, user: User, request: TableRequest, reply: Reply) -> None:
        self._post(request.table, Asked(user, request, reply), request.id, reply)

    def watch(self, user: User, request: Watch, listener: Listener, reply: Reply) -> None:
        self._post(request.table, Watching(user, request, listener, reply), request.id, reply)

    def unwatch(self, table: str, listener: Listener) -> None:
        actor = self._actors.get(table)
        if actor is not None:
            actor.unwatch(listener)

    def refresh(self, table: str, listener: Listener) -> None:
        actor = self._actors.get(table)
        if actor is not None:
            actor.refresh(listener)

    def rename(self, user: User, tables: list[str]) -> None:
        for table in tables:
            if not self._is_closing:
                self._actor(table).post(Renamed(user))

    # -- within -----------------------------------------------------------------------------------------------

    def _post(self, table: str, letter: Letter, request_id: str, reply: Reply) -> None:
        if self._is_closing or not self._actor(table).post(letter):
            busy = refused("busy")
            reply({"type": "refused", "id": request_id, "code": busy.code, "sentence": busy.sentence})

    def _actor(self, table: str) -> TableActor:
        actor = self._actors.get(table)
        if actor is None:
            # One that is being put to rest gives the table up first.
            actor = self._actors[table] = TableActor(table, self._around, self._resting.get(table))
        return actor

    async def _open(
        self, user: User, settings: TableSettings, request_id: str, table: str, key: str, reply: Reply
    ) -> None:
        event = TableOpened(
            table=table,
            rules_version=game_named(settings.game).rules_version,
            settings=settings.model_dump_json(),
            host=user.id,
            key=key,
            created=self._around.wall_milliseconds(),
        )
        happened: list[Event] = [event, SeatTaken(0, user.id, user.name)]
        state = opened(event)
        state.apply(happened[1:])
        about = pack_about(summary_of(state, 0), settings.private)
        record = write_record(happened, event.created)
        try:
            created = await self._around.store.create(table, "open", about, [record])
        except StorageFailed:
            failed = refused("storage_failed")
            reply({"type": "refused", "id": request_id, "code": failed.code, "sentence": failed.sentence})
            return
        if isinstance(created, Exists):
            log.info("table was there already", extra={"table": table})
        self._post(table, Opened(user, request_id, reply), request_id, reply)

    def _seat_again(self, state: TableState, user: User, request_id: str, table: str, key: str, reply: Reply) -> None:
        """Open the table at which the same people play again, or sit down at it if somebody else has opened it."""

        def seated(answer: dict[str, object]) -> None:
            if answer["type"] == "done":
                reply({"type": "done", "id": request_id, "result": {"table": table, "key": key}})
            else:
                reply({**answer, "id": request_id})

        def entered(answer: dict[str, object]) -> None:
            # Somebody else was first: the table is there, and a seat at it is all that is missing.
            if answer["type"] == "done":
                seated(answer)
            else:
                take = TakeSeat(type="take_seat", id=request_id, table=table, key=key)
                self.ask(user, take, seated)

        settings = state.settings.model_copy(update={"private": True})
        self._errand(self._open(user, settings, request_id, table, key, entered))

    def _errand(self, errand: object) -> None:
        assert asyncio.iscoroutine(errand)
        task = asyncio.get_running_loop().create_task(errand)
        self._errands.add(task)
        task.add_done_callback(self._errands.discard)

    async def _renew_leases(self) -> None:
        while True:
            await asyncio.sleep(LEASE_SECONDS / 3)
            fences = {table: actor.fence for table, actor in self._actors.items() if actor.fence}
            try:
                gone = await self._around.store.renew(fences, LEASE_SECONDS)
            except StorageFailed:
                log.warning("leases not renewed", extra={"tables": len(fences)})
                continue
            for table in gone:
                if table in self._actors:
                    self._actors[table].lost()

    async def _put_to_rest(self) -> None:
        while True:
            await asyncio.sleep(REST_EVERY_SECONDS)
            for table in [table for table, actor in self._actors.items() if actor.is_idle]:
                actor = self._resting[table] = self._actors.pop(table)
                await actor.close()
                del self._resting[table]
