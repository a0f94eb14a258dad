"""Playing on from a step of a finished game, at a new private table that is not rated.

The log of the new table holds the steps up to there, so that it replays without the log that they come from. Steps that
were taken back, sealed answers, chat and clocks are left out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import aclosing
from typing import Protocol

from protocol.messages import NoClock, PlayOn
from server.games.engine.play import Step, keep_step
from server.history.finished import FinishedGames, unreadable
from server.history.slots import Crowded
from server.model import Refused, Reply, User
from server.store.api import LogDamaged
from server.tables.answer_secrecy import is_step
from server.tables.api import ContinuedTable, OnReply
from server.tables.continuing import pack_steps, unpack_steps
from server.tables.entries import UnreadableEntry
from server.tables.events import TABLE_EVENTS, ContinuedFrom
from server.tables.results import refused
from server.tables.state import TableState
from server.tables.turns import BackgroundJob

_OVER = Refused("game_over", "The game is over at that step; choose an earlier one.", "step")


class ContinuedTables(Protocol):
    """All tables, as far as they go on from others; `TableRegistry` and `TableRouter` are such."""

    def go_on(self, user: User, opening: ContinuedTable, request_id: str, on_reply: OnReply) -> None: ...


class PlayingOn:
    """Replies to `play_on`.

    `table_id` returns the id of the table that a request opens, always the same; `strengths_of` those of a game's bots.
    """

    def __init__(
        self,
        games: FinishedGames,
        tables: ContinuedTables,
        table_id: Callable[[User, str], str],
        strengths_of: Callable[[str], Sequence[str]],
    ) -> None:
        self._games = games
        self._tables = tables
        self._table_id = table_id
        self._strengths_of = strengths_of

    async def answer(self, user: User, request: PlayOn) -> Reply:
        """Open the table and return the reply: its id, the seat of the user, and the key for others."""
        refusal = await self._games.not_for(user, request.table, request.key)
        if refusal is not None:
            return refusal
        try:
            async with self._games.slot() as job:
                opening = await self._opening(user, request, job)
        except Crowded:
            return refused("busy")
        except (LogDamaged, UnreadableEntry) as error:
            return unreadable(request.table, error)
        if isinstance(opening, Refused):
            return opening
        reply: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()

        def on_reply(given: Reply) -> None:
            if not reply.done():
                reply.set_result(given)

        self._tables.go_on(user, opening, request.id, on_reply)
        return await reply

    async def _opening(self, user: User, request: PlayOn, job: BackgroundJob) -> ContinuedTable | Refused:
        reached = await self._reached(request, job)
        if reached is None:
            return refused("no_such_step")
        table, steps = reached
        if request.seat >= len(table.chairs):
            return refused("no_such_seat")
        if table.play is None or table.play.decision is None:
            return _OVER
        if request.bots is not None and request.bots not in self._strengths_of(table.settings.game):
            return refused("no_such_strength")
        settings = table.settings.model_copy(
            update={
                "private": True,
                "rated": False,
                "begin": "full",
                "bots": True,
                "spectators": True,
                "clock": NoClock(kind="none"),
                # Against bots alone nobody waits for the user.
                "absence_seconds": None if request.bots is not None else 600,
                "hints": "all",
                # Who sits down at this table has not agreed to that of the other one.
                "delayed_view": None,
                "spectators_delayed": False,
            }
        )
        continued = ContinuedFrom(request.table, request.step, request.seat, request.hidden, pack_steps(steps))
        return ContinuedTable(self._table_id(user, request.id), settings, continued, request.bots)

    async def _reached(self, request: PlayOn, job: BackgroundJob) -> tuple[TableState, list[Step]] | None:
        """Return the table after the step and the steps of its game so far; None if there is no such step."""
        steps: list[Step] = []
        number = -1
        async with aclosing(self._games.entries(request.table, job)) as entries:
            async for _, table, events in entries:
                if not is_step(events):
                    continue
                number += 1
                if number == 0 and table.continued is not None:
                    steps += unpack_steps(table.settings.game, table.continued.steps)
                step = [event for event in events if not isinstance(event, TABLE_EVENTS)]
                keep_step(steps, step)
                if number == request.step:
                    return table, steps
        return None
