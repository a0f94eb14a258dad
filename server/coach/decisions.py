"""The decisions of a finished game, from its log: what each seat was asked, what it knew, and what it answered.

Steps that were taken back do not count, and neither do answers that a seat did not give itself: fallbacks when its time
ran out, answers of a bot that stood in, and answers that had no alternative. A question is made of the view of its seat
alone, exactly as a bot gets it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from server.bots.strategy import Question, question_from_play
from server.coach.commands import command_of_step
from server.games.engine.events import Event, Seat
from server.games.engine.game import Game
from server.games.engine.options import OptionValue, read_options
from server.games.engine.play import Answered, Play, Undone
from server.games.engine.prompts import Command
from server.games.engine.serialization import JsonReader
from server.tables import events as table_events
from server.tables.answer_secrecy import is_step
from server.tables.entries import answers_in, open_entry, read_entry
from server.tables.state import TableState

_TABLE_EVENTS = frozenset(table_events.TABLE_EVENTS)


class Decided(NamedTuple):
    """A decision of a seat, and the number of the step that was made of its answer."""

    step: int
    stage: Mapping[str, int]
    question: Question
    command: Command

    @property
    def seat(self) -> Seat:
        return self.question.seat


class Moment(NamedTuple):
    """A step that counts: the play after it, and the events of the game in it."""

    step: int
    play: Play
    events: Sequence[Event]


class PlayedGame(NamedTuple):
    """A finished game. There is at least one moment: the beginning."""

    game: Game[Any]
    seats: int
    options: Mapping[str, OptionValue]
    moments: tuple[Moment, ...]
    decisions: tuple[Decided, ...]


class Answer(NamedTuple):
    """An answer to a decision, and whether the seat gave it itself."""

    command: Command
    is_own: bool


class DecisionReader:
    """Takes the steps of a game one by one, and finds the decisions that led to them."""

    def __init__(self, seats: int, options: Mapping[str, OptionValue]) -> None:
        self._seats, self._options = seats, options
        self._step = -1
        self._moments: list[Moment] = []
        self._decided: list[list[Decided]] = []

    def add(self, play: Play, events: Sequence[Event], answers: Mapping[Seat, Answer]) -> None:
        """Add a step; `answers` are those to the decision that was open before it, without those of forced seats."""
        self._step += 1
        if any(isinstance(event, Undone) for event in events):
            self._moments.pop()
            self._decided.pop()
            return
        decided = list(self._decisions(self._moments[-1].play, answers)) if self._moments else []
        self._moments.append(Moment(self._step, play, events))
        self._decided.append(decided)

    def game(self) -> PlayedGame | None:
        """Return the game so far; None before its first step."""
        if not self._moments:
            return None
        decisions = tuple(decided for each in self._decided for decided in each)
        return PlayedGame(self._moments[0].play.game, self._seats, self._options, tuple(self._moments), decisions)

    def _decisions(self, before: Play, answers: Mapping[Seat, Answer]) -> list[Decided]:
        decision, stage = before.decision, before.game.progress(before.state)
        assert decision is not None, "a step follows from a decision"
        return [
            Decided(self._step, stage, question_from_play(before, seat, self._options), answer.command)
            for seat, answer in sorted(answers.items())
            if answer.is_own and seat not in decision.forced and not decision.prompts[seat].has_one_answer
        ]


class TableReader:
    """Takes the entries of the log of a table one by one."""

    def __init__(self) -> None:
        self._reader: DecisionReader | None = None
        self._before: Play | None = None
        self._answers: dict[Seat, Answer] = {}

    def add(self, table: TableState, events: Sequence[Event]) -> None:
        """Add an entry; the table has the entry applied."""
        before, self._before = self._before, table.play
        if table.play is None:
            return
        if self._reader is None:
            options = read_options(table.game.options, table.settings.options)
            self._reader = DecisionReader(len(table.chairs), options)
        given, forced = answers_in(events)
        for seat, command in given.items():
            self._answers[seat] = Answer(command, _is_own(table, events, seat))
        if not is_step(events):
            self._keep_of_devices(events)
            return
        of_game = [event for event in events if type(event) not in _TABLE_EVENTS and not isinstance(event, Answered)]
        self._add_open_answer(table, before, events, of_game)
        self._reader.add(table.play, of_game, self._answers)
        self._answers = {seat: Answer(command, is_own=False) for seat, command in forced.items()}

    def game(self) -> PlayedGame | None:
        """Return the game so far; None if it has not begun."""
        return None if self._reader is None else self._reader.game()

    def _keep_of_devices(self, events: Sequence[Event]) -> None:
        for event in events:
            if isinstance(event, table_events.AnswerSealed) and event.salt is None:
                # The device of the seat keeps another answer now.
                self._answers.pop(event.seat, None)

    def _add_open_answer(
        self, table: TableState, before: Play | None, events: Sequence[Event], of_game: Sequence[Event]
    ) -> None:
        """Add the answer to a decision that was not sealed: its command, or what follows from the events."""
        if before is None or before.decision is None or before.decision.sealed:
            return
        (seat,) = before.decision.prompts
        command: Command | None = None
        for event in events:
            if isinstance(event, table_events.CommandGiven):
                command = read_command(before.game, event.command)
        if command is None and not any(isinstance(event, Undone) for event in events):
            command = command_of_step(before, seat, of_game)
        if command is not None:
            self._answers[seat] = Answer(command, _is_own(table, events, seat))


def game_of_entries(entries: Sequence[bytes]) -> PlayedGame | None:
    """Return the game in the payloads of all entries of a log; None if it never began."""
    first, *rest = entries
    table, reader = open_entry(first), TableReader()
    reader.add(table, read_entry(first, None))
    for entry in rest:
        events = read_entry(entry, table.settings.game)
        table.apply(events)
        reader.add(table, events)
    return reader.game()


def own_answers(commands: Mapping[Seat, Command]) -> dict[Seat, Answer]:
    """Return commands as answers that the seats gave themselves."""
    return {seat: Answer(command, is_own=True) for seat, command in commands.items()}


def read_command(game: Game[Any], text: str) -> Command:
    """Return the command that a log has as JSON."""
    command = _reader(game).read("do", json.loads(text))
    assert isinstance(command, Command)
    return command


@cache
def _reader(game: Game[Any]) -> JsonReader:
    return JsonReader(game.commands)


def _is_own(table: TableState, events: Sequence[Event], seat: Seat) -> bool:
    """Return whether a seat gave its answer in an entry itself; bots that were seated there do."""
    if table.chairs[seat].stand_in is not None:
        return False
    return not any(
        (isinstance(event, table_events.TimeRanOut) and event.seat == seat)
        or (isinstance(event, table_events.SealsNotOpened) and seat in event.seats)
        for event in events
    )
