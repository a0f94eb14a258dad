"""Events of a table around its game: people, clocks, chat. They share a log with the events of the game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from protocol.history_requests import EARLIER_HIDDEN
from server.games.engine.events import EVERYBODY, NOBODY, OWNER, Event, Viewer, everybody_sees, hidden_if
from server.games.engine.serialization import Serializable


class TableEvent(Event, family=True):
    """An event of a table, in the same log as the events of its game."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class TableOpened(TableEvent):
    """A host opened the table. `settings` are JSON; `key` admits its holders to a private table.

    With `secret`, which is never shown, the server signs its proofs of what it has shown (`proofs.py`).
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
class SettingsChanged(TableEvent):
    """The host changed the settings, which are JSON. The views show them; all other users become unready."""

    visible_to = everybody_sees()
    settings: str


@dataclass(frozen=True, slots=True)
class SeatTaken(TableEvent):
    visible_to = EVERYBODY
    seat: int
    user: str
    display_name: str


@dataclass(frozen=True, slots=True)
class SeatLeft(TableEvent):
    """A user left a seat, or the host removed the user."""

    visible_to = EVERYBODY
    seat: int
    kicked: bool


@dataclass(frozen=True, slots=True)
class SeatMoved(TableEvent):
    """A user moved from a seat to a free one."""

    visible_to = EVERYBODY
    seat: int
    to: int


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
    style: str | None = None
    """None for a bot without a style, and in logs of games that began before there were styles."""


@dataclass(frozen=True, slots=True)
class BotChanged(TableEvent):
    """A bot got another strength or style."""

    visible_to = EVERYBODY
    seat: int
    strength: str
    style: str | None = None


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
class ServerSeedDrawn(TableEvent):
    """The server drew its seed for the next game, before any seat contributes, and commits to it (docs/fairness.md).

    `game` counts the seed exchanges at this table, from 1. `expects_seats`: the clients of these people have taken part
    in an exchange before, and are waited for.
    """

    visible_to = everybody_sees("game", "commitment")
    game: int
    seed: str
    commitment: str
    expects_seats: bool


@dataclass(frozen=True, slots=True)
class SeedCommitted(TableEvent):
    """The client of a seat committed to its random bytes; `identity` is the user who sat there."""

    visible_to = EVERYBODY
    seat: int
    game: int
    identity: str
    commitment: str


@dataclass(frozen=True, slots=True)
class SeedsAsked(TableEvent):
    """The game is about to begin: seats that have not committed may do so now."""

    visible_to = EVERYBODY
    game: int


@dataclass(frozen=True, slots=True)
class SeedsClosed(TableEvent):
    """No seat can commit any more, and those that have are to open."""

    visible_to = EVERYBODY
    game: int


@dataclass(frozen=True, slots=True)
class SeedOpened(TableEvent):
    """A seat showed the random bytes that it had committed to."""

    visible_to = EVERYBODY
    seat: int
    game: int
    seed: str


@dataclass(frozen=True, slots=True)
class SeedsVoided(TableEvent):
    """Some seats did not open in time, so this exchange is void; `seed` is what the server had committed to."""

    visible_to = EVERYBODY
    game: int
    late: tuple[int, ...]
    seed: str


@dataclass(frozen=True, slots=True)
class GameStarted(TableEvent):
    """The dice of the game follow from the seed. Everybody learns its digest now and the seed at the end."""

    visible_to = everybody_sees("digest")
    seed: str
    digest: str


@dataclass(frozen=True, slots=True)
class AnswerChanged(TableEvent):
    """The sealed answer in the same entry replaces an earlier one, which nobody else may notice."""

    visible_to = NOBODY
    seat: int


@dataclass(frozen=True, slots=True)
class AnswerSealed(TableEvent):
    """A seat committed to the sealed answer in the same entry; `attempt` counts its answers to this decision, from 0.

    The salt follows from the game's seed where the server made it. It is None where the device of the seat keeps the
    answer, which is then in no entry before it is opened.
    """

    # A table may hide it as it hides who has answered (`answer_secrecy.py`), from the seat too, whose client made it.
    visible_to = everybody_sees("seat", "decision", "commitment")
    seat: int
    decision: int
    attempt: int
    commitment: str
    salt: str | None
    by_server: bool


@dataclass(frozen=True, slots=True)
class AnswerKept(TableEvent):
    """The device of a seat keeps the answer that is sealed in the same entry. Only that seat is told."""

    visible_to = OWNER
    seat: int


@dataclass(frozen=True, slots=True)
class Opening(Serializable):
    """The last sealed answer of a seat to a decision. What is not revealed stays None until the end."""

    seat: int
    attempt: int
    commitment: str
    salt: str | None = None
    answer: str | None = None
    by_server: bool | None = None


@dataclass(frozen=True, slots=True)
class AnswersOpened(TableEvent):
    """A sealed decision closed: the last answer of each seat, opened where the rules reveal it."""

    visible_to = EVERYBODY
    decision: int
    openings: tuple[Opening, ...]


@dataclass(frozen=True, slots=True)
class OpeningsAsked(TableEvent):
    """All seats have answered, and devices are to open the answers that they keep. Nothing can be changed any more.

    `seals` are the last commitments of all seats, so that all are public before any is opened.
    """

    visible_to = EVERYBODY
    decision: int
    seals: tuple[Opening, ...]


@dataclass(frozen=True, slots=True)
class SealOpened(TableEvent):
    """A device opened the answer that it had kept, which is in the same entry."""

    visible_to = NOBODY
    seat: int
    decision: int
    attempt: int
    salt: str


@dataclass(frozen=True, slots=True)
class SealsNotOpened(TableEvent):
    """The devices of these seats did not open their answers in time; the fallbacks in the same entry are played."""

    visible_to = EVERYBODY
    decision: int
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CommandGiven(TableEvent):
    """The command that led to this step, as canonical JSON. Nobody sees it before the end; verifiers need it."""

    visible_to = NOBODY
    seat: int
    command: str


@dataclass(frozen=True, slots=True)
class HistoryDiffers(TableEvent):
    """The client of a seat has seen another head of the public chain: it was shown another history."""

    visible_to = EVERYBODY
    seat: int
    line: int
    head: str


@dataclass(frozen=True, slots=True)
class ClocksCharged(TableEvent):
    """The milliseconds that each seat has left after a decision; None where no time is counted."""

    visible_to = EVERYBODY
    thinking: tuple[int | None, ...]
    away: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class TimeRanOut(TableEvent):
    """The time of a seat ran out: the fallback is played, or a bot of this strength stands in from now on."""

    # A table may hide it from others as it hides who has answered (`answer_secrecy.py`).
    visible_to = EVERYBODY._replace(is_same_for_all=False)
    seat: int
    stand_in: str | None


@dataclass(frozen=True, slots=True)
class RhythmSet(TableEvent):
    """The weekly rhythm of the person of a seat, at a table that is played by the day; None: the clock always runs.

    The first one counts at once, another from the next decision. Nobody is shown it: others see when the clock runs.
    """

    visible_to = NOBODY
    seat: int
    zone: str | None
    start: int = 0
    end: int = 0
    days: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class HolidayBegan(TableEvent):
    """The clock of a seat stands still until this time, in milliseconds since 1970, or until the holiday is ended."""

    visible_to = EVERYBODY
    seat: int
    until: int


@dataclass(frozen=True, slots=True)
class HolidayEnded(TableEvent):
    visible_to = EVERYBODY
    seat: int


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
    """A player agreed to a pause, to resuming or to abandoning the game, or withdrew that vote."""

    visible_to = EVERYBODY
    seat: int
    on: str
    agree: bool


@dataclass(frozen=True, slots=True)
class VoteDeclined(TableEvent):
    """A player declined what others had voted for, which ends the vote for all."""

    visible_to = EVERYBODY
    seat: int
    on: str


@dataclass(frozen=True, slots=True)
class Paused(TableEvent):
    visible_to = EVERYBODY


@dataclass(frozen=True, slots=True)
class LogRolledBack(TableEvent):
    """The storage lost the last entries of this table, which people may have seen. It pauses a running game.

    The lost entries may have revealed secrets, so the game resumes only when all players agree.
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
    """A user wrote a chat line. `room` is `all` or, while the game runs, `players` or `spectators`."""

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


