"""The load generator: lean connections on one event loop, cheap enough that the server is the bottleneck.

A viewer counts updates without decoding them. A mover is a viewer on a seat that moves when it is its turn. A table
has one move in flight: the next mover moves as soon as it has received the last move, or, at a fixed rate, when the
next move is due. A dialect (`dialects`) knows the messages of one kind of server.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, cast

from tests.bench.http_client import own_address
from tests.gateway.gateway_server import masked

TEXT, BINARY = 1, 2
_CLOSE, _PING, _PONG = 8, 9, 10


class LoadFailed(RuntimeError):
    """The load cannot continue because of a server's answer; the message is a sentence."""


class Connection(asyncio.Protocol):
    """A raw websocket connection. `on_payload` receives the payload of every frame."""

    opcode: ClassVar[int] = BINARY

    def __init__(self) -> None:
        self._rest = b""
        self._is_open: asyncio.Future[None] | None = None
        self._transport: asyncio.Transport | None = None

    async def connect(self, port: int, path: str, *headers: str) -> None:
        """Open the websocket, again if it was closed before."""
        loop = asyncio.get_running_loop()
        self._rest, self._is_open = b"", loop.create_future()
        await loop.create_connection(lambda: self, "127.0.0.1", port, local_addr=(own_address(), 0))
        lines = [
            f"GET {path} HTTP/1.1",
            f"Host: 127.0.0.1:{port}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
            "Sec-WebSocket-Version: 13",
            *headers,
        ]
        self.write(("\r\n".join(lines) + "\r\n\r\n").encode())
        await self._is_open

    @property
    def is_connected(self) -> bool:
        return self._transport is not None and not self._transport.is_closing()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def write(self, data: bytes) -> None:
        assert self._transport is not None
        self._transport.write(data)

    def send(self, payload: bytes) -> None:
        self.write(masked(self.opcode, payload))

    def close(self) -> None:
        if self._transport is not None:
            self._transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._is_open is not None and not self._is_open.done():
            self._is_open.set_exception(ConnectionError("The server closed the connection during the handshake."))

    def data_received(self, data: bytes) -> None:
        assert self._is_open is not None
        if not self._is_open.done():
            head, end, data = (self._rest + data).partition(b"\r\n\r\n")
            self._rest = b"" if end else head
            if not end:
                return
            if b" 101 " not in head[:20]:
                self._is_open.set_exception(ConnectionError(head.decode("latin-1")[:200]))
                return
            self._is_open.set_result(None)
        self.parse(data)

    def parse(self, data: bytes) -> None:
        """Parse data after the handshake: whole frames, and parts of frames."""
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
            if opcode in (TEXT, BINARY):
                self.on_payload(payload)
            elif opcode == _PING:
                self.write(masked(_PONG, payload))
            elif opcode == _CLOSE:
                self.on_close(payload)
        self._rest = data[at:]

    def on_payload(self, payload: bytes) -> None:
        """Receive the payload of a frame; an idle connection ignores it."""

    def on_close(self, reason: bytes) -> None:
        """Receive the close frame of the server."""


class Viewer(Connection):
    """A viewer of one table that counts its updates. A dialect defines how updates begin, and handles the rest."""

    mark: ClassVar[bytes]
    """The first bytes of an update, ..."""

    mark_at: ClassVar[int] = 0
    """... and their offset in the payload."""

    def __init__(self, table: LoadTable, seat: int | None = None) -> None:
        super().__init__()
        self.table = table
        self.seat = seat
        self.seen = 0
        self.first_bytes = 0
        """The size of the last whole view in bytes."""

        self._is_shown: asyncio.Future[None] | None = None

    def expect_view(self) -> asyncio.Future[None]:
        """Return a future that is done when the next whole view has arrived."""
        self._is_shown = asyncio.get_running_loop().create_future()
        return self._is_shown

    def on_view(self, size: int) -> None:
        """Receive a whole view of this size."""
        self.first_bytes = size
        if self._is_shown is not None and not self._is_shown.done():
            self._is_shown.set_result(None)

    def data_received(self, data: bytes) -> None:
        # Fast path for the usual case of exactly one update: count it without parsing the frame.
        size = len(data)
        if (
            size > 4
            and not self._rest
            and data[1] == 126
            and size == (data[2] << 8 | data[3]) + 4
            and data.startswith(self.mark, 4 + self.mark_at)
        ):
            self.updated(size)
        else:
            super().data_received(data)

    def on_payload(self, payload: bytes) -> None:
        if payload.startswith(self.mark, self.mark_at):
            self.updated(4 + len(payload))
        else:
            self.on_message(payload)

    def updated(self, size: int) -> None:
        """Count an update of so many bytes on the wire."""
        self.seen += 1
        self.table.received(self.seen)

    def on_message(self, payload: bytes) -> None:
        """Receive a message that is not an update; the dialect knows its meaning."""

    def on_close(self, reason: bytes) -> None:
        self.table.fail(f"The server closed a connection: {reason[2:].decode(errors='replace') or reason.hex()}.")


