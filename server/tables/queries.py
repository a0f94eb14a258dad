"""Requests that change nothing at a table: the reply to its opener, looking back, pages of the log, and hints."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from protocol import messages
from server.games.engine.events import Viewer
from server.model import Done, Refused, Reply, User
from server.store.api import LogDamaged, StorageFailed
from server.tables.api import OnReply
from server.tables.bots import Bots
from server.tables.core import ADVISER, TableCore
from server.tables.entries import UnreadableEntry, read_dated
from server.tables.failures import INTERNAL_ERROR, log_failure
from server.tables.history import History, LogPage
from server.tables.log import ENTRIES_PER_SLICE, TableLog
from server.tables.results import refused
from server.tables.state import TableState
from server.tables.views import entry_shown, table_view, who_may_know

MAX_PAGES: Final = 64
"""Pages of one table's log that may wait or be read; one more is refused as `busy`."""

PAGES_AT_ONCE: Final = 2
"""Pages of one table's log that are read at the same time."""

_ROLLED_BACK: Final = refused("busy")
"""The storage was rolled back after the page was chosen; the table finds out with its next message."""


def opened(user: User, core: TableCore) -> Reply:
    """Return the reply to the request that opened the table; the same id of another user is refused."""
    state = core.state
    if user.id != state.opener:
        return refused("id_reused")
    return Done({"table": state.id, "seat": 0, "key": state.key})


async def look_back(user: User, request: messages.LookBack, core: TableCore, log: TableLog) -> Reply:
    """Return the view and the visible events of a step of a finished game, as the user's viewer saw them."""
    refusal = core.may_look_back(user)
    if refusal is not None:
        return refusal
    viewer, last, seen = core.state.seat_of(user.id), -1, None
    async for table, events in log.steps():
        last += 1
        if last == request.step:
            seen = {"view": table_view(table, viewer), "events": entry_shown(table, events, viewer)}
    if seen is None:
        return refused("no_such_step")
    return Done({"step": request.step, "steps": last, **seen})


def hint(user: User, request: messages.Hint, core: TableCore, bots: Bots, on_reply: OnReply) -> None:
    """Reply with the decision that a bot would make in the user's place, as soon as it has one."""
    seat = core.seat_for_hint(user, request.decision)
    if isinstance(seat, Refused):
        on_reply(seat)
        return

    def on_advised(advice: dict[str, Any] | None) -> None:
        on_reply(refused("busy") if advice is None else Done({"decision": request.decision, **advice}))

    bots.advise(ADVISER, table_view(core.state, seat), on_advised)


class PageReader:
    """Reads pages of a table's log in tasks of their own, so that no decision waits for them in the mailbox."""

    def __init__(self, log: TableLog) -> None:
        self._log = log
        self._slots = asyncio.Semaphore(PAGES_AT_ONCE)
        self._tasks: set[asyncio.Task[None]] = set()

    def read(self, user: User, request: messages.ReadLog, core: TableCore, history: History, on_reply: OnReply) -> None:
        """Reply with the user's page as soon as it has been read; the user must be allowed to enter the table."""
        refusal = core.may_watch(user)
        viewer = core.state.seat_of(user.id)
        page = history.page(viewer, request.before, request.limit)
        if refusal is not None:
            on_reply(refusal)
        elif page is None:
            on_reply(Done({"entries": [], "more": False}))
        elif len(self._tasks) >= MAX_PAGES:
            on_reply(refused("busy"))
        else:
            task = asyncio.get_running_loop().create_task(self._reply(page, core.state, viewer, on_reply))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def finish(self) -> None:
        """Wait until all requests have their replies."""
        if self._tasks:
            await asyncio.wait(self._tasks)

    async def _reply(self, page: LogPage, table: TableState, viewer: Viewer, on_reply: OnReply) -> None:
        reply: Reply
        async with self._slots:
            try:
                reply = await self._page(page, table, viewer)
            except StorageFailed:
                reply = refused("storage_failed")
            except (LogDamaged, UnreadableEntry) as error:
                log_failure("log unreadable", table.id, error)
                reply = refused("table_unavailable")
            except Exception as error:  # noqa: BLE001 - every request gets a reply
                log_failure("page not read", table.id, error)
                reply = INTERNAL_ERROR
        on_reply(reply)

    async def _page(self, page: LogPage, table: TableState, viewer: Viewer) -> Reply:
        shown: list[dict[str, Any]] = []
        for first, last in page.ranges:
            entries = await self._log.read(first, last)
            if len(entries) != last - first + 1:
                return _ROLLED_BACK
            for entry in entries:
                if not entry.seq % ENTRIES_PER_SLICE:
                    # A long page must not block the event loop.
                    await asyncio.sleep(0)
                if entry.seq in page.hidden:
                    continue
                at, events = read_dated(entry.payload, table.settings.game)
                if not who_may_know(table, events, (viewer,)):
                    return _ROLLED_BACK
                number = page.number + len(shown)
                shown.append({"number": number, "at": at, "events": entry_shown(table, events, viewer)})
        return Done({"entries": shown, "more": page.number > 1})
