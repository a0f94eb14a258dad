"""Looking back at a game: its steps are replayed once, and then served from checkpoints in memory.

A checkpoint is the table after a step. A game of usual length has one for each step; of a longer game only every second
step is kept, or every fourth, and so on, and the entries in between are read again. The tables that were looked back at
last keep their checkpoints; others forget them.

The replay of a running game ends with its last step, and goes on from there when there is another one. So neither a
reply nor the time that it takes depends on answers that are sealed meanwhile.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, Final

from protocol.patch import Patch, difference
from server.games.engine.events import Viewer
from server.model import Done, Reply
from server.tables.log import TableLog
from server.tables.replay_steps import (
    Checkpoint,
    Eyes,
    Row,
    StepFolder,
    checkpoints_between,
    events_seen,
    opened_hands,
    viewer_of,
)
from server.tables.results import refused
from server.tables.state import TableState
from server.tables.turns import BackgroundJob, BackgroundTurns
from server.tables.views import replay_view

MAX_CHECKPOINTS: Final = 400
"""Checkpoints of one table; with one more, every second one is dropped."""

MAX_REPLAYED: Final = 16
"""Tables of one process that keep their checkpoints; with one more, the one that was used longest ago forgets them."""

MAX_EXTENSIONS: Final = 3
"""Replays that one request waits for: the first may have been begun before the last step."""

MAX_ROWS: Final = 2_000
"""Steps in a timeline; with one more, every second one is left out."""

MAX_LOG_STEPS: Final = 100
"""Steps in one page of the log of a replay."""


@dataclass(slots=True)
class ReplayedGame:
    """The checkpoints of a game, one for each multiple of `spacing`; `last` is the number of the last step.

    Lists are replaced when they are thinned out, so a reader keeps the ones that it has.
    """

    checkpoints: list[Checkpoint] = field(default_factory=list)
    spacing: int = 1
    rows: list[Row] = field(default_factory=list)
    row_spacing: int = 1
    last: int = -1
    seq: int = 0
    """The position of the last entry that was replayed."""

    is_whole: bool = False
    """The game was over when it was replayed, so that nothing more will come."""

    table: TableState | None = None
    folder: StepFolder = field(default_factory=StepFolder)

    @property
    def number(self) -> int:
        """Return the number of the decision after the last step that was replayed; 0 before the first."""
        return 0 if self.table is None or self.table.play is None else self.table.play.number

    def add(self, checkpoint: Checkpoint, row: Row) -> None:
        """Add the next step."""
        self.last = checkpoint.step
        if checkpoint.step % self.spacing == 0:
            self.checkpoints.append(checkpoint.kept())
        if len(self.checkpoints) > MAX_CHECKPOINTS:
            self.checkpoints, self.spacing = self.checkpoints[::2], self.spacing * 2
        if checkpoint.step % self.row_spacing == 0:
            self.rows.append(row)
        if len(self.rows) > MAX_ROWS:
            self.rows, self.row_spacing = self.rows[::2], self.row_spacing * 2


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
    """The steps of a table. Requests that come while the game is replayed share the replay.

    The caller has checked that the user may see the steps through these eyes. `until` is the number of the open
    decision of a running game, and None after the end.
    """

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

    async def seen(
        self, step: int, eyes: Eyes, reader: Viewer, until: int | None, *, is_by_event: bool = False
    ) -> Reply:
        """Return the view and the visible events of a step, for a user who is the viewer `reader`.

        By event, the reply also has the patch from the view after the step to the view after each event.
        """
        game = await self._replayed(until)
        if step > game.last:
            return refused("no_such_step")
        checkpoint = await self._checkpoint(game, step)
        if checkpoint is None:
            # The storage was rolled back; the table finds out with its next message.
            return refused("busy")
        shown = _shown(checkpoint, eyes, reader)
        between: list[Patch] | None = None
        if is_by_event:
            job, between = BackgroundJob(self._turns), []
            for other in checkpoints_between(checkpoint, eyes):
                await job.give_way()
                between.append([] if other is checkpoint else difference(shown, _shown(other, eyes, reader)))
        events = events_seen(checkpoint, eyes)
        return Done({"step": step, "steps": game.last, "eyes": eyes, **shown, "events": events, "between": between})

    async def timeline(self, until: int | None) -> Reply:
        """Return all steps of the game so far, in brief."""
        game = await self._replayed(until)
        return Done({"steps": [row.to_json() for row in game.rows], "last": game.last, "log": None})

    async def log_page(self, first: int, eyes: Eyes, until: int | None) -> Reply:
        """Return the events of some steps from this one on."""
        game = await self._replayed(until)
        if first > game.last:
            return refused("no_such_step")
        job, shown = BackgroundJob(self._turns), list[dict[str, Any]]()
        last = min(game.last, first + MAX_LOG_STEPS - 1)
        async with aclosing(self._checkpoints(game, first)) as checkpoints:
            async for checkpoint in checkpoints:
                await job.give_way()
                events = events_seen(checkpoint, eyes)
                shown.append({"step": checkpoint.step, "at": checkpoint.at, "events": events})
                if checkpoint.step >= last:
                    return Done({"steps": [], "last": game.last, "log": shown})
        return refused("busy")

    async def _replayed(self, until: int | None) -> ReplayedGame:
        """Return the game, replayed up to the step that opened this decision, or to the end of its log."""
        self._cache.note(self)
        for _ in range(MAX_EXTENSIONS):
            replay = self._replay
            if replay is None or (replay.done() and (replay.cancelled() or replay.exception() is not None)):
                replay = asyncio.get_running_loop().create_task(self._extended(ReplayedGame(), until))
            elif replay.done() and not _reaches(replay.result(), until):
                replay = asyncio.get_running_loop().create_task(self._extended(replay.result(), until))
            self._replay = replay
            # A caller that is cancelled must not cancel the replay of the others.
            game = await asyncio.shield(replay)
            if _reaches(game, until):
                break
        return game

    async def _extended(self, game: ReplayedGame, until: int | None) -> ReplayedGame:
        job = BackgroundJob(self._turns)
        async with aclosing(self._log.fold(job, game.table, game.seq)) as entries:
            async for seq, table, events in entries:
                added = game.folder.add(seq, table, events)
                game.seq, game.table = seq, table
                if added is not None:
                    game.add(*added)
                    if until is not None and game.number >= until:
                        return game
        game.is_whole = until is None
        return game

    async def _checkpoint(self, game: ReplayedGame, step: int) -> Checkpoint | None:
        """Return the table after a step; None if the log is no longer that long."""
        async with aclosing(self._checkpoints(game, step)) as checkpoints:
            async for checkpoint in checkpoints:
                return checkpoint
        return None

    async def _checkpoints(self, game: ReplayedGame, first: int) -> AsyncGenerator[Checkpoint]:
        """Yield the steps from this one on, from checkpoints in memory or from the log."""
        checkpoints, spacing, last = game.checkpoints, game.spacing, game.last
        if spacing == 1:
            for checkpoint in checkpoints[first:]:
                yield checkpoint
            return
        nearest = checkpoints[first // spacing]
        if nearest.step == last and not game.is_whole:
            yield nearest
            return
        folder, reached = StepFolder(nearest), nearest
        job = BackgroundJob(self._turns)
        async with aclosing(self._log.fold(job, nearest.table.after((), None), nearest.seq)) as entries:
            async for seq, table, events in entries:
                added = folder.add(seq, table, events)
                if added is not None:
                    # A step is complete when the next one has come: the answers to its decision are known then.
                    if reached.step >= first:
                        yield reached
                    reached = added[0].kept()
                    if reached.step == last and not game.is_whole:
                        # What is sealed after the last step of a running game is not read.
                        break
        if reached.step >= first:
            yield reached


def _shown(checkpoint: Checkpoint, eyes: Eyes, reader: Viewer) -> dict[str, Any]:
    """Return the view of these eyes, and what the seats that look know alone."""
    view = replay_view(checkpoint.table, viewer_of(eyes), reader)
    return {"view": view, "open": opened_hands(checkpoint, eyes)}


def _reaches(game: ReplayedGame, until: int | None) -> bool:
    return game.is_whole or (until is not None and game.number >= until)