class Mover(Viewer):
    """A viewer on a seat. A dialect defines how it moves."""

    seat: int

    def updated(self, size: int) -> None:
        self.seen += 1
        table = self.table
        table.update_bytes.append(size)
        table.received(self.seen)
        table.on_shown(self)

    def is_to_move(self) -> bool:
        """Return whether the next move is this seat's: seats take turns, unless the dialect knows better."""
        return self.seat == self.table.moves % len(self.table.movers)

    def move(self, number: int) -> None:
        """Send the move of this number, counted from 1."""
        raise NotImplementedError


@dataclass(slots=True)
class LoadStats:
    """The counts and times of a run. Times in seconds."""

    deliveries: int = 0
    to_all: list[float] = field(default_factory=list)
    """From each move to its receipt by the last viewer of the table."""

    to_answer: list[float] = field(default_factory=list)
    """From each move to the server's reply that it was accepted, where there is one."""

    @property
    def moves(self) -> int:
        return len(self.to_all)


class LoadTable:
    """A table under load. All viewers join before the first move, so the nth update is the nth move for all."""

    def __init__(self) -> None:
        self.id = ""
        self.movers: list[Any] = []
        self.watchers: list[Any] = []
        self.moves = 0
        self.update_bytes: list[int] = []
        self.stats = LoadStats()
        self.over = asyncio.Event()
        self.failure: str | None = None
        self._sent_at: dict[int, float] = {}
        self._left: dict[int, int] = {}
        self._is_drained = asyncio.Event()
        self._is_drained.set()
        self._is_playing = False
        self._timer: asyncio.TimerHandle | None = None
        self._pause: Callable[[], float] | None = None
        self._due = 0.0

    @property
    def viewers(self) -> list[Any]:
        return [*self.movers, *self.watchers]

    def play(self, pause: Callable[[], float] | None = None, first: float = 0.0) -> None:
        """Start to move until `stop`: at once, or each move so many seconds after the one before it was due.

        The first move is due in `first` seconds.
        """
        self._is_playing, self.stats = True, LoadStats()
        self._pause = pause
        self._due = time.perf_counter() + first
        for mover in self.movers:
            self.on_shown(mover)

    def stop(self) -> None:
        """Stop to move; a move that is not due yet is left for the next run."""
        self._is_playing = False
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
            del self._left[self.moves]
            self.moves -= 1

    def close(self) -> None:
        self.stop()
        for viewer in self.viewers:
            viewer.close()

    def fail(self, sentence: str) -> None:
        """Record why the load cannot continue, and end the run."""
        self.failure = self.failure or sentence
        self.stop()
        self.over.set()
        self._is_drained.set()

    def received(self, number: int) -> None:
        """Count one more viewer that has received the move of this number."""
        self.stats.deliveries += 1
        left = self._left.get(number)
        if left is None:
            return
        if left > 1:
            self._left[number] = left - 1
            return
        del self._left[number]
        self.stats.to_all.append(time.perf_counter() - self._sent_at.pop(number))
        if not self._sent_at:
            self._is_drained.set()

    def on_shown(self, mover: Mover) -> None:
        """Let a mover that has received the last move make the next one, if it is its turn."""
        if not self._is_playing or mover.seen != self.moves or not mover.is_to_move():
            return
        self.moves += 1
        self._left[self.moves] = len(self.movers) + len(self.watchers)
        now = time.perf_counter()
        if self._pause is None:
            self._move(mover, self.moves, now)
            return
        # A late move counts from when it was due, since the server caused the delay (no coordinated omission).
        # A move in time counts from when it is really sent, since the timers of the load are not exact.
        due, self._due = self._due, self._due + self._pause()
        if due <= now:
            self._move(mover, self.moves, due)
        else:
            self._timer = asyncio.get_running_loop().call_later(due - now, self._move, mover, self.moves, None)

    def _move(self, mover: Mover, number: int, since: float | None) -> None:
        self._timer = None
        self._sent_at[number] = since or time.perf_counter()
        self._is_drained.clear()
        mover.move(number)

    async def finished(self, seconds: float = 5.0) -> None:
        """Wait until all viewers have received all moves."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._is_drained.wait()
