"""What people ask of a table that changes nothing in it, and that takes longer to answer than to decide."""

from __future__ import annotations

from typing import Any

from protocol import messages
from server.model import Refused
from server.tables.bots import Bots
from server.tables.core import ADVISER, TableCore
from server.tables.log import TableLog
from server.tables.messages import RequestReceived, done_message, refuse
from server.tables.results import refused
from server.tables.views import entry_shown, table_view


async def look_back(message: RequestReceived, request: messages.LookBack, core: TableCore, log: TableLog) -> None:
    """Answer with the table as the user's audience saw it after a step of the game."""
    refusal = core.may_look_back(message.user)
    if refusal is not None:
        refuse(message, refusal)
        return
    viewer, last, seen = core.state.seat_of(message.user.id), -1, None
    async for table, events in log.steps():
        last += 1
        if last == request.step:
            seen = {"view": table_view(table, viewer), "events": entry_shown(table, events, viewer)}
    if seen is None:
        refuse(message, refused("no_such_step"))
        return
    message.reply(done_message(request.id, {"step": request.step, "steps": last, **seen}))


def hint(message: RequestReceived, request: messages.Hint, core: TableCore, bots: Bots) -> None:
    """Answer, when a bot has thought about it, with what it would decide in the user's place."""
    seat = core.seat_for_hint(message.user, request.decision)
    if isinstance(seat, Refused):
        refuse(message, seat)
        return

    def advised(advice: dict[str, Any] | None) -> None:
        if advice is None:
            refuse(message, refused("busy"))
        else:
            message.reply(done_message(request.id, {"decision": request.decision, **advice}))

    bots.advise(ADVISER, table_view(core.state, seat), advised)
