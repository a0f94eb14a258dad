"""The background task of a process that brings finished games into the index.

A table reports the end of its game, and the task indexes it next. What was not reported, because a process was killed
or the game ended before there was an index, is found by a sweep: at the start, and then once a minute by one worker of
all. If several workers start with many games to index, that one worker indexes them. Where the search alone takes long,
as in a Redis with very many tables, sweeps are rarer, so that they take a percent of the time at most. Everything runs
in slices between the decisions of players, one game at a time.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

from server.history.projection import IndexBusy, Projection
from server.history.record import all_unpacked
from server.store.api import StorageFailed, TableStore
from server.store.games_api import GameQuery
from server.tables.failures import log_failure

log = logging.getLogger(__name__)

SWEEP_SECONDS: Final = 60.0
"""The time between two sweeps, unless searching takes long; also between two attempts after the storage has failed."""

MIN_REST_FACTOR: Final = 100
"""The time between two sweeps is at least so many times the time that the last search took."""

PROGRESS_SECONDS: Final = 5.0
"""The time between two log lines about a long sweep."""

MAX_REPORTED: Final = 1_000
"""Tables that were reported and are not indexed yet; further ones are left to the next sweep."""

MAX_FAILED: Final = 1_000
"""Tables that sweeps of this process pass over because they could not be indexed; with more, all are tried again."""

SWEPT_AT_ONCE: Final = 100_000
"""Tables of one query of a sweep. Only their names are in memory, and the progress counts what is left of them."""

MAX_LEFT_BEHIND: Final = 100
"""Tables that every worker indexes after its start, since a killed predecessor may have left them."""

CHECKED_AT_START: Final = 50
"""The latest games in the index whose tables are looked at after a start: the storage may have been rolled back."""


class GameIndexer:
    """Indexes finished games of a process. `is_responsible` returns whether this worker sweeps for all workers."""

    def __init__(
        self, store: TableStore, projection: Projection, is_responsible: Callable[[], bool] = lambda: True
    ) -> None:
        self._store = store
        self._projection = projection
        self._is_responsible = is_responsible
        self._reported: dict[str, None] = {}
        self._is_reported = asyncio.Event()
        self._postponed: dict[str, None] = {}
        """Reported tables for which the storage has failed; they are reported again after a minute."""

        self._search_seconds = 0.0
        """The time that the last search for unindexed tables took."""

        self._failed: set[str] = set()
        self._task: asyncio.Task[None] | None = None

    def report(self, table: str) -> None:
        """Index a table soon: its game is over, or its log was rolled back. Never waits."""
        if len(self._reported) + len(self._postponed) < MAX_REPORTED:
            self._reported[table] = None
            self._is_reported.set()

    def start(self) -> None:
        """Start the task."""
        self._task = asyncio.get_running_loop().create_task(self._run(), name="index of finished games")

    async def close(self) -> None:
        """End the task. What it has not indexed is found by the first sweep after the next start."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def _run(self) -> None:
        await self._guarded(self._check_latest)
        is_first = True
        while True:
            # At the start the other workers are not known yet, and a killed predecessor may have left games.
            if is_first or self._is_responsible():
                await self._guarded(self._sweep)
            is_first = False
            due = time.monotonic() + max(SWEEP_SECONDS, MIN_REST_FACTOR * self._search_seconds)
            while (left := due - time.monotonic()) > 0:
                await self._rest(min(left, SWEEP_SECONDS))

    async def _rest(self, seconds: float) -> None:
        """Index what is reported for some time; then report again what was postponed."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._is_reported.wait(), left)
            await self._index_reported()
        postponed, self._postponed = self._postponed, {}
        for table in postponed:
            self.report(table)

    async def _guarded(self, action: Callable[[], Awaitable[None]]) -> None:
        try:
            await action()
        except StorageFailed:
            log.warning("storage failed", extra={"task": "index of finished games"})
        except IndexBusy:
            log.warning("index busy")
        except Exception:
            log.exception("periodic task failed", extra={"task": "index of finished games"})

    async def _check_latest(self) -> None:
        """Index tables again whose games the index has, although they are not over: their logs were rolled back."""
        page = await self._store.games.page(GameQuery(), limit=CHECKED_AT_START)
        tables = [record.table for record in all_unpacked(page.games)]
        over = {row.table for row in await self._store.rows(tables) if row.phase == "over"}
        for table in tables:
            if table not in over:
                await self._index(table)

    async def _sweep(self) -> None:
        tried: set[str] = set()
        told = time.monotonic()
        while True:
            begun = time.monotonic()
            found = await self._store.games.unindexed(SWEPT_AT_ONCE)
            self._search_seconds = time.monotonic() - begun
            # Tables that were tried and are still found cannot be indexed; the log says why.
            self._note_failed(*(table for table in found if table in tried))
            tables = [table for table in found if table not in self._failed]
            if not tables:
                break
            for place, table in enumerate(tables):
                if len(tables) - place > MAX_LEFT_BEHIND and not self._is_responsible():
                    return
                await self._index_reported()
                await self._index(table)
                tried.add(table)
                if time.monotonic() >= told + PROGRESS_SECONDS:
                    told = time.monotonic()
                    log.info("indexing finished games", extra={"done": len(tried), "left": len(tables) - place - 1})
        if tried:
            log.info("finished games indexed", extra={"games": len(tried)})
        await self._projection.rate_all_pending()

    async def _index_reported(self) -> None:
        """Index the tables that were reported; where the storage fails, it is tried again after a minute."""
        self._is_reported.clear()
        while self._reported:
            table = next(iter(self._reported))
            del self._reported[table]
            self._postponed[table] = None
            await self._guarded(partial(self._index_postponed, table))

    async def _index_postponed(self, table: str) -> None:
        await self._index(table)
        self._postponed.pop(table, None)

    async def _index(self, table: str) -> None:
        """Index a table; an unexpected exception concerns this table alone."""
        try:
            await self._projection.index_game(table)
        except (StorageFailed, IndexBusy):
            raise
        except Exception as error:  # noqa: BLE001 - the other games must be indexed
            log_failure("game not indexed", table, error)
            self._note_failed(table)

    def _note_failed(self, *tables: str) -> None:
        if len(self._failed) + len(tables) > MAX_FAILED:
            self._failed.clear()
        self._failed.update(tables)
