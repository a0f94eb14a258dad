"""Bots as tables know them: asked with the view of a seat, they answer later, on the same loop."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from random import Random
from typing import Any, Final

from server.bots.pauses import SECONDS, Pauses
from server.bots.question import asked_in, read_prompt
from server.bots.registry import RANDOM, strengths_of
from server.bots.workers import NoAnswer, Workers
from server.games.engine.serialization import Json, to_json

log = logging.getLogger(__name__)

GRACE_SECONDS: Final = 5.0
"""What a process has beyond the time for a decision before it is taken for hung."""

_LONG: Final = frozenset({"hard"})


class Thinking:
    """All bots of a process. Fulfils `server.tables.bots.Bots`."""

    def __init__(self, workers: Workers, pauses: Pauses, rng: Random) -> None:
        self._workers = workers
        self._pauses = pauses
        self._rng = rng
        self._tasks: set[asyncio.Task[None]] = set()

    def strengths(self, game: str) -> tuple[str, ...]:
        return strengths_of(game)

    def think(self, strength: str, view: dict[str, Any], on_decided: Callable[[Json], None]) -> None:
        asked, decision = asked_in(view), view["play"]["decision"]
        pause = self._pauses.draw(strength, asked["about"], is_sealed=decision["sealed"], rng=self._rng)
        self._start(self._decide(strength, asked, pause, on_decided))

    def advise(self, strength: str, view: dict[str, Any], on_advised: Callable[[dict[str, Any] | None], None]) -> None:
        self._start(self._advise(strength, asked_in(view), on_advised))

    async def close(self) -> None:
        """Let all thoughts go, and end the processes."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._workers.close()

    async def _decide(
        self, strength: str, asked: dict[str, Any], pause: float, on_decided: Callable[[Json], None]
    ) -> None:
        loop = asyncio.get_running_loop()
        until = loop.time() + pause
        answer = await self._answer(strength, asked)
        await asyncio.sleep(max(0.0, until - loop.time()))
        on_decided(asked["prompt"]["fallback"] if answer is None else answer["command"])

    async def _advise(
        self, strength: str, asked: dict[str, Any], on_advised: Callable[[dict[str, Any] | None], None]
    ) -> None:
        on_advised(await self._answer(strength, asked))

    async def _answer(self, strength: str, asked: dict[str, Any]) -> dict[str, Any] | None:
        """Give the command and the reason of a strategy, or None if there was no answer."""
        if strength == RANDOM:
            command = read_prompt(asked["game"], asked["prompt"]).sample(self._rng)
            return {"command": to_json(command), "reason": None}
        request = {
            "strength": strength,
            "seconds": SECONDS[strength],
            "seed": self._rng.getrandbits(64),
            "question": asked,
        }
        try:
            deadline = SECONDS[strength] + GRACE_SECONDS
            return await self._workers.ask(request, deadline, is_long=strength in _LONG)
        except NoAnswer as reason:
            log.warning("bot gave no answer", extra={"game": asked["game"], "strength": strength, "why": str(reason)})
            return None

    def _start(self, thought: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(thought)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
