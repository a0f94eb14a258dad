"""Automatic pipelining: one connection to Redis for a whole process.

Commands issued while a reply is pending share the next write. They take effect in the order of the calls, and a Redis
with `appendfsync always` syncs its file once for all of them. A cancelled caller does not disturb the others.

In a Redis Cluster there is one connection to each master; a command goes to the master of its key's slot. Nothing is
retried here: callers repeat a failed command if that is safe.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha1
from typing import Any, Protocol
from urllib.parse import urlsplit

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.crc import REDIS_CLUSTER_HASH_SLOTS, key_slot
from redis.exceptions import RedisError

Argument = str | bytes | int | float

REPLY_TIMEOUT = 2.0
"""Seconds until a missing reply closes the connection."""

CLUSTER = "+cluster"
"""The suffix of a URL's scheme for a node of a Redis Cluster, as in `redis+cluster://host:7000`."""

ErrorFactory = Callable[[str], Exception]
"""Returns the exception to raise for a message."""

_CLOSED = "The connection to Redis is closed."
_FAILURES = (RedisError, OSError, TimeoutError)


class Pipeline(Protocol):
    """A connection to a Redis, or to the masters of a Redis Cluster."""

    def run(self, script: Script, keys: tuple[str, ...], *arguments: Argument) -> asyncio.Future[Any]:
        """Run a script and return its result. In a cluster all keys must be in the same slot."""
        ...

    def command(self, *arguments: Argument) -> asyncio.Future[Any]:
        """Send a command and return its reply. In a cluster the second argument must be its key."""
        ...

    async def clients(self, key: str | None = None) -> list[Redis]:
        """Return a client for each master, or for the master of `key` alone."""
        ...

    async def close(self) -> None:
        """Wait for pending replies and close all connections."""
        ...


def pipeline_from_url(url: str, make_error: ErrorFactory) -> Pipeline:
    """Return the pipeline to the Redis, or the cluster, at this URL. It connects on first use."""
    if urlsplit(url).scheme.endswith(CLUSTER):
        return ClusterPipeline(url.replace(CLUSTER, "", 1), make_error)
    return RedisPipeline(redis_from_url(url), make_error)


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


class Script:
    """A Lua script, which Redis runs atomically."""

    def __init__(self, text: str) -> None:
        self.text = text
        # EVALSHA names scripts by SHA-1; security does not depend on it.
        self.digest = sha1(text.encode(), usedforsecurity=False).hexdigest()


@dataclass(frozen=True, slots=True)
class PendingCommand:
    arguments: tuple[Argument, ...]
    script: Script | None
    reply: asyncio.Future[Any]


class RedisPipeline:
    """A pipeline to one Redis."""

    def __init__(self, client: Redis, make_error: ErrorFactory) -> None:
        self._client = client
        self._make_error = make_error
        self._pending: list[PendingCommand] = []
        self._sending: asyncio.Task[None] | None = None
        self._loaded: set[str] = set()
        """The digests of the scripts that this Redis has loaded."""
        self._closed = False

    def run(self, script: Script, keys: tuple[str, ...], *arguments: Argument) -> asyncio.Future[Any]:
        return self._enqueue(("EVALSHA", script.digest, len(keys), *keys, *arguments), script)

    def command(self, *arguments: Argument) -> asyncio.Future[Any]:
        return self._enqueue(arguments, None)

    async def clients(self, key: str | None = None) -> list[Redis]:
        return [self._client]

    async def close(self) -> None:
        self._closed = True
        if self._sending is not None:
            await self._sending
        await self._client.aclose()

    def _enqueue(self, arguments: tuple[Argument, ...], script: Script | None) -> asyncio.Future[Any]:
        if self._closed:
            raise self._make_error(_CLOSED)
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
            except _FAILURES as error:
                replies = [error] * len(batch)
            for command, reply in zip(batch, replies, strict=True):
                if isinstance(reply, Exception):
                    # After a failure another Redis may answer, which has not loaded the scripts.
                    self._loaded.clear()
                    _set_exception(command.reply, self._make_error(f"Redis failed: {reason(reply)}."))
                elif not command.reply.done():
                    command.reply.set_result(reply)
        self._sending = None

    async def _execute(self, batch: list[PendingCommand]) -> list[Any]:
        """Send the commands in one write, after the scripts that Redis has not loaded yet; return their replies."""
        pipeline = self._client.pipeline(transaction=False)
        scripts = {command.script.digest: command.script for command in batch if command.script}
        for digest in scripts.keys() - self._loaded:
            pipeline.script_load(scripts[digest].text)
        loads = len(pipeline)
        for command in batch:
            pipeline.execute_command(*command.arguments)
        replies = await pipeline.execute(raise_on_error=False)
        self._loaded |= scripts.keys()
        return replies[loads:]


