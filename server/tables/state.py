"""The state of a table, folded from its log: seats, game, clocks and chat (event sourcing).

Live play and loading use the same fold. The state belongs to one table core and is changed in place, but only by
events that are already durable.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any, Final

from protocol.messages import BankClock, DecisionClock, TableSettings
from server.games.engine.dice import Dice
from server.games.engine.events import Event, Seat, Viewer
from server.games.engine.game import Game
from server.games.engine.play import Play, Undone, replay
from server.games.engine.reducers import Reducers
from server.games.registry import game_named
from server.tables import events

ROOMS = ("players", "spectators")
FORCED_SINCE_RULES_VERSION: Final = 2
"""The version of all rules since which plays answer for seats that have no alternative."""

TALK_KEPT = 50
"""Lines of chat that a view holds."""


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat and its user or bot. `stand_in` is the strength of a bot that plays for the user."""

    user: str | None = None
    name: str | None = None
    bot: str | None = None
    ready: bool = False
    stand_in: str | None = None
    resigned: bool = False

    @property
    def is_free(self) -> bool:
        return self.user is None and self.bot is None

    @property
    def player(self) -> str | None:
        """Return the strength of the bot that decides for this seat, or None if a person does."""
        return self.bot or self.stand_in


@dataclass(frozen=True, slots=True)
class Line:
    """A line of chat."""

    user: str
    name: str
    room: str
    text: str
    at: int | None
    """The time, in milliseconds since 1970; None where it is not known."""

    def is_shown_to(self, viewer: Viewer) -> bool:
        """Return whether a viewer may see the line: while the game runs, players and spectators talk apart."""
        return self.room in ("all", room_of(viewer))

    def shown(self) -> dict[str, Any]:
        """Return the line as viewers see it."""
        return {"user": self.user, "name": self.name, "room": self.room, "text": self.text, "at": self.at}


@dataclass(slots=True)
class TableState:
    """A table; `phase` is `open`, `running` or `over`."""

    id: str
    settings: TableSettings
    opener: str
    """The user who opened the table, and was its first host."""

    host: str
    key: str
    secret: str | None
    created: int
    chairs: list[Chair]
    asks_forced: bool = False
    """The table was opened when seats were also asked for answers that had no alternative."""

    phase: str = "open"
    play: Play | None = None
    dice: Dice | None = None
    seed: str | None = None
    digest: str | None = None
    thinking: list[int | None] = field(default_factory=list)
    away: list[int | None] = field(default_factory=list)
    paused: bool = False
    rolled_back: bool = False
    """The game is paused because the storage lost entries, which may have revealed what is hidden now."""

    abandoned: bool = False
    votes: dict[str, frozenset[Seat]] = field(default_factory=dict)
    talk: dict[str, deque[Line]] = field(default_factory=lambda: {room: deque(maxlen=TALK_KEPT) for room in ROOMS})
    """The lines of chat that are in the log, by the room that sees them."""

    lines_of: dict[str, int] = field(default_factory=dict)
    """The number of lines in the log by user, without those of spectators, which older versions put there."""

    lines_around: int = 0
    """The number of lines in the log that were not said in the running game."""

    muted: frozenset[str] = frozenset()
    arrivals: tuple[str, ...] = ()
    """The users who sit at the table, in the order in which they sat down."""

    kicked: frozenset[str] = frozenset()
    """Users whom the host has removed; they cannot sit down here again."""

    taken_back: int = 0
    """Answers that were undone and not given again. Until they are, the clock of the first of them runs on."""

    next: tuple[str, str] | None = None
    entry_at: int | None = None
    """The time of the last log entry that was applied, in milliseconds since 1970."""

    has_adviser: bool = False
    """A bot plays this game well enough to give hints. This is not in the log; the table core sets it."""

    @property
    def game(self) -> Game[Any]:
        return game_named(self.settings.game)

    def seat_of(self, user: str) -> Seat | None:
        """Return the seat of a user, or None."""
        for seat, chair in enumerate(self.chairs):
            if chair.user == user:
                return seat
        return None

    def players(self) -> list[Seat]:
        """Return the seats of the people who play, also where a bot stands in; who has resigned does not."""
        return [seat for seat, chair in enumerate(self.chairs) if chair.user is not None and not chair.resigned]

    @property
    def allows_hints(self) -> bool:
        """Return whether people may ask for hints."""
        hints = self.settings.hints
        return self.has_adviser and (hints == "all" or (hints == "alone" and len(self.players()) == 1))

    def awaited(self) -> tuple[Seat, ...]:
        """Return the seats whose answers the running game waits for."""
        return self.play.awaited if self.phase == "running" and self.play is not None and not self.paused else ()

    def thinkers(self) -> tuple[Seat, ...]:
        """Return the awaited seats for which people decide; bots have no clock."""
        return tuple(seat for seat in self.awaited() if self.chairs[seat].player is None)

    def after(self, new_events: Sequence[Event], played: Play | None) -> TableState:
        """Return a copy of the table with the events of a log entry applied."""
        twin = copy(self)
        twin.chairs, twin.votes = list(self.chairs), dict(self.votes)
        twin.talk = {room: lines.copy() for room, lines in self.talk.items()}
        twin.lines_of = dict(self.lines_of)
        twin.apply(new_events, played)
        return twin

    def apply(self, new_events: Sequence[Event], played: Play | None = None, at: int | None = None) -> None:
        """Apply the events of a log entry of the time `at`. `played` is the play after them, if it is already known."""
        self.entry_at = at
        before = self.play
        step: list[Event] = []
        for event in new_events:
            reduce = _REDUCERS.by_event.get(type(event))
            if reduce is None:
                step.append(event)
            else:
                reduce(self, event)
        if played is not None:
            self.play = played
        elif step:
            if self.play is None:
                self.play = replay(self.game, [step], asks_forced=self.asks_forced)
            else:
                self.play = self.play.advance(step)
        if before is not None and self.play is not None and self.play.number != before.number:
            self.taken_back = answers_taken_back(self.taken_back, step, self.play)
        if self.phase == "running" and self.play is not None and self.play.decision is None:
            self.phase = "over"


