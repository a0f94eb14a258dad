"""Requests that change nothing at a table: the reply to its opener, looking back, and hints."""

from __future__ import annotations

from typing import Any

from protocol import messages
from server.model import Done, Refused, Reply, User
from server.tables.api import OnReply
from server.tables.bots import Bots
from server.tables.core import ADVISER, TableCore
from server.tables.log import TableLog
from server.tables.results import refused
from server.tables.views import entry_shown, table_view


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