class ClusterPipeline:
    """A pipeline to a Redis Cluster. `url` is that of any node; the URLs of the other nodes differ in host and port.

    The slot map is loaded again after any failure, since a slot may have moved or a replica may have been promoted.
    """

    def __init__(self, url: str, make_error: ErrorFactory) -> None:
        self._url = url
        self._make_error = make_error
        self._pipelines: dict[str, RedisPipeline] = {}
        """Pipelines by address (host:port). Former masters stay, since they still know the slot map."""
        self._slot_map: list[str] | None = None
        """The address of the master of each slot; None if it must be loaded."""
        self._slot_map_loading: asyncio.Task[list[str]] | None = None
        self._closed = False

    def run(self, script: Script, keys: tuple[str, ...], *arguments: Argument) -> asyncio.Future[Any]:
        return self._route(keys[0], lambda pipeline: pipeline.run(script, keys, *arguments))

    def command(self, *arguments: Argument) -> asyncio.Future[Any]:
        return self._route(str(arguments[1]), lambda pipeline: pipeline.command(*arguments))

    async def clients(self, key: str | None = None) -> list[Redis]:
        # Callers use this at the start and after a lost connection, so load the slot map again.
        self._slot_map = None
        slot_map = await self._get_slot_map()
        addresses = dict.fromkeys(slot_map if key is None else (slot_map[key_slot(key.encode())],))
        return [client for address in addresses for client in await self._pipeline_at(address).clients()]

    async def close(self) -> None:
        self._closed = True
        if self._slot_map_loading is not None:
            await asyncio.wait([self._slot_map_loading])
        for pipeline in self._pipelines.values():
            await pipeline.close()

    def _route(self, key: str, send: Callable[[RedisPipeline], asyncio.Future[Any]]) -> asyncio.Future[Any]:
        """Send a command to the master of a key, after loading the slot map if necessary."""
        if self._closed:
            raise self._make_error(_CLOSED)
        if self._slot_map is not None:
            return send(self._pipeline_at(self._slot_map[key_slot(key.encode())]))
        reply = asyncio.ensure_future(self._load_and_send(key, send))
        # Retrieve the exception so that asyncio does not warn about it.
        reply.add_done_callback(lambda task: task.cancelled() or task.exception())
        return reply

    async def _load_and_send(self, key: str, send: Callable[[RedisPipeline], asyncio.Future[Any]]) -> Any:
        slot_map = await self._get_slot_map()
        return await send(self._pipeline_at(slot_map[key_slot(key.encode())]))

    async def _get_slot_map(self) -> list[str]:
        if self._slot_map is not None:
            return self._slot_map
        if self._slot_map_loading is None:
            self._slot_map_loading = asyncio.create_task(self._load_slot_map())
        # Several callers share the task, so a cancelled one must not cancel it.
        return await asyncio.shield(self._slot_map_loading)

    async def _load_slot_map(self) -> list[str]:
        """Ask one node after the other for the slot map, until one has a master for every slot."""
        try:
            why = "no node answers"
            for address in (urlsplit(self._url).netloc.rpartition("@")[2], *self._pipelines):
                (client,) = await self._pipeline_at(address).clients()
                try:
                    slots = await client.execute_command("CLUSTER", "SLOTS")  # type: ignore[no-untyped-call]
                except _FAILURES as error:
                    why = reason(error)
                    continue
                slot_map = _slot_map(address, slots)
                if all(slot_map):
                    self._slot_map = slot_map
                    return slot_map
                why = "some slots have no master"
            raise self._make_error(f"The Redis Cluster cannot be used: {why}.")
        finally:
            self._slot_map_loading = None

    def _pipeline_at(self, address: str) -> RedisPipeline:
        pipeline = self._pipelines.get(address)
        if pipeline is None:
            user, at, _ = urlsplit(self._url).netloc.rpartition("@")
            url = urlsplit(self._url)._replace(netloc=f"{user}{at}{address}").geturl()
            pipeline = self._pipelines[address] = RedisPipeline(redis_from_url(url), self._node_error)
        return pipeline

    def _node_error(self, message: str) -> Exception:
        """Return the exception for a failed command, and discard the slot map, which may be out of date."""
        self._slot_map = None
        return self._make_error(message)


def _slot_map(node: str, slots: list[Any]) -> list[str]:
    """Return the address of the master of each slot from a node's reply to CLUSTER SLOTS; empty if it has none."""
    slot_map = [""] * REDIS_CLUSTER_HASH_SLOTS
    for first, last, (host, port, *_), *_ in slots:
        # A node that does not know its own host name replies with an empty one.
        name = host.decode() if host else node.rpartition(":")[0]
        address = f"[{name}]:{port}" if ":" in name and not name.startswith("[") else f"{name}:{port}"
        slot_map[first : last + 1] = [address] * (last + 1 - first)
    return slot_map


def _set_exception(reply: asyncio.Future[Any], error: Exception) -> None:
    if not reply.done():
        reply.set_exception(error)
        # Retrieve the exception so that asyncio does not warn about it.
        reply.exception()
