"""How each event changes the state of a table. Nothing is decided here, so a log replays to the same state."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from protocol.messages import BankClock, DecisionClock, TableSettings
from server.games.engine.dice import Dice
from server.games.engine.reducers import Reducers
from server.tables import events
from server.tables.chairs import Chair, Seal
from server.tables.chat_lines import ROOMS, Line
from server.tables.day_clocks import DayClocks
from server.tables.pace import is_by_the_day
from server.tables.rhythm import Rhythm
from server.tables.seed_exchange import SeedExchange

if TYPE_CHECKING:
    from server.tables.state import TableState

REDUCERS: Final[Reducers[TableState]] = Reducers()


@REDUCERS.register(events.SettingsChanged)
def _settings_changed(table: TableState, event: events.SettingsChanged) -> None:
    table.settings = TableSettings.model_validate_json(event.settings)
    chairs = [*table.chairs, *(Chair() for _ in range(table.settings.seats))][: table.settings.seats]
    table.chairs = [replace(chair, ready=False) if chair.user not in (None, table.host) else chair for chair in chairs]
    _forget_seeds(table, *range(len(table.chairs), len(chairs)))


@REDUCERS.register(events.SeatMoved)
def _seat_moved(table: TableState, event: events.SeatMoved) -> None:
    table.chairs[event.to] = table.chairs[event.seat]
    table.chairs[event.seat] = Chair()
    _forget_seeds(table, event.seat)


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
    table.rhythms = {other: rhythm for other, rhythm in table.rhythms.items() if other != user}
    _forget_seeds(table, event.seat)


def _forget_seeds(table: TableState, *seats: int) -> None:
    """Drop the commitments of seats whose people have left them."""
    if table.exchange is not None:
        table.exchange = table.exchange.without(seats)


@REDUCERS.register(events.ServerSeedDrawn)
def _server_seed_drawn(table: TableState, event: events.ServerSeedDrawn) -> None:
    table.exchange = SeedExchange(event.game, event.seed, event.commitment, event.expects_seats)


@REDUCERS.register(events.SeedCommitted)
def _seed_committed(table: TableState, event: events.SeedCommitted) -> None:
    assert table.exchange is not None
    commitments = {**table.exchange.commitments, event.seat: (event.identity, event.commitment)}
    table.exchange = table.exchange._replace(commitments=commitments)


@REDUCERS.register(events.SeedsAsked)
def _seeds_asked(table: TableState, event: events.SeedsAsked) -> None:
    _exchange_goes_on(table, "commit")


@REDUCERS.register(events.SeedsClosed)
def _seeds_closed(table: TableState, event: events.SeedsClosed) -> None:
    _exchange_goes_on(table, "open")


@REDUCERS.register(events.SeedOpened)
def _seed_opened(table: TableState, event: events.SeedOpened) -> None:
    assert table.exchange is not None
    table.exchange = table.exchange._replace(opened={**table.exchange.opened, event.seat: event.seed})


@REDUCERS.register(events.SeedsVoided)
def _seeds_voided(table: TableState, event: events.SeedsVoided) -> None:
    _exchange_goes_on(table, "waiting")


def _exchange_goes_on(table: TableState, stage: str) -> None:
    assert table.exchange is not None
    table.exchange = table.exchange._replace(stage=stage)


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
    table.chairs[event.seat] = Chair(bot=event.strength, name=event.display_name, ready=True, style=event.style)


@REDUCERS.register(events.BotChanged)
def _bot_changed(table: TableState, event: events.BotChanged) -> None:
    table.chairs[event.seat] = replace(table.chairs[event.seat], bot=event.strength, style=event.style)


@REDUCERS.register(events.SeatReady)
def _seat_ready(table: TableState, event: events.SeatReady) -> None:
    table.chairs[event.seat] = replace(table.chairs[event.seat], ready=event.ready)


@REDUCERS.register(events.GameStarted)
def _game_started(table: TableState, event: events.GameStarted) -> None:
    table.phase = "running"
    table.seed, table.digest = event.seed, event.digest
    table.dice = Dice(bytes.fromhex(event.seed))
    if table.exchange is not None:
        table.exchange = table.exchange._replace(stage="begun")
    clock = table.settings.clock
    thinking = clock.seconds * 1000 if isinstance(clock, (DecisionClock, BankClock)) else None
    away = table.settings.absence_seconds
    table.thinking = [thinking if chair.bot is None else None for chair in table.chairs]
    table.away = [away * 1000 if away is not None and chair.bot is None else None for chair in table.chairs]
    if is_by_the_day(table.settings):
        table.day_clocks = DayClocks.begun(table.rhythms_of_seats())


@REDUCERS.register(events.RhythmSet)
def _rhythm_set(table: TableState, event: events.RhythmSet) -> None:
    user = table.chairs[event.seat].user
    if user is None:
        return
    rhythm = None if event.zone is None else Rhythm(event.zone, event.start, event.end, event.days)
    is_first = user not in table.rhythms
    table.rhythms = {**table.rhythms, user: rhythm}
    if is_first and table.day_clocks is not None and table.entry_at is not None:
        table.day_clocks = table.day_clocks.with_rhythm(event.seat, rhythm, table.entry_at)


@REDUCERS.register(events.HolidayBegan)
def _holiday_began(table: TableState, event: events.HolidayBegan) -> None:
    if table.day_clocks is not None and table.entry_at is not None:
        table.day_clocks = table.day_clocks.with_holiday(event.seat, event.until, table.entry_at)


@REDUCERS.register(events.HolidayEnded)
def _holiday_ended(table: TableState, event: events.HolidayEnded) -> None:
    if table.day_clocks is not None and table.entry_at is not None:
        table.day_clocks = table.day_clocks.without_holiday(event.seat, table.entry_at)


@REDUCERS.register(events.AnswerChanged)
def _answer_changed(table: TableState, event: events.AnswerChanged) -> None:
    """Change nothing: the answer itself is an event of the game."""


@REDUCERS.register(events.AnswerSealed)
def _answer_sealed(table: TableState, event: events.AnswerSealed) -> None:
    seal = Seal(event.attempt, event.commitment, event.salt, event.by_server)
    table.seals = {**table.seals, event.seat: seal}
    if event.salt is None and table.play is not None:
        # The device keeps this answer, and an earlier one of the seat no longer counts.
        table.play = table.play.without_answer(event.seat)


@REDUCERS.register(events.AnswerKept)
def _answer_kept(table: TableState, event: events.AnswerKept) -> None:
    """Change nothing: the commitment is in an event of its own."""


@REDUCERS.register(events.OpeningsAsked)
def _openings_asked(table: TableState, event: events.OpeningsAsked) -> None:
    table.is_opening = True


@REDUCERS.register(events.SealOpened)
def _seal_opened(table: TableState, event: events.SealOpened) -> None:
    table.seals = {**table.seals, event.seat: table.seals[event.seat]._replace(salt=event.salt)}


@REDUCERS.register(events.SealsNotOpened)
def _seals_not_opened(table: TableState, event: events.SealsNotOpened) -> None:
    """Change nothing: the fallbacks are in events of their own."""


@REDUCERS.register(events.AnswersOpened)
def _answers_opened(table: TableState, event: events.AnswersOpened) -> None:
    table.seals, table.is_opening = {}, False


@REDUCERS.register(events.CommandGiven)
def _command_given(table: TableState, event: events.CommandGiven) -> None:
    """Change nothing: what follows from the command is in the events of the game."""


@REDUCERS.register(events.HistoryDiffers)
def _history_differs(table: TableState, event: events.HistoryDiffers) -> None:
    table.differing |= {event.seat}


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
    table.was_rolled_back = True
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


@REDUCERS.register(events.CommentaryKeyMade)
def _commentary_key_made(table: TableState, event: events.CommentaryKeyMade) -> None:
    table.commentary_key = event.key


@REDUCERS.register(events.CommentaryAgreed)
def _commentary_agreed(table: TableState, event: events.CommentaryAgreed) -> None:
    table.has_commentary = True
    table.votes.pop("commentary", None)


@REDUCERS.register(events.CommentaryEnded)
def _commentary_ended(table: TableState, event: events.CommentaryEnded) -> None:
    table.has_commentary = False


@REDUCERS.register(events.ContinuedFrom)
def _continued_from(table: TableState, event: events.ContinuedFrom) -> None:
    table.continued = event


@REDUCERS.register(events.Imported)
def _imported(table: TableState, event: events.Imported) -> None:
    table.imported = event.table


@REDUCERS.register(events.NextOpened)
def _next_opened(table: TableState, event: events.NextOpened) -> None:
    table.next = (event.table, event.key)
