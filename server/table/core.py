"""What follows from a request at a table. Decides, and does nothing: no clock, no socket, no storage.

`TableCore` is asked, gives events or a refusal, and changes only when it is told that the events are durable. Who may
ask for what is decided here, and refused unless a line below allows it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from protocol import messages
from protocol.codes import REFUSALS
from server.games.dice import Dice
from server.games.game import Event, Seat
from server.games.options import read_options
from server.games.play import Play, Step, begin
from server.games.prompt import Command, Refused
from server.table import events
from server.table.clocks import Stopwatch, charged
from server.table.interface import User
from server.table.state import Chair, TableState, room_of
from server.text import BadText, clean_line

STAND_IN = "random"
"""The strength of the bots that stand in for people."""

LINE_LENGTH_MOST = 300


@dataclass(frozen=True, slots=True)
class Decided:
    """What happens, and what the answer tells besides yes. `play` is the game after it, where that is known."""

    events: Sequence[Event]
    result: dict[str, Any] = field(default_factory=dict)
    play: Play | None = None


Verdict = Decided | Refused


def refused(code: str) -> Refused:
    """Give the refusal of this code with its usual sentence."""
    return Refused(code, REFUSALS[code])


class TableCore:
    """One table: its state, and how long the open decision has been waiting."""

    def __init__(self, state: TableState, now: int) -> None:
        self.state = state
        self.stopwatch = Stopwatch(len(state.chairs), now)
        self.stopwatch.restart(state.awaited(), now)

    def judge(self, user: User, request: messages.TableRequest, entropy: bytes, now: int) -> Verdict:
        """Give what a user's request leads to. `entropy` is 32 fresh random bytes, for what needs a seed."""
        self.stopwatch.advance(now)
        judge = _JUDGES.get(type(request))
        if judge is None:
            return refused("unknown_request")
        seat = self.state.seat_of(user.id)
        return judge(self, _Asking(user, seat, entropy), request)

    def bot_decided(self, seat: Seat, number: int, command: Command, now: int) -> Verdict:
        """Give what the answer of a seat's bot leads to."""
        self.stopwatch.advance(now)
        play = self.state.play
        if play is None or seat not in self.state.awaited() or self.state.chairs[seat].player is None:
            return refused("not_awaited")
        assert self.state.dice is not None
        return self.stepped(play, play.answer(seat, number, command, self.state.dice))

    def time_is_up(self, seat: Seat, now: int) -> Verdict:
        """Give what follows when a seat has run out of time: the rules' fallback, or a bot that stands in."""
        self.stopwatch.advance(now)
        state = self.state
        if seat not in state.awaited() or state.play is None or state.play.decision is None or state.dice is None:
            return refused("not_awaited")
        if state.settings.time_up == "bot":
            return Decided([events.TimeRanOut(seat, STAND_IN)])
        fallback = state.play.decision.prompts[seat].fallback
        stepped = self.stepped(state.play, state.play.answer(seat, state.play.number, fallback, state.dice))
        assert isinstance(stepped, Decided), "the fallback of a prompt is legal"
        return Decided([events.TimeRanOut(seat, None), *stepped.events], play=stepped.play)

    def renamed(self, user: User) -> Verdict:
        """Give what follows when a user has a new name."""
        seat = self.state.seat_of(user.id)
        if seat is None or self.state.chairs[seat].name == user.name:
            return refused("not_seated")
        return Decided([events.SeatRenamed(seat, user.name)])

    def commit(self, decided: Decided, now: int) -> None:
        """Let the events take effect: they are durable."""
        before = self.state.play
        self.state.apply(decided.events, decided.play)
        after = self.state.play
        number_before = None if before is None else before.number
        if after is not None and after.number != number_before:
            self.stopwatch.restart(self.state.awaited(), now)
        else:
            self.stopwatch.set_awaited(self.state.awaited(), now)

    def due(self) -> tuple[int, Seat] | None:
        """Give in how many milliseconds which seat runs out of time first, if any does. Bots have no clock."""
        dues = self.stopwatch.due(self.state.thinking, self.state.away) if self.state.awaited() else []
        return next((due for due in dues if self.state.chairs[due[1]].player is None), None)

    def stepped(self, before: Play, stepped: tuple[Play, Step] | Refused) -> Verdict:
        """Give a step of the game as what happens at the table, with the time that it took."""
        if isinstance(stepped, Refused):
            return stepped
        play, step = stepped
        if play.number == before.number:
            return Decided(step, play=play)
        return Decided([*step, *self._charges()], play=play)

    def _charges(self) -> list[Event]:
        state = self.state
        thinking, away = charged(state.settings.clock, state.thinking, state.away, self.stopwatch.spent())
        if (thinking, away) == (state.thinking, state.away):
            return []
        return [events.ClocksCharged(tuple(thinking), tuple(away))]


