"""The interface between a table and the bots that decide for seats; the bots themselves are in `server/bots`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any, Final, Protocol

from server.games.engine.game import Seat
from server.games.engine.serialization import Json
from server.tables.core import TableCore
from server.tables.messages import BotDecided
from server.tables.views import table_view

RETRY_SECONDS: Final = 1.0


class Bots(Protocol):
    """Programs that decide for seats. They get the view that a person on the seat would get, and nothing else."""

    def strengths(self, game: str) -> tuple[str, ...]:
        """Return the strengths of a game's bots, weakest first; at least one."""
        ...

    def think(self, strength: str, style: str | None, view: dict[str, Any], on_decided: Callable[[Json], None]) -> None:
        """Call `on_decided` with an answer to the prompt in a view, later and on the same event loop."""
        ...

    def advise(self, strength: str, view: dict[str, Any], on_advised: Callable[[dict[str, Any] | None], None]) -> None:
        """Call `on_advised` with the `command` and `reason` of an answer to the prompt in a view, or None."""
        ...

    def pause(self, kind: str, is_sealed: bool, rng: Random) -> float:
        """Return the seconds that somebody seems to think about a decision of this kind."""
        ...


class BotSeats:
    """The seats of one table for which bots decide. A bot is asked once for each decision."""

    def __init__(self, bots: Bots, post: Callable[[BotDecided], bool]) -> None:
        self._bots = bots
        self._post: Callable[[BotDecided], bool] | None = post
        self._thinking: set[tuple[Seat, int]] = set()

    @property
    def is_thinking(self) -> bool:
        return bool(self._thinking)

    def ask_awaited(self, core: TableCore) -> None:
        """Ask the bots of all awaited seats."""
        state, play = core.state, core.state.play
        for seat in state.awaited():
            chair = state.chairs[seat]
            strength = chair.player
            if strength is None or play is None or (seat, play.number) in self._thinking:
                continue
            self._thinking.add((seat, play.number))
            self._bots.think(strength, chair.style, table_view(state, seat), partial(self._decided, seat, play.number))

    def on_decided(self, message: BotDecided) -> None:
        """Allow the next question to a bot whose answer has arrived."""
        self._thinking.discard((message.seat, message.number))

    def close(self) -> None:
        """Drop all answers from now on, and forget the function that posts them: it may refer to our owner."""
        self._post = None

    def _decided(self, seat: Seat, number: int, command: Json) -> None:
        if self._post is not None and not self._post(BotDecided(seat, number, command)):
            # The mailbox is full of requests; bots yield to people.
            asyncio.get_running_loop().call_later(RETRY_SECONDS, self._decided, seat, number, command)
