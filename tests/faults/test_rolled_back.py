"""A Redis that comes back with an older copy of its files, to workers that know nothing of what was lost."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from protocol.client import Client, WatchedTable
from tests.faults.kills import free_port
from tests.gateway.process import ServerProcess
from tests.scenarios.people import UNLIMITED, open_table, person, play_until, refusal_of
from tests.store.redis_server import RedisServer


async def until(watched: WatchedTable, is_so: Callable[[dict[str, Any]], bool]) -> None:
    """Wait until a view is like this."""
    async with asyncio.timeout(60):
        while not is_so(watched.view["table"]):
            watched.changed.clear()
            await watched.changed.wait()


async def test_people_who_come_back_show_the_server_that_its_redis_lost_something(tmp_path: Path) -> None:
    redis, copy = RedisServer(), tmp_path / "copy"
    arguments = (*UNLIMITED, f"--redis={redis.url}", f"--port={free_port()}")
    redis.start()
    server = ServerProcess(tmp_path, *arguments)
    try:
        async with person(server.http) as ann, person(server.http) as ben:
            people: list[Client] = [ann, ben]
            table = await open_table(people, "investors", seats=3, absence_seconds=None)
            watched = [await client.watch(table) for client in people]
            redis.kill()
            shutil.copytree(redis.folder, copy, ignore=shutil.ignore_patterns("*.sock"))
            redis.start()
            before = watched[0].view["play"]["decision"]["number"]
            await play_until(people, watched, lambda: watched[0].view["play"]["decision"]["number"] >= before + 6)
            server.end()
            redis.kill()
            shutil.rmtree(redis.folder)
            shutil.copytree(copy, redis.folder)
            redis.start()
            server = ServerProcess(tmp_path, *arguments)
            for each in watched:
                await until(each, lambda shown: shown["went_back"])
            assert watched[0].view["play"]["decision"]["number"] == before
            for client in people:
                decide = client.request("decide", table=table, decision=before, command={"do": "pass"})
                assert await refusal_of(decide) == "paused", "nothing goes on before all agree"
            for client in people:
                await client.request("vote", table=table, on="resume", agree=True)
            await until(watched[0], lambda shown: not shown["paused"])
    finally:
        server.end()
        redis.remove()