@dataclass(frozen=True, slots=True)
class CommentaryKeyMade(TableEvent):
    """The host asked for a key of the commentators' link. Those before it are not valid any more."""

    visible_to = NOBODY
    key: str


@dataclass(frozen=True, slots=True)
class CommentaryAgreed(TableEvent):
    """Everybody who plays agreed to show all hands to commentators, with a delay."""

    visible_to = EVERYBODY


@dataclass(frozen=True, slots=True)
class CommentaryEnded(TableEvent):
    """A player no longer shows the hands to commentators, so nothing more is shown to them."""

    visible_to = EVERYBODY
    seat: int


def _is_spectator(event: NextOpened, viewer: Viewer) -> bool:
    return viewer is None


@dataclass(frozen=True, slots=True)
class NextOpened(TableEvent):
    """The players opened another table for the same people."""

    visible_to = hidden_if(_is_spectator)
    table: str
    key: str


@dataclass(frozen=True, slots=True)
class ContinuedFrom(TableEvent):
    """The game of this table goes on from a step of the game at another table, as one seat knew it there.

    `hidden` is "redealt" if what the seat did not know is dealt again, else "as_it_was". `steps` holds the game up to
    that step (`continuing.py`), so that this log replays alone; it is never shown.
    """

    visible_to = everybody_sees("table", "step", "seat", "hidden")
    table: str
    step: int
    seat: int
    hidden: str
    steps: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "hidden", EARLIER_HIDDEN.get(self.hidden, self.hidden))


@dataclass(frozen=True, slots=True)
class Imported(TableEvent):
    """The log comes from a file that the host imported. None of the people in it is a user of this server."""

    visible_to = EVERYBODY
    table: str
    """The id of the table where the game was played, which its commitments hold."""


TABLE_EVENTS: Final = TableEvent.members()
