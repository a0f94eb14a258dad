"""The events of a table around its game: people, clocks and chat. They share the log with the game's events."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from server.games.engine.game import Event


@dataclass(frozen=True, slots=True)
class TableOpened(Event):
    """`settings` are the host's, as JSON; `key` opens a private table to whoever has it; `secret` is for nobody.

    With the secret the server seals what it shows, to know it again (`proofs.py`).
    """

    table: str
    rules_version: int
    settings: str
    host: str
    key: str
    created: int
    secret: str | None = None


@dataclass(frozen=True, slots=True)
class SeatTaken(Event):
    seat: int
    user: str
    display_name: str


@dataclass(frozen=True, slots=True)
class SeatLeft(Event):
    """Somebody stood up, or was sent away by the host."""

    seat: int
    kicked: bool


@dataclass(frozen=True, slots=True)
class SeatRenamed(Event):
    seat: int
    display_name: str


@dataclass(frozen=True, slots=True)
class HostChanged(Event):
    user: str


@dataclass(frozen=True, slots=True)
class BotSeated(Event):
    seat: int
    strength: str
    display_name: str | None = None


@dataclass(frozen=True, slots=True)
class BotChanged(Event):
    """A bot plays in another strength from now on."""

    seat: int
    strength: str


@dataclass(frozen=True, slots=True)
class BotRemoved(Event):
    seat: int


@dataclass(frozen=True, slots=True)
class SeatReady(Event):
    seat: int
    ready: bool


@dataclass(frozen=True, slots=True)
class GameStarted(Event):
    """The dice of the game follow from the seed. Everybody learns its digest now and the seed at the end."""

    seed: str
    digest: str


@dataclass(frozen=True, slots=True)
class AnswerChanged(Event):
    """The sealed answer in the same record takes the place of another; to all others nothing has happened."""

    seat: int


@dataclass(frozen=True, slots=True)
class ClocksCharged(Event):
    """What each seat has left in milliseconds after a decision; None where nothing is counted."""

    thinking: tuple[int | None, ...]
    away: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class TimeRanOut(Event):
    """The rules' fallback is played for a seat, or a bot of this strength stands in from now on."""

    seen_alike: ClassVar[bool] = False
    seat: int
    stand_in: str | None


@dataclass(frozen=True, slots=True)
class SeatReturned(Event):
    """The user of a seat plays again in place of the bot that stood in."""

    seat: int


@dataclass(frozen=True, slots=True)
class Resigned(Event):
    """A bot plays the seat to the end."""

    seat: int
    stand_in: str


@dataclass(frozen=True, slots=True)
class Voted(Event):
    seat: int
    on: str
    agree: bool


@dataclass(frozen=True, slots=True)
class Paused(Event):
    pass


@dataclass(frozen=True, slots=True)
class LogRolledBack(Event):
    """The storage lost the last records of this table, which people may have seen. A running game is paused by it.

    What was lost may have revealed something, so the game goes on only when all who play agree.
    """

    name: ClassVar[str] = "went_back"  # the name in logs and on the wire since protocol version 1
    records: int


@dataclass(frozen=True, slots=True)
class Resumed(Event):
    pass


@dataclass(frozen=True, slots=True)
class Abandoned(Event):
    pass


@dataclass(frozen=True, slots=True)
class Said(Event):
    """`room` is who hears it: `all`, or while the game runs `players` or `spectators`."""

    seen_alike: ClassVar[bool] = False
    user: str
    display_name: str
    room: str
    text: str


@dataclass(frozen=True, slots=True)
class Muted(Event):
    user: str
    muted: bool


@dataclass(frozen=True, slots=True)
class NextOpened(Event):
    """The table at which the same people play again."""

    seen_alike: ClassVar[bool] = False
    table: str
    key: str


TABLE_EVENTS: tuple[type[Event], ...] = (
    TableOpened,
    SeatTaken,
    SeatLeft,
    SeatRenamed,
    HostChanged,
    BotSeated,
    BotChanged,
    BotRemoved,
    SeatReady,
    GameStarted,
    AnswerChanged,
    ClocksCharged,
    TimeRanOut,
    SeatReturned,
    Resigned,
    Voted,
    Paused,
    Resumed,
    LogRolledBack,
    Abandoned,
    Said,
    Muted,
    NextOpened,
)
