"""Turns for work that can wait: in the whole process one slice of it in each iteration of the event loop.

Messages of spectators, pages of logs and replays take a turn for each slice. So however many tables have such work, a
decision of a player waits for one slice of it in an iteration, and not for the sum of all.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from typing import Final

SLICE_SECONDS: Final = 0.001
"""The time after which a long job waits for another turn."""


class BackgroundTurns:
    """Grants one turn in each iteration of the event loop, in the order of the requests.

    The queue is bounded by its users: each table requests one turn at a time for its mailbox and one for its replay,
    and the number of pages that are read at a time is bounded. `clock` returns seconds, and measures the slices.
    """

    __slots__ = ("_is_scheduled", "_waiting", "clock")

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self.clock = clock
        self._waiting: deque[Callable[[], None]] = deque()
        self._is_scheduled = False

    def request(self, on_turn: Callable[[], None]) -> None:
        """Call back when the turn has come."""
        self._waiting.append(on_turn)
        if not self._is_scheduled:
            self._is_scheduled = True
            asyncio.get_running_loop().call_soon(self._grant)

    async def wait(self) -> None:
        """Wait for a turn."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def on_turn() -> None:
            if not turn.done():
                turn.set_result(None)

        self.request(on_turn)
        await turn

    def _grant(self) -> None:
        on_turn = self._waiting.popleft()
        self._is_scheduled = bool(self._waiting)
        if self._is_scheduled:
            asyncio.get_running_loop().call_soon(self._grant)
        on_turn()


class BackgroundJob:
    """A long job that runs in slices."""

    __slots__ = ("_ends", "_turns")

    def __init__(self, turns: BackgroundTurns) -> None:
        self._turns = turns
        self._ends = 0.0

    async def give_way(self) -> None:
        """Wait for a turn, unless the slice of the last one is not used up yet."""
        if self._turns.clock() >= self._ends:
            await self._turns.wait()
            self._ends = self._turns.clock() + SLICE_SECONDS
