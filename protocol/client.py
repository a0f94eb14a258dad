"""A client in Python, for bots and for tests.

`Client` keeps one connection, reconnects with exponential back-off, sends unanswered requests again, and keeps a view
of every table that it watches. It knows no rules; a program reads `WatchedTable.view` and answers the prompt in it. By
itself it takes part in what makes a game verifiable (`docs/fairness.md`): it contributes to the shuffle, commits to
sealed answers, opens those that it keeps, and names what it was shown.
"""

from __future__ import annotations

import asyncio
import json
import random
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Self, TypeVar
from urllib.request import Request, urlopen

import msgpack
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus
from websockets.typing import Subprotocol

from protocol.codec import Encoding, encode
from protocol.codes import Close
from protocol.messages import PROTOCOL_VERSION
from protocol.watched_table import WatchedTable

__all__ = ["Client", "RequestRefused", "TurnedAway", "WatchedTable", "guest_token", "socket_url"]

FINAL_CLOSES = (Close.UPGRADE, Close.SIGNED_OUT)
"""Close codes after which reconnecting is pointless."""

FINAL_STATUSES = (401, 403)
"""HTTP statuses of a handshake after which reconnecting is pointless."""

WATCH_RETRIES = 10
"""Attempts to watch a busy table after the first one."""

LIST_SECONDS = 10.0
"""The time after which a list that has not arrived is requested again."""

T = TypeVar("T")


class TurnedAway(Exception):
    """The server does not accept this user; the text is the reason."""


