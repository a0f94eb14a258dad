"""One connection to a Redis for a whole process. What is asked while an answer is awaited goes along together next.

Steps take effect in the order in which they were asked for, and a Redis that syncs its file before it answers does so
once for all that came together. Callers only wait: whoever is cancelled leaves the conversation with Redis in order.

To a Redis Cluster there is one such connection for each master, and what is asked goes to the one that has its key.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha1
from typing import Any, Protocol
from urllib.parse import urlsplit

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.crc import REDIS_CLUSTER_HASH_SLOTS, key_slot
from redis.exceptions import RedisError

Word = str | bytes | int | float

ANSWER_SECONDS = 2.0
"""How long an answer may take before the connection is given up."""


CLUSTER = "+cluster"
"""Ends the scheme of an address at which there is a node of a cluster, like `redis+cluster://host:7000`."""

Failure = Callable[[str], Exception]

_CLOSED = "The connection to Redis is closed."


class Pipeline(Protocol):
    """Carries commands and scripts to a Redis, or to a cluster of them. What goes wrong becomes a failure."""

    def run(self, script: Script, keys: tuple[str, ...], *arguments: Word) -> asyncio.Future[Any]:
        """Give what the script will return. In a cluster all keys must be in the slot of the first."""
        ...

    def command(self, *words: Word) -> asyncio.Future[Any]:
        """Give what Redis will answer to a command. In a cluster the second word says to which master it goes."""
        ...

    async def clients(self, key: str | None = None) -> list[Redis]:
        """Give a client for each Redis that can be written to, or for the one alone that has a key."""
        ...

    async def close(self) -> None:
        """Finish what was asked, and end all connections."""
        ...


def pipeline_from_url(url: str, failure: Failure) -> Pipeline:
    """Give the pipe to the Redis, or the cluster, of this address. It connects when it is needed."""
    is_cluster = urlsplit(url).scheme.endswith(CLUSTER)
    return (
        ClusterPipeline(url.replace(CLUSTER, "", 1), failure)
        if is_cluster
        else RedisPipeline(redis_from_url(url), failure)
    )


def redis_from_url(url: str) -> Redis:
    """Give a client for the Redis of this address. It connects when it is needed.

    Nothing is repeated behind the caller's back: whether something took place is found out by whoever asked for it.
    """
    return Redis.from_url(
        url,
        retry=Retry(NoBackoff(), 0),
        socket_timeout=ANSWER_SECONDS,
        socket_connect_timeout=ANSWER_SECONDS,
    )


class Script:
    """A Lua script: one atomic step."""

    def __init__(self, text: str) -> None:
        self.text = text
        # By this name Redis knows a script; it guards against nothing.
        self.digest = sha1(text.encode(), usedforsecurity=False).hexdigest()


@dataclass(frozen=True, slots=True)
class PendingCommand:
    words: tuple[Word, ...]
    script: Script | None
    answer: asyncio.Future[Any]


class RedisPipeline:
    """The pipe to one Redis."""

    def __init__(self, client: Redis, failure: Failure) -> None:
        self._client = client
        self._failure = failure
        self._waiting: list[PendingCommand] = []
        self._carrying: asyncio.Task[None] | None = None
        self._known: set[str] = set()
        """The digests of the scripts that Redis has, as far as we know."""
        self._closed = False

    def run(self, script: Script, keys: tuple[str, ...], *arguments: Word) -> asyncio.Future[Any]:
        return self._ask(("EVALSHA", script.digest, len(keys), *keys, *arguments), script)

    def command(self, *words: Word) -> asyncio.Future[Any]:
        return self._ask(words, None)

    async def clients(self, key: str | None = None) -> list[Redis]:
        return [self._client]

    async def close(self) -> None:
        self._closed = True
        if self._carrying is not None:
            await self._carrying
        await self._client.aclose()

    def _ask(self, words: tuple[Word, ...], script: Script | None) -> asyncio.Future[Any]:
        if self._closed:
            raise self._failure(_CLOSED)
        answer = asyncio.get_running_loop().create_future()
        self._waiting.append(PendingCommand(words, script, answer))
        if self._carrying is None:
            self._carrying = asyncio.create_task(self._carry())
        return answer

    async def _carry(self) -> None:
        while self._waiting:
            asked, self._waiting = self._waiting, []
            try:
                answers = await self._together(asked)
            except (RedisError, OSError, TimeoutError) as error:
                # It may be another Redis that answers next, and the scripts of this one are gone with it.
                self._known.clear()
                answers = [error] * len(asked)
            for each, answer in zip(asked, answers, strict=True):
                if isinstance(answer, Exception):
                    self._known.clear()
                    why = str(answer).rstrip(".") or type(answer).__name__
                    _fail(each.answer, self._failure(f"Redis could not do it: {why}."))
                elif not each.answer.done():
                    each.answer.set_result(answer)
        self._carrying = None

    async def _together(self, asked: list[PendingCommand]) -> list[Any]:
        pipeline = self._client.pipeline(transaction=False)
        unknown = {each.script.digest: each.script for each in asked if each.script}
        for digest in unknown.keys() - self._known:
            pipeline.script_load(unknown[digest].text)
        loaded = len(pipeline)
        for each in asked:
            pipeline.execute_command(*each.words)
        answers = await pipeline.execute(raise_on_error=False)
        self._known |= unknown.keys()
        return answers[loaded:]


class ClusterPipeline:
    """The pipe to a cluster. `url` is the address of any of its nodes; the others are at the same kind of address.

    Which master has which slots is asked when it is not known, or when anything has failed: a slot has moved then, or a
    master has a successor, or neither. Nothing is repeated here; whoever was told of the failure asks again.
    """

    def __init__(self, url: str, failure: Failure) -> None:
        self._url = url
        self._failure = failure
        self._pipes: dict[str, RedisPipeline] = {}
        """By host and port; those that were masters once are kept, since they may tell who is one now."""
        self._masters: list[str] | None = None
        """By slot."""
        self._learning: asyncio.Task[list[str]] | None = None
        self._closed = False

    def run(self, script: Script, keys: tuple[str, ...], *arguments: Word) -> asyncio.Future[Any]:
        return self._ask(keys[0], lambda pipeline: pipeline.run(script, keys, *arguments))

    def command(self, *words: Word) -> asyncio.Future[Any]:
        return self._ask(str(words[1]), lambda pipeline: pipeline.command(*words))

    async def clients(self, key: str | None = None) -> list[Redis]:
        # Asked for rarely, and again when one of them was lost.
        self._masters = None
        masters = await self._learned()
        places = dict.fromkeys(masters if key is None else (masters[key_slot(key.encode())],))
        return [client for place in places for client in await self._pipeline_of(place).clients()]

    async def close(self) -> None:
        self._closed = True
        if self._learning is not None:
            await asyncio.wait([self._learning])
        for pipeline in self._pipes.values():
            await pipeline.close()

    def _ask(self, key: str, ask: Callable[[RedisPipeline], asyncio.Future[Any]]) -> asyncio.Future[Any]:
        if self._closed:
            raise self._failure(_CLOSED)
        if self._masters is not None:
            return ask(self._pipeline_of(self._masters[key_slot(key.encode())]))
        asked = asyncio.ensure_future(self._ask_when_learned(key, ask))
        # Whoever asked may not want to know; that is no mistake.
        asked.add_done_callback(lambda task: task.cancelled() or task.exception())
        return asked

    async def _ask_when_learned(self, key: str, ask: Callable[[RedisPipeline], asyncio.Future[Any]]) -> Any:
        masters = await self._learned()
        return await ask(self._pipeline_of(masters[key_slot(key.encode())]))

    async def _learned(self) -> list[str]:
        """Give the master of each slot."""
        if self._masters is not None:
            return self._masters
        if self._learning is None:
            self._learning = asyncio.create_task(self._learn())
        # Others may want to know it too, so nobody who waits can stop it.
        return await asyncio.shield(self._learning)

    async def _learn(self) -> list[str]:
        try:
            why = "it has no node that answers"
            for place in (urlsplit(self._url).netloc.rpartition("@")[2], *self._pipes):
                (client,) = await self._pipeline_of(place).clients()
                try:
                    masters = _masters(place, await client.execute_command("CLUSTER", "SLOTS"))  # type: ignore[no-untyped-call]
                except (RedisError, OSError, TimeoutError) as error:
                    why = str(error).rstrip(".") or type(error).__name__
                    continue
                if all(masters):
                    self._masters = masters
                    return masters
                why = "some slots have no master"
            raise self._failure(f"The Redis Cluster cannot be used: {why}.")
        finally:
            self._learning = None

    def _pipeline_of(self, place: str) -> RedisPipeline:
        pipeline = self._pipes.get(place)
        if pipeline is None:
            user, at, _ = urlsplit(self._url).netloc.rpartition("@")
            url = urlsplit(self._url)._replace(netloc=f"{user}{at}{place}").geturl()
            pipeline = self._pipes[place] = RedisPipeline(redis_from_url(url), self._failed)
        return pipeline

    def _failed(self, why: str) -> Exception:
        self._masters = None
        return self._failure(why)


def _masters(asked: str, slots: list[Any]) -> list[str]:
    """Give where the master of each slot is, as a node says that was asked."""
    masters = [""] * REDIS_CLUSTER_HASH_SLOTS
    for first, last, (host, port, *_), *_ in slots:
        # A node that does not know its own name means itself.
        name = host.decode() if host else asked.rpartition(":")[0]
        place = f"[{name}]:{port}" if ":" in name and not name.startswith("[") else f"{name}:{port}"
        masters[first : last + 1] = [place] * (last + 1 - first)
    return masters


def _fail(answer: asyncio.Future[Any], failure: Exception) -> None:
    if not answer.done():
        answer.set_exception(failure)
        # Whoever asked may not want to know; that is no mistake.
        answer.exception()
