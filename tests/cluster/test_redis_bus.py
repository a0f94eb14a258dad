"""The bus on a real Redis tells a worker that has ended from one that receives its envelopes."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from server.cluster.bus.redis import RedisBus
from tests.store.redis_server import RedisServer


@pytest.fixture
def redis() -> Iterator[RedisServer]:
    server = RedisServer()
    try:
        server.start()
        yield server
    finally:
        server.remove()


async def joined(redis: RedisServer, worker: str, received: list[bytes]) -> RedisBus:
    bus = RedisBus.at(redis.url)
    await bus.join(worker, received.append)
    return bus


async def until_unreachable(bus: RedisBus, worker: str) -> None:
    async with asyncio.timeout(20):
        while True:
            if not await bus.reaches(worker, b"probe"):
                return
            await asyncio.sleep(0.01)


async def test_a_worker_is_reached_until_its_connection_ends(redis: RedisServer) -> None:
    ant_received: list[bytes] = []
    bee_received: list[bytes] = []
    ant, bee = await joined(redis, "ant", ant_received), await joined(redis, "bee", bee_received)
    assert await ant.reaches("bee", b"first")
    assert not await ant.reaches("nobody", b"first")
    await bee.close()
    await until_unreachable(ant, "bee")
    assert bee_received[:1] == [b"first"]
    await ant.close()


async def test_after_a_lost_subscription_nobody_is_missed_for_a_while(redis: RedisServer) -> None:
    received: list[bytes] = []
    ant = await joined(redis, "ant", received)
    assert not await ant.reaches("bee", b"probe")
    redis.kill()
    assert await ant.reaches("bee", b"probe"), "without Redis nothing is known"
    redis.start()
    async with asyncio.timeout(20):
        while not received:
            ant.send_all(b"hello")
            await asyncio.sleep(0.02)
    assert await ant.reaches("bee", b"probe"), "other workers may need time to subscribe again"
    await ant.close()


@pytest.mark.parametrize("protocol", [2, 3])
async def test_envelopes_have_no_replies_that_other_commands_could_take(redis: RedisServer, protocol: int) -> None:
    received: list[bytes] = []
    is_complete = asyncio.Event()

    def on_envelope(envelope: bytes) -> None:
        received.append(envelope)
        if envelope == b"last":
            is_complete.set()

    ant = RedisBus.at(f"{redis.url}?protocol={protocol}")
    await ant.join("ant", on_envelope)
    for number in range(20):
        ant.send("ant", b"%d" % number)
        ant.send("ant", b"and")
        assert not await ant.reaches("nobody", b"probe"), "this is the number of receivers of another envelope"
    assert await ant.reaches("ant", b"last")
    async with asyncio.timeout(20):
        await is_complete.wait()
    assert received == [envelope for number in range(20) for envelope in (b"%d" % number, b"and")] + [b"last"]
    await ant.close()