class RequestRefused(Exception):
    """The server refused a request: `code` is for programs, the text for people."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


def guest_token(http: str) -> str:
    """Create a guest on the server at this address, like `http://127.0.0.1:8000`, and return the token."""
    if not http.startswith(("http://", "https://")):
        raise ValueError(f"{http!r} is not the address of a server")
    with urlopen(Request(f"{http}/api/session", method="POST"), timeout=20) as answer:  # noqa: S310 (checked above)
        token: str = json.load(answer)["token"]
        return token


def socket_url(http: str) -> str:
    """Return the URL of the websocket of a server."""
    return f"ws{http.removeprefix('http')}/socket"


def _decoded(data: str | bytes) -> dict[str, Any]:
    message: dict[str, Any] = json.loads(data) if isinstance(data, str) else msgpack.unpackb(data)
    return message


class Client:
    """A connection of one user. Use it as an asynchronous context manager."""

    def __init__(
        self,
        url: str,
        token: str,
        encoding: Encoding = Encoding.MSGPACK,
        on_message: Callable[[dict[str, Any]], None] | None = None,
        max_backoff_seconds: float = 5.0,
        *,
        is_verifiable: bool = True,
    ) -> None:
        self.tables: dict[str, WatchedTable] = {}
        self.user: dict[str, Any] = {}
        self.welcomed = asyncio.Event()
        self.reconnects = 0
        self._url = url
        self._token = token
        self._encoding = encoding
        self._on_message = on_message
        self._max_backoff_seconds = max_backoff_seconds
        self._is_verifiable = is_verifiable
        self._connection: ClientConnection | None = None
        self._prefix = secrets.token_hex(4)
        self._count = 0
        self._unanswered: dict[str, tuple[dict[str, Any], asyncio.Future[dict[str, Any]]]] = {}
        self._listed: asyncio.Future[dict[str, Any]] | None = None
        self._task: asyncio.Task[None] | None = None

    async def unless_turned_away(self, awaitable: Awaitable[T]) -> T:
        """Return the result of an awaitable; raise `TurnedAway` as soon as the server no longer accepts this user."""
        assert self._task is not None
        done = asyncio.ensure_future(awaitable)
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
        """Send a request and return its result; raise `RequestRefused` if the server refuses it.

        After a reconnect it is sent again with the same id, its idempotency key, until the server replies.
        """
        self._count += 1
        watched = self.tables.get(fields.get("table", ""))
        if watched is not None and self._is_verifiable:
            kind, fields = watched.proven(kind, fields)
        message = {"type": kind, "id": f"{self._prefix}-{self._count}", **fields}
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._unanswered[message["id"]] = (message, answer)
        await self._send(message)
        reply = await answer
        if reply["type"] == "refused":
            raise RequestRefused(reply["code"], reply["sentence"])
        result: dict[str, Any] = reply["result"]
        return result

    async def watch(self, table: str, key: str | None = None, *, delayed: bool = False) -> WatchedTable:
        """Watch a table and return it once its first view has arrived.

        With `delayed`, watch it as a commentator, whose key it is then.
        """
        watched = self.tables[table] = WatchedTable(table, key, delayed=delayed)
        await self._watch(watched)
        while watched.number is None:
            watched.changed.clear()
            await watched.changed.wait()
        return watched

    async def read_log(self, table: str, key: str | None = None, before: int | None = None) -> list[dict[str, Any]]:
        """Return the whole log of a table as this user may know it, oldest entry first; only numbers below `before`."""
        entries: list[dict[str, Any]] = []
        while True:
            fields = {name: value for name, value in (("key", key), ("before", before)) if value is not None}
            page = await self.request("read_log", table=table, **fields)
            entries = page["entries"] + entries
            if not page["more"]:
                return entries
            before = entries[0]["number"]

    async def find_tables(self, phase: str = "open", **query: Any) -> AsyncIterator[dict[str, Any]]:
        """Yield the listed tables of a phase that match the fields of a query, in order, however many there are.

        This replaces a subscription to the lists, and ends it.
        """
        after: str | None = None
        while True:
            page = {**query} if after is None else {**query, "after": after}
            listed = await self._list_tables(**{"open": None, "running": None, phase: page})
            for summary in listed["tables"]:
                yield summary
            after = listed[phase]["next"]
            if after is None:
                break
        await self.request("unlist_tables")

    async def _list_tables(self, **pages: Any) -> dict[str, Any]:
        while True:
            self._listed = asyncio.get_running_loop().create_future()
            await self.request("list_tables", **pages)
            try:
                # The connection may break between the reply and the list.
                return await asyncio.wait_for(self._listed, LIST_SECONDS)
            except TimeoutError:
                continue

    async def _watch(self, watched: WatchedTable) -> None:
        fields: dict[str, Any] = {"table": watched.table}
        if watched.key is not None:
            fields["key"] = watched.key
        if watched.delayed:
            fields["delayed"] = True
        if watched.number is not None:
            fields |= {"have": watched.number, "stamp": watched.stamp}
        tries = 0
        while True:
            try:
                await self.request("watch", **fields)
                return
            except RequestRefused as refusal:
                # A crowd comes back at once after a restart, and a table takes a bounded number of spectators.
                if refusal.code != "busy" or tries >= WATCH_RETRIES:
                    raise
            await asyncio.sleep(self._backoff(tries))
            tries += 1

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
                if closed.rcvd is not None and closed.rcvd.code in FINAL_CLOSES:
                    raise TurnedAway(closed.rcvd.reason) from closed
            except InvalidStatus as refused:
                if refused.response.status_code in FINAL_STATUSES:
                    raise TurnedAway(refused.response.body.decode(errors="replace").strip()) from refused
                tries += 1
            except (OSError, InvalidHandshake, TimeoutError):
                tries += 1
            self._connection = None
            self.welcomed.clear()
            self.reconnects += 1
            await asyncio.sleep(self._backoff(tries))

    def _backoff(self, tries: int) -> float:
        """Return the seconds before the next attempt: exponential back-off with jitter."""
        wait: float = min(self._max_backoff_seconds, 0.05 * 2 ** min(tries, 10))
        return wait * random.uniform(0.5, 1.0)  # noqa: S311

    async def _listen(self, connection: ClientConnection) -> None:
        watch_tasks: set[asyncio.Task[None]] = set()
        """Also those that send what a table waits for."""

        try:
            async for data in connection:
                message = _decoded(data)
                if message["type"] == "welcome":
                    await self._resume(connection, message["user"])
                    watch_tasks |= {asyncio.create_task(self._watch(watched)) for watched in self.tables.values()}
                elif message["type"] in ("done", "refused"):
                    self._on_reply(message)
                elif not self._apply(message):
                    watch_tasks.add(asyncio.create_task(self._watch(self.tables[message["table"]])))
                elif message["type"] in ("view", "update") and self._is_verifiable:
                    watch_tasks |= self._contribute(message["table"])
                if message["type"] == "tables" and self._listed is not None and not self._listed.done():
                    self._listed.set_result(message)
                if self._on_message is not None:
                    self._on_message(message)
        finally:
            for task in watch_tasks:
                task.cancel()

    async def _resume(self, connection: ClientConnection, user: dict[str, Any]) -> None:
        """Use a new connection, and send all unanswered requests again."""
        self._connection, self.user = connection, user
        self.welcomed.set()
        for request, _ in list(self._unanswered.values()):
            await self._send(request)

    def _on_reply(self, message: dict[str, Any]) -> None:
        _, reply = self._unanswered.pop(message["id"], (None, None))
        if reply is not None and not reply.done():
            reply.set_result(message)

    def _contribute(self, table: str) -> set[asyncio.Task[None]]:
        """Send what a table waits for by itself: random bytes of a seed exchange, or the opening of a sealed answer."""
        watched = self.tables.get(table)
        due = None if watched is None or watched.number is None else watched.due(self.user["id"])
        if watched is None or due is None:
            return set()
        watched.sent.add(due["type"])
        return {asyncio.create_task(self._send_due(watched, due))}

    async def _send_due(self, watched: WatchedTable, due: dict[str, Any]) -> None:
        kind = due.pop("type")
        try:
            await self.request(kind, **due)
        except RequestRefused:
            # What it belongs to may be over by now; otherwise the next update finds it due again.
            return
        finally:
            watched.sent.discard(kind)

    def _apply(self, message: dict[str, Any]) -> bool:
        watched = self.tables.get(message.get("table", ""))
        return watched is None or watched.apply(message)

    async def _send(self, message: dict[str, Any]) -> None:
        if self._connection is None:
            return
        payload = encode(message, self._encoding)
        try:
            await self._connection.send(payload if self._encoding is Encoding.MSGPACK else payload.decode())
        except ConnectionClosed:
            return
