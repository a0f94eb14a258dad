"""The context that a request handler gets, the result that it returns, and whether its user may decide at all."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from protocol.codes import REFUSALS
from server.games.engine.events import Event, Seat
from server.games.engine.play import Play
from server.model import Refused, User

if TYPE_CHECKING:
    from server.tables.state import TableState


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


def too_fast(variant: str, reason: str, wait: float) -> Refused:
    """Return the refusal of what comes too soon, by seconds to wait."""
    seconds = max(1, math.ceil(wait))
    unit = "second" if seconds == 1 else "seconds"
    return Refused("too_fast", f"{reason} Please wait {seconds} {unit}.", variant, {"count": seconds})


def running_play(state: TableState, seat: Seat | None) -> Play | Refused:
    """Return the running game at which the person of this seat takes part, or the refusal."""
    if seat is None:
        return refused("not_seated")
    if state.play is None:
        return refused("wrong_phase")
    if state.phase == "over":
        return refused("game_over")
    return refused("paused") if state.paused else state.play


def play_of(state: TableState, seat: Seat | None) -> Play | Refused:
    """Return the running game if the person of this seat may decide in it, or the refusal."""
    play = running_play(state, seat)
    if isinstance(play, Refused):
        return play
    if seat is not None and state.chairs[seat].stand_in is not None:
        return Refused("not_awaited", "A bot decides for you; take your seat back first.", "bot")
    if state.is_opening:
        return Refused("not_awaited", "All have answered, and the sealed answers are being opened.", "opening")
    return play
