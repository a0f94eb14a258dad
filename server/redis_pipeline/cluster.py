"""The pipeline to a Redis Cluster: one pipeline to each master."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from redis.asyncio import Redis
from redis.crc import REDIS_CLUSTER_HASH_SLOTS, key_slot

from .api import CLOSED, FAILURES, Argument, ErrorFactory, Script, as_future, joined_address, reason, redis_from_url
from .single import RedisPipeline


class ClusterPipeline:
    """A pipeline to a Redis Cluster. `url` is that of any node; the URLs of the other nodes differ in host and port.

    The slot map is loaded again after any failure, since a slot may have moved or a replica may have been promoted.
    """

    takes_keys_of_all_slots = False

    def __init__(self, url: str, make_error: ErrorFactory, replicas: int = 0) -> None:
        self._url = url
        self._make_error = make_error
        self._replicas = replicas
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

    def post(self, *arguments: Argument) -> None:
        # The reply shows whether the slot of the key has moved.
        self.command(*arguments)

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
            raise self._make_error(CLOSED)
        if self._slot_map is not None:
            return send(self._pipeline_at(self._slot_map[key_slot(key.encode())]))
        return as_future(asyncio.create_task(self._load_and_send(key, send)))

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
                except FAILURES as error:
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
            pipeline = self._pipelines[address] = RedisPipeline(redis_from_url(url), self._node_error, self._replicas)
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
        slot_map[first : last + 1] = [joined_address(name, port)] * (last + 1 - first)
    return slot_map
