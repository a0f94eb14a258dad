"""Load for the live server: lean clients that do no more than they must, on one event loop.

A watcher counts frames and never looks into them. A player keeps its view and answers its prompts by chance. At a table
one move is under way at a time: whoever is asked next moves as soon as the last move was shown to them.
"""

from __future__ import annotations

import asyncio
import base64
import os
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from typing import Any, cast

import msgpack

from protocol.codec import Encoding, encode
from protocol.patch import patched
from tests.e2e.people import any_command
from tests.gateway.world import masked

SUBPROTOCOL = "sanfrancisco.1.msgpack"
_BINARY, _PING, _PONG = 2, 9, 10
_UPDATE = b"\xa4type\xa6update"
"""How an update begins, behind the byte that counts its fields."""


async def guests(port: int, number: int) -> list[str]:
    """Become so many guests and give their tokens."""
    tokens: list[str] = []
    left = iter(range(number))

    async def ask() -> None:
        for _ in left:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(
                b"POST /api/session HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            )
            answer = await reader.read()
            writer.close()
            tokens.append(answer.split(b'"token":"')[1].split(b'"')[0].decode())

    await asyncio.gather(*(ask() for _ in range(32)))
    return tokens


class Socket(asyncio.Protocol):
    """One websocket, raw. `heard` gets the payload of every frame."""

    def __init__(self) -> None:
        self._rest = b""
        self._is_open: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._transport: asyncio.Transport | None = None

    async def connect(self, port: int, token: str) -> None:
        await asyncio.get_running_loop().create_connection(lambda: self, "127.0.0.1", port)
        key = base64.b64encode(os.urandom(16)).decode()
        self.write(
            f"GET /socket HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: {SUBPROTOCOL}\r\n"
            f"Authorization: Bearer {token}\r\n\r\n".encode()
        )
        await self._is_open

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def write(self, data: bytes) -> None:
        assert self._transport is not None
        self._transport.write(data)

    def send(self, message: dict[str, Any]) -> None:
        self.write(masked(_BINARY, encode(message, Encoding.MSGPACK)))

    def close(self) -> None:
        if self._transport is not None:
            self._transport.abort()

    def data_received(self, data: bytes) -> None:
        if not self._is_open.done():
            head, end, data = (self._rest + data).partition(b"\r\n\r\n")
            self._rest = b"" if end else head
            if not end:
                return
            if b" 101 " not in head[:20]:
                self._is_open.set_exception(ConnectionError(head.decode("latin-1")[:200]))
                return
            self._is_open.set_result(None)
        if self._rest:
            data = self._rest + data
        at = 0
        while len(data) - at >= 2:
            size, start = data[at + 1], at + 2
            if size == 126:
                start = at + 4
                size = int.from_bytes(data[at + 2 : start], "big") if len(data) >= start else len(data)
            elif size == 127:
                start = at + 10
                size = int.from_bytes(data[at + 2 : start], "big") if len(data) >= start else len(data)
            if len(data) < start + size:
                break
            opcode, payload = data[at] & 15, data[start : start + size]
            at = start + size
            if opcode == _BINARY:
                self.heard(payload)
            elif opcode == _PING:
                self.write(masked(_PONG, payload))
        self._rest = data[at:]

    def heard(self, payload: bytes) -> None:
        """Take the payload of a frame; an idle connection has no use for it."""


class Watcher(Socket):
    """A spectator of one table who counts updates."""

    def __init__(self, table: LoadTable) -> None:
        super().__init__()
        self._table = table
        self.seen = 0

    def heard(self, payload: bytes) -> None:
        if payload.startswith(_UPDATE, 1):
            self.seen += 1
            self._table.received(self.seen)


class Player(Socket):
    """Somebody who can ask for things, and who plays at one table."""

    def __init__(self) -> None:
        super().__init__()
        self.table: LoadTable | None = None
        self.view: dict[str, Any] = {}
        self.seen = 0
        self._ids = count(1)
        self._waiting: dict[str, Callable[[dict[str, Any]], None]] = {}
        self._is_shown = asyncio.Event()

    def ask(self, then: Callable[[dict[str, Any]], None], kind: str, **fields: Any) -> None:
        """Send a request; `then` gets the answer."""
        request_id = str(next(self._ids))
        self._waiting[request_id] = then
        self.send({"type": kind, "id": request_id, **fields})

    async def request(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Send a request that must be granted; gives its result."""
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self.ask(answer.set_result, kind, **fields)
        return granted(await answer)

    async def watch(self, table: LoadTable) -> None:
        self.table, self.seen = table, 0
        self._is_shown.clear()
        await self.request("watch", table=table.id)
        await self._is_shown.wait()

    @property
    def prompt(self) -> tuple[int, dict[str, Any]] | None:
        decision = self.view["play"]["decision"]
        if decision is None or self.view["mine"] not in decision["awaited"]:
            return None
        return decision["number"], decision["prompt"]

    def heard(self, payload: bytes) -> None:
        message = msgpack.unpackb(payload)
        kind = message["type"]
        if kind == "update" and self.table is not None:
            self.view = patched(self.view, message["patch"])
            self.seen += 1
            self.table.update_bytes.append(len(payload))
            self.table.received(self.seen)
            self.table.shown(self)
        elif kind in ("done", "refused"):
            then = self._waiting.pop(message["id"], None)
            if then is not None:
                then(message)
        elif kind == "view" and self.table is not None:
            self.view = message["view"]
            self.table.joining_bytes.append(len(payload))
            self._is_shown.set()


def granted(answer: dict[str, Any]) -> dict[str, Any]:
    if answer["type"] != "done":
        raise RuntimeError(f"the server refused: {answer['sentence']}")
    result: dict[str, Any] = answer["result"]
    return result


@dataclass(slots=True)
class Tally:
    """What a stretch of play gave. Times in seconds."""

    moves: int = 0
    deliveries: int = 0
    to_all: list[float] = field(default_factory=list)
    """From a move to its receipt by the last of all who follow the table."""

    to_answer: list[float] = field(default_factory=list)
    """From a move to its durable answer."""


class LoadTable:
    """A table under load. Everybody has joined before the first move, so the nth update is the nth move to all."""

    def __init__(self, players: list[Player], rng: random.Random) -> None:
        self.id = ""
        self.players = players
        self.watchers: list[Watcher] = []
        self.update_bytes: list[int] = []
        self.joining_bytes: list[int] = []
        self.tally = Tally()
        self.over = asyncio.Event()
        self.pause: Callable[[], float] | None = None
        """How many seconds the next player thinks; None: not at all."""

        self._rng = rng
        self._moves = 0
        self._under_way: dict[int, tuple[float, list[int]]] = {}
        self._is_playing = False

    async def open(self, game: str, watchers: list[tuple[int, str]]) -> None:
        """Open a table, begin a game, and let everybody follow; watchers by port and token."""
        host, *others = self.players
        settings = {"game": game, "seats": len(self.players), "absence_seconds": None}
        self.id = (await host.request("create_table", settings=settings))["table"]
        for other in others:
            await other.request("take_seat", table=self.id)
            await other.request("ready", table=self.id, ready=True)
        await host.request("start", table=self.id)
        for player in self.players:
            await player.watch(self)
        for port, token in watchers:
            watcher = Watcher(self)
            await watcher.connect(port, token)
            watcher.send({"type": "watch", "id": "watch", "table": self.id})
            self.watchers.append(watcher)

    def play(self) -> None:
        """Begin to move, and go on until `stop`."""
        self._is_playing, self.tally = True, Tally()
        self._move_on()

    def stop(self) -> None:
        self._is_playing = False

    def close(self) -> None:
        for socket in (*self.players, *self.watchers):
            socket.close()

    def received(self, number: int) -> None:
        """Count that one more has been shown the move of this number."""
        self.tally.deliveries += 1
        if number not in self._under_way:
            return
        sent_at, left = self._under_way[number]
        left[0] -= 1
        if left[0] == 0:
            del self._under_way[number]
            self.tally.to_all.append(time.perf_counter() - sent_at)

    def shown(self, player: Player) -> None:
        """Let a player who has been shown the last move make the next one, if they are asked."""
        if player.seen == self._moves and self._is_playing:
            self._move_on()

    def _move_on(self) -> None:
        ready = [player for player in self.players if player.seen == self._moves]
        if any(player.view["table"]["phase"] == "over" for player in ready):
            self.over.set()
            return
        asked = next((player for player in ready if player.prompt is not None), None)
        if asked is None:
            return
        self._moves += 1
        self._under_way[self._moves] = (time.perf_counter(), [len(self.players) + len(self.watchers)])
        if self.pause is None:
            self._move(asked, self._moves)
        else:
            asyncio.get_running_loop().call_later(self.pause(), self._move, asked, self._moves)

    def _move(self, player: Player, move: int) -> None:
        if player.prompt is None or not self._is_playing:
            return
        number, prompt = player.prompt
        sent_at = time.perf_counter()
        self._under_way[move] = (sent_at, self._under_way[move][1])

        def answered(answer: dict[str, Any]) -> None:
            granted(answer)
            self.tally.moves += 1
            self.tally.to_answer.append(time.perf_counter() - sent_at)

        command = any_command(self._rng, prompt)
        player.ask(answered, "decide", table=self.id, decision=number, command=command)
