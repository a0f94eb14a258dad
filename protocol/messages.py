"""All messages in both directions. PROTOCOL.md explains them; the JSON Schema is generated from these classes.

Requests of clients are validated here, once, at the edge: unknown fields and wrong types are refused. Every request has
an id that the client chose and gets exactly one `done` or `refused` with that id. The messages of the server are
described for the schema and for clients; the server builds them as plain dictionaries without validation.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr, StringConstraints, TypeAdapter

PROTOCOL_VERSION = 1

MAX_PAGE_ENTRIES = 100
"""Updates in one page of a log."""

MAX_UPDATE_NUMBER = 2**31 - 1

MAX_LIST_ROWS = 100
"""Tables on one page of a list."""

DEFAULT_LIST_ROWS = 50

RequestId = Annotated[str, StringConstraints(strict=True, pattern=r"^[A-Za-z0-9_.:-]{1,64}$")]
TableId = Annotated[str, StringConstraints(strict=True, pattern=r"^[a-z0-9]{4,32}$")]
SeatNumber = Annotated[int, Field(strict=True, ge=0, le=15)]
Cursor = Annotated[str, StringConstraints(strict=True, pattern=r"^(-?[0-9]{1,15}\.){4}[a-z0-9]{4,32}$")]
Stamp = Annotated[str, StringConstraints(strict=True, pattern=r"^[A-Za-z0-9_-]{20}$")]
Strength = Literal["easy", "normal", "hard", "random"]
OptionSetting = StrictBool | StrictInt | StrictStr | list[StrictStr] | None


class Message(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Request(Message):
    """A request of a client."""

    id: RequestId


class TableRequest(Request):
    """A request to one table."""

    table: TableId


# -- users ----------------------------------------------------------------------------------------------------


class SetName(Request):
    """Change the name that others see."""

    type: Literal["set_name"]
    name: Annotated[str, StringConstraints(strict=True, max_length=200)]


class MakeCode(Request):
    """Get a short-lived code that signs a second device in as the same user."""

    type: Literal["make_code"]


class MakeToken(Request):
    """Get a bearer token for a program that acts as this user."""

    type: Literal["make_token"]


class ForgetDevices(Request):
    """End all sessions and tokens of this user except the one of this connection."""

    type: Literal["forget_devices"]


# -- lobby ----------------------------------------------------------------------------------------------------


class Ping(Request):
    """Check the connection; the reply is `done`. A page cannot see the pings of the websocket."""

    type: Literal["ping"]


class TableQuery(Message):
    """The tables of one phase that a client wants to see, and which page of them."""

    game: Annotated[str, StringConstraints(strict=True, max_length=40)] | None = None
    seats: SeatNumber | None = None
    """The number of all seats."""

    free: StrictBool = False
    """Only tables with a free seat."""

    clock: Literal["none", "decision", "bank"] | None = None
    language: Literal["en", "de", "it", "pl"] | None = None
    """Only tables of this language, and those that name none."""

    spectators: StrictBool = False
    """Only tables that allow spectators."""

    search: Annotated[str, StringConstraints(strict=True, max_length=40)] | None = None
    """Only tables that have this text in their name, in their id, or in the name of a player."""

    limit: Annotated[int, Field(strict=True, ge=1, le=MAX_LIST_ROWS)] = DEFAULT_LIST_ROWS
    """The maximum number of tables on the page."""

    after: Cursor | None = None
    """The `next` of the page before; null: the first page."""


ANY_TABLE = TableQuery()


class ListTables(Request):
    """Subscribe to one page each of the open and of the running tables; null: none of that phase.

    A connection has one such subscription; another request replaces it.
    """

    type: Literal["list_tables"]
    open: TableQuery | None = ANY_TABLE
    running: TableQuery | None = ANY_TABLE


class UnlistTables(Request):
    """Unsubscribe from the lists."""

    type: Literal["unlist_tables"]


class NoClock(Message):
    """No time limit."""

    kind: Literal["none"]


class DecisionClock(Message):
    """A number of seconds for each decision."""

    kind: Literal["decision"]
    seconds: Annotated[int, Field(strict=True, ge=5, le=604_800)]


class BankClock(Message):
    """A bank of seconds for the whole game, and an increment for each decision."""

    kind: Literal["bank"]
    seconds: Annotated[int, Field(strict=True, ge=10, le=604_800)]
    increment: Annotated[int, Field(strict=True, ge=0, le=3_600)]


Clock = Annotated[NoClock | DecisionClock | BankClock, Field(discriminator="kind")]


class TableSettings(Message):
    """The settings of a table, which its host chooses."""

    game: Annotated[str, StringConstraints(strict=True, max_length=40)]
    seats: SeatNumber
    options: Annotated[dict[str, OptionSetting], Field(max_length=40)] = {}
    clock: Clock = NoClock(kind="none")
    private: StrictBool = False
    """The table is not listed; joining and watching need the key of the invite link."""

    bots: StrictBool = True
    """Bots may take seats."""

    spectators: StrictBool = True
    """Users without a seat may watch the table."""

    absence_seconds: Annotated[int, Field(strict=True, ge=10, le=604_800)] | None = 120
    """The bank of seconds for absence, which only runs while the seat has to decide; null: no limit."""

    time_up: Literal["fallback", "bot"] = "bot"
    """When time runs out, the fallback of the rules is played, or a bot plays until the user returns."""

    show_decided: StrictBool = True
    """Others see that a seat has sealed its answer, but not the answer."""

    hints: Literal["none", "alone", "all"] = "alone"
    """Permission to request hints: nobody, users who play against bots only, or everybody."""

    name: Annotated[str, StringConstraints(strict=True, max_length=200)] | None = None
    """The name of the table in the lists, of up to 40 characters; null: it has none."""

    language: Literal["en", "de", "it", "pl"] | None = None
    """The language that people speak at the table; null: any."""

    begin: Literal["host", "full"] = "host"
    """The host starts the game, or it begins by itself when every seat is taken and all users are ready."""


class CreateTable(Request):
    """Create a table and take a seat at it."""

    type: Literal["create_table"]
    settings: TableSettings


class QuickMatch(Request):
    """Take a seat at a matching open table, or create one."""

    type: Literal["quick_match"]
    game: Annotated[str, StringConstraints(strict=True, max_length=40)]
    seats: SeatNumber | None = None


# -- at a table -----------------------------------------------------------------------------------------------


class Watch(TableRequest):
    """Subscribe to a table: as the seat of the user, else as a spectator.

    To resume, `have` is the number of the last update that this client received as this viewer, and `stamp` the proof
    in it: the reply is followed by a view with the events since then. A proof of an entry that is no longer in the
    table's log shows that the log was rolled back.
    """

    type: Literal["watch"]
    key: Annotated[str, StringConstraints(strict=True, max_length=64)] | None = None
    have: Annotated[int, Field(strict=True, ge=0)] | None = None
    stamp: Stamp | None = None


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
    key: Annotated[str, StringConstraints(strict=True, max_length=64)] | None = None


class LeaveSeat(TableRequest):
    """Leave the seat before the game begins."""

    type: Literal["leave_seat"]


class AddBot(TableRequest):
    """Add a bot as the host; on the first free seat if none is named."""

    type: Literal["add_bot"]
    seat: SeatNumber | None = None
    strength: Strength | None = None
    """A strength that the game has; null: the default."""


class FillWithBots(TableRequest):
    """Add bots as the host on all free seats."""

    type: Literal["fill_with_bots"]
    strength: Strength | None = None


class ChangeBot(TableRequest):
    """Change the strength of a bot as the host, before the game begins."""

    type: Literal["change_bot"]
    seat: SeatNumber
    strength: Strength


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


class Decide(TableRequest):
    """Answer the open decision of this number with a command that its prompt offers.

    A sealed answer can be replaced by another command until the last seat has answered.
    """

    type: Literal["decide"]
    decision: Annotated[int, Field(strict=True, ge=1)]
    command: dict[str, Any]


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


class Vote(TableRequest):
    """Agree to a change that needs all players; else withdraw the own vote, or decline, which ends the vote for all."""

    type: Literal["vote"]
    on: Literal["pause", "resume", "abandon"]
    agree: StrictBool


class Resign(TableRequest):
    """Leave the seat to a bot for the rest of the game."""

    type: Literal["resign"]


class ReturnToSeat(TableRequest):
    """Take the seat back from the bot that plays for the user."""

    type: Literal["return_to_seat"]


class Say(TableRequest):
    """Send a chat message: to the players or to the spectators while the game runs, else to all."""

    type: Literal["say"]
    text: Annotated[str, StringConstraints(strict=True, max_length=2_000)]


class Mute(TableRequest):
    """Mute or unmute a user in the chat, as the host."""

    type: Literal["mute"]
    user: Annotated[str, StringConstraints(strict=True, max_length=64)]
    muted: StrictBool


class PlayAgain(TableRequest):
    """Take a seat at a new table with the same settings and users, after the end; the first request creates it."""

    type: Literal["play_again"]


class LookBack(TableRequest):
    """Get the view after a step of the game, after the end, as the viewer that the user is."""

    type: Literal["look_back"]
    step: Annotated[int, Field(strict=True, ge=0)]


class ReadLog(TableRequest):
    """Get a page of the log of a table: the last updates before a number, as the viewer that the user is.

    Users who may watch the table may read its log; `key` is needed as for `watch`.
    """

    type: Literal["read_log"]
    key: Annotated[str, StringConstraints(strict=True, max_length=64)] | None = None
    before: Annotated[int, Field(strict=True, ge=1, le=MAX_UPDATE_NUMBER)] | None = None
    """Only updates with a smaller number; null: the latest ones."""

    limit: Annotated[int, Field(strict=True, ge=1, le=MAX_PAGE_ENTRIES)] = MAX_PAGE_ENTRIES
    """The maximum number of updates."""


AnyRequest = Annotated[
    SetName
    | MakeCode
    | MakeToken
    | ForgetDevices
    | Ping
    | ListTables
    | UnlistTables
    | CreateTable
    | QuickMatch
    | Watch
    | Unwatch
    | ChangeSettings
    | TakeSeat
    | LeaveSeat
    | AddBot
    | FillWithBots
    | ChangeBot
    | RemoveBot
    | Kick
    | Ready
    | Start
    | Decide
    | LookAhead
    | Hint
    | Undo
    | Vote
    | Resign
    | ReturnToSeat
    | Say
    | Mute
    | PlayAgain
    | LookBack
    | ReadLog,
    Field(discriminator="type"),
]

REQUESTS: TypeAdapter[AnyRequest] = TypeAdapter(AnyRequest)


# -- from the server ------------------------------------------------------------------------------------------


class User(Message):
    id: str
    name: str


class Welcome(Message):
    """The first message on every connection."""

    type: Literal["welcome"]
    protocol: int
    user: User
    games: list[dict[str, Any]]
    """Every game with its seats, its options as `Option.to_json` returns them, and the strengths of its bots."""


class Done(Message):
    """A request was accepted; its effect is durable."""

    type: Literal["done"]
    id: str
    result: dict[str, Any] = {}


class RefusedMessage(Message):
    """A request was refused; nothing has changed."""

    type: Literal["refused"]
    id: str | None
    code: str
    sentence: str


class SeatSummary(Message):
    user: str | None
    name: str | None
    bot: str | None


class TableSummary(Message):
    """A table in a list."""

    table: str
    game: str
    phase: Literal["open", "running", "over"]
    host: str
    seats: list[SeatSummary]
    settings: dict[str, Any]
    spectators: int
    created: int
    next: str | None
    """The table of the next game of the same users."""


class OwnTable(TableSummary):
    """A table where the user has a seat, with what only its people may know."""

    seat: int
    awaited: bool
    """The game waits for a decision of the user. Of others this list says nothing."""

    about: str | None
    """The kind of the open decision; null if the game does not run."""

    since: int | None
    """The time at which the decision was opened, in milliseconds since 1970."""

    progress: dict[str, int]
    """Public numbers that describe the stage of the game, such as `round`; empty before the start."""


class ListPage(Message):
    """The position of a page in the list of all tables that match the query."""

    total: int
    """The number of tables that match, on all pages."""

    start: int
    """The number of tables on the pages before."""

    next: str | None
    """The cursor of the next page; null on the last one."""

    order: list[str] | None = None
    """The ids of the tables on the page; null if removing the `gone` and adding the new ones at the end gives them."""


class Tables(Message):
    """The pages that `list_tables` asked for, open tables before running ones; the first message after it."""

    type: Literal["tables"]
    tables: list[TableSummary]
    online: int
    """The number of users who are connected."""

    open: ListPage | None = None
    running: ListPage | None = None
    waiting: dict[str, int] = {}
    """By game: the people who wait at open tables with a free seat."""

    people: int = 0
    """The people who wait at any of these, each counted once."""

    live: bool = True
    """Changes follow; false: too many different queries are live, so the client has to ask again."""


class TablesChanged(Message):
    """The changes of the pages since the last such message."""

    type: Literal["tables_changed"]
    changed: list[TableSummary]
    gone: list[str]
    """The tables that are not on the page any more."""

    online: int
    open: ListPage | None = None
    """Null: unchanged."""

    running: ListPage | None = None
    waiting: dict[str, int] | None = None
    """Null: unchanged."""

    people: int | None = None
    """Null: unchanged."""


class YourTables(Message):
    """The tables where the user has a seat and that are not over; sent on connecting and on every change."""

    type: Literal["your_tables"]
    tables: list[OwnTable]


class ChatLine(Message):
    user: str
    name: str
    room: Literal["all", "players", "spectators"]
    text: str
    at: int | None
    """The time, in milliseconds since 1970."""


class View(Message):
    """Everything that this viewer may know of a table, with the number of the last update that it includes."""

    type: Literal["view"]
    table: str
    number: int
    stamp: str | None
    """The proof of what was shown, for the next `watch`; null at tables from before proofs."""

    view: dict[str, Any]
    elapsed: int
    """Milliseconds that the clocks of the open decision have run."""

    missed: list[dict[str, Any]] | None
    """The events since `have`, oldest first; null if the client had no view."""

    chat: list[ChatLine] = []
    """The last chat lines of people without a seat, as far as this viewer may see them, oldest first."""


Place = list[str | int]
Operation = (
    tuple[Literal["set"], Place, Any]
    | tuple[Literal["drop"], Place]
    | tuple[Literal["splice"], Place, int, int, list[Any]]
)


class Update(Message):
    """One step: the events that this viewer may see, and the patch of its view. Numbers increase by one."""

    type: Literal["update"]
    table: str
    number: int
    stamp: str | None
    events: list[dict[str, Any]]
    patch: list[Operation]
    """The operations of `protocol.patch` from the view before to the view after."""

    elapsed: int | None = None
    """Milliseconds that the clocks of the open decision have run; null from servers that do not send it."""


class Presence(Message):
    """The presence of each seat (`here`, `away`, `bot`, `free`), and the number of spectators."""

    type: Literal["presence"]
    table: str
    seats: list[str]
    spectators: int
    away: list[int | None] = []
    """For each seat that is `away` in a running game: the milliseconds for which it has been; null for the others."""


class Chat(Message):
    """New chat lines of people without a seat, which are not in the log; they follow those in the `view`."""

    type: Literal["chat"]
    table: str
    lines: list[ChatLine]


AnyReply = Annotated[
    Welcome | Done | RefusedMessage | Tables | TablesChanged | YourTables | View | Update | Presence | Chat,
    Field(discriminator="type"),
]

REPLIES: TypeAdapter[AnyReply] = TypeAdapter(AnyReply)
