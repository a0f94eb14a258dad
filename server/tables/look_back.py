"""Looking back at a finished game: its steps are replayed once, and then served from checkpoints in memory.

A checkpoint is the table after a step. A game of usual length has one for each step; of a longer game only every second
step is kept, or every fourth, and so on, and the entries in between are read again. The tables that were looked back at
last keep their checkpoints; others forget them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import aclosing
from typing import Final, NamedTuple

from server.games.engine.events import Event, Viewer
from server.model import Done, Reply
from server.tables.answer_secrecy import is_step
from server.tables.log import TableLog
from server.tables.results import refused
from server.tables.state import TableState
from server.tables.turns import BackgroundJob, BackgroundTurns
from server.tables.views import entry_shown, table_view

MAX_CHECKPOINTS: Final = 400
"""Checkpoints of one table; with one more, every second one is dropped."""

MAX_REPLAYED: Final = 16
"""Tables of one process that keep their checkpoints; with one more, the one that was used longest ago forgets them."""


class Checkpoint(NamedTuple):
    """The table after a step, and the events of that step."""

    step: int
    seq: int
    """The position of the step in the log."""

    table: TableState
    events: Sequence[Event]


class ReplayedGame(NamedTuple):
    """The checkpoints of a game, one for each multiple of `spacing`; `last` is the number of the last step."""

    checkpoints: list[Checkpoint]
    spacing: int
    last: int


class ReplayCache:
    """The tables of a process that have checkpoints in memory, the one that was used last at the end (LRU)."""

    def __init__(self) -> None:
        self._used: dict[LookBack, None] = {}

    def note(self, used: LookBack) -> None:
        """Note that the checkpoints of a table were used; the table that was used longest ago may have to go."""
        self._used.pop(used, None)
        self._used[used] = None
        if len(self._used) > MAX_REPLAYED:
            oldest = next(iter(self._used))
            del self._used[oldest]
            oldest.forget()

    def remove(self, gone: LookBack) -> None:
        self._used.pop(gone, None)


class LookBack:
    """The steps of a table whose game is over. Requests that come while the game is replayed share the replay."""

    def __init__(self, log: TableLog, turns: BackgroundTurns, cache: ReplayCache) -> None:
        self._log = log
        self._turns = turns
        self._cache = cache
        self._replay: asyncio.Task[ReplayedGame] | None = None

    def forget(self) -> None:
        """Drop the checkpoints."""
        self._replay = None

    def close(self) -> None:
        """Drop the checkpoints for good."""
        self.forget()
        self._cache.remove(self)

    async def seen(self, step: int, viewer: Viewer) -> Reply:
        """Return the view and the visible events of a step, as a viewer saw them; the game must be over."""
        self._cache.note(self)
        if self._replay is None or (self._replay.done() and self._replay.exception() is not None):
            self._replay = asyncio.get_running_loop().create_task(self._replayed())
        # A caller that is cancelled must not cancel the replay of the others.
        game = await asyncio.shield(self._replay)
        if step > game.last:
            return refused("no_such_step")
        checkpoint = await self._checkpoint(game, step)
        if checkpoint is None:
            # The storage was rolled back; the table finds out with its next message.
            return refused("busy")
        view, events = table_view(checkpoint.table, viewer), entry_shown(checkpoint.table, checkpoint.events, viewer)
        return Done({"step": step, "steps": game.last, "view": view, "events": events})

    async def _replayed(self) -> ReplayedGame:
        checkpoints: list[Checkpoint] = []
        spacing, last, job = 1, -1, BackgroundJob(self._turns)
        async for seq, table, events in self._log.fold(job):
            if not is_step(events):
                continue
            last += 1
            if last % spacing == 0:
                checkpoints.append(Checkpoint(last, seq, table.after((), None), events))
            if len(checkpoints) > MAX_CHECKPOINTS:
                checkpoints, spacing = checkpoints[::2], spacing * 2
        return ReplayedGame(checkpoints, spacing, last)

    async def _checkpoint(self, game: ReplayedGame, step: int) -> Checkpoint | None:
        """Return the table after a step, from the checkpoint before it; None if the log is no longer that long."""
        nearest = game.checkpoints[step // game.spacing]
        if nearest.step == step:
            return nearest
        reached, job = nearest.step, BackgroundJob(self._turns)
        async with aclosing(self._log.fold(job, nearest.table.after((), None), nearest.seq)) as entries:
            async for seq, table, events in entries:
                reached += is_step(events)
                if reached == step:
                    return Checkpoint(step, seq, table, events)
        return None
