"""The bus between processes on Redis publish/subscribe: a worker that is disconnected misses what is published then.

Envelopes to one worker use a sharded channel (from Redis 7 on), so that they touch one node of a Redis Cluster only;
envelopes to all use an ordinary channel, which the nodes of a cluster pass on to each other.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import Any, Final

from redis.asyncio import Redis
from redis.exceptions import RedisError

from server.redis_pipeline import Pipeline, open_connection, pipeline_from_url, redis_version

from .api import OnEnvelope

log = logging.getLogger(__name__)

RECONNECT_DELAY_SECONDS = 0.2
"""Delay before subscribing again after a disconnect."""

SILENCE_TIMEOUT_SECONDS = 2.0
"""A connection that is silent for so long is dead: our own heartbeats go to all workers, and so to us."""


RESUBSCRIBE_SECONDS = 3.0
"""After we lost our subscription, others may have lost theirs: for so long a missing one is no sign of death."""

_CHANNELS: Final = 2
"""A worker subscribes to its own channel and to that of all workers."""

_MESSAGES: Final = frozenset({b"message", b"smessage"})
_CONFIRMATIONS: Final = frozenset({b"subscribe", b"ssubscribe"})


class _SendFailed(Exception):
    """An envelope could not be sent."""


class RedisBus:
    """One worker's access to the bus. Create it with `at`."""

    def __init__(self, pipeline: Pipeline, prefix: str) -> None:
        self._pipeline = pipeline
        self._prefix = prefix
        self._is_sharded = False
        self._listening: asyncio.Task[None] | None = None
        self._subscription_lost_at = float("-inf")

    @classmethod
    def at(cls, url: str, prefix: str = "sf:") -> RedisBus:
        """Return a bus on the Redis of this URL."""
        return cls(pipeline_from_url(url, _SendFailed), prefix)

    async def join(self, worker: str, on_envelope: OnEnvelope) -> None:
        joined = asyncio.Event()
        self._listening = asyncio.create_task(self._listen(worker, on_envelope, joined))
        await joined.wait()

    def send(self, worker: str, envelope: bytes) -> None:
        # The receiver notices the gap. After closing there is nobody to tell.
        with suppress(_SendFailed):
            self._pipeline.post(self._command, self._channel(worker), envelope)

    async def reaches(self, worker: str, envelope: bytes) -> bool:
        # In a cluster, subscribers and publishers of a channel use the same node, so its count is complete.
        try:
            receivers: int = await self._pipeline.command(self._command, self._channel(worker), envelope)
        except _SendFailed:
            return True
        is_steady = asyncio.get_running_loop().time() - self._subscription_lost_at > RESUBSCRIBE_SECONDS
        return receivers > 0 or not is_steady

    def send_all(self, envelope: bytes) -> None:
        # With a reply, unlike `send`: heartbeats are sent so, and find out whether the connection works.
        with suppress(_SendFailed):
            self._pipeline.command("PUBLISH", self._channel("*"), envelope)

    async def close(self) -> None:
        if self._listening is not None:
            self._listening.cancel()
            with suppress(asyncio.CancelledError):
                await self._listening
        await self._pipeline.close()

    @property
    def _command(self) -> str:
        return "SPUBLISH" if self._is_sharded else "PUBLISH"

    async def _listen(self, worker: str, on_envelope: OnEnvelope, joined: asyncio.Event) -> None:
        while True:
            try:
                await self._receive(worker, on_envelope, joined)
            except (RedisError, OSError, TimeoutError, _SendFailed):
                self._subscription_lost_at = asyncio.get_running_loop().time()
                log.warning("bus lost", extra={"worker": worker})
                await asyncio.sleep(RECONNECT_DELAY_SECONDS)

    async def _receive(self, worker: str, on_envelope: OnEnvelope, joined: asyncio.Event) -> None:
        """Subscribe, and pass envelopes on until the connection ends or is silent; then raise `OSError`."""
        client = await self._client(worker)
        self._is_sharded = redis_version(await client.info("server")) >= (7, 0)
        confirmed = 0

        def on_push(push: list[Any]) -> None:
            nonlocal confirmed
            kind = push[0]
            if kind in _MESSAGES:
                on_envelope(push[2])
            elif kind in _CONFIRMATIONS:
                confirmed += 1
                if confirmed == _CHANNELS:
                    joined.set()
            else:
                # A cluster ends subscriptions when it moves their slot to another node.
                connection.close()

        connection = await open_connection(client, on_push)
        try:
            connection.send("SUBSCRIBE", self._channel("*"))
            connection.send("SSUBSCRIBE" if self._is_sharded else "SUBSCRIBE", self._channel(worker))
            await connection.until_silent(SILENCE_TIMEOUT_SECONDS)
        finally:
            connection.close()
        raise ConnectionResetError

    async def _client(self, worker: str) -> Redis:
        """Return a client for the Redis node that has the channel of a worker."""
        (client,) = await self._pipeline.clients(self._channel(worker))
        return client

    def _channel(self, worker: str) -> str:
        return f"{self._prefix}bus:{worker}"
