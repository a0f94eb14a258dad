"""The context that a request handler gets, and the result that it returns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from protocol.codes import REFUSALS
from server.games.engine.events import Event, Seat
from server.games.engine.play import Play
from server.model import Refused, User


class RequestContext(NamedTuple):
    """The user, the user's seat, and a function that returns 32 fresh random bytes."""

    user: User
    seat: Seat | None
    entropy: Callable[[], bytes]


class Accepted(NamedTuple):
    """The events of an accepted request, the result for its reply, and the play after the events where it is known."""

    events: Sequence[Event]
    result: dict[str, Any] | None = None
    play: Play | None = None


Result = Accepted | Refused


def refused(code: str) -> Refused:
    """Return the refusal of this code with its default sentence."""
    return Refused(code, REFUSALS[code])
