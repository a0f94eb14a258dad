"""The bots of a process as tables use them: given the view of a seat, they answer later on the same event loop."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from random import Random
from typing import Any, Final

from server.bots.question import question_from_view, read_prompt
from server.bots.registry import RANDOM, strengths_of
from server.bots.think_time import SEARCH_SECONDS, ThinkTime
from server.bots.worker_pool import NoAnswer, WorkerPool
from server.games.engine.serialization import Json, to_json

log = logging.getLogger(__name__)

GRACE_SECONDS: Final = 5.0
"""The time beyond its budget after which a worker process counts as hung."""

_LONG_RUNNING: Final = frozenset({"hard", "expert"})


class BotService:
    """All bots of a process. Implements `server.tables.bots.Bots`."""

    def __init__(self, workers: WorkerPool, think_time: ThinkTime, rng: Random) -> None:
        self._workers = workers
        self._think_time = think_time
        self._rng = rng
        self._tasks: set[asyncio.Task[None]] = set()

    def strengths(self, game: str) -> tuple[str, ...]:
        return strengths_of(game)

    def think(self, strength: str, style: str | None, view: dict[str, Any], on_decided: Callable[[Json], None]) -> None:
        question, decision = question_from_view(view, style), view["play"]["decision"]
        pause = self._think_time.draw(strength, question["about"], is_sealed=decision["sealed"], rng=self._rng)
        self._start(self._decide(strength, question, pause, on_decided))

    def advise(self, strength: str, view: dict[str, Any], on_advised: Callable[[dict[str, Any] | None], None]) -> None:
        self._start(self._advise(strength, question_from_view(view, None), on_advised))

    def pause(self, kind: str, is_sealed: bool, rng: Random) -> float:
        return self._think_time.draw(RANDOM, kind, is_sealed=is_sealed, rng=rng)

    async def close(self) -> None:
        """Cancel all pending decisions, and end the worker processes."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._workers.close()

    async def _decide(
        self, strength: str, question: dict[str, Any], pause: float, on_decided: Callable[[Json], None]
    ) -> None:
        loop = asyncio.get_running_loop()
        until = loop.time() + pause
        answer = await self._answer(strength, question)
        await asyncio.sleep(max(0.0, until - loop.time()))
        on_decided(question["prompt"]["fallback"] if answer is None else answer["command"])

    async def _advise(
        self, strength: str, question: dict[str, Any], on_advised: Callable[[dict[str, Any] | None], None]
    ) -> None:
        on_advised(await self._answer(strength, question))

    async def _answer(self, strength: str, question: dict[str, Any]) -> dict[str, Any] | None:
        """Return the command and the reason of a strategy, or None if there was no answer."""
        if strength == RANDOM:
            command = read_prompt(question["game"], question["prompt"]).sample(self._rng)
            return {"command": to_json(command), "reason": None}
        request = {
            "strength": strength,
            "seconds": SEARCH_SECONDS[strength],
            "seed": self._rng.getrandbits(64),
            "question": question,
        }
        try:
            deadline = SEARCH_SECONDS[strength] + GRACE_SECONDS
            return await self._workers.ask(request, deadline, is_long=strength in _LONG_RUNNING)
        except NoAnswer as reason:
            log.warning(
                "bot gave no answer", extra={"game": question["game"], "strength": strength, "why": str(reason)}
            )
            return None

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