@dataclass(frozen=True, slots=True)
class _Asking:
    user: User
    seat: Seat | None
    entropy: bytes


# -- before the game ------------------------------------------------------------------------------------------


def _take_seat(core: TableCore, asking: _Asking, request: messages.TakeSeat) -> Verdict:
    state = core.state
    if state.phase != "open":
        return refused("wrong_phase")
    if asking.seat is not None:
        return refused("already_seated")
    seat = _free_seat(state.chairs, request.seat)
    if isinstance(seat, Refused):
        return seat
    return Decided([events.SeatTaken(seat, asking.user.id, asking.user.name)], {"seat": seat})


def _leave_seat(core: TableCore, asking: _Asking, request: messages.LeaveSeat) -> Verdict:
    if core.state.phase != "open":
        return refused("wrong_phase")
    if asking.seat is None:
        return refused("not_seated")
    return Decided(_stood_up(core.state, asking.seat, kicked=False))


def _stood_up(state: TableState, seat: Seat, *, kicked: bool) -> list[Event]:
    happened: list[Event] = [events.SeatLeft(seat, kicked)]
    if state.chairs[seat].user == state.host:
        others = [chair.user for other, chair in enumerate(state.chairs) if other != seat and chair.user is not None]
        # A table that nobody sits at any more is closed.
        happened.append(events.HostChanged(others[0]) if others else events.Abandoned())
    return happened


def _add_bot(core: TableCore, asking: _Asking, request: messages.AddBot) -> Verdict:
    refusal = _not_the_host(core.state, asking)
    if refusal is not None:
        return refusal
    if not core.state.settings.bots:
        return refused("no_bots")
    seat = _free_seat(core.state.chairs, request.seat)
    if isinstance(seat, Refused):
        return seat
    return Decided([events.BotSeated(seat, request.strength)], {"seat": seat})


def _remove_bot(core: TableCore, asking: _Asking, request: messages.RemoveBot) -> Verdict:
    refusal = _not_the_host(core.state, asking)
    if refusal is not None:
        return refusal
    if request.seat >= len(core.state.chairs):
        return refused("no_such_seat")
    if core.state.chairs[request.seat].bot is None:
        return refused("not_a_bot")
    return Decided([events.BotRemoved(request.seat)])


def _kick(core: TableCore, asking: _Asking, request: messages.Kick) -> Verdict:
    refusal = _not_the_host(core.state, asking)
    if refusal is not None:
        return refusal
    if request.seat >= len(core.state.chairs):
        return refused("no_such_seat")
    if core.state.chairs[request.seat].user in (None, asking.user.id):
        return refused("not_a_person")
    return Decided(_stood_up(core.state, request.seat, kicked=True))


def _ready(core: TableCore, asking: _Asking, request: messages.Ready) -> Verdict:
    if core.state.phase != "open":
        return refused("wrong_phase")
    if asking.seat is None:
        return refused("not_seated")
    return Decided([events.SeatReady(asking.seat, request.ready)])


def _start(core: TableCore, asking: _Asking, request: messages.Start) -> Verdict:
    state = core.state
    refusal = _not_the_host(state, asking)
    if refusal is not None:
        return refusal
    if any(chair.is_free or not (chair.ready or chair.user == state.host) for chair in state.chairs):
        return refused("not_everybody_ready")
    seed = asking.entropy
    options = read_options(state.game.options, state.settings.options)
    play, step = begin(state.game, len(state.chairs), options, Dice(seed))
    return Decided([events.GameStarted(seed.hex(), sha256(seed).hexdigest()), *step], play=play)


def _free_seat(chairs: Sequence[Chair], wanted: Seat | None) -> Seat | Refused:
    if wanted is None:
        free = next((seat for seat, chair in enumerate(chairs) if chair.is_free), None)
        return refused("no_free_seat") if free is None else free
    if wanted >= len(chairs):
        return refused("no_such_seat")
    return wanted if chairs[wanted].is_free else refused("seat_taken")


def _not_the_host(state: TableState, asking: _Asking) -> Refused | None:
    """Refuse what only the host may do before the game."""
    if state.phase != "open":
        return refused("wrong_phase")
    return None if asking.user.id == state.host else refused("not_host")


# -- the game -------------------------------------------------------------------------------------------------


def _decide(core: TableCore, asking: _Asking, request: messages.Decide) -> Verdict:
    state = core.state
    play = _play_of(state, asking)
    if isinstance(play, Refused):
        return play
    assert asking.seat is not None
    assert state.dice is not None
    command = play.read(asking.seat, request.decision, request.command)
    if isinstance(command, Refused):
        return command
    return core.stepped(play, play.answer(asking.seat, request.decision, command, state.dice))


