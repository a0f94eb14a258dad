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
from tests.web.browser.companions import sealed_bidding
from tests.web.browser.conftest import Arrive, House
from tests.web.browser.test_connection import expect_sealed, seal
from tests.web.browser.visitor import OUT_OF_REACH, PATIENCE

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(scope="module")
def house(built: tuple[Path, float], tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    redis = RedisServer()
    redis.start()
    house = House(tmp_path_factory.mktemp("server"), built[0], "--workers=2", f"--redis={redis.url}")
    yield house
    house.process.tell(signal.SIGTERM)
    house.process.exit_code()
    house.kill()
    redis.remove()


def workers(house: House) -> list[int]:
    """Give the process ids of the workers that serve now."""
    pid = house.process.process.pid
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


async def until_two_serve(house: House) -> None:
    """Wait until the worker that was killed has a successor, and each knows of the other."""
    async with asyncio.timeout(60), httpx.AsyncClient() as operator:
        while True:
            with suppress(httpx.TransportError):
                health = (await operator.get(f"{house.http}/healthz")).json()
                if len(workers(house)) == 2 and health["workers"] == 2:
                    return
            await asyncio.sleep(0.2)


async def test_either_worker_may_be_killed_under_an_open_page(arrive: Arrive, house: House) -> None:
    visitor = await arrive()
    visitor.forgive(OUT_OF_REACH)
    async with sealed_bidding(visitor) as companions:
        await seal(visitor, 5)
        await expect_sealed(visitor.page, 5)
        for worker in workers(house):
            # The page is at one of the two. It comes back, or never notices.
            os.kill(worker, signal.SIGKILL)
            await until_two_serve(house)
            await visitor.page.locator(".banner").wait_for(state="detached")
            await expect_sealed(visitor.page, 5)
        companions.go_on.set()
        await visitor.page.locator(".reveal").wait_for(timeout=2 * PATIENCE)
