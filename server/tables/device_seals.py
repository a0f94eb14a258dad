"""Sealed answers that stay on the devices of players until all have answered, so that the server cannot see them.

A seat sends the commitment alone. When the last seat has answered, the last commitments of all seats are shown, and the
devices open what they keep; then nothing can be changed any more. For a seat that does not open in time the fallback of
its prompt is played (`docs/fairness.md`). All of it is in the log, so that a restart or another owner goes on where the
openings were. Only their deadline is not: it begins again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from protocol import messages
from server.games.engine.events import Event, Seat
from server.model import Refused
from server.tables import events
from server.tables.chairs import Seal
from server.tables.results import Accepted, RequestContext, Result, play_of, refused, running_play
from server.tables.sealing import ClientSeal, is_fitting, next_attempt, openings_asked
from server.tables.seed_exchange import OPEN_MILLISECONDS

if TYPE_CHECKING:
    from server.tables.core import TableCore
    from server.tables.state import TableState


def awaits_openings(state: TableState) -> bool:
    """Return whether the deadline of the openings runs."""
    return state.is_opening and state.phase == "running" and not state.paused


def opening_shown(state: TableState) -> dict[str, Any] | None:
    """Return what everybody may know of the openings; None if none are asked for."""
    if not state.is_opening:
        return None
    seals = [
        {"seat": seat, "attempt": seal.attempt, "commitment": seal.commitment}
        for seat, seal in sorted(state.seals.items())
    ]
    return {"seals": seals, "seconds": OPEN_MILLISECONDS // 1000}


def own_seal(state: TableState, seat: Seat) -> dict[str, Any]:
    """Return the own part of a sealed decision that clients need for commitments."""
    shown: dict[str, Any] = {"attempt": next_attempt(state, seat)}
    if seat in state.kept:
        shown["kept"] = state.seals[seat].commitment
    return shown


def seal(core: TableCore, context: RequestContext, request: messages.Seal) -> Result:
    """Take the commitment to an answer that stays on a device; the last answer asks for the openings."""
    state, seat = core.state, context.seat
    play = play_of(state, seat)
    if isinstance(play, Refused):
        return play
    assert seat is not None
    refusal = play.not_asked(seat, request.decision)
    if refusal is not None:
        return refusal
    if not state.seals_on_devices or play.decision is None or not play.decision.sealed:
        return refused("wrong_phase")
    before = state.seals.get(seat)
    if before is not None and (before.attempt, before.commitment) == (request.attempt, request.commitment):
        return Accepted([])
    if request.attempt != next_attempt(state, seat):
        # The commitment names the attempt too, so that it could not be opened.
        return refused("bad_commitment")
    sealed = events.AnswerSealed(seat, play.number, request.attempt, request.commitment, None, by_server=False)
    changed = [] if before is None else [events.AnswerChanged(seat)]
    seals = {**state.seals, seat: Seal(request.attempt, request.commitment, None, by_server=False)}
    return Accepted([*changed, events.AnswerKept(seat), sealed, *openings_asked(state, play, seals)])


def unseal(core: TableCore, context: RequestContext, request: messages.Unseal) -> Result:
    """Take the opening of a seat, also while a bot stands in for it; the last one closes the decision."""
    state, seat = core.state, context.seat
    play = running_play(state, seat)
    if isinstance(play, Refused):
        return play
    assert seat is not None
    refusal = play.not_asked(seat, request.decision)
    if refusal is not None:
        return refusal
    own = state.seals.get(seat)
    if not state.is_opening or own is None or own.by_server:
        return refused("wrong_phase")
    command = play.read(seat, request.decision, request.command)
    if isinstance(command, Refused):
        return command
    opening = ClientSeal(own.commitment, request.salt)
    if not is_fitting(state, play.number, seat, own.attempt, command, opening):
        return refused("bad_commitment")
    if own.salt is not None:
        return Accepted([])
    return core.decided(play, seat, command, opening)


def not_opened(core: TableCore) -> Accepted:
    """Return the result for seats that have not opened in time: their fallbacks are played."""
    play = core.state.play
    assert play is not None
    assert play.decision is not None
    late, number, prompts = play.awaited, play.number, play.decision.prompts
    new_events: list[Event] = [events.SealsNotOpened(number, late)]
    for seat in late:
        state = core.state.after(new_events, None)
        assert state.play is not None
        decided = core.decided(state.play, seat, prompts[seat].fallback, state=state)
        new_events += decided.events
    return Accepted(new_events, play=decided.play)
