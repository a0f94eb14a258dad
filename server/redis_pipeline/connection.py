"""A connection to Redis without a task or a queue: a batch of commands is one write, and hiredis parses what arrives.

redis-py opens the connection: address, TLS, authentication, database. Then this protocol takes its place on the
transport, because redis-py needs several times the processor time for the same batch, and for each published message.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, Final

import hiredis
from redis.asyncio import Redis
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import ConnectionError as ConnectionFailed
from redis.exceptions import InvalidResponse, ResponseError
from redis.exceptions import TimeoutError as TimedOut

from .api import REPLY_TIMEOUT, Argument

OnPush = Callable[[list[Any]], None]
"""Takes a message that Redis sends by itself: its kind, the channel and the content."""

_INCOMPLETE: Final = object()
_pack: Final[Callable[[tuple[Argument, ...]], bytes]] = hiredis.pack_command  # type: ignore[assignment]
_SKIP_REPLY: Final = _pack(("CLIENT", "REPLY", "SKIP"))


async def open_connection(client: Redis, on_push: OnPush | None = None) -> RedisConnection:
    """Return a new connection with the settings of a client; with `on_push` it is used for subscriptions only."""
    opened: AbstractConnection = client.connection_pool.make_connection()  # type: ignore[no-untyped-call]
    await opened.connect()  # type: ignore[no-untyped-call]
    writer = opened._writer  # noqa: SLF001 - redis-py has no way to hand its transport over
    assert writer is not None
    # redis-py must not close the transport when its own object is collected.
    opened._reader = opened._writer = None  # noqa: SLF001
    return RedisConnection(writer, on_push)


class RedisConnection(asyncio.Protocol):
    """An open connection. Create it with `open_connection`."""

    def __init__(self, writer: asyncio.StreamWriter, on_push: OnPush | None) -> None:
        self._writer = writer
        """Kept because a writer closes its transport when it is collected."""

        self._transport = writer.transport
        self._is_subscriber = on_push is not None
        """In RESP3 published messages are marked as such; in RESP2 they are lists, and nothing else is."""

        self._on_push = on_push or _ignore
        self._loop = asyncio.get_running_loop()
        self._reader = hiredis.Reader(InvalidResponse, ResponseError, notEnoughData=_INCOMPLETE)
        self._replies: list[Any] = []
        self._expected = 0
        self._batch: asyncio.Future[list[Any]] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self.received_at = self._loop.time()
        """When something last arrived, by the clock of the event loop."""

        self.closed: asyncio.Future[None] = self._loop.create_future()
        """Done when the connection has ended."""

        self._transport.set_protocol(self)

    def execute(self, commands: Sequence[tuple[Argument, ...]]) -> asyncio.Future[list[Any]]:
        """Send a batch in one write; return the replies, among which errors are values. One batch at a time."""
        assert self._batch is None
        batch = self._batch = self._loop.create_future()
        self._replies, self._expected = [], len(commands)
        if self.closed.done():
            self._fail(ConnectionFailed("Connection closed"))
            return batch
        self.received_at = self._loop.time()
        self._timer = self._loop.call_later(REPLY_TIMEOUT, self._check_timeout)
        self._transport.write(b"".join(map(_pack, commands)))
        return batch

    def send(self, *arguments: Argument) -> None:
        """Send a command whose reply is a push, as those to subscriptions are."""
        self._transport.write(_pack(arguments))

    def post(self, arguments: tuple[Argument, ...]) -> None:
        """Send a command to which Redis must not reply: a reply that nobody needs wakes the process up."""
        self._transport.write(_SKIP_REPLY + _pack(arguments))

    async def until_silent(self, seconds: float) -> None:
        """Wait until the connection has ended, or has received nothing for so long."""
        while (left := self.received_at + seconds - self._loop.time()) > 0 and not self.closed.done():
            await asyncio.wait([self.closed], timeout=left)

    def close(self) -> None:
        self._end(ConnectionFailed("Connection closed"))

    # -- asyncio.Protocol -------------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        self.received_at = self._loop.time()
        reader = self._reader
        try:
            reader.feed(data)
            while (reply := reader.gets()) is not _INCOMPLETE:
                if isinstance(reply, hiredis.PushNotification) or (self._is_subscriber and isinstance(reply, list)):
                    self._on_push(reply)
                elif self._batch is not None:
                    self._replies.append(reply)
                elif isinstance(reply, Exception):
                    self._end(reply)
        except InvalidResponse as error:
            self._end(error)
        if self._batch is not None and len(self._replies) == self._expected:
            self._finish()

    def connection_lost(self, exc: Exception | None) -> None:
        self._end(ConnectionFailed("Connection closed by server" if exc is None else str(exc)))

    def _finish(self) -> None:
        batch, self._batch = self._batch, None
        if self._timer is not None:
            self._timer.cancel()
        if batch is not None and not batch.done():
            batch.set_result(self._replies)

    def _fail(self, error: Exception) -> None:
        batch, self._batch = self._batch, None
        if self._timer is not None:
            self._timer.cancel()
        if batch is not None and not batch.done():
            batch.set_exception(error)

    def _end(self, error: Exception) -> None:
        self._fail(error)
        if not self.closed.done():
            self.closed.set_result(None)
            self._transport.abort()

    def _check_timeout(self) -> None:
        """Close the connection if it has been silent for too long; long batches may take longer in all."""
        due = self.received_at + REPLY_TIMEOUT
        if self._loop.time() >= due:
            self._end(TimedOut("Timeout reading from Redis"))
        else:
            self._timer = self._loop.call_at(due, self._check_timeout)


def _ignore(push: list[Any]) -> None:
    """Ignore a message that nobody subscribed to."""
