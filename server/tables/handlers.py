"""The handlers of requests to a table: one function for each kind of request, which returns events or a refusal.

A request is refused unless its handler allows it. The seat is always that of the user; no request names it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from protocol import messages
from server.games.engine.dice import Dice
from server.games.engine.events import Event, Seat
from server.games.engine.options import read_options
from server.games.engine.play import Play, begin, play_view
from server.model import Refused, User
from server.tables import events
from server.tables.bot_names import bot_names
from server.tables.results import Accepted, Result, refused
from server.tables.state import Chair, TableState, room_of
from server.text import BadText, clean_line

if TYPE_CHECKING:
    from server.tables.core import TableCore

MAX_LINE_LENGTH = 300
MAX_MUTED = 100


class RequestContext(NamedTuple):
    """The user, the user's seat, and 32 random bytes if the request is in `NEED_ENTROPY`."""

    user: User
    seat: Seat | None
    entropy: bytes


# -- before the game ------------------------------------------------------------------------------------------


def _take_seat(core: TableCore, context: RequestContext, request: messages.TakeSeat) -> Result:
    state = core.state
    if state.phase != "open":
        return refused("wrong_phase")
    if context.seat is not None:
        return refused("already_seated")
    if context.user.id in state.kicked:
        return Refused("no_free_seat", "The host has removed you from this table.")
    seat = _free_seat(state.chairs, request.seat)
    if isinstance(seat, Refused):
        return seat
    return Accepted([events.SeatTaken(seat, context.user.id, context.user.name)], {"seat": seat})


def _leave_seat(core: TableCore, context: RequestContext, request: messages.LeaveSeat) -> Result:
    if core.state.phase != "open":
        return refused("wrong_phase")
    if context.seat is None:
        return refused("not_seated")
    return Accepted(_stood_up(core.state, context.seat, kicked=False))


def _stood_up(state: TableState, seat: Seat, *, kicked: bool) -> list[Event]:
    new_events: list[Event] = [events.SeatLeft(seat, kicked)]
    if state.chairs[seat].user == state.host:
        others = [chair.user for other, chair in enumerate(state.chairs) if other != seat and chair.user is not None]
        # A table without people is closed.
        new_events.append(events.HostChanged(others[0]) if others else events.Abandoned())
    return new_events


def _add_bot(core: TableCore, context: RequestContext, request: messages.AddBot) -> Result:
    strength = _bot_strength(core, context, request.strength)
    if isinstance(strength, Refused):
        return strength
    seat = _free_seat(core.state.chairs, request.seat)
    if isinstance(seat, Refused):
        return seat
    return Accepted(_bots_seated(core.state, [seat], strength), {"seat": seat})


def _fill_with_bots(core: TableCore, context: RequestContext, request: messages.FillWithBots) -> Result:
    strength = _bot_strength(core, context, request.strength)
    if isinstance(strength, Refused):
        return strength
    seats = [seat for seat, chair in enumerate(core.state.chairs) if chair.is_free]
    if not seats:
        return refused("no_free_seat")
    return Accepted(_bots_seated(core.state, seats, strength), {"seats": seats})


def _bot_strength(core: TableCore, context: RequestContext, strength: str | None) -> str | Refused:
    """Return the strength of the bots that the host adds, or the refusal."""
    refusal = _not_the_host(core.state, context)
    if refusal is not None:
        return refusal
    if not core.state.settings.bots:
        return refused("no_bots")
    if strength is not None and strength not in core.strengths:
        return refused("no_such_strength")
    return strength or core.default_strength


def _bots_seated(state: TableState, seats: Sequence[Seat], strength: str) -> list[Event]:
    taken = {chair.name for chair in state.chairs if chair.name is not None}
    names = bot_names(state.id, taken)
    return [events.BotSeated(seat, strength, name) for seat, name in zip(seats, names, strict=False)]


def _change_bot(core: TableCore, context: RequestContext, request: messages.ChangeBot) -> Result:
    refusal = _not_the_host(core.state, context) or _no_bot_on(core.state, request.seat)
    if refusal is not None:
        return refusal
    if request.strength not in core.strengths:
        return refused("no_such_strength")
    if request.strength == core.state.chairs[request.seat].bot:
        return Accepted([])
    return Accepted([events.BotChanged(request.seat, request.strength)])


def _remove_bot(core: TableCore, context: RequestContext, request: messages.RemoveBot) -> Result:
    refusal = _not_the_host(core.state, context) or _no_bot_on(core.state, request.seat)
    return refusal or Accepted([events.BotRemoved(request.seat)])


