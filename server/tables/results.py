"""What the core of a table says to a request: what happens, or no."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from protocol.codes import REFUSALS
from server.games.engine.game import Event
from server.games.engine.play import Play
from server.model import Refused


class Accepted(NamedTuple):
    """What happens, and what the answer tells besides yes. `play` is the game after it, where that is known."""

    events: Sequence[Event]
    result: dict[str, Any] | None = None
    play: Play | None = None


Result = Accepted | Refused


def refused(code: str) -> Refused:
    """Give the refusal of this code with its usual sentence."""
    return Refused(code, REFUSALS[code])
