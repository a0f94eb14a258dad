"""Requests that change nothing at a table: the reply to its opener, looking back, pages of the log, and hints.

Only what is in memory is looked at in the mailbox. The log is read in tasks of their own (`reads.py`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from protocol import messages
from server.games.engine.events import Viewer
from server.model import Done, Refused, Reply, User
from server.tables.api import OnReply
from server.tables.context import TableContext
from server.tables.core import ADVISER, TableCore
from server.tables.entries import read_dated
from server.tables.history import LogPage
from server.tables.log import TableLog
from server.tables.look_back import LookBack
from server.tables.messages import RequestReceived
from server.tables.reads import TableReads
from server.tables.replay_steps import Eyes
from server.tables.replies import stored_reply
from server.tables.results import refused
from server.tables.sharing import SHARED_GAME, is_shared_with, shared_key
from server.tables.state import TableState
from server.tables.turns import BackgroundJob
from server.tables.views import entry_shown, table_view, who_may_know

if TYPE_CHECKING:
    from server.tables.loaded_table import LoadedTable

Query = messages.LookBack | messages.GetTimeline | messages.ShareGame | messages.Hint | messages.ReadLog

_Read = Callable[[], Awaitable[Reply]]
"""Reads the storage and returns a reply."""


EMPTY_PAGE: Final = Done({"entries": [], "more": False})
_ROLLED_BACK: Final = refused("busy")
"""The storage was rolled back after the page was chosen; the table finds out with its next message."""


def opened(user: User, core: TableCore) -> Reply:
    """Return the reply to the request that opened the table; the same id of another user is refused."""
    state = core.state
    if user.id != state.opener:
        return refused("id_reused")
    seat = state.continued.seat if state.continued is not None else 0
    return Done({"table": state.id, "seat": seat, "key": state.key})


def _before(before: int | None, last: int | None) -> int | None:
    """Return the number below which a page of the log ends; `last` is the last number that the viewer may know of."""
    if last is None:
        return before
    return last + 1 if before is None else min(before, last + 1)


class Queries:
    """Replies to the requests to one table that change nothing."""

    def __init__(self, table: str, log: TableLog, context: TableContext) -> None:
        self._table = table
        self._log = log
        self._context = context
        self._reads = TableReads(table, context.read_slots)
        self._look_back = LookBack(log, context.turns, context.replays)

    def answer(self, message: RequestReceived, request: Query, loaded: LoadedTable, *, is_subscribed: bool) -> None:
        """Reply as soon as the reply is known, which may take longer than deciding that the user may have it."""
        user, on_reply, core = message.user, message.respond, loaded.core
        if isinstance(request, messages.Hint):
            refusal = core.may_enter(user, None, is_subscribed=is_subscribed)
            if refusal is not None:
                on_reply(refusal)
            else:
                self._hint(user, request, core, on_reply)
            return
        is_player, read = core.state.seat_of(user.id) is not None, self._reader(user, request, loaded)
        if isinstance(request, messages.ShareGame):
            refusal = core.may_enter(user, None, is_subscribed=is_subscribed)
        else:
            key = request.key
            refusal = core.may_enter(user, key, is_subscribed=is_subscribed) or core.may_watch(user)
            if refusal is not None and key is not None and core.state.phase == "over":
                # The key of a shared game is in the storage, which the mailbox must not wait for.
                self._reads.start(partial(self._read_with_key, key, refusal, read), on_reply, is_player=False)
                return
        reply = refusal or read
        if isinstance(reply, (Done, Refused)):
            on_reply(reply)
        else:
            self._reads.start(reply, on_reply, is_player=is_player)

    def _reader(
        self,
        user: User,
        request: messages.LookBack | messages.GetTimeline | messages.ShareGame | messages.ReadLog,
        loaded: LoadedTable,
    ) -> _Read | Reply:
        """Return the function that reads what a user asks for, or the reply that needs no reading."""
        core, history = loaded.core, loaded.history
        viewer = core.state.seat_of(user.id)
        own: Eyes = "spectators" if viewer is None else viewer
        play = core.state.play
        until = None if core.state.phase == "over" or play is None else play.number
        last: int | None = None
        if viewer is None and core.state.delays_spectators and core.state.phase == "running":
            # What is public after the end is so for delayed spectators, too; before that they wait.
            released = loaded.delayed.released
            until, last = history.decision_at(released), history.number_at(None, released)
            if until is None and not isinstance(request, (messages.ShareGame, messages.ReadLog)):
                return refused("wrong_phase")
        match request:
            case messages.LookBack(step=step, eyes=eyes, between=between):
                refusal = core.may_look_back(user, eyes)
                chosen = own if eyes is None else eyes
                return refusal or partial(self._look_back.seen, step, chosen, viewer, until, is_by_event=between)
            case messages.GetTimeline(eyes=eyes, log_from=first):
                refusal = core.may_look_back(user, eyes)
                if first is None:
                    return refusal or partial(self._look_back.timeline, until)
                return refusal or partial(self._look_back.log_page, first, own if eyes is None else eyes, until)
            case messages.ShareGame(share=share):
                return core.may_share(user) or partial(self._share, core.state, share)
            case messages.ReadLog():
                page = history.page(viewer, _before(request.before, last), request.limit)
                return EMPTY_PAGE if page is None else partial(self._page, page, core.state, viewer)

    async def _read_with_key(self, key: str, refusal: Refused, read: _Read | Reply) -> Reply:
        """Return what a user asked for who has the key of a shared game; the refusal for any other key."""
        if not await is_shared_with(self._context.store.key_values, self._table, key):
            return refusal
        return read if isinstance(read, (Done, Refused)) else await read()

    async def _share(self, table: TableState, share: bool) -> Reply:
        """Return the key of a finished game, or revoke it. A game that everybody may see needs none."""
        if not table.settings.private and table.settings.spectators:
            return Done({"key": None})
        key_values = self._context.store.key_values
        key = await shared_key(key_values, table.id, self._context.entropy) if share else None
        if not share:
            await key_values.delete(SHARED_GAME, table.id)
        return Done({"key": key})

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
