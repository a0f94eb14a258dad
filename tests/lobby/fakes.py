"""Fakes for the lobby: an event loop with its own time, connections, and tables."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from protocol.codec import Encoding, Frame
from protocol.messages import ChangeSettings, CreateTable, TableRequest, TableSettings, TakeSeat, Watch
from server.lobby.directory import TableDirectory
from server.lobby.listed_table import LISTED_PHASES
from server.model import Done, Refused, User
from server.tables.api import NO_STATUS, OnReply, Subscriber, Summary, TableStatus


@dataclass(eq=False)
class FakeTimer:
    when: float
    callback: Callable[[], object]
    is_cancelled: bool = False

    def cancel(self) -> None:
        self.is_cancelled = True


class FakeLoop:
    """An event loop whose time passes only in `pass_time`."""

    def __init__(self) -> None:
        self.now = 100.0
        self.timers: list[FakeTimer] = []

    def time(self) -> float:
        return self.now

    def call_at(self, when: float, callback: Callable[[], object], /) -> FakeTimer:
        timer = FakeTimer(when, callback)
        self.timers.append(timer)
        return timer

    def pass_time(self, seconds: float) -> None:
        end = self.now + seconds
        while due := [timer for timer in self.timers if not timer.is_cancelled and timer.when <= end]:
            timer = min(due, key=lambda timer: timer.when)
            self.timers.remove(timer)
            self.now = max(self.now, timer.when)
            timer.callback()
        self.now = end


@dataclass(eq=False)
class FakeSubscriber:
    """A connection that records its frames, and the lists that they describe."""

    user: User
    encoding: Encoding = Encoding.MSGPACK
    is_slow: bool = False
    frames: list[Frame] = field(default_factory=list)
    lists: dict[str, Summary] = field(default_factory=dict)
    """The tables on the pages, in the order in which a client shows them: open ones before running ones."""

    places: dict[str, dict[str, Any]] = field(default_factory=dict)
    """By phase: where the page is."""

    waiting: dict[str, int] = field(default_factory=dict)
    is_live: bool | None = None
    own: list[dict[str, Any]] = field(default_factory=list)
    online: int | None = None
    on_send: Callable[[], None] = lambda: None

    def send(self, frame: Frame) -> bool:
        self.on_send()
        if self.is_slow:
            return False
        self.frames.append(frame)
        message = frame.message
        match message["type"]:
            case "tables":
                self.online = message["online"]
                self.lists = {summary["table"]: summary for summary in message["tables"]}
                self.places = {phase: message[phase] for phase in LISTED_PHASES if message[phase] is not None}
                self.waiting, self.is_live = message["waiting"], message["live"]
            case "tables_changed":
                self._change(message)
            case "your_tables":
                self.own = message["tables"]
        return True

    def _change(self, message: dict[str, Any]) -> None:
        """Apply changes as PROTOCOL.md describes it."""
        self.online = message["online"]
        if message["waiting"] is not None:
            self.waiting = message["waiting"]
        before = self.lists
        for table in message["gone"]:
            del before[table]
        self.lists = {}
        for phase in LISTED_PHASES:
            changed = {each["table"]: each for each in message["changed"]}
            page = {table: each for table, each in before.items() if changed.get(table, each)["phase"] == phase}
            page = {table: each for table, each in page.items() if each["phase"] == phase}
            page |= {table: each for table, each in changed.items() if each["phase"] == phase}
            if message[phase] is not None:
                self.places[phase] = message[phase]
                if message[phase]["order"] is not None:
                    page = {table: page[table] for table in message[phase]["order"]}
            self.lists |= page

    def page(self, phase: str = "open") -> list[str]:
        """Return the tables on the page of a phase, in order."""
        return [table for table, summary in self.lists.items() if summary["phase"] == phase]

    def kinds(self) -> list[str]:
        """Return the types of the messages since the last call."""
        kinds = [frame.message["type"] for frame in self.frames]
        self.frames.clear()
        return kinds


def user(name: str) -> User:
    return User(name.lower(), name)


def summary(table: str, *people: str, **others: Any) -> Summary:
    """Return the summary of a table with four seats, some of them taken by these users."""
    seats: list[dict[str, str | bool | None]] = [
        {"user": name.lower(), "name": name, "bot": None, "handle": None, "former": False} for name in people
    ]
    seats += [{"user": None, "name": None, "bot": None, "handle": None, "former": False}] * (4 - len(seats))
    settings = TableSettings(game="investors", seats=4).model_dump(mode="json") | others.pop("settings", {})
    whole = {
        "table": table,
        "game": "investors",
        "phase": "open",
        "host": people[0].lower() if people else "nobody",
        "seats": seats,
        "settings": settings,
        "spectators": 0,
        "created": 0,
        "next": None,
    }
    return whole | others


def own(name: str, listed: Summary, status: TableStatus = NO_STATUS) -> dict[str, Any]:
    """Return a table as it is shown in the list of a user who sits there."""
    seat = [chair["user"] for chair in listed["seats"]].index(name.lower())
    is_awaited = name.lower() in status.awaited
    return listed | {
        "seat": seat,
        "awaited": is_awaited,
        "about": status.about,
        "since": status.since,
        "deadline": status.deadlines.get(name.lower()) if is_awaited else None,
        "holiday": status.holidays.get(name.lower()),
        "progress": status.progress,
    }


class FakeTables:
    """Tables that seat people like real ones, reply in `run`, and update the lists in `update_lists`."""

    def __init__(self, directory: TableDirectory, summaries: Iterable[Summary] = ()) -> None:
        self._directory = directory
        self._queue: list[Callable[[], None]] = []
        self.tables: dict[str, Summary] = {}
        self.asked: list[TakeSeat] = []
        self.accepted: set[tuple[str, str, str]] = set()
        """User, request and table of the seats that were given; the same request again is accepted again."""
        self.created: list[tuple[str, CreateTable]] = []
        self.renames: list[tuple[User, list[str]]] = []
        self.refuses_to_create: str | None = None
        for each in summaries:
            self._put(each)
            directory.update(each, each["settings"]["private"])

    def run(self) -> None:
        """Reply to all requests."""
        while self._queue:
            self._queue.pop(0)()

    def update_lists(self) -> None:
        for each in self.tables.values():
            self._directory.update(each, each["settings"]["private"])

    def create(self, user: User, request: CreateTable, table: str, on_reply: OnReply) -> None:
        self.created.append((table, request))

        def answer() -> None:
            if self.refuses_to_create is not None:
                on_reply(Refused(self.refuses_to_create, "No."))
                return
            settings = request.settings.model_dump(mode="json")
            if table not in self.tables:
                seats = [{"user": user.id, "name": user.name, "bot": None, "handle": None, "former": False}]
                seats += [{"user": None, "name": None, "bot": None, "handle": None, "former": False}] * (
                    request.settings.seats - 1
                )
                self._put(summary(table, settings=settings, host=user.id, seats=seats, game=request.settings.game))
            on_reply(Done({"table": table, "seat": 0, "key": "k"}))

        self._queue.append(answer)

    def ask(self, user: User, request: TableRequest, on_reply: OnReply) -> None:
        if isinstance(request, ChangeSettings):
            self._queue.append(lambda: self._change(request, on_reply))
            return
        assert isinstance(request, TakeSeat)
        take = request
        self.asked.append(take)

        def answer() -> None:
            request_key = user.id, take.id, take.table
            refusal = None if request_key in self.accepted else self._seat(user, take.table)
            if refusal is None:
                self.accepted.add(request_key)
            on_reply(Done({"seat": 1}) if refusal is None else Refused(refusal, "No."))

        self._queue.append(answer)

    def subscribe(self, user: User, request: Watch, subscriber: Subscriber, on_reply: OnReply) -> None:
        raise NotImplementedError

    def unsubscribe(self, table: str, subscriber: Subscriber) -> None:
        raise NotImplementedError

    def refresh(self, table: str, subscriber: Subscriber) -> None:
        raise NotImplementedError

    def rename(self, user: User, tables: list[str]) -> None:
        self.renames.append((user, tables))

    def seats_of(self, user: User) -> list[str]:
        """Return the table of every seat of a user."""
        return [name for name, table in self.tables.items() for seat in table["seats"] if seat["user"] == user.id]

    def _put(self, table: Summary) -> None:
        self.tables[table["table"]] = table

    def _change(self, request: ChangeSettings, on_reply: OnReply) -> None:
        settings = request.settings.model_dump(mode="json")
        self._put(self.tables[request.table] | {"settings": settings})
        on_reply(Done())

    def _seat(self, user: User, table: str) -> str | None:
        found = self.tables.get(table)
        if found is None:
            return "no_such_table"
        if found["phase"] != "open":
            return "wrong_phase"
        if any(seat["user"] == user.id for seat in found["seats"]):
            return "already_seated"
        free = [seat for seat, chair in enumerate(found["seats"]) if chair["user"] is None and chair["bot"] is None]
        if not free:
            return "no_free_seat"
        seats = list(found["seats"])
        seats[free[0]] = {"user": user.id, "name": user.name, "bot": None, "handle": None, "former": False}
        is_begun = found["settings"].get("begin") == "full" and len(free) == 1
        self._put(found | {"seats": seats, "phase": "running" if is_begun else "open"})
        return None
