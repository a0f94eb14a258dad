"""Fakes of the services behind the gateway, as small as the tests allow."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import Any

from protocol.codec import Encoding, Frame
from protocol.codes import Close
from protocol.messages import ChangeSettings, CreateTable, ListTables, QuickMatch, TableRequest, Watch
from server.model import Done, Refused, User
from server.tables.api import OnReply, Subscriber


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


class FakeIdentity:
    """Users in a dictionary. Every call waits until `gate` is set; `waiting` counts the calls that do."""

    def __init__(self) -> None:
        self.sessions: dict[str, User] = {}
        self.codes: dict[str, User] = {}
        self.cached: set[str] = set()
        self.played: list[str] = []
        self.gate = asyncio.Event()
        self.gate.set()
        self.waiting = 0
        self.fails = False
        self._count = 0

    def add(self, name: str = "Ann") -> tuple[User, str]:
        self._count += 1
        user = User(f"user{self._count}", name)
        return user, self._token(user)

    def _token(self, user: User) -> str:
        token = f"secret-{user.id}-{len(self.sessions)}-{'x' * 20}"
        self.sessions[token] = user
        return token

    async def _wait(self) -> None:
        self.waiting += 1
        await self.gate.wait()
        self.waiting -= 1
        if self.fails:
            raise OSError("disc full at secret-place")

    async def guest(self, device: str = "") -> tuple[User, str]:
        await self._wait()
        return self.add("Guest")

    async def user_of(self, token: str) -> User | None:
        await self._wait()
        return self.sessions.get(token)

    def is_cached(self, token: str) -> bool:
        return token in self.cached

    async def note_played(self, user: User) -> None:
        await self._wait()
        self.played.append(user.id)

    async def rename(self, user: User, name: str) -> User | Refused:
        await self._wait()
        if not name.strip():
            return Refused("bad_name", "Please choose another name.")
        renamed = User(user.id, name)
        for token, known in self.sessions.items():
            if known.id == user.id:
                self.sessions[token] = renamed
        return renamed

    async def set_language(self, user: User, language: str) -> User | Refused:
        await self._wait()
        changed = replace(user, language=language)
        for token, known in self.sessions.items():
            if known.id == user.id:
                self.sessions[token] = changed
        return changed

    async def make_code(self, user: User) -> str:
        await self._wait()
        self.codes["ABCD2345"] = user
        return "ABCD2345"

    async def redeem(self, code: str, device: str = "") -> tuple[User, str] | None:
        await self._wait()
        user = self.codes.pop(code, None)
        return None if user is None else (user, self._token(user))

    async def make_token(self, user: User) -> str:
        await self._wait()
        return self._token(user)

    async def forget_others(self, user: User, keep_token: str) -> None:
        await self._wait()
        self.sessions = {
            token: known for token, known in self.sessions.items() if known.id != user.id or token == keep_token
        }


class FakeLobby:
    def __init__(self) -> None:
        self.requests: list[CreateTable | QuickMatch | ChangeSettings] = []
        self.result: dict[str, Any] = {"table": "abcd"}
        self.subscribers: list[Subscriber] = []
        self.list_requests: list[ListTables] = []
        self.here: list[Subscriber] = []
        self.renames: list[User] = []
        self.visible: list[tuple[str, bool]] = []
        self.avoided: Collection[str] = ()
        """Those whom the last quick match avoids."""

    def ask(
        self,
        user: User,
        request: CreateTable | QuickMatch | ChangeSettings,
        on_reply: OnReply,
        avoided: Collection[str] = (),
    ) -> None:
        self.requests.append(request)
        self.avoided = avoided
        on_reply(Done(self.result))

    def subscribe(self, subscriber: Subscriber, request: ListTables) -> None:
        self.list_requests.append(request)
        if subscriber not in self.subscribers:
            self.subscribers.append(subscriber)
        subscriber.send(Frame({"type": "tables", "tables": []}))

    def unsubscribe(self, subscriber: Subscriber) -> None:
        if subscriber in self.subscribers:
            self.subscribers.remove(subscriber)

    def connected(self, subscriber: Subscriber) -> None:
        if subscriber not in self.here:
            self.here.append(subscriber)
        subscriber.send(Frame({"type": "your_tables", "tables": []}))

    def disconnected(self, subscriber: Subscriber) -> None:
        self.here.remove(subscriber)

    def set_visible(self, subscriber: Subscriber, is_visible: bool) -> None:
        self.visible.append((subscriber.user.id, is_visible))

    def renamed(self, user: User) -> None:
        self.renames.append(user)


class FakeTables:
    """Tables of which each exists. `say` is echoed to all subscribers; `hold_watch` delays replies to `watch`."""

    def __init__(self) -> None:
        self.requests: list[tuple[User, TableRequest]] = []
        self.watching: dict[str, list[Subscriber]] = {}
        self.numbers: dict[str, int] = {}
        self.refreshed: list[tuple[str, Subscriber]] = []
        self.hold_watch = False
        self.refuses = False
        self.held: list[tuple[User, Watch, Subscriber, OnReply]] = []

    def create(self, user: User, request: CreateTable, table: str, on_reply: OnReply) -> None:
        raise NotImplementedError

    def ask(self, user: User, request: TableRequest, on_reply: OnReply) -> None:
        self.requests.append((user, request))
        if request.table == "boom":
            raise RuntimeError("a secret in an error")
        if self.refuses:
            on_reply(Refused("not_awaited", "It is not for you to decide now."))
            return
        on_reply(Done())
        text = getattr(request, "text", None)
        if text is not None:
            self.publish(request.table, {"text": text})

    def subscribe(self, user: User, request: Watch, subscriber: Subscriber, on_reply: OnReply) -> None:
        if self.hold_watch:
            self.held.append((user, request, subscriber, on_reply))
        else:
            self._admit(user, request, subscriber, on_reply)

    def let_in(self) -> None:
        for held in self.held:
            self._admit(*held)
        self.held.clear()

    def _admit(self, user: User, request: Watch, subscriber: Subscriber, on_reply: OnReply) -> None:
        if request.table == "gone":
            on_reply(Refused("no_such_table", "There is no such table."))
            return
        on_reply(Done())
        self.watching.setdefault(request.table, []).append(subscriber)
        self._show(request.table, subscriber)

    def unsubscribe(self, table: str, subscriber: Subscriber) -> None:
        cancelled = [held for held in self.held if (held[1].table, held[2]) == (table, subscriber)]
        self.held = [held for held in self.held if held not in cancelled]
        for *_, on_reply in cancelled:
            on_reply(Done())
        if subscriber in self.watching.get(table, []):
            self.watching[table].remove(subscriber)

    def refresh(self, table: str, subscriber: Subscriber) -> None:
        self.refreshed.append((table, subscriber))
        self._show(table, subscriber)

    def rename(self, user: User, tables: list[str]) -> None:
        raise NotImplementedError

    def publish(self, table: str, event: dict[str, Any]) -> list[bool]:
        """Send an update to all subscribers; return for each whether it was sent."""
        number = self.numbers[table] = self.numbers.get(table, 0) + 1
        frame = Frame({"type": "update", "table": table, "number": number, "events": [event], "patch": []})
        return [subscriber.send(frame) for subscriber in self.watching.get(table, [])]

    def _show(self, table: str, subscriber: Subscriber) -> None:
        number = self.numbers.get(table, 0)
        view = {"type": "view", "table": table, "number": number, "view": {}, "elapsed": 0, "missed": None}
        subscriber.send(Frame(view))


@dataclass
class FakeTransport:
    """A transport that records the written frames. With `has_room` false it behaves like a full buffer."""

    frames: list[bytes] = field(default_factory=list)
    has_room: bool = True
    closed: Close | None = None
    is_aborted: bool = False

    def write(self, frame: bytes, can_wait: bool = False) -> bool:
        if not self.has_room or self.closed is not None or self.is_aborted:
            return False
        self.frames.append(frame)
        return True

    def close(self, code: Close) -> None:
        self.closed = self.closed or code

    def abort(self) -> None:
        self.is_aborted = True


def payload(frame: bytes) -> bytes:
    """Return the payload of a frame from the server."""
    return frame[{126: 4, 127: 10}.get(frame[1], 2) :]


@dataclass
class FakeServices:
    """All fakes together."""

    identity: FakeIdentity = field(default_factory=FakeIdentity)
    lobby: FakeLobby = field(default_factory=FakeLobby)
    tables: FakeTables = field(default_factory=FakeTables)


ENCODINGS = tuple(Encoding)
