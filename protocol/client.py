"""A client in Python: for programs that play, and for tests that behave like people with bad networks.

`Client` keeps one connection, comes back when it is lost, sends again what was not answered, and keeps a view of every
table that it follows. It knows no rules; a program looks at `WatchedTable.view` and answers the prompt in it.
"""

from __future__ import annotations

import asyncio
import json
import random
import secrets
from collections.abc import Awaitable, Callable
from typing import Any, Self, TypeVar
from urllib.request import Request, urlopen

import msgpack
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus
from websockets.typing import Subprotocol

from protocol.codec import Encoding, encode
from protocol.codes import Close
from protocol.messages import PROTOCOL_VERSION
from protocol.patch import patched

FOR_GOOD = (Close.UPGRADE, Close.SIGNED_OUT, Close.NOT_ALLOWED)
"""After these there is no point in coming back."""

FORBIDDEN = (401, 403)
"""Answers to a handshake after which there is no point either."""

T = TypeVar("T")


class TurnedAway(Exception):
    """The server does not let this user in; the text says why."""


class RequestRefused(Exception):
    """The server said no: a code for programs, a sentence for people."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


def guest_token(http: str) -> str:
    """Become a guest of the server with this address, like `http://127.0.0.1:8000`, and give the token."""
    if not http.startswith(("http://", "https://")):
        raise ValueError(f"{http!r} is no address of a server")
    with urlopen(Request(f"{http}/api/session", method="POST"), timeout=20) as answer:  # noqa: S310 (checked above)
        token: str = json.load(answer)["token"]
        return token


def socket_url(http: str) -> str:
    """Give where the websocket of a server is."""
    return f"ws{http.removeprefix('http')}/socket"


class WatchedTable:
    """A table that a client follows, as its user may see it."""

    def __init__(self, table: str, key: str | None) -> None:
        self.table = table
        self.key = key
        self.view: dict[str, Any] = {}
        self.number: int | None = None
        self.stamp: str | None = None
        self.presence: dict[str, Any] = {}
        self.changed = asyncio.Event()

    def take(self, message: dict[str, Any]) -> bool:
        """Take a message about this table; False if it shows that one was missed."""
        match message["type"]:
            case "view":
                self.view, self.number, self.stamp = message["view"], message["number"], message["stamp"]
            case "update":
                if self.number is None or message["number"] <= self.number:
                    return True
                if message["number"] != self.number + 1:
                    return False
                self.view = patched(self.view, message["patch"])
                self.number, self.stamp = message["number"], message["stamp"]
            case "presence":
                self.presence = message
        self.changed.set()
        return True

    @property
    def prompt(self) -> tuple[int, dict[str, Any]] | None:
        """Give the number and the prompt of the decision that the user owes, if any."""
        play, mine = self.view.get("play"), self.view.get("mine")
        decision = play and play["decision"]
        if not decision or mine not in decision["awaited"]:
            return None
        return decision["number"], decision["prompt"]


def _decoded(data: str | bytes) -> dict[str, Any]:
    message: dict[str, Any] = json.loads(data) if isinstance(data, str) else msgpack.unpackb(data)
    return message


class Client:
    """A user's connection. Use it as an asynchronous context manager."""

    def __init__(
        self,
        url: str,
        token: str,
        encoding: Encoding = Encoding.MSGPACK,
        on_message: Callable[[dict[str, Any]], None] | None = None,
        patience_seconds: float = 5.0,
    ) -> None:
        self.tables: dict[str, WatchedTable] = {}
        self.user: dict[str, Any] = {}
        self.welcomed = asyncio.Event()
        self.reconnects = 0
        self._url = url
        self._token = token
        self._encoding = encoding
        self._on_message = on_message
        self._patience_seconds = patience_seconds
        self._connection: ClientConnection | None = None
        self._prefix = secrets.token_hex(4)
        self._count = 0
        self._unanswered: dict[str, tuple[dict[str, Any], asyncio.Future[dict[str, Any]]]] = {}
        self._task: asyncio.Task[None] | None = None

    async def unless_turned_away(self, doing: Awaitable[T]) -> T:
        """Give what something comes to, but raise `TurnedAway` as soon as the server no longer lets this user in."""
        assert self._task is not None
        done = asyncio.ensure_future(doing)
        try:
            await asyncio.wait((done, self._task), return_when=asyncio.FIRST_COMPLETED)
            if not done.done():
                self._task.result()
            return await done
        finally:
            done.cancel()

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._run())
        return self

    async def __aexit__(self, *reason: object) -> None:
        assert self._task is not None
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        for _, answer in self._unanswered.values():
            answer.cancel()

    async def request(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Ask for something and give the result; raise `RequestRefused` if the server says no.

        Waits over lost connections: the same request is sent again with the same id until it is answered.
        """
        self._count += 1
        message = {"type": kind, "id": f"{self._prefix}-{self._count}", **fields}
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._unanswered[message["id"]] = (message, answer)
        await self._send(message)
        reply = await answer
        if reply["type"] == "refused":
            raise RequestRefused(reply["code"], reply["sentence"])
        result: dict[str, Any] = reply["result"]
        return result

    async def watch(self, table: str, key: str | None = None) -> WatchedTable:
        """Follow a table and give it with its first view."""
        watched = self.tables[table] = WatchedTable(table, key)
        await self._watch(watched)
        while watched.number is None:
            watched.changed.clear()
            await watched.changed.wait()
        return watched

    async def _watch(self, watched: WatchedTable) -> None:
        fields: dict[str, Any] = {"table": watched.table}
        if watched.key is not None:
            fields["key"] = watched.key
        if watched.number is not None:
            fields |= {"have": watched.number, "stamp": watched.stamp}
        await self.request("watch", **fields)

    async def _run(self) -> None:
        tries = 0
        while True:
            try:
                async with connect(
                    self._url,
                    subprotocols=[Subprotocol(f"sanfrancisco.{PROTOCOL_VERSION}.{self._encoding.value}")],
                    additional_headers={"Authorization": f"Bearer {self._token}"},
                    compression=None,
                    max_size=None,
                ) as connection:
                    tries = 0
                    await self._listen(connection)
            except ConnectionClosed as closed:
                if closed.rcvd is not None and closed.rcvd.code in FOR_GOOD:
                    raise TurnedAway(closed.rcvd.reason) from closed
            except InvalidStatus as refused:
                if refused.response.status_code in FORBIDDEN:
                    raise TurnedAway(refused.response.body.decode(errors="replace").strip()) from refused
                tries += 1
            except (OSError, InvalidHandshake, TimeoutError):
                tries += 1
            self._connection = None
            self.welcomed.clear()
            self.reconnects += 1
            wait = min(self._patience_seconds, 0.05 * 2 ** min(tries, 10))
            await asyncio.sleep(wait * random.uniform(0.5, 1.0))  # noqa: S311

    async def _listen(self, connection: ClientConnection) -> None:
        refollows: set[asyncio.Task[None]] = set()
        try:
            async for data in connection:
                message = _decoded(data)
                if message["type"] == "welcome":
                    self._connection, self.user = connection, message["user"]
                    self.welcomed.set()
                    for waiting, _ in list(self._unanswered.values()):
                        await self._send(waiting)
                    refollows |= {asyncio.create_task(self._watch(watched)) for watched in self.tables.values()}
                elif message["type"] in ("done", "refused") and message["id"] in self._unanswered:
                    _, answer = self._unanswered.pop(message["id"])
                    if not answer.done():
                        answer.set_result(message)
                elif not self._take(message):
                    refollows.add(asyncio.create_task(self._watch(self.tables[message["table"]])))
                if self._on_message is not None:
                    self._on_message(message)
        finally:
            for refollow in refollows:
                refollow.cancel()

    def _take(self, message: dict[str, Any]) -> bool:
        watched = self.tables.get(message.get("table", ""))
        return watched is None or watched.take(message)

    async def _send(self, message: dict[str, Any]) -> None:
        if self._connection is None:
            return
        payload = encode(message, self._encoding)
        try:
            await self._connection.send(payload if self._encoding is Encoding.MSGPACK else payload.decode())
        except ConnectionClosed:
            return
