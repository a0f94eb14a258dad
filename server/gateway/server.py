"""uvicorn with our own socket, protocols and goodbye."""

from __future__ import annotations

import asyncio
import logging
import os
import resource
import socket
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from types import FrameType
from typing import Final

import uvicorn
from starlette.types import ASGIApp

from protocol.codec import MAX_MESSAGE_BYTES

log = logging.getLogger(__name__)

_BACKLOG: Final = 2_048
_SEND_BUFFER: Final = 64 * 1024
_RECEIVE_BUFFER: Final = 64 * 1024
_USER_TIMEOUT_MILLISECONDS: Final = 10_000
_MAX_HEAD_BYTES: Final = 16 * 1024
_SPARE_FILES: Final = 100
_OTHER_CONNECTIONS: Final = 1_000


class CannotListen(Exception):
    """The address cannot be listened on. The text is a sentence for the operator."""


def listen(host: str, port: int) -> socket.socket:
    """Open the listening socket; what is set on it holds for every connection that comes in through it."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (socket.gaierror, UnicodeError):
        raise CannotListen(f"There is no host {host!r} to listen on.") from None
    subscriber = socket.socket(family, kind, protocol)
    try:
        _set_options(subscriber)
        subscriber.bind(address)
        subscriber.listen(_BACKLOG)
    except OSError as error:
        subscriber.close()
        raise CannotListen(f"Port {port} of {host} cannot be listened on: {error.strerror}.") from None
    subscriber.setblocking(False)
    return subscriber


def _set_options(subscriber: socket.socket) -> None:
    subscriber.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    subscriber.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    # A peer that does not read costs this much in the kernel, and no more than this long.
    subscriber.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BUFFER)
    subscriber.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _RECEIVE_BUFFER)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        subscriber.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _USER_TIMEOUT_MILLISECONDS)


def raise_file_limit(connections: int) -> None:
    """Allow this process as many open files as it may have, and say so if they are too few for all connections."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    if hard != resource.RLIM_INFINITY and hard < connections + _OTHER_CONNECTIONS + _SPARE_FILES:
        log.warning("too few files allowed", extra={"allowed": hard, "connections": connections})


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """How uvicorn is run."""

    forwarded_from: Sequence[str]
    """Addresses of proxies whose forwarded headers are believed."""

    ping_seconds: float
    drain_seconds: float
    connections: int
    """Websockets that there may be; some more connections are for everything else."""


def uvicorn_config(app: ASGIApp, options: ServerOptions) -> uvicorn.Config:
    """Give the settings of uvicorn; what is not said here is either its default or not in use."""
    return uvicorn.Config(
        app,
        http=_http_protocol(),
        ws=_websocket_protocol(),
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
        h11_max_incomplete_event_size=_MAX_HEAD_BYTES,
        limit_concurrency=options.connections + _OTHER_CONNECTIONS,
        timeout_graceful_shutdown=max(1, int(options.drain_seconds / 2)),
    )


def _websocket_protocol() -> type[asyncio.Protocol] | str:
    """Give the fast path if it fits the installed uvicorn, or else uvicorn's own websockets."""
    try:
        from server.gateway.websocket import transport

        missing = transport.missing_internals()
        if not missing:
            return transport.WebSocketTransport
    except ImportError as error:
        missing = [str(error)]
    log.warning("fast path not in use", extra={"missing": missing})
    return "websockets-sansio"


def _http_protocol() -> type[asyncio.Protocol] | str:
    try:
        from server.gateway.http.header_timeout import HeaderTimeoutProtocol
    except ImportError as error:
        log.warning("slow requests not limited", extra={"missing": str(error)})
        return "h11"
    return HeaderTimeoutProtocol


class Server(uvicorn.Server):
    """uvicorn that finishes what is in hand before it says goodbye, and exits with 0 when it was told to stop."""

    def __init__(self, config: uvicorn.Config, drain: Callable[[], Awaitable[None]], drain_seconds: float) -> None:
        super().__init__(config)
        self._drain = drain
        self._drain_seconds = drain_seconds

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if self.should_exit:
            # Told twice: nothing that was acknowledged is lost by leaving now.
            os._exit(1)
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()
        log.info("draining")
        try:
            async with asyncio.timeout(self._drain_seconds / 2):
                await self._drain()
        except TimeoutError:
            log.warning("not all was finished in time")
        await super().shutdown(sockets)
