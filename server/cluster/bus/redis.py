"""The bus between processes: publish and subscribe of a Redis. Whoever is cut off for a while misses what is sent then.

Envelopes to one worker go over a sharded channel where the server has such (from Redis 7 on), so that in a cluster they
touch one node only; envelopes to all go over an ordinary one, which every node of a cluster passes on.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress

from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.exceptions import RedisError

from server.redis_pipeline import Pipeline, pipeline_from_url, redis_version

from .api import Hear

log = logging.getLogger(__name__)

AGAIN_SECONDS = 0.2
"""How long to wait before subscribing again after the connection was lost."""

SILENT_SECONDS = 2.0
"""A connection on which nothing came for so long is dead: at least our own signs of life go to all, and so to us."""


class _Lost(Exception):
    """An envelope could not be sent."""


class RedisBus:
    """One worker's place on the bus. Made by `at`."""

    def __init__(self, pipeline: Pipeline, prefix: str) -> None:
        self._pipeline = pipeline
        self._prefix = prefix
        self._is_sharded = False
        self._listening: asyncio.Task[None] | None = None

    @classmethod
    def at(cls, url: str, prefix: str = "sf:") -> RedisBus:
        """Use the Redis of this address."""
        return cls(pipeline_from_url(url, _Lost), prefix)

    async def join(self, worker: str, hear: Hear) -> None:
        client = await self._client(worker)
        self._is_sharded = redis_version(await client.info("server")) >= (7, 0)
        joined = asyncio.Event()
        self._listening = asyncio.create_task(self._listen(worker, hear, joined))
        await joined.wait()

    def send(self, worker: str, envelope: bytes) -> None:
        self._publish("SPUBLISH" if self._is_sharded else "PUBLISH", self._channel(worker), envelope)

    def send_all(self, envelope: bytes) -> None:
        self._publish("PUBLISH", self._channel("*"), envelope)

    async def close(self) -> None:
        if self._listening is not None:
            self._listening.cancel()
            with suppress(asyncio.CancelledError):
                await self._listening
        await self._pipeline.close()

    def _publish(self, how: str, channel: str, envelope: bytes) -> None:
        # That it did not arrive is found out by whoever waits for it. After closing there is nobody to tell.
        with suppress(_Lost):
            self._pipeline.command(how, channel, envelope)

    async def _listen(self, worker: str, hear: Hear, joined: asyncio.Event) -> None:
        while True:
            pubsub: PubSub | None = None
            try:
                pubsub = (await self._client(worker)).pubsub()
                await pubsub.subscribe(self._channel("*"))
                if self._is_sharded:
                    await pubsub.ssubscribe(self._channel(worker))
                else:
                    await pubsub.subscribe(self._channel(worker))
                joined.set()
                await self._hear_all(pubsub, hear)
            except (RedisError, OSError, TimeoutError, _Lost):
                log.warning("bus lost", extra={"worker": worker})
                await asyncio.sleep(AGAIN_SECONDS)
            finally:
                if pubsub is not None:
                    await _end(pubsub)

    async def _hear_all(self, pubsub: PubSub, hear: Hear) -> None:
        while True:
            message = await pubsub.get_message(timeout=SILENT_SECONDS)
            if message is None:
                raise TimeoutError
            if message["type"] in ("message", "smessage"):
                hear(message["data"])

    async def _client(self, worker: str) -> Redis:
        """Give a client for the Redis that has the channel of a worker."""
        (client,) = await self._pipeline.clients(self._channel(worker))
        return client

    def _channel(self, worker: str) -> str:
        return f"{self._prefix}bus:{worker}"


async def _end(pubsub: PubSub) -> None:
    with suppress(RedisError, OSError, TimeoutError):
        await pubsub.aclose()  # type: ignore[no-untyped-call]
