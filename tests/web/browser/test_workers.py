"""Two workers on one port: if either is killed under an open page, the bidding goes on at the other."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from tests.store.redis_server import RedisServer
from tests.web.browser.conftest import Arrive, RestartableServer
from tests.web.browser.test_connection import a_sealed_card, card, expect_sealed
from tests.web.browser.visitor import expect_reveal

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.fixture(scope="module")
def server(built: tuple[Path, float], tmp_path_factory: pytest.TempPathFactory) -> Iterator[RestartableServer]:
    redis = RedisServer()
    redis.start()
    server = RestartableServer(tmp_path_factory.mktemp("server"), built[0], "--workers=2", f"--redis={redis.url}")
    yield server
    server.process.tell(signal.SIGTERM)
    server.process.exit_code()
    server.kill()
    redis.remove()


def workers(server: RestartableServer) -> list[int]:
    """Return the process ids of the running workers."""
    pid = server.process.process.pid
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


async def kill_and_wait_for_another(server: RestartableServer, worker: int) -> None:
    """Kill a worker, and wait until the supervisor has started another and both workers know each other."""
    os.kill(worker, signal.SIGKILL)
    async with asyncio.timeout(120), httpx.AsyncClient(timeout=60) as operator:
        while True:
            with suppress(httpx.TransportError):
                # Each request may reach either worker, and one that has just lost its peer may still count it.
                healths = [(await operator.get(f"{server.http}/healthz")).json() for _ in range(4)]
                living = workers(server)
                if len(living) == 2 and worker not in living and all(health["workers"] == 2 for health in healths):
                    return
            await asyncio.sleep(0.1)


async def test_either_worker_may_be_killed_under_an_open_page(arrive: Arrive, server: RestartableServer) -> None:
    async with a_sealed_card(arrive) as (visitor, players):
        for worker, other_card in zip(workers(server), (4, 3), strict=True):
            # The page is connected to one of the two. Its requests are answered in either case.
            await kill_and_wait_for_another(server, worker)
            await visitor.page.locator(card(other_card)).click()
            await expect_sealed(visitor.page, other_card)
        async with expect_reveal(visitor.page):
            players.go_on.set()


async def test_bids_revealed_while_a_worker_dies_are_still_shown(arrive: Arrive, server: RestartableServer) -> None:
    async with a_sealed_card(arrive) as (visitor, players):
        first, _ = workers(server)
        players.go_on.set()
        await kill_and_wait_for_another(server, first)
        # A connected page gets the events as an update, a reconnecting one as missed events.
        await visitor.page.get_by_text("Cards shown:").first.wait_for()