def _undo(core: TableCore, asking: _Asking, request: messages.Undo) -> Verdict:
    play = _play_of(core.state, asking)
    if isinstance(play, Refused):
        return play
    assert asking.seat is not None
    return core.stepped(play, play.undo(asking.seat, request.decision))


def _play_of(state: TableState, asking: _Asking) -> Play | Refused:
    """Give the running game if the user may decide something in it."""
    if asking.seat is None:
        return refused("not_seated")
    if state.play is None:
        return refused("wrong_phase")
    if state.phase == "over":
        return refused("game_over")
    if state.paused:
        return refused("paused")
    if state.chairs[asking.seat].stand_in is not None:
        return Refused("not_awaited", "A bot decides for you; take your seat back first.")
    return state.play


def _vote(core: TableCore, asking: _Asking, request: messages.Vote) -> Verdict:
    state = core.state
    if asking.seat is None:
        return refused("not_seated")
    if state.phase != "running" or state.chairs[asking.seat].resigned:
        return refused("wrong_phase")
    if (request.on == "resume") != state.paused and request.on != "abandon":
        return refused("wrong_phase")
    happened: list[Event] = [events.Voted(asking.seat, request.on, request.agree)]
    if not request.agree:
        return Decided(happened)
    agreed = state.votes.get(request.on, frozenset()) | {asking.seat}
    # One who is back is enough to go on; to stop, everybody must agree who is still playing.
    if request.on == "resume":
        happened.append(events.Resumed())
    elif agreed >= set(state.people()):
        happened.append(events.Paused() if request.on == "pause" else events.Abandoned())
    return Decided(happened)


def _resign(core: TableCore, asking: _Asking, request: messages.Resign) -> Verdict:
    state = core.state
    if asking.seat is None:
        return refused("not_seated")
    if state.phase != "running" or state.chairs[asking.seat].resigned:
        return refused("wrong_phase")
    still_playing = [
        seat for seat, chair in enumerate(state.chairs) if chair.user and not chair.resigned and seat != asking.seat
    ]
    happened: list[Event] = [events.Resigned(asking.seat, STAND_IN)]
    return Decided(happened if still_playing else [*happened, events.Abandoned()])


def _return_to_seat(core: TableCore, asking: _Asking, request: messages.ReturnToSeat) -> Verdict:
    state = core.state
    if asking.seat is None:
        return refused("not_seated")
    chair = state.chairs[asking.seat]
    if state.phase != "running" or chair.stand_in is None or chair.resigned:
        return refused("not_stood_in")
    return Decided([events.SeatReturned(asking.seat)])


# -- talk and what comes after --------------------------------------------------------------------------------


def _say(core: TableCore, asking: _Asking, request: messages.Say) -> Verdict:
    state = core.state
    if asking.user.id in state.muted:
        return refused("muted")
    try:
        text = clean_line(request.text, LINE_LENGTH_MOST)
    except BadText as reason:
        return Refused("bad_text", str(reason))
    room = room_of(asking.seat) if state.phase == "running" else "all"
    return Decided([events.Said(asking.user.id, asking.user.name, room, text)])


def _mute(core: TableCore, asking: _Asking, request: messages.Mute) -> Verdict:
    if asking.user.id != core.state.host:
        return refused("not_host")
    return Decided([events.Muted(request.user, request.muted)])


def _play_again(core: TableCore, asking: _Asking, request: messages.PlayAgain) -> Verdict:
    state = core.state
    if state.phase != "over":
        return refused("wrong_phase")
    if asking.seat is None:
        return refused("not_seated")
    if state.next is not None:
        table, key = state.next
        return Decided([], {"table": table, "key": key})
    table = sha256(f"again/{state.id}".encode()).hexdigest()[:16]
    key = asking.entropy.hex()[:32]
    return Decided([events.NextOpened(table, key)], {"table": table, "key": key})


_JUDGES: dict[type[messages.TableRequest], Callable[[TableCore, _Asking, Any], Verdict]] = {
    messages.TakeSeat: _take_seat,
    messages.LeaveSeat: _leave_seat,
    messages.AddBot: _add_bot,
    messages.RemoveBot: _remove_bot,
    messages.Kick: _kick,
    messages.Ready: _ready,
    messages.Start: _start,
    messages.Decide: _decide,
    messages.Undo: _undo,
    messages.Vote: _vote,
    messages.Resign: _resign,
    messages.ReturnToSeat: _return_to_seat,
    messages.Say: _say,
    messages.Mute: _mute,
    messages.PlayAgain: _play_again,
}
