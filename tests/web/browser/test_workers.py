"""Two workers behind one address: whichever is killed under an open page, the bidding goes on at the other."""

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
from tests.web.browser.visitor import PATIENCE

pytestmark = pytest.mark.asyncio(loop_scope="module")


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
    """Give the process ids of the workers that there are now."""
    pid = server.process.process.pid
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


async def kill_and_wait_for_another(server: RestartableServer, worker: int) -> None:
    """Kill a worker, and wait until the supervisor has begun another and the two that there are know of each other."""
    os.kill(worker, signal.SIGKILL)
    async with asyncio.timeout(60), httpx.AsyncClient() as operator:
        while True:
            with suppress(httpx.TransportError):
                # Each question may meet either of them. One that has just lost the other may still count it.
                healths = [(await operator.get(f"{server.http}/healthz")).json() for _ in range(4)]
                living = workers(server)
                if len(living) == 2 and worker not in living and all(health["workers"] == 2 for health in healths):
                    return
            await asyncio.sleep(0.1)


async def test_either_worker_may_be_killed_under_an_open_page(arrive: Arrive, server: RestartableServer) -> None:
    async with a_sealed_card(arrive) as (visitor, companions):
        for worker, other_card in zip(workers(server), (4, 3), strict=True):
            # The page is at one of the two. It comes back, or never notices; what it asks is answered in any case.
            await kill_and_wait_for_another(server, worker)
            await visitor.page.locator(card(other_card)).click()
            await expect_sealed(visitor.page, other_card)
        companions.go_on.set()
        await visitor.page.locator(".reveal").wait_for(timeout=2 * PATIENCE)


async def test_bids_that_are_revealed_while_a_worker_dies_are_told_all_the_same(
    arrive: Arrive, server: RestartableServer
) -> None:
    async with a_sealed_card(arrive) as (visitor, companions):
        first, _ = workers(server)
        companions.go_on.set()
        await kill_and_wait_for_another(server, first)
        # Shown as it happens to a page that is there, told to one that comes back.
        await visitor.page.get_by_text("Cards shown:").first.wait_for(timeout=2 * PATIENCE)
