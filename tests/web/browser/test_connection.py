"""Lost networks, reloads, second tabs and a killed server during sealed bidding."""

from __future__ import annotations

import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from tests.web.browser.conftest import OWN, Arrive, RestartableServer
from tests.web.browser.scripted_players import ScriptedPlayers, sealed_bidding
from tests.web.browser.visitor import NETWORK_ERRORS, Visitor, expect_reveal

pytestmark = pytest.mark.asyncio(loop_scope="session")

SERVER = OWN


BEFORE_REST = 24_000.0
"""Milliseconds before a page at which nobody does anything asks whether the server is there."""


def card(number: int) -> str:
    return f".influence-hand li:nth-child({number + 1}) .influence-card"


async def seal(visitor: Visitor, number: int) -> None:
    await visitor.page.locator(card(number)).click()
    await visitor.page.locator(".answer").click()


async def expect_sealed(page: Page, number: int) -> None:
    sealed = page.locator(f"{card(number)}.sealed")
    await expect(sealed).to_be_visible()


@asynccontextmanager
async def a_sealed_card(arrive: Arrive) -> AsyncIterator[tuple[Visitor, ScriptedPlayers]]:
    """Bring a visitor, who may lose the server, to a bidding that waits for the scripted players alone."""
    visitor = await arrive()
    visitor.ignore_errors(NETWORK_ERRORS)
    async with sealed_bidding(visitor) as players:
        await seal(visitor, 5)
        await expect_sealed(visitor.page, 5)
        yield visitor, players


async def test_a_card_sealed_without_a_network_is_sealed_when_it_is_back(arrive: Arrive) -> None:
    visitor = await arrive()
    visitor.ignore_errors(NETWORK_ERRORS)
    async with sealed_bidding(visitor) as players:
        await visitor.context.set_offline(True)
        await visitor.page.evaluate("globalThis.closeSockets()")
        await visitor.page.locator(".banner").wait_for()
        await seal(visitor, 3)
        await visitor.screenshot("offline")
        await visitor.context.set_offline(False)
        await visitor.page.locator(".banner").wait_for(state="detached")
        await expect_sealed(visitor.page, 3)
        async with expect_reveal(visitor.page):
            players.go_on.set()


async def test_a_lost_network_and_a_silent_server_are_noticed_although_the_connection_stays_open(
    arrive: Arrive, server: RestartableServer
) -> None:
    visitor = await arrive()
    visitor.ignore_errors(NETWORK_ERRORS)
    await visitor.page.locator(".live-open").first.wait_for()
    banner = visitor.page.locator(".banner", has_text="No answer from the server.")
    await visitor.context.set_offline(True)
    await banner.wait_for()
    await visitor.context.set_offline(False)
    await banner.wait_for(state="detached")
    server.process.tell(signal.SIGSTOP)
    try:
        # The page looks after its connection when somebody does something; this needs no request.
        await visitor.page.keyboard.press("Shift")
        await banner.wait_for(timeout=BEFORE_REST)
    finally:
        server.process.tell(signal.SIGCONT)
    await banner.wait_for(state="detached")


async def test_the_next_chat_line_can_be_typed_while_one_is_on_its_way(
    arrive: Arrive, server: RestartableServer
) -> None:
    visitor = await arrive("/new/investors")
    await visitor.page.get_by_role("button", name="Open the table").click()
    chat = visitor.page.get_by_label("Write to the table")
    await chat.fill("first")
    server.process.tell(signal.SIGSTOP)
    try:
        await chat.press("Enter")
        await expect(chat).to_have_value("")
        await chat.fill("second")
    finally:
        server.process.tell(signal.SIGCONT)
    await visitor.page.locator(".chat li").get_by_text("first", exact=True).wait_for()
    await expect(chat).to_have_value("second")
    await chat.press("Enter")
    await visitor.page.locator(".chat li").get_by_text("second", exact=True).wait_for()


async def test_a_loaded_page_and_a_second_tab_are_in_step(arrive: Arrive) -> None:
    visitor = await arrive()
    async with sealed_bidding(visitor) as players:
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
        async with expect_reveal(tab, visitor.page):
            players.go_on.set()


async def test_a_killed_server_comes_back_under_an_open_page(arrive: Arrive, server: RestartableServer) -> None:
    async with a_sealed_card(arrive) as (visitor, players):
        server.kill()
        await visitor.page.locator(".banner").wait_for()
        server.start_again()
        await visitor.page.locator(".banner").wait_for(state="detached")
        await expect_sealed(visitor.page, 5)
        async with expect_reveal(visitor.page):
            players.go_on.set()


async def test_a_page_shows_what_the_storage_has_lost_and_all_are_asked_whether_to_go_on(
    arrive: Arrive, server: RestartableServer, tmp_path: Path
) -> None:
    async with a_sealed_card(arrive) as (visitor, players):
        server.kill()
        server.copy_database(tmp_path)
        server.start_again()
        players.go_on.set()
        await visitor.page.get_by_text("Cards shown:").first.wait_for()
        server.kill()
        server.put_back(tmp_path)
        server.start_again()
        notice = visitor.page.locator(".notice", has_text="lost the last steps")
        await notice.wait_for()
        await visitor.screenshot("went-back")
        await notice.get_by_role("button", name="Go on").click()
        await visitor.page.locator(".notice", has_text="would like to go on").wait_for()