def answers_taken_back(count: int, step: Sequence[Event], after: Play) -> int:
    """Return the number of undone answers after a step that opened another decision."""
    if Undone in map(type, step):
        return count + 1
    # When nothing can be undone, the turn has passed on.
    return max(0, count - 1) if after.past else 0


def room_of(viewer: Viewer) -> str:
    """Return the chat room of a viewer while the game runs."""
    return "spectators" if viewer is None else "players"


def opened(event: events.TableOpened) -> TableState:
    """Return the table that its first event describes."""
    settings = TableSettings.model_validate_json(event.settings)
    return TableState(
        id=event.table,
        settings=settings,
        opener=event.host,
        host=event.host,
        key=event.key,
        secret=event.secret,
        created=event.created,
        chairs=[Chair() for _ in range(settings.seats)],
        asks_forced=event.rules_version < FORCED_SINCE_RULES_VERSION,
    )


_REDUCERS: Final = Reducers[TableState]()


@_REDUCERS.register(events.SettingsChanged)
def _settings_changed(table: TableState, event: events.SettingsChanged) -> None:
    table.settings = TableSettings.model_validate_json(event.settings)
    chairs = [*table.chairs, *(Chair() for _ in range(table.settings.seats))][: table.settings.seats]
    table.chairs = [replace(chair, ready=False) if chair.user not in (None, table.host) else chair for chair in chairs]


@_REDUCERS.register(events.SeatMoved)
def _seat_moved(table: TableState, event: events.SeatMoved) -> None:
    table.chairs[event.to] = table.chairs[event.seat]
    table.chairs[event.seat] = Chair()


@_REDUCERS.register(events.SeatTaken)
def _seat_taken(table: TableState, event: events.SeatTaken) -> None:
    table.chairs[event.seat] = Chair(user=event.user, name=event.display_name)
    table.arrivals = (*table.arrivals, event.user)


@_REDUCERS.register(events.SeatLeft)
def _seat_left(table: TableState, event: events.SeatLeft) -> None:
    user = table.chairs[event.seat].user
    if event.kicked and user is not None:
        table.kicked |= {user}
    table.chairs[event.seat] = Chair()
    table.arrivals = tuple(other for other in table.arrivals if other != user)


@_REDUCERS.register(events.BotRemoved)
def _bot_removed(table: TableState, event: events.BotRemoved) -> None:
    table.chairs[event.seat] = Chair()


@_REDUCERS.register(events.SeatRenamed)
def _seat_renamed(table: TableState, event: events.SeatRenamed) -> None:
    table.chairs[event.seat] = replace(table.chairs[event.seat], name=event.display_name)


