"""The events of a table around its game: people, clocks and chat. They share the log with the game's events."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from server.games.engine.events import EVERYBODY, NOBODY, Event, Viewer, everybody_sees, hidden_if


class TableEvent(Event, family=True):
    """An event of a table, in the same log as the events of its game."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class TableOpened(TableEvent):
    """`settings` are the host's, as JSON; `key` opens a private table to whoever has it; `secret` is for nobody.

    With the secret the server seals what it shows, to know it again (`proofs.py`).
    """

    visible_to = everybody_sees("host")
    table: str
    rules_version: int
    settings: str
    host: str
    key: str
    created: int
    secret: str | None = None


@dataclass(frozen=True, slots=True)
class SeatTaken(TableEvent):
    visible_to = EVERYBODY
    seat: int
    user: str
    display_name: str


@dataclass(frozen=True, slots=True)
class SeatLeft(TableEvent):
    """Somebody stood up, or was sent away by the host."""

    visible_to = EVERYBODY
    seat: int
    kicked: bool


@dataclass(frozen=True, slots=True)
class SeatRenamed(TableEvent):
    visible_to = EVERYBODY
    seat: int
    display_name: str


@dataclass(frozen=True, slots=True)
class HostChanged(TableEvent):
    visible_to = EVERYBODY
    user: str


@dataclass(frozen=True, slots=True)
class BotSeated(TableEvent):
    visible_to = EVERYBODY
    seat: int
    strength: str
    display_name: str | None = None


@dataclass(frozen=True, slots=True)
class BotChanged(TableEvent):
    """A bot plays in another strength from now on."""

    visible_to = EVERYBODY
    seat: int
    strength: str


@dataclass(frozen=True, slots=True)
class BotRemoved(TableEvent):
    visible_to = EVERYBODY
    seat: int


@dataclass(frozen=True, slots=True)
class SeatReady(TableEvent):
    visible_to = EVERYBODY
    seat: int
    ready: bool


@dataclass(frozen=True, slots=True)
class GameStarted(TableEvent):
    """The dice of the game follow from the seed. Everybody learns its digest now and the seed at the end."""

    visible_to = everybody_sees("digest")
    seed: str
    digest: str


@dataclass(frozen=True, slots=True)
class AnswerChanged(TableEvent):
    """The sealed answer in the same record takes the place of another; to all others nothing has happened."""

    visible_to = NOBODY
    seat: int


@dataclass(frozen=True, slots=True)
class ClocksCharged(TableEvent):
    """What each seat has left in milliseconds after a decision; None where nothing is counted."""

    visible_to = EVERYBODY
    thinking: tuple[int | None, ...]
    away: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class TimeRanOut(TableEvent):
    """The rules' fallback is played for a seat, or a bot of this strength stands in from now on."""

    # A table may hide it from others as it hides who has answered (`answer_secrecy.py`).
    visible_to = EVERYBODY._replace(is_same_for_all=False)
    seat: int
    stand_in: str | None


@dataclass(frozen=True, slots=True)
class SeatReturned(TableEvent):
    """The user of a seat plays again in place of the bot that stood in."""

    visible_to = EVERYBODY
    seat: int


@dataclass(frozen=True, slots=True)
class Resigned(TableEvent):
    """A bot plays the seat to the end."""

    visible_to = EVERYBODY
    seat: int
    stand_in: str


@dataclass(frozen=True, slots=True)
class Voted(TableEvent):
    visible_to = EVERYBODY
    seat: int
    on: str
    agree: bool


@dataclass(frozen=True, slots=True)
class Paused(TableEvent):
    visible_to = EVERYBODY


@dataclass(frozen=True, slots=True)
class LogRolledBack(TableEvent):
    """The storage lost the last records of this table, which people may have seen. A running game is paused by it.

    What was lost may have revealed something, so the game goes on only when all who play agree.
    """

    visible_to = EVERYBODY
    name: ClassVar[str] = "went_back"  # the name in logs and on the wire since protocol version 1
    records: int


@dataclass(frozen=True, slots=True)
class Resumed(TableEvent):
    visible_to = EVERYBODY


@dataclass(frozen=True, slots=True)
class Abandoned(TableEvent):
    visible_to = EVERYBODY


def _is_said_elsewhere(event: Said, viewer: Viewer) -> bool:
    return event.room == ("players" if viewer is None else "spectators")


@dataclass(frozen=True, slots=True)
class Said(TableEvent):
    """`room` is who hears it: `all`, or while the game runs `players` or `spectators`."""

    visible_to = hidden_if(_is_said_elsewhere)
    user: str
    display_name: str
    room: str
    text: str


@dataclass(frozen=True, slots=True)
class Muted(TableEvent):
    visible_to = EVERYBODY
    user: str
    muted: bool


def _is_spectator(event: NextOpened, viewer: Viewer) -> bool:
    return viewer is None


@dataclass(frozen=True, slots=True)
class NextOpened(TableEvent):
    """The table at which the same people play again."""

    visible_to = hidden_if(_is_spectator)
    table: str
    key: str


TABLE_EVENTS: Final = TableEvent.members()
