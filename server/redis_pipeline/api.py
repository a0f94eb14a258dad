"""What the pipelines to one Redis, to a Redis Cluster and to a Redis behind Sentinels have in common."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from hashlib import sha1
from typing import Any, Final, Protocol

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

Argument = str | bytes | int | float

REPLY_TIMEOUT: Final = 2.0
"""Seconds until a missing reply closes the connection."""

ErrorFactory = Callable[[str], Exception]
"""Returns the exception to raise for a message."""

CLOSED: Final = "The connection to Redis is closed."
FAILURES: Final = (RedisError, OSError, TimeoutError)


class Script:
    """A Lua script, which Redis runs atomically."""

    def __init__(self, text: str, *, is_read_only: bool = False) -> None:
        self.text = text
        self.is_read_only = is_read_only
        # EVALSHA names scripts by SHA-1; security does not depend on it.
        self.digest = sha1(text.encode(), usedforsecurity=False).hexdigest()


class Pipeline(Protocol):
    """A connection to a Redis, or to the masters of a Redis Cluster."""

    takes_keys_of_all_slots: bool
    """Whether the keys of one script may be of several slots, as they may without a cluster."""

    def run(self, script: Script, keys: tuple[str, ...], *arguments: Argument) -> asyncio.Future[Any]:
        """Run a script and return its result. In a cluster all keys must be in the same slot."""
        ...

    def command(self, *arguments: Argument) -> asyncio.Future[Any]:
        """Send a command and return its reply. In a cluster the second argument must be its key."""
        ...

    def post(self, *arguments: Argument) -> None:
        """Send a command behind all others whose failure need not be noticed. For its key see `command`."""
        ...

    async def clients(self, key: str | None = None) -> list[Redis]:
        """Return a client for each master, or for the master of `key` alone."""
        ...

    async def close(self) -> None:
        """Wait for pending replies and close all connections."""
        ...


def redis_from_url(url: str) -> Redis:
    """Return a client for the Redis at this URL. It connects on first use.

    It never retries: only the caller knows whether a command may take effect twice.
    """
    return Redis.from_url(
        url,
        retry=Retry(NoBackoff(), 0),
        socket_timeout=REPLY_TIMEOUT,
        socket_connect_timeout=REPLY_TIMEOUT,
    )


def redis_version(info: Mapping[str, Any]) -> tuple[int, int]:
    """Return the major and minor version from the reply to INFO."""
    major, minor, *_ = str(info["redis_version"]).split(".")
    return int(major), int(minor)


def reason(error: Exception) -> str:
    """Return the message of an error, without the full stop at its end, or else the name of its class."""
    return str(error).rstrip(".") or type(error).__name__


def joined_address(host: str, port: int | str) -> str:
    """Return `host:port`, with brackets around an IPv6 address."""
    return f"[{host}]:{port}" if ":" in host and not host.startswith("[") else f"{host}:{port}"


def set_exception(reply: asyncio.Future[Any], error: Exception) -> None:
    """Set the exception of a reply unless its caller was cancelled."""
    if not reply.done():
        reply.set_exception(error)
        # Retrieve the exception so that asyncio does not warn about it.
        reply.exception()


def as_future(reply: asyncio.Task[Any]) -> asyncio.Future[Any]:
    """Return a task as a future whose exception nobody has to retrieve."""
    reply.add_done_callback(lambda task: task.cancelled() or task.exception())
    return reply