def _no_bot_on(state: TableState, seat: Seat) -> Refused | None:
    if seat >= len(state.chairs):
        return refused("no_such_seat")
    return refused("not_a_bot") if state.chairs[seat].bot is None else None


def _kick(core: TableCore, context: RequestContext, request: messages.Kick) -> Result:
    refusal = _not_the_host(core.state, context)
    if refusal is not None:
        return refusal
    if request.seat >= len(core.state.chairs):
        return refused("no_such_seat")
    if core.state.chairs[request.seat].user in (None, context.user.id):
        return refused("not_a_person")
    return Accepted(_stood_up(core.state, request.seat, kicked=True))


def _ready(core: TableCore, context: RequestContext, request: messages.Ready) -> Result:
    if core.state.phase != "open":
        return refused("wrong_phase")
    if context.seat is None:
        return refused("not_seated")
    return Accepted([events.SeatReady(context.seat, request.ready)])


def _start(core: TableCore, context: RequestContext, request: messages.Start) -> Result:
    state = core.state
    refusal = _not_the_host(state, context)
    if refusal is not None:
        return refusal
    if any(chair.is_free or not (chair.ready or chair.user == state.host) for chair in state.chairs):
        return refused("not_everybody_ready")
    seed = context.entropy
    options = read_options(state.game.options, state.settings.options)
    play, step = begin(state.game, len(state.chairs), options, Dice(seed))
    return Accepted([events.GameStarted(seed.hex(), sha256(seed).hexdigest()), *step], play=play)


def _free_seat(chairs: Sequence[Chair], requested: Seat | None) -> Seat | Refused:
    if requested is None:
        free = next((seat for seat, chair in enumerate(chairs) if chair.is_free), None)
        return refused("no_free_seat") if free is None else free
    if requested >= len(chairs):
        return refused("no_such_seat")
    return requested if chairs[requested].is_free else refused("seat_taken")


def _not_the_host(state: TableState, context: RequestContext) -> Refused | None:
    """Return a refusal unless the user is the host and the game has not started."""
    if state.phase != "open":
        return refused("wrong_phase")
    return None if context.user.id == state.host else refused("not_host")


# -- the game -------------------------------------------------------------------------------------------------


def _decide(core: TableCore, context: RequestContext, request: messages.Decide) -> Result:
    state = core.state
    play = play_of(state, context.seat)
    if isinstance(play, Refused):
        return play
    assert context.seat is not None
    assert state.dice is not None
    stepped = core.stepped(play, play.answer_json(context.seat, request.decision, request.command, state.dice))
    if isinstance(stepped, Accepted) and context.seat in play.answers:
        return Accepted([events.AnswerChanged(context.seat), *stepped.events], play=stepped.play)
    return stepped


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


def play_of(state: TableState, seat: Seat | None) -> Play | Refused:
    """Return the running game if the person of this seat may decide in it, or the refusal."""
    if seat is None:
        return refused("not_seated")
    if state.play is None:
        return refused("wrong_phase")
    if state.phase == "over":
        return refused("game_over")
    if state.paused:
        return refused("paused")
    if state.chairs[seat].stand_in is not None:
        return Refused("not_awaited", "A bot decides for you; take your seat back first.")
    return state.play


def _vote(core: TableCore, context: RequestContext, request: messages.Vote) -> Result:
    state = core.state
    if context.seat is None:
        return refused("not_seated")
    if state.phase != "running" or state.chairs[context.seat].resigned:
        return refused("wrong_phase")
    if (request.on == "resume") != state.paused and request.on != "abandon":
        return refused("wrong_phase")
    voters = state.votes.get(request.on, frozenset())
    if not request.agree:
        return _vote_against(context.seat, request.on, voters)
    new_events: list[Event] = [events.Voted(context.seat, request.on, agree=True)]
    agreed = voters | {context.seat}
    # One vote resumes a paused game; everything else needs the votes of all people who still play.
    is_agreed = agreed >= set(state.people())
    if request.on == "resume":
        if is_agreed or not state.rolled_back:
            new_events.append(events.Resumed())
    elif is_agreed:
        new_events.append(events.Paused() if request.on == "pause" else events.Abandoned())
    return Accepted(new_events)


def _vote_against(seat: Seat, on: str, voters: frozenset[Seat]) -> Result:
    """Withdraw a seat's own vote, or decline what others have voted for."""
    if seat in voters:
        return Accepted([events.Voted(seat, on, agree=False)])
    return Accepted([events.VoteDeclined(seat, on)] if voters else [])


