"""Requests to one table: watching, seats, decisions, votes, chat, the log."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, StrictBool, StringConstraints

from protocol.base import SeatNumber, Strength, StyleChoice, TableKey, TableRequest
from protocol.lobby_requests import TableSettings

MAX_PAGE_ENTRIES = 100
"""Updates in one page of a log."""

MAX_UPDATE_NUMBER = 2**31 - 1

Stamp = Annotated[str, StringConstraints(strict=True, pattern=r"^[A-Za-z0-9_-]{20}$")]
Hash = Annotated[str, StringConstraints(strict=True, pattern=r"^[0-9a-f]{64}$")]
"""32 bytes in hexadecimal."""

Salt = Annotated[str, StringConstraints(strict=True, pattern=r"^[0-9a-f]{32}$")]
"""16 bytes in hexadecimal."""

Head = Annotated[str, StringConstraints(strict=True, pattern=r"^[A-Za-z0-9_-]{43}$")]
"""A head of the public chain, or the commitment of an answer: 32 bytes in base64url without padding."""

GameCount = Annotated[int, Field(strict=True, ge=1, le=MAX_UPDATE_NUMBER)]
"""The number of a seed exchange at a table."""


Seen = Annotated[str, StringConstraints(strict=True, pattern=r"^[0-9]{1,10}\.[A-Za-z0-9_-]{43}$")]
"""The last head of the public chain that a client was shown: the number of lines, a full stop, and the head."""


class Watch(TableRequest):
    """Subscribe to a table: as the seat of the user, else as a spectator.

    To resume, `have` is the number of the last update that this client received as this viewer, and `stamp` the proof
    in it: the reply is followed by a view with the events since then. A proof of an entry that is no longer in the
    table's log shows that the log was rolled back.
    """

    type: Literal["watch"]
    key: TableKey | None = None
    delayed: StrictBool = False
    """Watch as a commentator, with the delay of the table: `key` is the commentators' key."""

    have: Annotated[int, Field(strict=True, ge=0)] | None = None
    stamp: Stamp | None = None
    named: StrictBool = False
    """The user, as a spectator, wants to be seen by name among those who watch."""


class Unwatch(TableRequest):
    """Unsubscribe from a table."""

    type: Literal["unwatch"]


class ChangeSettings(TableRequest):
    """Change the settings as the host, before the game begins; the game stays. All other users become unready."""

    type: Literal["change_settings"]
    settings: TableSettings


class TakeSeat(TableRequest):
    """Take a seat before the game begins: the first free one, or the named one, which may be free or a bot's.

    A user who has a seat moves to the named one, which must be free.
    """

    type: Literal["take_seat"]
    seat: SeatNumber | None = None
    key: TableKey | None = None


class LeaveSeat(TableRequest):
    """Leave the seat before the game begins."""

    type: Literal["leave_seat"]


class AddBot(TableRequest):
    """Add a bot as the host; on the first free seat if none is named."""

    type: Literal["add_bot"]
    seat: SeatNumber | None = None
    strength: Strength | None = None
    """A strength that the game has; null: the default."""

    style: StyleChoice | None = None
    """Null: a style that no other bot at the table has. It has no effect on a bot that plays by chance."""


class FillWithBots(TableRequest):
    """Add bots as the host on all free seats."""

    type: Literal["fill_with_bots"]
    strength: Strength | None = None
    style: StyleChoice | None = None
    """Null: a different style for each."""


class ChangeBot(TableRequest):
    """Change the strength or the style of a bot as the host, before the game begins. Null: it stays."""

    type: Literal["change_bot"]
    seat: SeatNumber
    strength: Strength | None = None
    style: StyleChoice | None = None


class RemoveBot(TableRequest):
    """Remove a bot as the host, before the game begins."""

    type: Literal["remove_bot"]
    seat: SeatNumber


class Kick(TableRequest):
    """Remove a user from a seat as the host, before the game begins."""

    type: Literal["kick"]
    seat: SeatNumber


class Ready(TableRequest):
    """Set whether the user is ready to begin."""

    type: Literal["ready"]
    ready: StrictBool


class Start(TableRequest):
    """Start the game as the host, when all seats are taken and everybody is ready."""

    type: Literal["start"]


class CommitSeed(TableRequest):
    """Commit to the random bytes of the own seat for the seed exchange of this number, before the game begins."""

    type: Literal["commit_seed"]
    game: GameCount
    commitment: Hash


class OpenSeed(TableRequest):
    """Open the random bytes that the own seat has committed to, when the table asks for them."""

    type: Literal["open_seed"]
    game: GameCount
    seed: Hash


