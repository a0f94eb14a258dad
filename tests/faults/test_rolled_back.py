"""Redis restarts from an older copy of its files, and so do the workers: clients prove what was lost."""

from __future__ import annotations

import shutil
from pathlib import Path

from protocol.client import Client
from tests.faults.kills import free_port
from tests.gateway.process import ServerProcess
from tests.scenarios.people import UNLIMITED, open_table, person, play_until, refusal_of, wait_until
from tests.store.redis_server import RedisServer


async def test_clients_that_resume_prove_that_redis_lost_entries(tmp_path: Path) -> None:
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
                await wait_until(each, lambda view: view["table"]["went_back"])
            assert watched[0].view["play"]["decision"]["number"] == before
            for client in people:
                decide = client.request("decide", table=table, decision=before, command={"do": "pass"})
                assert await refusal_of(decide) == "paused", "the game waits until all agree"
            for client in people:
                await client.request("vote", table=table, on="resume", agree=True)
            await wait_until(watched[0], lambda view: not view["table"]["paused"])
    finally:
        server.end()
        redis.remove()
