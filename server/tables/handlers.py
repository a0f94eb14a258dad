"""The handlers of requests to a table: one function for each kind of request, which returns events or a refusal.

A request is refused unless its handler allows it. The seat is always that of the user; no request names it.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from protocol import messages
from server.games.engine.events import Seat
from server.games.engine.play import Play, play_view
from server.games.engine.prompts import Command
from server.model import Refused
from server.tables import events
from server.tables.by_day import adopt_rhythm, take_holiday
from server.tables.chat import not_logged, read_line, room_for
from server.tables.device_seals import seal, unseal
from server.tables.results import Accepted, RequestContext, Result, play_of, refused
from server.tables.sealing import ClientSeal, is_fitting, next_attempt
from server.tables.seating import SEATING_HANDLERS
from server.tables.seed_exchange import commit_seed, open_seed
from server.tables.settings import not_rated
from server.tables.votes import resign, vote

if TYPE_CHECKING:
    from server.tables.core import TableCore

MAX_MUTED = 100


# -- the game -------------------------------------------------------------------------------------------------


def _decide(core: TableCore, context: RequestContext, request: messages.Decide) -> Result:
    state = core.state
    play = play_of(state, context.seat)
    if isinstance(play, Refused):
        return play
    assert context.seat is not None
    command = play.read(context.seat, request.decision, request.command)
    if isinstance(command, Refused):
        return command
    made = _seal_of(core, context.seat, play, command, request)
    if isinstance(made, Refused):
        return made
    decided = core.decided(play, context.seat, command, made)
    if context.seat in play.answers or context.seat in state.kept:
        return Accepted([events.AnswerChanged(context.seat), *decided.events], play=decided.play)
    return decided


def _seal_of(
    core: TableCore, seat: Seat, play: Play, command: Command, request: messages.Decide
) -> ClientSeal | Refused | None:
    """Return the commitment of a client to its sealed answer, None if it made none, or the refusal."""
    if request.commitment is None and request.salt is None:
        return None
    assert play.decision is not None
    if request.commitment is None or request.salt is None or not play.decision.sealed or core.state.exchange is None:
        return refused("bad_commitment")
    made = ClientSeal(request.commitment, request.salt)
    attempt = next_attempt(core.state, seat)
    return made if is_fitting(core.state, play.number, seat, attempt, command, made) else refused("bad_commitment")


def _look_ahead(core: TableCore, context: RequestContext, request: messages.LookAhead) -> Result:
    state = core.state
    play = play_of(state, context.seat)
    if isinstance(play, Refused):
        return play
    assert context.seat is not None
    assert state.dice is not None
    command = play.read(context.seat, request.decision, request.command)
    if isinstance(command, Refused):
        return command
    ahead = play.look_ahead(context.seat, request.decision, command, state.dice)
    return ahead if isinstance(ahead, Refused) else Accepted([], {"play": play_view(ahead, context.seat)})


def _undo(core: TableCore, context: RequestContext, request: messages.Undo) -> Result:
    play = play_of(core.state, context.seat)
    if isinstance(play, Refused):
        return play
    assert context.seat is not None
    return core.stepped(play, play.undo(context.seat, request.decision))


def _return_to_seat(core: TableCore, context: RequestContext, request: messages.ReturnToSeat) -> Result:
    state = core.state
    if context.seat is None:
        return refused("not_seated")
    chair = state.chairs[context.seat]
    if state.phase != "running" or chair.stand_in is None or chair.resigned:
        return refused("not_stood_in")
    if core.has_no_time(context.seat):
        # Otherwise returning again and again would keep both the person and the bot from deciding.
        sentence = "Your time for this decision is over; you can take your seat back after it."
        return Refused("not_awaited", sentence, "time")
    if state.play is not None and context.seat in state.play.answers:
        # Otherwise leaving for a moment would reveal a bot's answer.
        sentence = "The bot has answered for you; you can take your seat back at the next decision."
        return Refused("not_awaited", sentence, "answered")
    return Accepted([events.SeatReturned(context.seat)])


# -- chat and rematch -----------------------------------------------------------------------------------------


def _say(core: TableCore, context: RequestContext, request: messages.Say) -> Result:
    state, user = core.state, context.user
    if context.seat is None:
        # Lines of people without a seat are kept beside the log (`chat.py`).
        return refused("not_seated")
    text = read_line(state, user.id, request.text)
    if isinstance(text, Refused):
        return text
    name = state.chairs[context.seat].name or user.name
    return not_logged(state, user.id) or Accepted([events.Said(user.id, name, room_for(state, context.seat), text)])


def _mute(core: TableCore, context: RequestContext, request: messages.Mute) -> Result:
    if context.user.id != core.state.host:
        return refused("not_host")
    if request.muted and len(core.state.muted) >= MAX_MUTED:
        sentence = f"At most {MAX_MUTED} people can be muted at one table."
        return Refused("muted", sentence, "limit", {"count": MAX_MUTED})
    return Accepted([events.Muted(request.user, request.muted)])


def _commentary_key(core: TableCore, context: RequestContext, request: messages.CommentaryKey) -> Result:
    state = core.state
    if context.user.id != state.host:
        return refused("not_host")
    if state.commentary is None:
        return refused("wrong_phase")
    if state.commentary_key is not None and not request.renew:
        return Accepted([], {"key": state.commentary_key})
    key = context.entropy().hex()[:32]
    return Accepted([events.CommentaryKeyMade(key)], {"key": key})


def _play_again(core: TableCore, context: RequestContext, request: messages.PlayAgain) -> Result:
    state = core.state
    if state.phase != "over":
        return refused("wrong_phase")
    if context.seat is None:
        return refused("not_seated")
    # The next game is rated as this one was; a guest may have sat at a rated table that was closed before its game.
    refusal = not_rated(context.user, state.settings)
    if refusal is not None:
        return refusal
    if state.next is not None:
        table, key = state.next
        return Accepted([], {"table": table, "key": key})
    table = sha256(f"again/{state.id}".encode()).hexdigest()[:16]
    key = context.entropy().hex()[:32]
    return Accepted([events.NextOpened(table, key)], {"table": table, "key": key})


HANDLERS: Final[dict[type[messages.TableRequest], Callable[[TableCore, RequestContext, Any], Result]]] = {
    **SEATING_HANDLERS,
    messages.CommitSeed: commit_seed,
    messages.OpenSeed: open_seed,
    messages.Decide: _decide,
    messages.Seal: seal,
    messages.Unseal: unseal,
    messages.LookAhead: _look_ahead,
    messages.Undo: _undo,
    messages.Vote: vote,
    messages.Resign: resign,
    messages.ReturnToSeat: _return_to_seat,
    messages.AdoptRhythm: adopt_rhythm,
    messages.TakeHoliday: take_holiday,
    messages.Say: _say,
    messages.Mute: _mute,
    messages.CommentaryKey: _commentary_key,
    messages.PlayAgain: _play_again,
}
