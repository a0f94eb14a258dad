"""How a table asks programs to decide for seats. The programs themselves are in `server/bots`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any, Final, Protocol

from server.games.engine.game import Seat
from server.games.engine.serialization import Json
from server.tables.core import TableCore
from server.tables.messages import BotDecided
from server.tables.views import table_view

RETRY_SECONDS: Final = 1.0


class Bots(Protocol):
    """Programs that decide for seats. What they know of a table is the view that the seat's person would get."""

    def strengths(self, game: str) -> tuple[str, ...]:
        """Give the strengths in which a game is played, the weakest first; at least one."""
        ...

    def think(self, strength: str, view: dict[str, Any], on_decided: Callable[[Json], None]) -> None:
        """Find an answer to the prompt in a view and hand the command to `on_decided`, later and on the same loop."""
        ...

    def advise(self, strength: str, view: dict[str, Any], on_advised: Callable[[dict[str, Any] | None], None]) -> None:
        """Hand over the `command` and the `reason` of an answer to the prompt in a view, or None if there is none."""
        ...


class BotSeats:
    """The seats of one table that bots decide for; each is asked once for each decision."""

    def __init__(self, bots: Bots, post: Callable[[BotDecided], bool]) -> None:
        self._bots = bots
        self._post = post
        self._thinking: set[tuple[Seat, int]] = set()
        self._is_closed = False

    @property
    def is_thinking(self) -> bool:
        return bool(self._thinking)

    def ask_awaited(self, core: TableCore) -> None:
        """Let bots think whose turn it is."""
        state, play = core.state, core.state.play
        for seat in state.awaited():
            strength = state.chairs[seat].player
            if strength is None or play is None or (seat, play.number) in self._thinking:
                continue
            self._thinking.add((seat, play.number))
            self._bots.think(strength, table_view(state, seat), partial(self._decided, seat, play.number))

    def on_decided(self, message: BotDecided) -> None:
        """Note that the answer of a bot has arrived."""
        self._thinking.discard((message.seat, message.number))

    def close(self) -> None:
        """Take no more answers."""
        self._is_closed = True

    def _decided(self, seat: Seat, number: int, command: Json) -> None:
        if not self._is_closed and not self._post(BotDecided(seat, number, command)):
            # The mailbox is full of people's requests; a bot can wait.
            asyncio.get_running_loop().call_later(RETRY_SECONDS, self._decided, seat, number, command)
