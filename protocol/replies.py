"""Messages of the server, described for the schema and for clients; the server builds them as plain dictionaries."""

from __future__ import annotations

from typing import Any, Literal

from protocol.base import Message


class User(Message):
    id: str
    name: str
    handle: str | None = None
    """The unique name of the user's account; null for guests."""

    language: str | None = None
    """The language that the user has chosen on any device; null if they have not chosen one."""


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
    variant: str = ""
    """Which of several sentences of the code it is, for clients that speak another language."""

    values: dict[str, str | int] = {}
    """What varies in the sentence, by name."""


class SeatSummary(Message):
    user: str | None
    name: str | None
    bot: str | None
    handle: str | None = None
    """The unique name of the user's account; null for guests and bots."""

    former: bool = False
    """The user was deleted; `name` is "Former player", which pages translate."""


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

    deadline: int | None = None
    """The time at which the user's time for it runs out; null unless the user is awaited at a table by the day."""

    holiday: int | None = None
    """The time at which the holiday of the user ends at the latest, which may have passed; null without one."""

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
    room: Literal["all", "players", "spectators", "commentary"]
    text: str
    at: int | None
    """The time, in milliseconds since 1970."""


class PredictedWinners(Message):
    """Whom the spectators of a game expect to win."""

    counts: list[int]
    """For each seat: the number of spectators who predict that it wins."""

    open: bool
    """Predictions can be made and changed."""


class ShownPredictions(PredictedWinners):
    """The predictions in a view."""

    own: int | None
    """The seat that the user has predicted."""


class Predictions(PredictedWinners):
    """The predictions after a change: for spectators while the game runs, and for everybody after its end."""

    type: Literal["predictions"]
    table: str


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

    predictions: ShownPredictions | None = None
    """For spectators of a game, and for everybody after its end."""

    line: int = 0
    """The number of lines of the public chain."""

    head: str | None = None
    """The head of the public chain; null at tables that are not verifiable."""


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

    line: int = 0
    head: str | None = None
    """As in `view`; left out at tables that are not verifiable."""


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


class Alive(Message):
    """The connection still works: sent with each ping of the websocket, which a page cannot see."""

    type: Literal["alive"]


class Person(Message):
    """Somebody whom the user follows."""

    id: str
    name: str
    handle: str
    online: bool
    """False also for people who hide it from the user."""

    tables: list[TableSummary]
    """The public tables where they wait or play."""


class PeopleChanged(Message):
    """The people whom the user follows, after a change; sent after `list_people`."""

    type: Literal["people_changed"]
    people: list[Person]


class Invitation(Message):
    """An invitation to a table."""

    table: str
    key: str | None
    """The key of a private table."""

    game: str
    by: User
    at: int
    """The time, in milliseconds since 1970."""


class Invitations(Message):
    """All invitations of the user to open tables, the latest first; sent on connecting and on changes."""

    type: Literal["invitations"]
    invitations: list[Invitation]
