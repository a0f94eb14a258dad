"""How each event changes the state of a table. Nothing is decided here, so a log replays to the same state."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from protocol.messages import BankClock, DecisionClock, TableSettings
from server.games.engine.dice import Dice
from server.games.engine.reducers import Reducers
from server.tables import events
from server.tables.chairs import Chair
from server.tables.chat_lines import ROOMS, Line

if TYPE_CHECKING:
    from server.tables.state import TableState

REDUCERS: Final[Reducers[TableState]] = Reducers()


@REDUCERS.register(events.SettingsChanged)
def _settings_changed(table: TableState, event: events.SettingsChanged) -> None:
    table.settings = TableSettings.model_validate_json(event.settings)
    chairs = [*table.chairs, *(Chair() for _ in range(table.settings.seats))][: table.settings.seats]
    table.chairs = [replace(chair, ready=False) if chair.user not in (None, table.host) else chair for chair in chairs]


@REDUCERS.register(events.SeatMoved)
def _seat_moved(table: TableState, event: events.SeatMoved) -> None:
    table.chairs[event.to] = table.chairs[event.seat]
    table.chairs[event.seat] = Chair()


@REDUCERS.register(events.SeatTaken)
def _seat_taken(table: TableState, event: events.SeatTaken) -> None:
    table.chairs[event.seat] = Chair(user=event.user, name=event.display_name)
    table.arrivals = (*table.arrivals, event.user)


@REDUCERS.register(events.SeatLeft)
def _seat_left(table: TableState, event: events.SeatLeft) -> None:
    user = table.chairs[event.seat].user
    if event.kicked and user is not None:
        table.kicked |= {user}
    table.chairs[event.seat] = Chair()
    table.arrivals = tuple(other for other in table.arrivals if other != user)


@REDUCERS.register(events.BotRemoved)
def _bot_removed(table: TableState, event: events.BotRemoved) -> None:
    table.chairs[event.seat] = Chair()


@REDUCERS.register(events.SeatRenamed)
def _seat_renamed(table: TableState, event: events.SeatRenamed) -> None:
    table.chairs[event.seat] = replace(table.chairs[event.seat], name=event.display_name)


@REDUCERS.register(events.HostChanged)
def _host_changed(table: TableState, event: events.HostChanged) -> None:
    table.host = event.user


@REDUCERS.register(events.BotSeated)
def _bot_seated(table: TableState, event: events.BotSeated) -> None:
    table.chairs[event.seat] = Chair(bot=event.strength, name=event.display_name, ready=True)


@REDUCERS.register(events.BotChanged)
def _bot_changed(table: TableState, event: events.BotChanged) -> None:
    table.chairs[event.seat] = replace(table.chairs[event.seat], bot=event.strength)


@REDUCERS.register(events.SeatReady)
def _seat_ready(table: TableState, event: events.SeatReady) -> None:
    table.chairs[event.seat] = replace(table.chairs[event.seat], ready=event.ready)


@REDUCERS.register(events.GameStarted)
def _game_started(table: TableState, event: events.GameStarted) -> None:
    table.phase = "running"
    table.seed, table.digest = event.seed, event.digest
    table.dice = Dice(bytes.fromhex(event.seed))
    clock = table.settings.clock
    thinking = clock.seconds * 1000 if isinstance(clock, (DecisionClock, BankClock)) else None
    away = table.settings.absence_seconds
    table.thinking = [thinking if chair.bot is None else None for chair in table.chairs]
    table.away = [away * 1000 if away is not None and chair.bot is None else None for chair in table.chairs]


@REDUCERS.register(events.AnswerChanged)
def _answer_changed(table: TableState, event: events.AnswerChanged) -> None:
    """Change nothing: the answer itself is an event of the game."""


@REDUCERS.register(events.ClocksCharged)
def _clocks_charged(table: TableState, event: events.ClocksCharged) -> None:
    table.thinking, table.away = list(event.thinking), list(event.away)


@REDUCERS.register(events.TimeRanOut)
def _time_ran_out(table: TableState, event: events.TimeRanOut) -> None:
    if event.stand_in is not None:
        table.chairs[event.seat] = replace(table.chairs[event.seat], stand_in=event.stand_in)


@REDUCERS.register(events.SeatReturned)
def _seat_returned(table: TableState, event: events.SeatReturned) -> None:
    table.chairs[event.seat] = replace(table.chairs[event.seat], stand_in=None)


@REDUCERS.register(events.Resigned)
def _resigned(table: TableState, event: events.Resigned) -> None:
    table.chairs[event.seat] = replace(table.chairs[event.seat], stand_in=event.stand_in, resigned=True)


@REDUCERS.register(events.Voted)
def _voted(table: TableState, event: events.Voted) -> None:
    voters = table.votes.get(event.on, frozenset())
    table.votes[event.on] = voters | {event.seat} if event.agree else voters - {event.seat}


@REDUCERS.register(events.VoteDeclined)
def _vote_declined(table: TableState, event: events.VoteDeclined) -> None:
    table.votes.pop(event.on, None)


@REDUCERS.register(events.Paused)
def _paused(table: TableState, event: events.Paused) -> None:
    table.paused = True
    table.votes.clear()


@REDUCERS.register(events.LogRolledBack)
def _log_rolled_back(table: TableState, event: events.LogRolledBack) -> None:
    table.paused = table.rolled_back = table.phase == "running"
    table.votes.clear()


@REDUCERS.register(events.Resumed)
def _resumed(table: TableState, event: events.Resumed) -> None:
    table.paused = table.rolled_back = False
    table.votes.clear()


@REDUCERS.register(events.Abandoned)
def _abandoned(table: TableState, event: events.Abandoned) -> None:
    table.phase, table.abandoned, table.paused = "over", True, False
    table.votes.clear()


@REDUCERS.register(events.Said)
def _said(table: TableState, event: events.Said) -> None:
    for room in ROOMS if event.room == "all" else (event.room,):
        table.talk[room].append(Line(event.user, event.display_name, event.room, event.text, table.entry_at))
    if event.room != "spectators":
        table.lines_of[event.user] = table.lines_of.get(event.user, 0) + 1
    if event.room == "all":
        table.lines_around += 1


@REDUCERS.register(events.Muted)
def _muted(table: TableState, event: events.Muted) -> None:
    table.muted = table.muted | {event.user} if event.muted else table.muted - {event.user}


@REDUCERS.register(events.ContinuedFrom)
def _continued_from(table: TableState, event: events.ContinuedFrom) -> None:
    table.continued = event


@REDUCERS.register(events.Imported)
def _imported(table: TableState, event: events.Imported) -> None:
    table.imported = event.table


@REDUCERS.register(events.NextOpened)
def _next_opened(table: TableState, event: events.NextOpened) -> None:
    table.next = (event.table, event.key)