@_REDUCERS.register(events.HostChanged)
def _host_changed(table: TableState, event: events.HostChanged) -> None:
    table.host = event.user


@_REDUCERS.register(events.BotSeated)
def _bot_seated(table: TableState, event: events.BotSeated) -> None:
    table.chairs[event.seat] = Chair(bot=event.strength, name=event.display_name, ready=True)


@_REDUCERS.register(events.BotChanged)
def _bot_changed(table: TableState, event: events.BotChanged) -> None:
    table.chairs[event.seat] = replace(table.chairs[event.seat], bot=event.strength)


@_REDUCERS.register(events.SeatReady)
def _seat_ready(table: TableState, event: events.SeatReady) -> None:
    table.chairs[event.seat] = replace(table.chairs[event.seat], ready=event.ready)


@_REDUCERS.register(events.GameStarted)
def _game_started(table: TableState, event: events.GameStarted) -> None:
    table.phase = "running"
    table.seed, table.digest = event.seed, event.digest
    table.dice = Dice(bytes.fromhex(event.seed))
    clock = table.settings.clock
    thinking = clock.seconds * 1000 if isinstance(clock, (DecisionClock, BankClock)) else None
    away = table.settings.absence_seconds
    table.thinking = [thinking if chair.bot is None else None for chair in table.chairs]
    table.away = [away * 1000 if away is not None and chair.bot is None else None for chair in table.chairs]


@_REDUCERS.register(events.AnswerChanged)
def _answer_changed(table: TableState, event: events.AnswerChanged) -> None:
    """Change nothing: the answer itself is an event of the game."""


@_REDUCERS.register(events.ClocksCharged)
def _clocks_charged(table: TableState, event: events.ClocksCharged) -> None:
    table.thinking, table.away = list(event.thinking), list(event.away)


@_REDUCERS.register(events.TimeRanOut)
def _time_ran_out(table: TableState, event: events.TimeRanOut) -> None:
    if event.stand_in is not None:
        table.chairs[event.seat] = replace(table.chairs[event.seat], stand_in=event.stand_in)


@_REDUCERS.register(events.SeatReturned)
def _seat_returned(table: TableState, event: events.SeatReturned) -> None:
    table.chairs[event.seat] = replace(table.chairs[event.seat], stand_in=None)


@_REDUCERS.register(events.Resigned)
def _resigned(table: TableState, event: events.Resigned) -> None:
    table.chairs[event.seat] = replace(table.chairs[event.seat], stand_in=event.stand_in, resigned=True)


@_REDUCERS.register(events.Voted)
def _voted(table: TableState, event: events.Voted) -> None:
    voters = table.votes.get(event.on, frozenset())
    table.votes[event.on] = voters | {event.seat} if event.agree else voters - {event.seat}


@_REDUCERS.register(events.VoteDeclined)
def _vote_declined(table: TableState, event: events.VoteDeclined) -> None:
    table.votes.pop(event.on, None)


@_REDUCERS.register(events.Paused)
def _paused(table: TableState, event: events.Paused) -> None:
    table.paused = True
    table.votes.clear()


@_REDUCERS.register(events.LogRolledBack)
def _log_rolled_back(table: TableState, event: events.LogRolledBack) -> None:
    table.paused = table.rolled_back = table.phase == "running"
    table.votes.clear()


@_REDUCERS.register(events.Resumed)
def _resumed(table: TableState, event: events.Resumed) -> None:
    table.paused = table.rolled_back = False
    table.votes.clear()


@_REDUCERS.register(events.Abandoned)
def _abandoned(table: TableState, event: events.Abandoned) -> None:
    table.phase, table.abandoned, table.paused = "over", True, False
    table.votes.clear()


@_REDUCERS.register(events.Said)
def _said(table: TableState, event: events.Said) -> None:
    for room in ROOMS if event.room == "all" else (event.room,):
        table.talk[room].append(Line(event.user, event.display_name, event.room, event.text, table.entry_at))
    if event.room != "spectators":
        table.lines_of[event.user] = table.lines_of.get(event.user, 0) + 1
    if event.room == "all":
        table.lines_around += 1


@_REDUCERS.register(events.Muted)
def _muted(table: TableState, event: events.Muted) -> None:
    table.muted = table.muted | {event.user} if event.muted else table.muted - {event.user}


@_REDUCERS.register(events.NextOpened)
def _next_opened(table: TableState, event: events.NextOpened) -> None:
    table.next = (event.table, event.key)
