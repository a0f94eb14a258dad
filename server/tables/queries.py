"""Requests that change nothing at a table: the reply to its opener, looking back, pages of the log, and hints.

Only what is in memory is looked at in the mailbox. The log is read in tasks of their own (`reads.py`).
"""

from __future__ import annotations

from typing import Any, Final

from protocol import messages
from server.games.engine.events import Viewer
from server.model import Done, Refused, Reply, User
from server.tables.api import OnReply
from server.tables.context import TableContext
from server.tables.core import ADVISER, TableCore
from server.tables.entries import read_dated
from server.tables.history import History, LogPage
from server.tables.log import TableLog
from server.tables.look_back import LookBack
from server.tables.messages import RequestReceived
from server.tables.reads import TableReads
from server.tables.replies import stored_reply
from server.tables.results import refused
from server.tables.state import TableState
from server.tables.turns import BackgroundJob
from server.tables.views import entry_shown, table_view, who_may_know

Query = messages.LookBack | messages.Hint | messages.ReadLog

_ROLLED_BACK: Final = refused("busy")
"""The storage was rolled back after the page was chosen; the table finds out with its next message."""


def opened(user: User, core: TableCore) -> Reply:
    """Return the reply to the request that opened the table; the same id of another user is refused."""
    state = core.state
    if user.id != state.opener:
        return refused("id_reused")
    return Done({"table": state.id, "seat": 0, "key": state.key})


class Queries:
    """Replies to the requests to one table that change nothing."""

    def __init__(self, table: str, log: TableLog, context: TableContext) -> None:
        self._log = log
        self._context = context
        self._reads = TableReads(table, context.read_slots)
        self._look_back = LookBack(log, context.turns, context.replays)

    def answer(
        self, message: RequestReceived, request: Query, core: TableCore, history: History, *, is_subscribed: bool
    ) -> None:
        """Reply as soon as the reply is known, which may take longer than deciding that the user may have it."""
        user, on_reply = message.user, message.respond
        key = request.key if isinstance(request, messages.ReadLog) else None
        refusal = core.may_enter(user, key, is_subscribed=is_subscribed)
        if refusal is not None:
            on_reply(refusal)
            return
        match request:
            case messages.Hint():
                self._hint(user, request, core, on_reply)
            case messages.ReadLog():
                self._read_page(user, request, core, history, on_reply)
            case messages.LookBack():
                self._see_step(user, request, core, on_reply)

    async def refuse(self, message: RequestReceived, refusal: Refused, *, is_player: bool) -> None:
        """Refuse, unless this repeats an accepted request, which may be refused now because it took effect."""

        async def stored() -> Reply:
            found = await self._log.answer_to(*message.idempotency)
            return refusal if found is None else stored_reply(found)

        if is_player:
            message.respond(await stored())
        else:
            # No decision waits for the storage because a spectator asks for what only players may do.
            self._reads.start(stored, message.respond, is_player=False)

    def on_replaced(self) -> None:
        """Forget the steps of the game: the table was rebuilt from its log."""
        self._look_back.forget()

    async def close(self) -> None:
        """Wait until all requests have their replies."""
        await self._reads.finish()
        self._look_back.close()

    def _hint(self, user: User, request: messages.Hint, core: TableCore, on_reply: OnReply) -> None:
        """Reply with the decision that a bot would make in the user's place, as soon as it has one."""
        seat = core.seat_for_hint(user, request.decision)
        if isinstance(seat, Refused):
            on_reply(seat)
            return

        def on_advised(advice: dict[str, Any] | None) -> None:
            on_reply(refused("busy") if advice is None else Done({"decision": request.decision, **advice}))

        self._context.bots.advise(ADVISER, table_view(core.state, seat), on_advised)

    def _see_step(self, user: User, request: messages.LookBack, core: TableCore, on_reply: OnReply) -> None:
        """Reply with the view and the visible events of a step of a finished game, as the user's viewer saw them."""
        refusal = core.may_look_back(user)
        viewer = core.state.seat_of(user.id)
        if refusal is not None:
            on_reply(refusal)
        else:
            self._reads.start(
                lambda: self._look_back.seen(request.step, viewer), on_reply, is_player=viewer is not None
            )

    def _read_page(
        self, user: User, request: messages.ReadLog, core: TableCore, history: History, on_reply: OnReply
    ) -> None:
        """Reply with a page of the log as the user's viewer may know it."""
        refusal = core.may_watch(user)
        viewer = core.state.seat_of(user.id)
        page = history.page(viewer, request.before, request.limit)
        if refusal is not None:
            on_reply(refusal)
        elif page is None:
            on_reply(Done({"entries": [], "more": False}))
        else:
            self._reads.start(lambda: self._page(page, core.state, viewer), on_reply, is_player=viewer is not None)

    async def _page(self, page: LogPage, table: TableState, viewer: Viewer) -> Reply:
        shown: list[dict[str, Any]] = []
        job = BackgroundJob(self._context.turns)
        for first, last in page.ranges:
            entries = await self._log.read(first, last)
            if len(entries) != last - first + 1:
                return _ROLLED_BACK
            for entry in entries:
                # A long page must not block the event loop.
                await job.give_way()
                if entry.seq in page.hidden:
                    continue
                at, events = read_dated(entry.payload, table.settings.game)
                if not who_may_know(table, events, (viewer,)):
                    return _ROLLED_BACK
                number = page.number + len(shown)
                shown.append({"number": number, "at": at, "events": entry_shown(table, events, viewer)})
        return Done({"entries": shown, "more": page.number > 1})
