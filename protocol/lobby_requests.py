"""Requests that name no table: the user, the connection, the lists, opening a table."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StrictBool, StrictInt, StrictStr, StringConstraints

from protocol.base import GameName, Language, Message, Request, SeatNumber

MAX_LIST_ROWS = 100
"""Tables on one page of a list."""

DEFAULT_LIST_ROWS = 50

MAX_CLOCK_SECONDS = 1_209_600
"""14 days."""

MAX_HOLIDAY_DAYS = 28

Cursor = Annotated[str, StringConstraints(strict=True, pattern=r"^(-?[0-9]{1,15}\.){4}[a-z0-9]{4,32}$")]
OptionSetting = StrictBool | StrictInt | StrictStr | list[StrictStr] | None


class SetName(Request):
    """Change the name that others see."""

    type: Literal["set_name"]
    name: Annotated[str, StringConstraints(strict=True, max_length=200)]


class SetLanguage(Request):
    """Keep the language in which the user reads pages, for all of their devices."""

    type: Literal["set_language"]
    language: Language


class MakeCode(Request):
    """Get a short-lived code that signs a second device in as the same user."""

    type: Literal["make_code"]


class MakeToken(Request):
    """Get a bearer token for a program that acts as this user."""

    type: Literal["make_token"]


class ForgetDevices(Request):
    """End all sessions and tokens of this user except the one of this connection."""

    type: Literal["forget_devices"]


class Ping(Request):
    """Check the connection; the reply is `done`. A page cannot see the pings of the websocket."""

    type: Literal["ping"]


class SetVisible(Request):
    """Say whether the page of this connection can be seen; it counts as visible until the first such request.

    A user without a visible page is away, and may be told that a game waits.
    """

    type: Literal["set_visible"]
    visible: StrictBool


class TableQuery(Message):
    """The tables of one phase that a client wants to see, and which page of them."""

    game: GameName | None = None
    seats: SeatNumber | None = None
    """The number of all seats."""

    free: StrictBool = False
    """Only tables with a free seat."""

    clock: Literal["none", "decision", "bank"] | None = None
    pace: Literal["live", "days"] | None = None
    """Only tables that are played in one sitting, or only those that are played by the day."""

    language: Language | None = None
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
    """A number of seconds for each decision, up to 14 days."""

    kind: Literal["decision"]
    seconds: Annotated[int, Field(strict=True, ge=5, le=MAX_CLOCK_SECONDS)]


class BankClock(Message):
    """A bank of seconds for the whole game, and an increment for each decision."""

    kind: Literal["bank"]
    seconds: Annotated[int, Field(strict=True, ge=10, le=MAX_CLOCK_SECONDS)]
    increment: Annotated[int, Field(strict=True, ge=0, le=86_400)]


Clock = Annotated[NoClock | DecisionClock | BankClock, Field(discriminator="kind")]


class MinutesBehind(Message):
    """A delay of so many minutes."""

    kind: Literal["minutes"]
    minutes: Annotated[int, Field(strict=True, ge=1, le=120)]


class DecisionsBehind(Message):
    """A delay of so many decisions of the game."""

    kind: Literal["decisions"]
    decisions: Annotated[int, Field(strict=True, ge=1, le=50)]


Delay = Annotated[MinutesBehind | DecisionsBehind, Field(discriminator="kind")]
"""The delay of a view, in minutes or in decisions."""


class TableSettings(Message):
    """The settings of a table, which its host chooses."""

    game: GameName
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
    """The bank of seconds for absence, which only runs while the seat has to decide; null: no limit.

    A table that is played by the day has none: one with at least an hour for a decision or as an increment, or with at
    least twelve hours as a bank.
    """

    holiday_days: Annotated[int, Field(strict=True, ge=0, le=MAX_HOLIDAY_DAYS)] = 0
    """The days of holidays that each user may take in the game, if it is played by the day."""

    time_up: Literal["fallback", "bot"] = "bot"
    """When time runs out, the fallback of the rules is played, or a bot plays until the user returns."""

    show_decided: StrictBool = True
    """Others see that a seat has sealed its answer, but not the answer."""

    hints: Literal["none", "alone", "all"] = "alone"
    """Permission to request hints: nobody, users who play against bots only, or everybody."""

    name: Annotated[str, StringConstraints(strict=True, max_length=200)] | None = None
    """The name of the table in the lists, of up to 40 characters; null: it has none."""

    language: Language | None = None
    """The language that people speak at the table; null: any."""

    begin: Literal["host", "full"] = "host"
    """The host starts the game, or it begins by itself when every seat is taken and all users are ready."""

    sealed_on_devices: StrictBool = False
    """Sealed answers stay on the devices of players until all have answered, so that the server cannot see them."""

    rated: StrictBool = False
    """The game changes the ratings of those who play: people with an account only, and no hints."""

    delayed_view: Delay | None = None
    """Commentators with the link see all hands and sealed answers this much later; null: there are none."""

    spectators_delayed: StrictBool = False
    """Spectators see what is public with that delay, too."""

    orders: StrictBool = True
    """Users may give standing orders, by which the server answers in their place."""


class CreateTable(Request):
    """Create a table and take a seat at it."""

    type: Literal["create_table"]
    settings: TableSettings


class QuickMatch(Request):
    """Take a seat at a matching open table, or create one."""

    type: Literal["quick_match"]
    game: GameName
    seats: SeatNumber | None = None
    rated: StrictBool = False
    """A rated table, or one that is not; the other kind never matches."""