def _resign(core: TableCore, context: RequestContext, request: messages.Resign) -> Result:
    state = core.state
    if context.seat is None:
        return refused("not_seated")
    if state.phase != "running" or state.chairs[context.seat].resigned:
        return refused("wrong_phase")
    still_playing = [
        seat for seat, chair in enumerate(state.chairs) if chair.user and not chair.resigned and seat != context.seat
    ]
    follows = agreed_without(state, context.seat, is_gone=True) if still_playing else [events.Abandoned()]
    return Accepted([events.Resigned(context.seat, core.default_strength), *follows])


def agreed_without(state: TableState, leaver: Seat, *, is_gone: bool) -> list[Event]:
    """Return the events to which all people but one have agreed, now that a bot decides for that one.

    Unless that one `is_gone` for good, a pause does not begin by itself: it would stop the bot that has to decide, with
    clocks that show their full time, and the person has never agreed to it.
    """
    people = set(state.people()) - {leaver}
    if people and state.votes.get("abandon", frozenset()) >= people:
        return [events.Abandoned()]
    if people and is_gone and not state.paused and state.votes.get("pause", frozenset()) >= people:
        return [events.Paused()]
    if people and state.rolled_back and state.votes.get("resume", frozenset()) >= people:
        return [events.Resumed()]
    return []


def _return_to_seat(core: TableCore, context: RequestContext, request: messages.ReturnToSeat) -> Result:
    state = core.state
    if context.seat is None:
        return refused("not_seated")
    chair = state.chairs[context.seat]
    if state.phase != "running" or chair.stand_in is None or chair.resigned:
        return refused("not_stood_in")
    if core.has_no_time(context.seat):
        # Otherwise returning again and again would keep both the person and the bot from deciding.
        return Refused("not_awaited", "Your time for this decision is over; you can take your seat back after it.")
    if state.play is not None and context.seat in state.play.answers:
        # Otherwise leaving for a moment would reveal a bot's answer.
        return Refused("not_awaited", "The bot has answered for you; you can take your seat back at the next decision.")
    return Accepted([events.SeatReturned(context.seat)])


# -- chat and rematch -----------------------------------------------------------------------------------------


def _say(core: TableCore, context: RequestContext, request: messages.Say) -> Result:
    state = core.state
    if context.user.id in state.muted:
        return refused("muted")
    try:
        text = clean_line(request.text, MAX_LINE_LENGTH)
    except BadText as reason:
        return Refused("bad_text", str(reason))
    room = room_of(context.seat) if state.phase == "running" else "all"
    return Accepted([events.Said(context.user.id, context.user.name, room, text)])


def _mute(core: TableCore, context: RequestContext, request: messages.Mute) -> Result:
    if context.user.id != core.state.host:
        return refused("not_host")
    if request.muted and len(core.state.muted) >= MAX_MUTED:
        return Refused("muted", f"At most {MAX_MUTED} people can be muted at one table.")
    return Accepted([events.Muted(request.user, request.muted)])


def _play_again(core: TableCore, context: RequestContext, request: messages.PlayAgain) -> Result:
    state = core.state
    if state.phase != "over":
        return refused("wrong_phase")
    if context.seat is None:
        return refused("not_seated")
    if state.next is not None:
        table, key = state.next
        return Accepted([], {"table": table, "key": key})
    table = sha256(f"again/{state.id}".encode()).hexdigest()[:16]
    key = context.entropy.hex()[:32]
    return Accepted([events.NextOpened(table, key)], {"table": table, "key": key})


NEED_ENTROPY: Final = (messages.Start, messages.PlayAgain)

HANDLERS: Final[dict[type[messages.TableRequest], Callable[[TableCore, RequestContext, Any], Result]]] = {
    messages.TakeSeat: _take_seat,
    messages.LeaveSeat: _leave_seat,
    messages.AddBot: _add_bot,
    messages.FillWithBots: _fill_with_bots,
    messages.ChangeBot: _change_bot,
    messages.RemoveBot: _remove_bot,
    messages.Kick: _kick,
    messages.Ready: _ready,
    messages.Start: _start,
    messages.Decide: _decide,
    messages.LookAhead: _look_ahead,
    messages.Undo: _undo,
    messages.Vote: _vote,
    messages.Resign: _resign,
    messages.ReturnToSeat: _return_to_seat,
    messages.Say: _say,
    messages.Mute: _mute,
    messages.PlayAgain: _play_again,
}
