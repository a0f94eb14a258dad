"""The core of a table, without I/O: it decides, and neither reads a clock nor knows sockets or storage.

`TableCore` returns events or a refusal, and changes only by `commit`, once the events are durable. The requests of
users are decided in `handlers.py`; bots, clocks and permissions are decided here.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterable, Sequence, Set
from typing import Final

from protocol import messages
from server.games.engine.events import Event, Seat
from server.games.engine.play import Play, Step, Undone
from server.games.engine.serialization import Json
from server.model import Refused, User
from server.tables import events
from server.tables.chat_lines import Line
from server.tables.clocks import Absences, Stopwatch, charged
from server.tables.handlers import HANDLERS, play_of
from server.tables.names import shown_name
from server.tables.replay_steps import Eyes
from server.tables.results import Accepted, RequestContext, Result, refused
from server.tables.state import TableState
from server.tables.votes import agreed, agreement_due

ADVISER: Final = "normal"
"""The strength of bots that give hints and, where the game has it, that stand in for people."""


class TableCore:
    """One table: its state and the stopwatch of the open decision. `strengths` are those of the game's bots.

    `kept_lines` returns the chat lines that are kept beside the log.
    """

    def __init__(
        self,
        state: TableState,
        now: int,
        strengths: Sequence[str],
        kept_lines: Callable[[], Iterable[Line]] = tuple,
    ) -> None:
        self.state = state
        self._kept_lines = kept_lines
        self.strengths = strengths
        state.has_adviser = ADVISER in strengths
        self.stopwatch = Stopwatch(len(state.chairs), now)
        self.absences = Absences(now)
        self._run_stopwatch(now)
        self._last_entry_at = 0
        self._dated_at = now

    def date_after(self, at: int, now: int) -> None:
        """Date the next log entry at this time or later."""
        self._last_entry_at, self._dated_at = at, now

    def entry_time(self, wall: int, now: int) -> int:
        """Return the time of the next log entry: that of the wall clock, but never earlier than the last entry.

        Where the wall clock was set back, time goes on from the last entry. So the order of times is the order of the
        log, on which proofs of a rollback rest.
        """
        return max(wall, self._last_entry_at + now - self._dated_at)

    def may_enter(self, user: User, key: str | None, *, is_subscribed: bool) -> Refused | None:
        """Return a refusal for a user who may not know of the table: a private one needs the key."""
        state = self.state
        if not state.settings.private or state.seat_of(user.id) is not None or state.is_importer(user.id):
            return None
        has_key = key is not None and hmac.compare_digest(key.encode(), state.key.encode())
        if (has_key or is_subscribed) and user.id not in state.kicked:
            return None
        return refused("no_such_table")

    def may_watch(self, user: User) -> Refused | None:
        """Return a refusal for a user who may know of the table but not see it."""
        state = self.state
        if state.seat_of(user.id) is not None or state.is_importer(user.id):
            return None
        if state.settings.private and user.id in state.kicked:
            return refused("no_such_table")
        # An open table can be seen without spectators being allowed, so that people can choose a seat.
        return None if state.settings.spectators or state.phase == "open" else refused("no_spectators")

    def may_look_back(self, user: User, eyes: Eyes | None) -> Refused | None:
        """Return a refusal for a user who may not see earlier steps of the game through these eyes.

        While the game runs, spectators may, as spectators: earlier steps would help a player's memory.
        """
        state = self.state
        if state.phase == "over":
            return refused("no_such_seat") if isinstance(eyes, int) and eyes >= len(state.chairs) else None
        if state.phase == "open" or state.seat_of(user.id) is not None or eyes not in (None, "spectators"):
            return refused("wrong_phase")
        return None

    def may_share(self, user: User) -> Refused | None:
        """Return a refusal for a user who may not share the finished game: those who sat there may."""
        state = self.state
        if state.phase != "over":
            return refused("wrong_phase")
        return None if state.seat_of(user.id) is not None or state.is_importer(user.id) else refused("not_seated")

    def seat_for_hint(self, user: User, decision: int) -> Seat | Refused:
        """Return the seat of a user who may get a hint, or the refusal."""
        seat = self.state.seat_of(user.id)
        play = play_of(self.state, seat)
        if isinstance(play, Refused):
            return play
        assert seat is not None
        if not self.state.allows_hints:
            return refused("no_hints")
        return play.not_asked(seat, decision) or seat

    @property
    def default_strength(self) -> str:
        """Return the strength of bots that stand in for people, and of those for which none was chosen."""
        return ADVISER if ADVISER in self.strengths else self.strengths[-1]

    def handle(self, user: User, request: messages.TableRequest, entropy: Callable[[], bytes], now: int) -> Result:
        """Return the result of a user's request. `entropy` returns 32 fresh random bytes."""
        self._advance(now)
        handle = HANDLERS.get(type(request))
        if handle is None:
            return refused("unknown_request")
        seat = self.state.seat_of(user.id)
        return handle(self, RequestContext(user, seat, entropy), request)

    def bot_decided(self, seat: Seat, number: int, answer: Json, now: int) -> Result:
        """Return the result of a bot's answer; the fallback of the rules replaces an illegal one."""
        self._advance(now)
        play = self.state.play
        if play is None or seat not in self.state.awaited() or self.state.chairs[seat].player is None:
            return refused("not_awaited")
        assert self.state.dice is not None
        assert play.decision is not None
        command = play.read(seat, number, answer)
        if isinstance(command, Refused):
            command = play.decision.prompts[seat].fallback
        return self.stepped(play, play.answer(seat, number, command, self.state.dice))

    def time_ran_out(self, now: int) -> Result:
        """Return the result for a seat that has run out of time, or for a vote that no longer waits for absent people.

        For the seat the fallback of the rules is played, or a bot stands in.
        """
        self._advance(now)
        state, due = self.state, self.due()
        if due is None or due[0] > 0 or state.play is None or state.play.decision is None or state.dice is None:
            follows = agreed(self)
            return Accepted(follows) if follows else refused("not_awaited")
        seat = due[1]
        if state.settings.time_up == "bot":
            return Accepted([events.TimeRanOut(seat, self.default_strength)])
        fallback = state.play.decision.prompts[seat].fallback
        stepped = self.stepped(state.play, state.play.answer(seat, state.play.number, fallback, state.dice))
        assert isinstance(stepped, Accepted), "the fallback of a prompt is legal"
        return Accepted([events.TimeRanOut(seat, None), *stepped.events], play=stepped.play)

    def user_renamed(self, user: User) -> Result:
        """Return the result of a user's new name."""
        seat = self.state.seat_of(user.id)
        if seat is None:
            return refused("not_seated")
        name = self.shown_name(user)
        if self.state.chairs[seat].name == name:
            return refused("wrong_phase")
        return Accepted([events.SeatRenamed(seat, name)])

    def shown_name(self, user: User, *, is_seated: bool = True) -> str:
        """Return the name under which the table shows a user."""
        return shown_name(self.state, user.id, user.name, self._kept_lines(), is_seated=is_seated)

    def deserted(self) -> Result:
        """Return the result for a table that has been deserted for very long."""
        return refused("wrong_phase") if self.state.phase == "over" else Accepted([events.Abandoned()])

    def people_away(self, connected: Set[str], is_subscribed: Callable[[str], bool], *, closes: bool) -> Result:
        """Return the result for an open table whose host is away: another host, or with `closes` the end."""
        state = self.state
        present = [user for user in state.arrivals if user in connected or is_subscribed(user)]
        if state.phase != "open" or state.host in present or not (present or closes):
            return refused("wrong_phase")
        return Accepted([events.HostChanged(present[0]) if present else events.Abandoned()])

    def commit(self, accepted: Accepted, now: int, at: int) -> None:
        """Apply events that are durable, in a log entry of the time `at`."""
        before, had_taken_back = self.state.play, self.state.taken_back
        self.date_after(at, now)
        self.state.apply(accepted.events, accepted.play, at)
        after = self.state.play
        if before is None and after is not None:
            self.stopwatch.begin(len(self.state.chairs), now)
            self.absences.begin(now)
        elif before is not None and after is not None and _opens_anew(before, after, accepted.events, had_taken_back):
            self.stopwatch.restart(now)
        self._run_stopwatch(now)

    def due(self) -> tuple[int, Seat] | None:
        """Return the milliseconds until the first seat runs out of time, and the seat; None if no clock runs."""
        return next(iter(self.stopwatch.due(self.state.thinking, self.state.away)), None)

    def next_due(self, now: int) -> int | None:
        """Return the milliseconds until `time_ran_out` has something to decide; None if it has nothing."""
        self._advance(now)
        due, agreement = self.due(), agreement_due(self)
        return min((wait for wait in (None if due is None else due[0], agreement) if wait is not None), default=None)

    def set_connected(self, connected: Sequence[Seat], now: int) -> None:
        """Set the seats whose people are connected."""
        self.stopwatch.set_connected(connected, now)
        self.absences.set_connected(connected, now)

    def has_no_time(self, seat: Seat) -> bool:
        """Return whether an awaited seat has used up its time for the open decision."""
        budget = self.state.thinking[seat]
        return budget is not None and seat in self.state.awaited() and self.stopwatch.spent[seat].thought >= budget

    def stepped(self, before: Play, stepped: tuple[Play, Step] | Refused) -> Result:
        """Return a step of the game as a result of the table, with the charges of the clocks."""
        if isinstance(stepped, Refused):
            return stepped
        play, step = stepped
        if _opens_anew(before, play, step, self.state.taken_back):
            return Accepted([*step, *self._charges()], play=play)
        return Accepted(step, play=play)

    def _advance(self, now: int) -> None:
        self.stopwatch.advance(now)
        self.absences.advance(now)

    def _run_stopwatch(self, now: int) -> None:
        is_running = self.state.phase == "running" and not self.state.paused
        self.stopwatch.go_on(self.state.thinkers(), now, is_running=is_running)

    def _charges(self) -> list[Event]:
        state = self.state
        thinking, away = charged(state.settings.clock, state.thinking, state.away, self.stopwatch.spent)
        if (thinking, away) == (state.thinking, state.away):
            return []
        return [events.ClocksCharged(tuple(thinking), tuple(away))]


def _opens_anew(before: Play, after: Play, step: Sequence[Event], had_taken_back: int) -> bool:
    """Return whether a step opens a decision with a fresh clock.

    A decision that was undone keeps its clock; otherwise undoing and answering again would stop any clock.
    """
    if after.number == before.number or Undone in map(type, step):
        return False
    return not had_taken_back or not after.past
