"""uvicorn with our listening socket, our protocols and a graceful shutdown."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import resource
import socket
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from types import FrameType
from typing import Final

import uvicorn
from starlette.types import ASGIApp

from protocol.codec import MAX_MESSAGE_BYTES
from server.gateway.http.connection_limits import CONNECTIONS_PER_ADDRESS, MAX_WAITING, ConnectionLimits
from server.gateway.http.header_timeout import LIMITS_KEY, HeaderTimeoutProtocol
from server.gateway.websocket.transport import WebSocketTransport

log = logging.getLogger(__name__)

_BACKLOG: Final = 2_048
_SEND_BUFFER: Final = 64 * 1024
_RECEIVE_BUFFER: Final = 64 * 1024
_USER_TIMEOUT_MILLISECONDS: Final = 10_000
_SPARE_FILES: Final = 100
_DATE_SECONDS: Final = 1.0
"""Seconds after which the Date header of responses is renewed."""

_OTHER_CONNECTIONS: Final = MAX_WAITING + 1_000
"""HTTP connections beside the websockets: those that wait for a request, and those that are being answered."""


class CannotListen(Exception):
    """The server cannot listen on its address. The text is a sentence for the operator."""


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket, whose options every accepted connection inherits."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (socket.gaierror, UnicodeError):
        raise CannotListen(f"There is no host {host!r} to listen on.") from None
    listener = socket.socket(family, kind, protocol)
    try:
        _set_options(listener)
        listener.bind(address)
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        raise CannotListen(f"The server cannot listen on port {port} of {host}: {error.strerror}.") from None
    listener.setblocking(False)
    return listener


def _set_options(listener: socket.socket) -> None:
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    # Bound what a peer that does not read costs in the kernel, and for how long.
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BUFFER)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _RECEIVE_BUFFER)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _USER_TIMEOUT_MILLISECONDS)


def raise_file_limit(connections: int) -> None:
    """Raise the soft limit of open files to the hard limit; log a warning if that is too low for all connections."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    if hard != resource.RLIM_INFINITY and hard < connections + _OTHER_CONNECTIONS + _SPARE_FILES:
        log.warning("file limit too low", extra={"allowed": hard, "connections": connections})


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """The settings of uvicorn that an operator can change."""

    forwarded_from: Sequence[str]
    """Proxies whose X-Forwarded-* headers are trusted."""

    ping_seconds: float
    drain_seconds: float
    connections: int
    """Maximum number of websockets; HTTP requests may use some connections more."""

    http_connections_per_address: int = CONNECTIONS_PER_ADDRESS

    def http_limits(self, closed: Counter[str]) -> ConnectionLimits:
        """Return the limits of HTTP connections, which count those that they close in `closed`."""
        return ConnectionLimits(self.http_connections_per_address, trusted=self.forwarded_from, closed=closed)


def uvicorn_config(app: ASGIApp, options: ServerOptions) -> uvicorn.Config:
    """Return the configuration of uvicorn."""
    return uvicorn.Config(
        app,
        http=HeaderTimeoutProtocol,
        ws=WebSocketTransport,
        ws_max_size=MAX_MESSAGE_BYTES,
        ws_per_message_deflate=False,
        ws_ping_interval=options.ping_seconds,
        ws_ping_timeout=options.ping_seconds,
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(options.forwarded_from),
        forwarded_allow_ips=list(options.forwarded_from),
        limit_concurrency=options.connections + _OTHER_CONNECTIONS,
        timeout_graceful_shutdown=max(1, int(options.drain_seconds / 2)),
    )


class Server(uvicorn.Server):
    """A uvicorn server that drains requests before it closes connections, and exits with 0 after SIGTERM."""

    def __init__(
        self,
        config: uvicorn.Config,
        drain: Callable[[], Awaitable[None]],
        drain_seconds: float,
        http_limits: ConnectionLimits,
    ) -> None:
        super().__init__(config)
        self._drain = drain
        self._drain_seconds = drain_seconds
        self._http_limits = http_limits
        self._stopped = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        # All connections share this state.
        self.lifespan.state[LIMITS_KEY] = self._http_limits
        self._loop = asyncio.get_running_loop()
        await super().startup(sockets)

    async def main_loop(self) -> None:
        # uvicorn looks ten times a second whether it should stop; here `stop` tells.
        while not await self.on_tick(0):
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_DATE_SECONDS):
                    await self._stopped.wait()

    def stop(self) -> None:
        """Drain and end. May be called from a signal handler, from another thread, and before the start."""
        self.should_exit = True
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # the loop is closed: the server has ended
                self._loop.call_soon_threadsafe(self._stopped.set)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if self.should_exit:
            # The second signal: everything acknowledged is durable, so exit at once.
            os._exit(1)
        self.stop()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()
        log.info("draining")
        try:
            async with asyncio.timeout(self._drain_seconds / 2):
                await self._drain()
        except TimeoutError:
            log.warning("drain timed out")
        await super().shutdown(sockets)
