"""A gateway on a free port with fake services behind it, and clients of several kinds.

The server runs in its own thread with the event loop of the product, so a test may block.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import os
import socket
import struct
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import uvloop
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from protocol.codec import Encoding, decode, encode
from server.gateway.connections import ConnectionRegistry
from server.gateway.http.connection_limits import CONNECTIONS_PER_ADDRESS
from server.gateway.http.health import Health
from server.gateway.limits import Limits, TransportLimits
from server.gateway.metrics import Metrics
from server.gateway.operator_pages import operator_app, serving_operator
from server.gateway.routes import build_app
from server.gateway.server import Server, ServerOptions, listen, uvicorn_config
from server.gateway.services import NO_NOTIFICATIONS, NO_PEOPLE, Identity, Notifications, People, Services
from server.rate_limit import Rate
from server.store.health import StoreState
from tests.gateway.fakes import FakeServices

T = TypeVar("T")

JSON = "sanfrancisco.1.json"
MSGPACK = "sanfrancisco.1.msgpack"
PLENTY = Rate(1_000_000, 1, burst=1_000_000)
ROOMY = Limits(
    requests=PLENTY, chat=PLENTY, handshakes=PLENTY, failures=PLENTY, sessions=PLENTY, codes=PLENTY,
    connections_per_user=1_000, connections_per_address=10_000,
)  # fmt: skip
WAIT = 60.0
TEXT, BINARY, CLOSE, PING, PONG, CONT = 1, 2, 8, 9, 10, 0


async def store_ok() -> StoreState:
    return StoreState("ok", "full", "2026-01-01T00:00:00+00:00")


class GatewayServer:
    """A running gateway."""

    def __init__(
        self,
        limits: Limits = ROOMY,
        transport_limits: TransportLimits | None = None,
        origins: tuple[str, ...] = (),
        forwarded_from: tuple[str, ...] = (),
        web: Path = Path("nowhere"),
        ping_seconds: float = 20.0,
        identity: Identity | None = None,
        people: People = NO_PEOPLE,
        notifications: Notifications = NO_NOTIFICATIONS,
        http_connections_per_address: int = CONNECTIONS_PER_ADDRESS,
        metrics_token: str = "",
    ) -> None:
        self.services = FakeServices()
        services = Services(
            identity or self.services.identity,
            self.services.lobby,
            self.services.tables,
            games=[],
            people=people,
            notifications=notifications,
        )
        self.connections = ConnectionRegistry(services, limits, time.monotonic)
        health = Health(
            "1.2.3",
            "plain",
            store_ok,
            is_draining=lambda: self.connections.is_draining,
            workers=lambda: 1,
            tables=lambda: 0,
            connections=lambda: len(self.connections),
        )
        app = build_app(
            self.connections,
            origins=origins,
            transport_limits=transport_limits or TransportLimits(),
            health=health,
            web=web,
        )
        metrics = Metrics(self.connections.counters, {"connections": ("Open.", lambda: len(self.connections))})
        self._operator = operator_app(metrics, health, metrics_token)
        self._listener, self._operator_listener = listen("127.0.0.1", 0), listen("127.0.0.1", 0)
        self.port: int = self._listener.getsockname()[1]
        self.operator_http = f"http://127.0.0.1:{self._operator_listener.getsockname()[1]}"
        options = ServerOptions(forwarded_from, ping_seconds, 4, limits.connections, http_connections_per_address)
        self.http_limits = options.http_limits(self.connections.counters.http_closed)
        self.server = Server(uvicorn_config(app, options), self.connections.drain, 4, self.http_limits)
        self._thread = threading.Thread(target=self._run)
        self.loop: asyncio.AbstractEventLoop

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            self.loop = runner.get_loop()
            runner.run(self._serve())

    async def _serve(self) -> None:
        async with serving_operator(self._operator, self._operator_listener):
            await self.server.serve([self._listener])

    def start(self) -> None:
        self._thread.start()
        until(lambda: self.server.started)

    def stop(self) -> None:
        self.server.stop()
        self._thread.join(WAIT)
        assert not self._thread.is_alive()

    def call(self, function: Callable[[], T]) -> T:
        """Return the result of a function called on the server's event loop."""

        async def called() -> T:
            return function()

        return asyncio.run_coroutine_threadsafe(called(), self.loop).result(WAIT)

    def user(self, name: str = "Ann") -> str:
        """Add a user and return the session token."""
        return self.call(lambda: self.services.identity.add(name))[1]

    @property
    def http(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @contextlib.asynccontextmanager
    async def client(self, token: str | None = None, subprotocol: str = JSON, **options: Any) -> AsyncIterator[Client]:
        """Yield a well-behaved client that has received its first two messages."""
        token = token or self.user()
        headers = {"Authorization": f"Bearer {token}", **options.pop("headers", {})}
        async with connect(
            f"ws://127.0.0.1:{self.port}/socket",
            additional_headers=headers,
            subprotocols=[subprotocol],  # type: ignore[list-item]
            proxy=None,
            compression=None,
            **options,
        ) as connection:
            client = Client(connection)
            assert (await client.receive())["type"] == "welcome"
            assert (await client.receive())["type"] == "your_tables"
            yield client

    @contextlib.contextmanager
    def raw(
        self, token: str | None = None, subprotocol: str = JSON, receive_buffer: int | None = None
    ) -> Iterator[Raw]:
        """Yield a bare socket after a successful handshake."""
        raw = Raw(self.port, receive_buffer)
        try:
            raw.shake_hands(token or self.user(), subprotocol)
            yield raw
        finally:
            raw.socket.close()


class Client:
    """A client that speaks the protocol."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        name = connection.subprotocol or ""
        self.encoding = Encoding.JSON if name.endswith("json") else Encoding.MSGPACK

    async def send(self, **message: Any) -> None:
        data = encode(message, self.encoding)
        await self.connection.send(data.decode() if self.encoding is Encoding.JSON else data)

    async def receive(self) -> dict[str, Any]:
        async with asyncio.timeout(WAIT):
            return decode(await self.connection.recv(), self.encoding)

    async def request(self, **request: Any) -> dict[str, Any]:
        """Send a request and return its reply, which must be the next message."""
        await self.send(**request)
        reply = await self.receive()
        assert reply["type"] in ("done", "refused")
        return reply

    async def receive_all(self) -> list[dict[str, Any]]:
        """Return all messages until the connection is closed."""
        messages: list[dict[str, Any]] = []
        with contextlib.suppress(ConnectionClosed):
            while True:
                messages.append(await self.receive())
        return messages

    async def close_code(self) -> int | None:
        """Wait for the server to close the connection and return the close code."""
        async with asyncio.timeout(WAIT):
            await self.connection.wait_closed()
        return self.connection.close_code


class Raw:
    """A bare socket that can send invalid frames."""

    def __init__(self, port: int, receive_buffer: int | None = None) -> None:
        self.socket = socket.socket()
        if receive_buffer is not None:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(WAIT)
        self.socket.connect(("127.0.0.1", port))
        self._read = b""

    def shake_hands(self, token: str, subprotocol: str) -> None:
        head = (
            "GET /socket HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Protocol: {subprotocol}\r\nAuthorization: Bearer {token}\r\n\r\n"
        )
        self.socket.sendall(head.encode())
        assert self._until(b"\r\n\r\n").startswith(b"HTTP/1.1 101")

    def _until(self, end: bytes) -> bytes:
        while end not in self._read:
            more = self.socket.recv(65_536)
            assert more, "the server has closed the connection"
            self._read += more
        found, _, self._read = self._read.partition(end)
        return found

    def send(self, opcode: int, data: bytes = b"", fin: bool = True) -> None:
        self.socket.sendall(masked(opcode, data, fin))

    def frame(self) -> tuple[int, bytes]:
        """Return the opcode and the payload of the next frame from the server."""
        head = self._take(2)
        size = head[1] & 127
        if size == 126:
            size = struct.unpack("!H", self._take(2))[0]
        elif size == 127:
            size = struct.unpack("!Q", self._take(8))[0]
        return head[0] & 15, self._take(size)

    def _take(self, count: int) -> bytes:
        while len(self._read) < count:
            more = self.socket.recv(65_536)
            if not more:
                raise EOFError
            self._read += more
        taken, self._read = self._read[:count], self._read[count:]
        return taken

    def close_code(self) -> int | None:
        """Read until the server closes the connection and return the code of the close frame, the last of all.

        A reset fails the test: it may destroy frames on their way.
        """
        code = None
        while True:
            try:
                opcode, data = self.frame()
            except EOFError:
                return code
            assert code is None, "something was sent after the close frame"
            if opcode == CLOSE:
                code = struct.unpack("!H", data[:2])[0]


def masked(opcode: int, data: bytes = b"", fin: bool = True) -> bytes:
    """Return a client frame with a mask of zeros."""
    first = opcode | (128 if fin else 0)
    size = len(data)
    if size < 126:
        head = struct.pack("!BB", first, 128 | size)
    elif size < 65_536:
        head = struct.pack("!BBH", first, 128 | 126, size)
    else:
        head = struct.pack("!BBQ", first, 128 | 127, size)
    return head + bytes(4) + data


def until(condition: Callable[[], bool], seconds: float = WAIT) -> None:
    """Wait until another thread makes the condition true."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "the condition did not become true in time"
        time.sleep(0.005)


@contextlib.contextmanager
def running(**settings: Any) -> Iterator[GatewayServer]:
    """Yield a started gateway and stop it at the end."""
    server = GatewayServer(**settings)
    server.start()
    try:
        yield server
    finally:
        server.stop()
