"""Finished games as their logs have them: who may see one, and its entries.

Every worker reads the log from the storage, outside of the mailbox of the table, a few logs at a time.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final

import msgpack

from server.games.engine.events import Event
from server.history.slots import Slots
from server.model import Refused, User
from server.store.api import LogDamaged, TableStore
from server.tables.entries import UnreadableEntry
from server.tables.failures import log_failure
from server.tables.log import TableLog
from server.tables.results import refused
from server.tables.settings import completed
from server.tables.sharing import is_shared_with
from server.tables.state import TableState
from server.tables.turns import BackgroundJob, BackgroundTurns

LOGS_AT_ONCE: Final = 2
"""Logs that this process reads at the same time."""

MAX_WAITING: Final = 32
"""Requests that may wait for that; one more is refused as `busy`."""


class FinishedGames:
    """The logs of finished games, for users who may see them."""

    def __init__(self, store: TableStore, turns: BackgroundTurns) -> None:
        self.store = store
        self._turns = turns
        self._slots = Slots(LOGS_AT_ONCE, MAX_WAITING)

    async def not_for(self, user: User, table: str, key: str | None) -> Refused | None:
        """Return the refusal for a user who may not see a finished game; None for one who may.

        Public games are for everybody. Games at private tables, and at tables without spectators, are for those who sat
        there, for the importer of a log, and for users with the key of the shared game.
        """
        rows = await self.store.rows([table])
        if not rows:
            return refused("no_such_table")
        summary: dict[str, Any] = msgpack.unpackb(rows[0].summary)["summary"]
        settings = completed(summary["settings"])
        # The host sat there too, or has imported the log.
        has_sat = user.id in (summary["host"], *(seat["user"] for seat in summary["seats"]))
        is_private = settings["private"]
        if rows[0].phase != "over":
            return refused("no_such_table" if is_private and not has_sat else "wrong_phase")
        if has_sat or (not is_private and settings["spectators"]):
            return None
        if key is not None and await is_shared_with(self.store.key_values, table, key):
            return None
        return refused("no_such_table" if is_private else "no_spectators")

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[BackgroundJob]:
        """Hold one of the few slots for reading a log; raise `Crowded` if too many requests wait for one."""
        async with self._slots.slot():
            yield BackgroundJob(self._turns)

    def entries(self, table: str, job: BackgroundJob) -> AsyncGenerator[tuple[int, TableState, Sequence[Event]]]:
        """Yield the position and the events of each log entry, and the table after it.

        Raises `LogDamaged` or `UnreadableEntry`.
        """
        return TableLog(table, self.store, worker="").fold(job)


def unreadable(table: str, error: LogDamaged | UnreadableEntry) -> Refused:
    """Return the refusal for a damaged log, and write a line about it."""
    log_failure("log unreadable", table, error)
    return refused("table_unavailable")