class Decide(TableRequest):
    """Answer the open decision of this number with a command that its prompt offers.

    A sealed answer can be replaced by another command until the last seat has answered. A client may commit to a sealed
    answer with a salt of its own; otherwise the server makes the salt.
    """

    type: Literal["decide"]
    decision: Annotated[int, Field(strict=True, ge=1)]
    command: dict[str, Any]
    commitment: Head | None = None
    salt: Salt | None = None
    """The salt of the commitment; both or neither are given."""

    seen: Seen | None = None


class Seal(TableRequest):
    """Answer the open sealed decision of this number with a commitment alone; the command and the salt stay here.

    Only at tables whose setting `sealed_on_devices` is on. It can be replaced, by `seal` or `decide`, until the last
    seat has answered.
    """

    type: Literal["seal"]
    decision: Annotated[int, Field(strict=True, ge=1)]
    attempt: Annotated[int, Field(strict=True, ge=0, le=MAX_UPDATE_NUMBER)]
    """The number of the answer, which the commitment names too: the `attempt` of the own part of the decision."""

    commitment: Head
    seen: Seen | None = None


class Unseal(TableRequest):
    """Open the answer that the own seat has sealed by `seal`, when the table asks for it."""

    type: Literal["unseal"]
    decision: Annotated[int, Field(strict=True, ge=1)]
    command: dict[str, Any]
    salt: Salt
    seen: Seen | None = None


class LookAhead(TableRequest):
    """Get a preview of the game after a command that could be undone; nothing changes."""

    type: Literal["look_ahead"]
    decision: Annotated[int, Field(strict=True, ge=1)]
    command: dict[str, Any]


class Hint(TableRequest):
    """Get the answer that a bot would give to the open decision of this number, and its reason; nothing changes."""

    type: Literal["hint"]
    decision: Annotated[int, Field(strict=True, ge=1)]


class Undo(TableRequest):
    """Undo the last step, if nothing was revealed since."""

    type: Literal["undo"]
    decision: Annotated[int, Field(strict=True, ge=1)]
    seen: Seen | None = None


class Vote(TableRequest):
    """Agree to a change that needs all players; else withdraw the own vote, or decline, which ends the vote for all."""

    type: Literal["vote"]
    on: Literal["pause", "resume", "abandon", "commentary"]
    agree: StrictBool
    seen: Seen | None = None


class Resign(TableRequest):
    """Leave the seat to a bot for the rest of the game."""

    type: Literal["resign"]
    seen: Seen | None = None


class ReturnToSeat(TableRequest):
    """Take the seat back from the bot that plays for the user."""

    type: Literal["return_to_seat"]


class AdoptRhythm(TableRequest):
    """Play on by the weekly rhythm that is kept with the user (`set_rhythm`), from the next decision."""

    type: Literal["adopt_rhythm"]


class TakeHoliday(TableRequest):
    """Begin a holiday in a game that is played by the day, in which the own clock stands still, or end it.

    It ends by itself when the days of the bank are used.
    """

    type: Literal["take_holiday"]
    on: StrictBool


class Say(TableRequest):
    """Send a chat message: to the players or to the spectators while the game runs, else to all."""

    type: Literal["say"]
    room: Literal["commentary"] | None = None
    """`commentary`: to the commentators, as one of them."""

    text: Annotated[str, StringConstraints(strict=True, max_length=2_000)]


class Mute(TableRequest):
    """Mute or unmute a user in the chat, as the host."""

    type: Literal["mute"]
    user: Annotated[str, StringConstraints(strict=True, max_length=64)]
    muted: StrictBool


class CommentaryKey(TableRequest):
    """Get the key of the commentators' link, as the host; with `renew` a new one, which ends the old one."""

    type: Literal["commentary_key"]
    renew: StrictBool = False


class PlayAgain(TableRequest):
    """Take a seat at a new table with the same settings and users, after the end; the first request creates it."""

    type: Literal["play_again"]


class ReadLog(TableRequest):
    """Get a page of the log of a table: the last updates before a number, as the viewer that the user is.

    Users who may watch the table may read its log; `key` is needed as for `watch`.
    """

    type: Literal["read_log"]
    key: TableKey | None = None
    before: Annotated[int, Field(strict=True, ge=1, le=MAX_UPDATE_NUMBER)] | None = None
    """Only updates with a smaller number; null: the latest ones."""

    limit: Annotated[int, Field(strict=True, ge=1, le=MAX_PAGE_ENTRIES)] = MAX_PAGE_ENTRIES
    """The maximum number of updates."""
