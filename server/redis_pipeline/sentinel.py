"""The pipeline to the master that Redis Sentinels name: after a failure they are asked again.

The URL names the Sentinels, the master, and the database: `redis://user:password@host:26379,host2:26379/name/0`. User
and password are those of Redis; `?sentinel_password=` is the password of the Sentinels.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

from redis.asyncio import Redis

from .api import CLOSED, FAILURES, Argument, ErrorFactory, Script, as_future, joined_address, reason, redis_from_url
from .single import RedisPipeline


class SentinelPipeline:
    """A pipeline to the master of a name. Pipelines to former masters stay, since one may be promoted again."""

    takes_keys_of_all_slots = True

    def __init__(self, url: str, make_error: ErrorFactory, replicas: int = 0) -> None:
        parts = urlsplit(url)
        self._user, self._at, hosts = parts.netloc.rpartition("@")
        self._scheme = parts.scheme
        self._name, _, self._database = parts.path.strip("/").partition("/")
        self._make_error = make_error
        self._replicas = replicas
        password = parse_qs(parts.query).get("sentinel_password", [""])[0]
        secret = f":{password}@" if password else ""
        self._sentinels = [redis_from_url(f"{parts.scheme}://{secret}{host}") for host in hosts.split(",") if host]
        self._pipelines: dict[str, RedisPipeline] = {}
        """Pipelines by address (host:port)."""

        self._master: RedisPipeline | None = None
        """The pipeline to the master; None if the Sentinels must be asked."""
        self._finding: asyncio.Task[RedisPipeline] | None = None
        self._closed = False

    def run(self, script: Script, keys: tuple[str, ...], *arguments: Argument) -> asyncio.Future[Any]:
        return self._send(lambda master: master.run(script, keys, *arguments))

    def command(self, *arguments: Argument) -> asyncio.Future[Any]:
        return self._send(lambda master: master.command(*arguments))

    def post(self, *arguments: Argument) -> None:
        if self._master is not None and not self._closed:
            self._master.post(*arguments)
        else:
            self.command(*arguments)

    async def clients(self, key: str | None = None) -> list[Redis]:
        # Callers use this at the start and after a lost connection, so ask the Sentinels again.
        self._master = None
        return await (await self._find_master()).clients()

    async def close(self) -> None:
        self._closed = True
        if self._finding is not None:
            await asyncio.wait([self._finding])
        for pipeline in self._pipelines.values():
            await pipeline.close()
        for sentinel in self._sentinels:
            await sentinel.aclose()

    def _send(self, send: Callable[[RedisPipeline], asyncio.Future[Any]]) -> asyncio.Future[Any]:
        if self._closed:
            raise self._make_error(CLOSED)
        if self._master is not None:
            return send(self._master)
        return as_future(asyncio.create_task(self._find_and_send(send)))

    async def _find_and_send(self, send: Callable[[RedisPipeline], asyncio.Future[Any]]) -> Any:
        return await send(await self._find_master())

    async def _find_master(self) -> RedisPipeline:
        if self._master is not None:
            return self._master
        if self._finding is None:
            self._finding = asyncio.create_task(self._ask_sentinels())
        # Several callers share the task, so a cancelled one must not cancel it.
        return await asyncio.shield(self._finding)

    async def _ask_sentinels(self) -> RedisPipeline:
        """Ask one Sentinel after the other, until one names a Redis that says itself that it is a master."""
        try:
            why = "no Sentinel answers"
            for sentinel in self._sentinels:
                try:
                    named = await sentinel.execute_command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", self._name)  # type: ignore[no-untyped-call]
                    if named is None:
                        why = f"the Sentinels do not know a master {self._name!r}"
                        continue
                    pipeline = self._pipeline_at(joined_address(named[0].decode(), named[1].decode()))
                    (client,) = await pipeline.clients()
                    role = (await client.execute_command("ROLE"))[0]  # type: ignore[no-untyped-call]
                except FAILURES as error:
                    why = reason(error)
                    continue
                if role == b"master":
                    self._master = pipeline
                    return pipeline
                why = "the Redis that the Sentinels name is not a master yet"
            raise self._make_error(f"The Redis behind the Sentinels cannot be used: {why}.")
        finally:
            self._finding = None

    def _pipeline_at(self, address: str) -> RedisPipeline:
        pipeline = self._pipelines.get(address)
        if pipeline is None:
            url = f"{self._scheme}://{self._user}{self._at}{address}/{self._database}"
            pipeline = RedisPipeline(redis_from_url(url), self._master_error, self._replicas)
            self._pipelines[address] = pipeline
        return pipeline

    def _master_error(self, message: str) -> Exception:
        """Return the exception for a failed command, and forget the master, which may have been replaced."""
        self._master = None
        return self._make_error(message)
