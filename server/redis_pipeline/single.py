"""The pipeline to one Redis, and the confirmation of writes by its replicas."""

from __future__ import annotations

import asyncio
from typing import Any, Final, NamedTuple

from redis.asyncio import Redis
from redis.exceptions import RedisError

from .api import CLOSED, FAILURES, Argument, ErrorFactory, Script, reason, set_exception
from .connection import RedisConnection, open_connection

CONFIRMATION_MILLISECONDS: Final = 1_000
"""The time for the replicas to confirm a write; it must be shorter than the timeout of a reply."""

_READ_ONLY: Final = frozenset({"GET", "HGET", "HGETALL", "HMGET", "SMEMBERS", "STRLEN"})
_BARRIER_SECONDS: Final = 60


class TooFewReplicas(RedisError):
    """Fewer replicas than required have confirmed a write, which may be lost with its master."""


class PendingCommand(NamedTuple):
    arguments: tuple[Argument, ...]
    script: Script | None
    reply: asyncio.Future[Any]

    @property
    def is_read_only(self) -> bool:
        return self.arguments[0] in _READ_ONLY if self.script is None else self.script.is_read_only

    @property
    def key(self) -> str:
        """Return the first key of the command."""
        return str(self.arguments[1] if self.script is None else self.arguments[3])


class RedisPipeline:
    """A pipeline to one Redis, of whose replicas so many must confirm each write (WAIT)."""

    takes_keys_of_all_slots = True

    def __init__(self, client: Redis, make_error: ErrorFactory, replicas: int = 0) -> None:
        self._client = client
        self._connection: RedisConnection | None = None
        self._make_error = make_error
        self._replicas = replicas
        self._is_unconfirmed = False
        """A write may have taken effect without being confirmed. Nothing is read before the replicas have it too."""

        self._pending: list[PendingCommand] = []
        self._sending: asyncio.Task[None] | None = None
        self._loaded: set[str] = set()
        """The digests of the scripts that this Redis has loaded."""
        self._closed = False

    def run(self, script: Script, keys: tuple[str, ...], *arguments: Argument) -> asyncio.Future[Any]:
        return self._enqueue(("EVALSHA", script.digest, len(keys), *keys, *arguments), script)

    def command(self, *arguments: Argument) -> asyncio.Future[Any]:
        return self._enqueue(arguments, None)

    def post(self, *arguments: Argument) -> None:
        connection = self._connection
        if self._sending is None and connection is not None and not connection.closed.done():
            connection.post(arguments)
        else:
            # Behind the commands that wait, and with a reply, whose exception nobody has to retrieve.
            self.command(*arguments)

    async def clients(self, key: str | None = None) -> list[Redis]:
        return [self._client]

    async def close(self) -> None:
        self._closed = True
        if self._sending is not None:
            await self._sending
        if self._connection is not None:
            self._connection.close()
        await self._client.aclose()

    def _enqueue(self, arguments: tuple[Argument, ...], script: Script | None) -> asyncio.Future[Any]:
        if self._closed:
            raise self._make_error(CLOSED)
        reply = asyncio.get_running_loop().create_future()
        self._pending.append(PendingCommand(arguments, script, reply))
        if self._sending is None:
            self._sending = asyncio.create_task(self._send_pending())
        return reply

    async def _send_pending(self) -> None:
        while self._pending:
            batch, self._pending = self._pending, []
            try:
                replies = await self._execute(batch)
            except FAILURES as error:
                self._is_unconfirmed = True
                replies = [error] * len(batch)
            for command, reply in zip(batch, replies, strict=True):
                if isinstance(reply, Exception):
                    # After a failure another Redis may answer, which has not loaded the scripts.
                    self._loaded.clear()
                    set_exception(command.reply, self._make_error(f"Redis failed: {reason(reply)}."))
                elif not command.reply.done():
                    command.reply.set_result(reply)
        self._sending = None

    async def _execute(self, batch: list[PendingCommand]) -> list[Any]:
        """Send the commands in one write, after the scripts that Redis has not loaded yet; return their replies."""
        scripts = {command.script.digest: command.script for command in batch if command.script}
        commands: list[tuple[Argument, ...]] = [
            ("SCRIPT", "LOAD", scripts[digest].text) for digest in scripts.keys() - self._loaded
        ]
        needs_barrier = self._replicas > 0 and self._is_unconfirmed
        needs_confirmation = needs_barrier or (self._replicas > 0 and not all(each.is_read_only for each in batch))
        if needs_barrier:
            # WAIT covers the writes of its own connection only, and the unconfirmed one may have used another.
            commands.append(("SET", _barrier_key(batch[0].key), b"", "EX", _BARRIER_SECONDS))
        first = len(commands)
        commands += [command.arguments for command in batch]
        if needs_confirmation:
            commands.append(("WAIT", self._replicas, CONFIRMATION_MILLISECONDS))
        if self._connection is None or self._connection.closed.done():
            self._connection = await open_connection(self._client)
        replies = await self._connection.execute(commands)
        if needs_barrier and isinstance(replies[first - 1], Exception):
            raise replies[first - 1]
        if needs_confirmation:
            self._check_confirmed(replies.pop())
        self._loaded |= scripts.keys()
        return replies[first:]

    def _check_confirmed(self, confirmed: Any) -> None:
        """Raise unless enough replicas have confirmed all writes up to now."""
        if isinstance(confirmed, Exception):
            raise confirmed
        if confirmed < self._replicas:
            raise TooFewReplicas(f"only {confirmed} of {self._replicas} replicas have confirmed a write")
        self._is_unconfirmed = False


def _barrier_key(key: str) -> str:
    """Return a key in the same slot of a cluster as the key of a command."""
    _, brace, rest = key.partition("{")
    tag, brace, _ = rest.partition("}")
    return f"{{{tag if tag and brace else key}}}:barrier"
