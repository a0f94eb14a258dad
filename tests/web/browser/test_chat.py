"""The chat of players and of spectators, and votes that wait for absent people, in two pages at one table."""

from __future__ import annotations

import re
from contextlib import AsyncExitStack

import pytest
from playwright.async_api import Locator, Page, expect

from protocol.client import Client, socket_url
from tests.scenarios.people import guest_token
from tests.web.browser.conftest import Arrive, RestartableServer
from tests.web.browser.test_around_the_table import two_people

pytestmark = pytest.mark.asyncio(loop_scope="session")

FAKE_BO = "B\u043e"  # with a Cyrillic letter


async def open_chat(page: Page) -> Locator:
    await page.get_by_role("tab", name=re.compile("^Chat")).click()
    return page.locator(".chat")


async def write(page: Page, text: str) -> None:
    await page.locator(".chat input").fill(text)
    await page.locator(".chat form button").click()
    await expect(page.locator(".chat li").last).to_contain_text(text)


async def test_players_and_spectators_talk_apart_also_after_a_reload(arrive: Arrive, server: RestartableServer) -> None:
    async with AsyncExitStack() as stack:
        people = await two_people(stack, arrive, server)
        page = people.visitor.page
        token = guest_token(server.http)
        client = await stack.enter_async_context(Client(socket_url(server.http), token))
        await client.request("set_name", name=FAKE_BO)
        visitor = await arrive(None, reduced_motion="reduce")
        await visitor.context.add_cookies([{"name": "sid", "value": token, "url": visitor.http}])
        spectator = visitor.page
        await spectator.goto(f"{people.visitor.http}/t/{people.table}")
        for each in (page, spectator):
            await open_chat(each)
        await write(spectator, "from a spectator")
        await write(page, "from a player")
        await write(spectator, "again")
        await people.other.request("say", table=people.table, text="from Bo")
        for is_reloaded in (False, True):
            if is_reloaded:
                for each in (page, spectator):
                    await each.reload()
                    await open_chat(each)
            await expect(page.locator(".chat .chat-text")).to_have_text(["from a player", "from Bo"])
            await expect(spectator.locator(".chat .chat-text")).to_have_text(["from a spectator", "again"])
            await expect(spectator.locator(".chat strong").first).to_have_text(f"{FAKE_BO} (2)")
            await expect(page.locator(".chat strong").last).to_have_text("Bo")


async def test_a_vote_names_who_is_missing_and_until_when(arrive: Arrive, server: RestartableServer) -> None:
    async with AsyncExitStack() as stack:
        people = await two_people(stack, arrive, server)
        vote = people.visitor.page.locator(".notice[data-vote=abandon]")
        await people.mine.request("vote", table=people.table, on="abandon", agree=True)
        await expect(vote).to_contain_text("Still to agree: Bo.")
        await people.other.request("watch", table=people.table)
        await expect(vote).not_to_contain_text("away")
        await people.other.request("unwatch", table=people.table)
        await expect(vote).to_contain_text(re.compile(r"Bo is away. If that lasts until \d{1,2}:\d\d"))
