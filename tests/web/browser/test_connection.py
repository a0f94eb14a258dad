"""Lost networks, loaded pages, second tabs and a killed server, in the middle of sealed bidding."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from tests.web.browser.companions import Companions, sealed_bidding
from tests.web.browser.conftest import Arrive, RestartableServer
from tests.web.browser.visitor import OUT_OF_REACH, PATIENCE, Visitor

pytestmark = pytest.mark.asyncio(loop_scope="module")


def card(number: int) -> str:
    return f".influence-hand li:nth-child({number + 1}) .influence-card"


async def seal(visitor: Visitor, number: int) -> None:
    await visitor.page.locator(card(number)).click()
    await visitor.page.locator(".answer").click()


async def expect_sealed(page: Page, number: int) -> None:
    sealed = page.locator(f"{card(number)}.sealed")
    await expect(sealed).to_be_visible(timeout=PATIENCE)


@asynccontextmanager
async def a_sealed_card(arrive: Arrive) -> AsyncIterator[tuple[Visitor, Companions]]:
    """Bring a visitor, who may lose the server, to a bidding that waits for the companions alone."""
    visitor = await arrive()
    visitor.forgive(OUT_OF_REACH)
    async with sealed_bidding(visitor) as companions:
        await seal(visitor, 5)
        await expect_sealed(visitor.page, 5)
        yield visitor, companions


async def test_a_card_sealed_without_a_network_is_sealed_when_it_is_back(arrive: Arrive) -> None:
    visitor = await arrive()
    visitor.forgive(OUT_OF_REACH)
    async with sealed_bidding(visitor) as companions:
        await visitor.context.set_offline(True)
        await visitor.page.evaluate("globalThis.cut()")
        await visitor.page.locator(".banner").wait_for()
        await seal(visitor, 3)
        await visitor.shoot("offline")
        await visitor.context.set_offline(False)
        await visitor.page.locator(".banner").wait_for(state="detached")
        await expect_sealed(visitor.page, 3)
        companions.go_on.set()
        await visitor.page.locator(".reveal").wait_for()


async def test_a_loaded_page_and_a_second_tab_are_in_step(arrive: Arrive) -> None:
    visitor = await arrive()
    async with sealed_bidding(visitor) as companions:
        await seal(visitor, 2)
        await expect_sealed(visitor.page, 2)
        await visitor.page.reload()
        await expect_sealed(visitor.page, 2)
        tab = await visitor.context.new_page()
        await tab.goto(visitor.page.url)
        await expect_sealed(tab, 2)
        # A sealed answer is changed with one click.
        await tab.locator(card(4)).click()
        await expect_sealed(tab, 4)
        await expect_sealed(visitor.page, 4)
        companions.go_on.set()
        await tab.locator(".reveal").wait_for()
        await visitor.page.locator(".reveal").wait_for()


async def test_a_killed_server_comes_back_under_an_open_page(arrive: Arrive, server: RestartableServer) -> None:
    async with a_sealed_card(arrive) as (visitor, companions):
        server.kill()
        await visitor.page.locator(".banner").wait_for()
        server.start_again()
        await visitor.page.locator(".banner").wait_for(state="detached")
        await expect_sealed(visitor.page, 5)
        companions.go_on.set()
        await visitor.page.locator(".reveal").wait_for()


async def test_a_page_shows_what_the_storage_has_lost_and_all_are_asked_whether_to_go_on(
    arrive: Arrive, server: RestartableServer, tmp_path: Path
) -> None:
    async with a_sealed_card(arrive) as (visitor, companions):
        server.kill()
        server.copy_database(tmp_path)
        server.start_again()
        companions.go_on.set()
        await visitor.page.get_by_text("Cards shown:").first.wait_for(timeout=2 * PATIENCE)
        server.kill()
        server.put_back(tmp_path)
        server.start_again()
        notice = visitor.page.locator(".notice", has_text="lost the last steps")
        await notice.wait_for(timeout=2 * PATIENCE)
        await visitor.shoot("went-back")
        await notice.get_by_role("button", name="Go on").click()
        await visitor.page.locator(".notice", has_text="would go on").wait_for()
