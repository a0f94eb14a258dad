"""Requests for analyses of finished games, from those who may look back at them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import msgpack

from protocol.messages import AnalyseGame
from server.bots.judges import JUDGES
from server.coach.kept import KeptAnalyses
from server.coach.queue import COMMAND, AnalysisQueue, Job, QueueFull
from server.history.finished import FinishedGames
from server.model import Done, Refused, Reply, User
from server.store.api import TableStore
from server.tables.log import LOAD_BATCH
from server.tables.results import refused

MayStart = Callable[[], Refused | None]
"""Counts an analysis that a user starts; returns the refusal if that is one too many."""

_DONE: Final = 1


class Coach:
    """Answers `analyse_game`. Every process of a server has one; what is done is known to all of them."""

    def __init__(
        self,
        store: TableStore,
        games: FinishedGames,
        max_processes: int,
        command: Sequence[str] = COMMAND,
    ) -> None:
        self._store = store
        self._games = games
        self._kept = KeptAnalyses(store.key_values)
        self.queue = AnalysisQueue(self._entries, self._kept.keep, max_processes, command)

    async def answer(self, user: User, request: AnalyseGame, may_start: MayStart) -> Reply:
        """Return how far the analysis is, after starting it if there is none."""
        table = request.table
        refusal = await self._games.not_for(user, table, request.key)
        if refusal is not None:
            return refusal
        job = self.queue.job_of(table)
        if job is None:
            findings = await self._kept.get(table)
            if findings is not None:
                return _reply("done", _DONE, _DONE, findings=findings)
            # Another request may have started it meanwhile.
            job = self.queue.job_of(table)
        if job is not None and job.state == "failed" and user.id in job.told:
            job = None
        if job is None:
            started = await self._started(table, may_start)
            if isinstance(started, Refused):
                return started
            job = started
        if job.state == "failed":
            job.told.add(user.id)
        return _reply(job.state, job.done, job.of, self.queue.ahead_of(job))

    def waiting(self) -> int:
        """Return how many analyses wait."""
        return self.queue.waiting

    def running(self) -> int:
        """Return how many analyses run."""
        return self.queue.running

    async def close(self) -> None:
        """End all processes."""
        await self.queue.close()

    async def _started(self, table: str, may_start: MayStart) -> Job | Refused:
        if self.queue.is_unfit(table) or await self._game_of(table) not in JUDGES:
            return refused("not_analysable")
        job = self.queue.job_of(table)
        if job is not None and job.state != "failed":
            return job
        try:
            self.queue.check_room()
            return may_start() or self.queue.add(table)
        except QueueFull:
            return refused("analysis_queue_full")

    async def _game_of(self, table: str) -> str | None:
        rows = await self._store.rows([table])
        if not rows:
            return None
        summary: dict[str, Any] = msgpack.unpackb(rows[0].summary)["summary"]
        game: str = summary["settings"]["game"]
        return game

    async def _entries(self, table: str) -> list[bytes]:
        """Return the payloads of all entries of a log."""
        entries: list[bytes] = []
        while batch := await self._store.read(table, len(entries), LOAD_BATCH):
            entries += [entry.payload for entry in batch]
        return entries


def _reply(state: str, done: int, of: int, ahead: int = 0, findings: dict[str, Any] | None = None) -> Done:
    return Done({"analysis": {"state": state, "done": done, "of": of, "ahead": ahead, "findings": findings}})
