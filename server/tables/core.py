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
from server.games.engine.play import Play, Step
from server.games.engine.prompts import Command
from server.games.engine.serialization import Json
from server.model import Refused, User
from server.tables import events
from server.tables.chat_lines import Line
from server.tables.clocks import Absences, Spent, Stopwatch, charged
from server.tables.device_seals import awaits_openings, not_opened
from server.tables.handlers import HANDLERS
from server.tables.names import shown_name
from server.tables.public_chain import PublicChain
from server.tables.replay_steps import Eyes
from server.tables.results import Accepted, RequestContext, Result, play_of, refused
from server.tables.sealing import ClientSeal, with_proofs
from server.tables.seating import SEATING_HANDLERS, begun
from server.tables.seed_exchange import OPEN_MILLISECONDS, timed_out, wait_milliseconds
from server.tables.state import TableState, opens_anew
from server.tables.votes import agreed, agreement_due

ADVISER: Final = "normal"
"""The strength of bots that give hints and, where the game has it, that stand in for people."""


LOADED_MILLISECONDS: Final = 600_000
"""A table stays in memory if the time of somebody runs out so soon."""


class TableCore:
    """One table: its state and the stopwatch of the open decision. `strengths` are those of the game's bots.

    `kept_lines` returns the chat lines that are kept beside the log, `chain` is what spectators were shown. The wall
    clock was ahead of the monotonic clock by `wall_ahead` milliseconds when the process began.
    """

    def __init__(
        self,
        state: TableState,
        now: int,
        strengths: Sequence[str],
        kept_lines: Callable[[], Iterable[Line]] = tuple,
        chain: PublicChain | None = None,
        wall_ahead: int = 0,
    ) -> None:
        self.state = state
        self._wall_ahead = wall_ahead
        self._now = now
        self._kept_lines = kept_lines
        self._chain = chain
        self._stage_since = now
        """When the stage of the seed exchange or the openings of sealed answers began, or this table was loaded."""

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
        if self.state.day_clocks is not None:
            return self.day_time(now)
        return max(wall, self._last_entry_at + now - self._dated_at)

    def day_time(self, now: int) -> int:
        """Return the time that the clocks of a game by the day go by.

        It does not follow a wall clock that is set while the process runs: people would lose or gain days.
        """
        return max(now + self._wall_ahead, self._last_entry_at + now - self._dated_at)

    @property
    def time(self) -> int:
        """Return the time of the clocks of a game by the day, as of the request that is being handled."""
        return self.day_time(self._now)

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
        state, seat = self.state, self.state.seat_of(user.id)
        if state.exchange is not None:
            if state.exchange.is_running and type(request) in _NOT_DURING_EXCHANGE:
                return refused("wrong_phase")
            if self.other_history(user, request) is not None:
                # After a rollback everybody has been told that the game was another one.
                return refused("stale_decision" if state.was_rolled_back else "other_history")
        return handle(self, RequestContext(user, seat, entropy), request)

    def other_history(self, user: User, request: messages.TableRequest) -> events.HistoryDiffers | None:
        """Return the event for a request that names a head which the public chain never had; None for any other."""
        seen: str | None = getattr(request, "seen", None)
        if seen is None or self._chain is None or not self._chain.is_kept:
            return None
        seat = self.state.seat_of(user.id)
        if seat is None:
            return None
        line, head = seen.split(".")
        return None if self._chain.has(int(line), head) else events.HistoryDiffers(seat, int(line), head)

    def history_differed(self, differs: events.HistoryDiffers) -> Result:
        """Return the result for a seat that was shown another history: everybody is told, once for each seat."""
        state = self.state
        is_told = differs.seat in state.differing or state.was_rolled_back or state.phase != "running"
        return refused("wrong_phase") if is_told else Accepted([differs])

    def bot_decided(self, seat: Seat, number: int, answer: Json, now: int) -> Result:
        """Return the result of a bot's answer; the fallback of the rules replaces an illegal one."""
        self._advance(now)
        play = self.state.play
        if play is None or seat not in self.state.awaited() or self.state.chairs[seat].player is None:
            return refused("not_awaited")
        assert self.state.dice is not None
        assert play.decision is not None
        refusal = play.not_asked(seat, number)
        if refusal is not None:
            return refusal
        command = play.read(seat, number, answer)
        if isinstance(command, Refused):
            command = play.decision.prompts[seat].fallback
        return self.decided(play, seat, command)

    def time_ran_out(self, now: int, entropy: Callable[[], bytes]) -> Result:
        """Return the result for a seat that has run out of time, or for a vote that no longer waits for absent people.

        For the seat the fallback of the rules is played, or a bot stands in. Before the game, a stage of the seed
        exchange may have lasted too long; during it, devices may not have opened the answers that they keep.
        """
        self._advance(now)
        if self.state.phase == "open":
            return self._exchange_timed_out(now, entropy)
        opening_due = self._stage_due(now)
        if opening_due is not None and opening_due <= 0:
            return not_opened(self)
        state, due = self.state, self.due()
        if due is None or due[0] > 0 or state.play is None or state.play.decision is None or state.dice is None:
            follows = agreed(self)
            return Accepted(follows) if follows else refused("not_awaited")
        seat = due[1]
        if state.settings.time_up == "bot":
            return Accepted([events.TimeRanOut(seat, self.default_strength)])
        decided = self.decided(state.play, seat, state.play.decision.prompts[seat].fallback)
        return Accepted([events.TimeRanOut(seat, None), *decided.events], play=decided.play)

    def _exchange_timed_out(self, now: int, entropy: Callable[[], bytes]) -> Result:
        due = self._stage_due(now)
        if due is None or due > 0:
            return refused("not_awaited")
        new_events = timed_out(self.state, entropy)
        return Accepted(new_events) if new_events else self.begun_after(Accepted([]), entropy)

    def _stage_due(self, now: int) -> int | None:
        """Return the milliseconds until a stage of the seed exchange, or the openings, have lasted too long.

        Return None if nothing is opened.
        """
        wait = OPEN_MILLISECONDS if awaits_openings(self.state) else wait_milliseconds(self.state.exchange)
        return None if wait is None else self._stage_since + wait - now

    def begun_after(self, accepted: Accepted, entropy: Callable[[], bytes]) -> Accepted:
        """Return a result with the start of the game after it."""
        start, play = begun(self.state.after(accepted.events, None), entropy)
        return Accepted([*accepted.events, *start], accepted.result, play)

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
        is_beginning = state.exchange is not None and state.exchange.is_running
        if state.phase != "open" or is_beginning or state.host in present or not (present or closes):
            return refused("wrong_phase")
        return Accepted([events.HostChanged(present[0]) if present else events.Abandoned()])

    def commit(self, accepted: Accepted, now: int, at: int) -> None:
        """Apply events that are durable, in a log entry of the time `at`."""
        before, had_taken_back, exchange = self.state.play, self.state.taken_back, self.state.exchange
        awaited_openings = awaits_openings(self.state)
        self.date_after(at, now)
        self.state.apply(accepted.events, accepted.play, at)
        after = self.state.play
        if self.state.exchange is not exchange and wait_milliseconds(self.state.exchange) != wait_milliseconds(
            exchange
        ):
            self._stage_since = now
        if awaits_openings(self.state) and not awaited_openings:
            self._stage_since = now
        if before is None and after is not None:
            self.stopwatch.begin(len(self.state.chairs), now)
            self.absences.begin(now)
        elif before is not None and after is not None and opens_anew(before, after, accepted.events, had_taken_back):
            self.stopwatch.restart(now)
        self._run_stopwatch(now)

    def due(self) -> tuple[int, Seat] | None:
        """Return the milliseconds until the first seat runs out of time, and the seat; None if no clock runs."""
        state = self.state
        if state.day_clocks is None:
            return next(iter(self.stopwatch.due(state.thinking, state.away)), None)
        found = state.day_clocks.due(state.thinking)
        return None if found is None else (found[0] - self.time, found[1])

    def next_due(self, now: int) -> int | None:
        """Return the milliseconds until `time_ran_out` has something to decide; None if it has nothing."""
        self._advance(now)
        due = self.due()
        waits = (None if due is None else due[0], agreement_due(self), self._stage_due(now))
        return min((wait for wait in waits if wait is not None), default=None)

    def can_be_unloaded(self, now: int) -> bool:
        """Return whether nothing but a clock of hours runs, for which the table is loaded in time (`lobby/due.py`)."""
        self._advance(now)
        due = self.due()
        is_alone = agreement_due(self) is None and self._stage_due(now) is None
        return self.state.day_clocks is not None and due is not None and due[0] > LOADED_MILLISECONDS and is_alone

    def set_connected(self, connected: Sequence[Seat], now: int) -> None:
        """Set the seats whose people are connected."""
        self.stopwatch.set_connected(connected, now)
        self.absences.set_connected(connected, now)

    def has_no_time(self, seat: Seat) -> bool:
        """Return whether an awaited seat has used up its time for the open decision."""
        budget = self.state.thinking[seat]
        return budget is not None and seat in self.state.awaited() and self._spent()[seat].thought >= budget

    def decided(
        self, play: Play, seat: Seat, command: Command, seal: ClientSeal | None = None, state: TableState | None = None
    ) -> Accepted:
        """Return the result of an admitted answer, with what verifiers need of it, and the charges of the clocks.

        `state` is the table to which the answer is given, if earlier events of its entry have changed it.
        """
        assert self.state.dice is not None
        after, step = play.answered(seat, command, self.state.dice)
        proven = with_proofs(state or self.state, play, after, seat, command, step, seal)
        if opens_anew(play, after, step, self.state.taken_back):
            proven = [*proven, *self._charges()]
        return Accepted(proven, play=after)

    def stepped(self, before: Play, stepped: tuple[Play, Step] | Refused) -> Result:
        """Return a step of the game as a result of the table, with the charges of the clocks."""
        if isinstance(stepped, Refused):
            return stepped
        play, step = stepped
        if opens_anew(before, play, step, self.state.taken_back):
            return Accepted([*step, *self._charges()], play=play)
        return Accepted(step, play=play)

    def _spent(self) -> list[Spent]:
        """Return the time that the open decision has cost each seat so far."""
        clocks = self.state.day_clocks
        return self.stopwatch.spent if clocks is None else clocks.spent(self.time)

    def _advance(self, now: int) -> None:
        self._now = now
        self.stopwatch.advance(now)
        self.absences.advance(now)

    def _run_stopwatch(self, now: int) -> None:
        state = self.state
        is_running = state.phase == "running" and not state.paused and not state.is_opening
        self.stopwatch.go_on(self.state.thinkers(), now, is_running=is_running)

    def _charges(self) -> list[Event]:
        state = self.state
        thinking, away = charged(state.settings.clock, state.thinking, state.away, self._spent())
        if (thinking, away) == (state.thinking, state.away):
            return []
        return [events.ClocksCharged(tuple(thinking), tuple(away))]


_NOT_DURING_EXCHANGE: Final = frozenset(SEATING_HANDLERS) - {messages.LeaveSeat}
"""Requests that are refused while the seed exchange runs, since they change what it is about."""
