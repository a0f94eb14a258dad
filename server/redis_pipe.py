"""One connection to a Redis for a whole process. What is asked while an answer is awaited goes along together next.

Steps take effect in the order in which they were asked for, and a Redis that syncs its file before it answers does so
once for all that came together. Callers only wait: whoever is cancelled leaves the conversation with Redis in order.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha1
from typing import Any

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

Word = str | bytes | int | float

ANSWER_SECONDS = 2.0
"""How long an answer may take before the connection is given up."""


def redis_at(url: str) -> Redis:
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
class _Asked:
    words: tuple[Word, ...]
    script: Script | None
    answer: asyncio.Future[Any]


class RedisPipe:
    """Carries commands and scripts to a Redis. What goes wrong on the way or there becomes a failure."""

    def __init__(self, client: Redis, failure: Callable[[str], Exception]) -> None:
        self._client = client
        self._failure = failure
        self._waiting: list[_Asked] = []
        self._carrying: asyncio.Task[None] | None = None
        self._known: set[str] = set()
        """The digests of the scripts that Redis has, as far as we know."""
        self._closed = False

    def run(self, script: Script, keys: tuple[str, ...], *arguments: Word) -> asyncio.Future[Any]:
        """Give what the script will return."""
        return self._ask(("EVALSHA", script.digest, len(keys), *keys, *arguments), script)

    def command(self, *words: Word) -> asyncio.Future[Any]:
        """Give what Redis will answer to a command."""
        return self._ask(words, None)

    async def close(self) -> None:
        """Finish what was asked, and end the connection."""
        self._closed = True
        if self._carrying is not None:
            await self._carrying
        await self._client.aclose()

    def _ask(self, words: tuple[Word, ...], script: Script | None) -> asyncio.Future[Any]:
        if self._closed:
            raise self._failure("The connection to Redis is closed.")
        answer = asyncio.get_running_loop().create_future()
        self._waiting.append(_Asked(words, script, answer))
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

    async def _together(self, asked: list[_Asked]) -> list[Any]:
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


def _fail(answer: asyncio.Future[Any], failure: Exception) -> None:
    if not answer.done():
        answer.set_exception(failure)
        # Whoever asked may not want to know; that is no mistake.
        answer.exception()
