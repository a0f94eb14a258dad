"""Limits of real servers: one limit over two workers, and the same limit after a restart."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from http.client import HTTPConnection
from pathlib import Path

from protocol.client import Client, RequestRefused, guest_token, socket_url
from tests.gateway.process import ServerProcess
from tests.store.redis_server import RedisServer

SETTINGS = {"game": "investors", "seats": 3, "private": True}


def guesses(server: ServerProcess, count: int) -> list[int]:
    """Try wrong codes; return the statuses of the answers."""
    statuses = []
    for _ in range(count):
        client = HTTPConnection("127.0.0.1", server.port, timeout=60)
        client.request("POST", "/api/session/code", '{"code": "ABCDEFGHJK"}')
        statuses.append(client.getresponse().status)
        client.close()
    return statuses


async def creations(server: ServerProcess, token: str, count: int) -> int:
    """Try to create tables; return how many were created."""
    created = 0
    async with Client(socket_url(server.http), token) as client:
        for _ in range(count):
            with contextlib.suppress(RequestRefused):
                await client.request("create_table", settings=SETTINGS)
                created += 1
    return created


async def test_two_workers_are_one_limit(tmp_path: Path) -> None:
    redis = RedisServer()
    redis.start()
    workers: list[ServerProcess] = []

    def start(name: str) -> None:
        (tmp_path / name).mkdir()
        arguments = ("--redis", redis.url, "--code-rate", "1/3600/4")
        workers.append(ServerProcess(tmp_path / name, *arguments, module=("tests.scenarios.patient_server",)))

    try:
        await asyncio.gather(asyncio.to_thread(start, "one"), asyncio.to_thread(start, "two"))
        token = guest_token(workers[0].http)
        assert [await creations(worker, token, 7) for worker in workers] == [7, 3]
        # Each worker may try one code before it knows what the other has counted.
        tried = [status for worker in workers for status in guesses(worker, 5)]
        assert tried == [403] * 4 + [429] + [403] + [429] * 4
    finally:
        for worker in workers:
            worker.end()
        redis.remove()


async def test_a_restart_with_a_file_gives_no_new_burst(tmp_path: Path) -> None:
    token = ""
    for expected, created in (([403] * 3 + [429], 10), ([429] * 4, 0)):
        server = ServerProcess(tmp_path, "--code-rate", "1/3600/3")
        try:
            assert guesses(server, 4) == expected
            token = token or guest_token(server.http)
            assert await creations(server, token, 11) == created
            server.tell(signal.SIGTERM)
            assert server.exit_code() == 0
        finally:
            server.end()
