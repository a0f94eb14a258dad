"""Read the record of a finished game from the log of its table.

A record follows from the log up to the entry that ends the game, and from nothing else. What comes after that entry,
such as chat, does not change it. So the record is the same whenever and wherever it is made.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from contextlib import aclosing
from dataclasses import replace
from enum import Enum
from typing import Any, Final

from server.games.engine.events import Event
from server.games.engine.play import Undone
from server.history.ratings import counts
from server.history.record import GameRecord, SeatRecord
from server.store.games_api import GameKey, IndexedGame
from server.tables.answer_secrecy import is_step
from server.tables.chairs import Chair
from server.tables.entries import UnreadableEntry
from server.tables.events import (
    TABLE_EVENTS,
    AnswerChanged,
    AnswerKept,
    GameStarted,
    SealOpened,
    SealsNotOpened,
    TableOpened,
)
from server.tables.log import TableLog
from server.tables.state import TableState
from server.tables.turns import BackgroundJob

MAX_WORDS: Final = 40
"""Words by which one game is found; further ones are not."""

MAX_WORD_LENGTH: Final = 40
"""Characters of a word by which a game is found; the rest is cut off."""

_IMPORTED: Final = "."
"""No user has this in the id; the seats of imported games do, since they belong to nobody here."""

_WORD: Final = re.compile(r"\w+")
_TABLE_EVENTS: Final = frozenset(TABLE_EVENTS)
_AGAIN: Final = frozenset((Undone, AnswerChanged, SealOpened, SealsNotOpened))
"""Events beside an answer to a decision that its seat had answered before."""


class NoRecord(Enum):
    """Why a table has no finished game."""

    NOT_OVER = "not over"
    """The game runs or has not begun, or there is no such table."""

    NEVER_BEGAN = "never began"
    """The table was closed before its game began."""


class GameReader:
    """Takes the entries of a log one by one, and makes the record at the entry that ends the game."""

    def __init__(self) -> None:
        self.found: GameRecord | NoRecord = NoRecord.NOT_OVER
        """What the entries so far amount to. Once it is something else, it stays."""

        self._rules_version = 1
        self._started: int | None = None
        self._decisions = 0
        self._steps = -1

    def add(self, table: TableState, events: Sequence[Event]) -> None:
        """Take an entry; `table` is the table after it."""
        if self.found is not NoRecord.NOT_OVER:
            return
        at = table.created if table.entry_at is None else table.entry_at
        kinds = set(map(type, events))
        if TableOpened in kinds:
            self._rules_version = next(event.rules_version for event in events if isinstance(event, TableOpened))
        if GameStarted in kinds:
            self._started = at
        elif kinds.isdisjoint(_AGAIN) and (AnswerKept in kinds or not kinds <= _TABLE_EVENTS):
            self._decisions += 1
        self._steps += is_step(events)
        if table.phase == "over":
            self.found = NoRecord.NEVER_BEGAN if table.play is None else self._record(table, at)

    def _record(self, table: TableState, ended: int) -> GameRecord:
        play, settings, game = table.play, table.settings, table.game
        assert play is not None
        outcome = None if table.abandoned else game.outcome(play.state)
        places: Sequence[int | None] = (None,) * len(table.chairs) if outcome is None else outcome.places
        scores: Sequence[int | None] = (None,) * len(table.chairs) if outcome is None else outcome.scores
        seats = [_seat(*seat) for seat in zip(table.chairs, places, scores, strict=True)]
        defaults = {option.name: _json(option.default) for option in game.options}
        record = GameRecord(
            table=table.id,
            game=settings.game,
            title=settings.name,
            options={
                name: value
                for name, value in settings.options.items()
                if name not in defaults or defaults[name] != value
            },
            seats=tuple(seats),
            started=table.created if self._started is None else self._started,
            ended=ended,
            decisions=self._decisions,
            steps=self._steps,
            end="abandoned" if outcome is None else "finished",
            # A table without spectators is as private after its game as before.
            private=settings.private or not settings.spectators,
            rated=settings.rated,
            rules_version=self._rules_version,
            origin=table.origin,
            city=game.city(play.state),
        )
        return replace(record, rated=counts(record))


def _seat(chair: Chair, place: int | None, points: int | None) -> SeatRecord:
    return SeatRecord(
        user=chair.user if chair.user is not None and _IMPORTED not in chair.user else None,
        name=chair.name or "",
        bot=chair.bot,
        place=place,
        points=points,
        resigned=chair.resigned,
        stood_in=chair.stand_in is not None and not chair.resigned,
    )


def _json(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


async def record_of(log: TableLog, job: BackgroundJob) -> GameRecord | NoRecord:
    """Return the record of the finished game of a table, in slices; `NoRecord` if there is none.

    Raise `LogDamaged` or `UnreadableEntry` if the log cannot be replayed.
    """
    reader = GameReader()
    async with aclosing(log.fold(job)) as entries:
        async for seq, table, events in entries:
            try:
                reader.add(table, events)
            except Exception as error:
                # Rules trust events, so an invalid one can make them fail with any exception.
                raise UnreadableEntry(f"entry {seq} cannot be counted") from error
            if reader.found is not NoRecord.NOT_OVER:
                break
    return reader.found


def key_of(record: GameRecord) -> GameKey:
    """Return the place of a game in the order of the index."""
    return GameKey(record.ended, record.table)


def people_of(records: Iterable[GameRecord]) -> set[str]:
    """Return the users who played some games."""
    return {seat.user for record in records for seat in record.seats if seat.user is not None}


def indexed_game(record: GameRecord) -> IndexedGame:
    """Return a record with the fields by which the index finds it."""
    people = [seat for seat in record.seats if seat.user is not None]
    texts = [record.title or "", *(seat.name for seat in people)]
    return IndexedGame(
        key=key_of(record),
        game=record.game,
        seats=len(record.seats),
        people=tuple(dict.fromkeys(seat.user for seat in people if seat.user is not None)),
        is_public=not record.private,
        is_rated=record.rated,
        words=tuple(dict.fromkeys(word for text in texts for word in words_of(text)))[:MAX_WORDS],
        record=record.pack(),
    )


def words_of(text: str) -> list[str]:
    """Return the words of a text, by which games are found: in lower case, without punctuation."""
    return [word[:MAX_WORD_LENGTH] for word in _WORD.findall(unicodedata.normalize("NFKC", text).casefold())]
