"""Every message, in both directions. PROTOCOL.md explains them; the JSON Schema is generated from here.

Requests come from a client and are checked here, once, at the edge: unknown fields and wrong types are refused. Every
request carries an id that the client made and gets exactly one `done` or `refused` with that id. Messages from the
server are described for the schema and for clients; the server builds them as plain mappings and trusts itself.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr, StringConstraints, TypeAdapter

PROTOCOL_VERSION = 1

RequestId = Annotated[str, StringConstraints(strict=True, pattern=r"^[A-Za-z0-9_.:-]{1,64}$")]
TableId = Annotated[str, StringConstraints(strict=True, pattern=r"^[a-z0-9]{4,32}$")]
SeatNumber = Annotated[int, Field(strict=True, ge=0, le=15)]
Stamp = Annotated[str, StringConstraints(strict=True, pattern=r"^[A-Za-z0-9_-]{20}$")]
Strength = Literal["easy", "normal", "hard", "random"]
OptionSetting = StrictBool | StrictInt | StrictStr | list[StrictStr] | None


class Message(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Request(Message):
    """What a client asks for."""

    id: RequestId


class TableRequest(Request):
    """What a client asks of one table."""

    table: TableId


# -- people ---------------------------------------------------------------------------------------------------


class SetName(Request):
    """Change the name that others see."""

    type: Literal["set_name"]
    name: Annotated[str, StringConstraints(strict=True, max_length=200)]


class MakeCode(Request):
    """Get a short-lived code with which a second device becomes the same user."""

    type: Literal["make_code"]


class MakeToken(Request):
    """Get a bearer token for a program that acts as this user."""

    type: Literal["make_token"]


class ForgetDevices(Request):
    """End all sessions and tokens of this user but the one that asks."""

    type: Literal["forget_devices"]


# -- lobby ----------------------------------------------------------------------------------------------------


class Ping(Request):
    """Ask whether the connection still works; the answer is `done`. A page cannot see the pings of the websocket."""

    type: Literal["ping"]


class ListTables(Request):
    """Follow the lists of open and running tables, and one's own."""

    type: Literal["list_tables"]


class UnlistTables(Request):
    """Stop following the lists."""

    type: Literal["unlist_tables"]


class NoClock(Message):
    """Everybody may think as long as they like."""

    kind: Literal["none"]


class DecisionClock(Message):
    """So many seconds for each decision."""

    kind: Literal["decision"]
    seconds: Annotated[int, Field(strict=True, ge=5, le=86_400)]


class BankClock(Message):
    """A bank of seconds for the whole game, and an increment for each decision."""

    kind: Literal["bank"]
    seconds: Annotated[int, Field(strict=True, ge=10, le=604_800)]
    increment: Annotated[int, Field(strict=True, ge=0, le=3_600)]


Clock = Annotated[NoClock | DecisionClock | BankClock, Field(discriminator="kind")]


class TableSettings(Message):
    """What the host of a table decides."""

    game: Annotated[str, StringConstraints(strict=True, max_length=40)]
    seats: SeatNumber
    options: Annotated[dict[str, OptionSetting], Field(max_length=40)] = {}
    clock: Clock = NoClock(kind="none")
    private: StrictBool = False
    """Not listed, and joined or watched only with the key of the invite link."""

    bots: StrictBool = True
    """Bots may take seats."""

    spectators: StrictBool = True
    """Anybody who may see the table may watch it."""

    absence_seconds: Annotated[int, Field(strict=True, ge=10, le=604_800)] | None = 120
    """The bank of seconds for being away, which only runs while the seat is awaited; none: absence has no end."""

    time_up: Literal["fallback", "bot"] = "bot"
    """When time has run out the rules' fallback is played, or a bot takes the seat until its user returns."""

    show_decided: StrictBool = True
    """Others see that a seat has sealed its answer, though not what it is."""

    hints: Literal["none", "alone", "all"] = "alone"
    """Who may ask what a bot would decide: nobody, who plays against bots alone, or everybody."""


class CreateTable(Request):
    """Open a table and sit down at it."""

    type: Literal["create_table"]
    settings: TableSettings


class QuickMatch(Request):
    """Sit down at a fitting open table, or open one."""

    type: Literal["quick_match"]
    game: Annotated[str, StringConstraints(strict=True, max_length=40)]
    seats: SeatNumber | None = None


# -- at a table -----------------------------------------------------------------------------------------------


class Watch(TableRequest):
    """Follow a table: as the seat that one has there, else as a spectator.

    `have` is the number of the last frame that this client has of this table and audience, and `stamp` is the stamp in
    it: the answer is followed by a view with the events since then. A stamp of something that the server's storage no
    longer has shows that it was lost.
    """

    type: Literal["watch"]
    key: Annotated[str, StringConstraints(strict=True, max_length=64)] | None = None
    have: Annotated[int, Field(strict=True, ge=0)] | None = None
    stamp: Stamp | None = None


class Unwatch(TableRequest):
    """Stop following a table."""

    type: Literal["unwatch"]


class TakeSeat(TableRequest):
    """Sit down before the game begins: at a free seat, the first one if none is named."""

    type: Literal["take_seat"]
    seat: SeatNumber | None = None
    key: Annotated[str, StringConstraints(strict=True, max_length=64)] | None = None


class LeaveSeat(TableRequest):
    """Stand up before the game begins."""

    type: Literal["leave_seat"]


class AddBot(TableRequest):
    """The host lets a bot sit down; at the first free seat if none is named."""

    type: Literal["add_bot"]
    seat: SeatNumber | None = None
    strength: Strength | None = None
    """One of those of the game; none: the usual one."""


class FillWithBots(TableRequest):
    """The host lets bots sit down on all free seats."""

    type: Literal["fill_with_bots"]
    strength: Strength | None = None


class ChangeBot(TableRequest):
    """The host lets a bot play in another strength, before the game begins."""

    type: Literal["change_bot"]
    seat: SeatNumber
    strength: Strength


class RemoveBot(TableRequest):
    """The host sends a bot away before the game begins."""

    type: Literal["remove_bot"]
    seat: SeatNumber


class Kick(TableRequest):
    """The host sends somebody away before the game begins."""

    type: Literal["kick"]
    seat: SeatNumber


class Ready(TableRequest):
    """Say whether one is ready to begin."""

    type: Literal["ready"]
    ready: StrictBool


class Start(TableRequest):
    """The host begins the game: all seats taken, everybody ready."""

    type: Literal["start"]


class Decide(TableRequest):
    """Answer the open decision of this number with a command that its prompt describes.

    A sealed answer can be sent again with another command until the last one is in.
    """

    type: Literal["decide"]
    decision: Annotated[int, Field(strict=True, ge=1)]
    command: dict[str, Any]


class LookAhead(TableRequest):
    """See the game as it would be after a command that could be taken back; nothing happens."""

    type: Literal["look_ahead"]
    decision: Annotated[int, Field(strict=True, ge=1)]
    command: dict[str, Any]


class Hint(TableRequest):
    """Ask what a bot would answer to the open decision of this number, and why. Nothing is decided by it."""

    type: Literal["hint"]
    decision: Annotated[int, Field(strict=True, ge=1)]


class Undo(TableRequest):
    """Take the last step back, where nothing was revealed since."""

    type: Literal["undo"]
    decision: Annotated[int, Field(strict=True, ge=1)]


class Vote(TableRequest):
    """Agree, or no longer agree, to something that all players must agree to."""

    type: Literal["vote"]
    on: Literal["pause", "resume", "abandon"]
    agree: StrictBool


class Resign(TableRequest):
    """Give the seat to a bot for good."""

    type: Literal["resign"]


class ReturnToSeat(TableRequest):
    """Take the seat back from the bot that stands in."""

    type: Literal["return_to_seat"]


class Say(TableRequest):
    """Say something: players to players and spectators to spectators while the game runs, else to all."""

    type: Literal["say"]
    text: Annotated[str, StringConstraints(strict=True, max_length=2_000)]


class Mute(TableRequest):
    """The host silences somebody at this table, or lets them speak again."""

    type: Literal["mute"]
    user: Annotated[str, StringConstraints(strict=True, max_length=64)]
    muted: StrictBool


class PlayAgain(TableRequest):
    """After the end: sit down at a table like this one with the same people; who asks first opens it."""

    type: Literal["play_again"]


class LookBack(TableRequest):
    """After the end: see the table as it was after a step of the game, with the eyes that one has there."""

    type: Literal["look_back"]
    step: Annotated[int, Field(strict=True, ge=0)]


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
    | LookBack,
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
    """Every game with its seats, its options as `Option.plain` gives them, and the strengths of its bots."""


class Done(Message):
    """Yes to a request. What it did is durable."""

    type: Literal["done"]
    id: str
    result: dict[str, Any] = {}


class RefusedMessage(Message):
    """No to a request. Nothing has changed."""

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
    """The table that the same people play again at."""


class Tables(Message):
    """The lists, whole: on `list_tables`."""

    type: Literal["tables"]
    tables: list[TableSummary]


class TablesChanged(Message):
    """What has changed in the lists since the last such message."""

    type: Literal["tables_changed"]
    changed: list[TableSummary]
    gone: list[str]


class YourTables(Message):
    """The tables at which one has a seat and which are not over; on connecting and on every change."""

    type: Literal["your_tables"]
    tables: list[TableSummary]


class View(Message):
    """All that this audience may know of a table, with the number of the frame that it stands for."""

    type: Literal["view"]
    table: str
    number: int
    stamp: str | None
    """Proves what was shown, to whoever is shown it again with the next `watch`; null at tables from before stamps."""

    view: dict[str, Any]
    elapsed: int
    """Milliseconds that the clocks in the view have run since."""

    missed: list[dict[str, Any]] | None
    """The events since `have`, oldest first; null if the client had nothing."""


Place = list[str | int]
Operation = (
    tuple[Literal["set"], Place, Any]
    | tuple[Literal["drop"], Place]
    | tuple[Literal["splice"], Place, int, int, list[Any]]
)


class Update(Message):
    """One step: the events that this audience may see, and how its view changes. Numbers go up by one."""

    type: Literal["update"]
    table: str
    number: int
    stamp: str | None
    events: list[dict[str, Any]]
    patch: list[Operation]
    """What `protocol.patch` makes of the view before and the view after."""


class Presence(Message):
    """Who is connected now: a state for each seat (`here`, `away`, `bot`, `free`), and the number of spectators."""

    type: Literal["presence"]
    table: str
    seats: list[str]
    spectators: int


AnyReply = Annotated[
    Welcome | Done | RefusedMessage | Tables | TablesChanged | YourTables | View | Update | Presence,
    Field(discriminator="type"),
]

REPLIES: TypeAdapter[AnyReply] = TypeAdapter(AnyReply)
