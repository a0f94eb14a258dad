"""The log of a game: whole after a reload, in a second tab and for a late spectator."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Page, expect

from protocol.client import Client, socket_url
from tests.scenarios.people import guest_token, open_table
from tests.web.browser.conftest import Arrive, RestartableServer
from tests.web.browser.positions import finished_game
from tests.web.browser.visitor import Visitor

pytestmark = pytest.mark.asyncio(loop_scope="session")

BEGIN = "The city lies in ruins."

EARLIER = "document.querySelector('.earlier button')"
LINES = "document.querySelectorAll('.log li').length"
FOCUS_EARLIER = f"() => {{ {EARLIER}?.focus(); return {EARLIER} && {LINES} }}"
"""Moves the focus to the button for older lines, and returns the number of lines; null if there is no button."""


async def come(arrive: Arrive, table: str, token: str | None) -> Visitor:
    """Open a table as the user of a token, or as a new guest who watches."""
    visitor = await arrive(None, reduced_motion="reduce")
    if token is not None:
        await visitor.context.add_cookies([{"name": "sid", "value": token, "url": visitor.http}])
    await visitor.page.goto(f"{visitor.http}/t/{table}")
    await visitor.page.locator(".log li").first.wait_for()
    return visitor


async def lines(page: Page) -> list[str]:
    """Scroll up until the whole log is loaded; return its headings and lines."""
    log = page.locator(".log")
    await page.wait_for_function(
        """() => {
            const log = document.querySelector(".log");
            log.scrollTop = -log.scrollHeight;
            return !log.querySelector(".earlier");
        }"""
    )
    await expect(log.get_by_text(BEGIN)).to_be_visible()
    texts: list[str] = await log.locator("li").evaluate_all("(nodes) => nodes.map((node) => node.textContent)")
    return texts


async def test_the_whole_log_is_there_after_a_reload_in_a_second_tab_and_for_a_late_spectator(
    arrive: Arrive, server: RestartableServer
) -> None:
    table, token = await finished_game(server)
    visitor = await come(arrive, table, token)
    # Only the newest page is loaded before somebody scrolls.
    await expect(visitor.page.locator(".earlier button")).to_have_count(1)
    whole = await lines(visitor.page)
    assert len(whole) > 150
    rounds = [int(line.removeprefix("Round ")) for line in whole if re.fullmatch(r"Round \d+", line)]
    assert rounds == list(range(1, len(rounds) + 1))
    await visitor.page.reload()
    await visitor.page.locator(".log li").first.wait_for()
    assert await lines(visitor.page) == whole
    tab = await visitor.context.new_page()
    await tab.goto(visitor.page.url)
    await tab.locator(".log li").first.wait_for()
    assert await lines(tab) == whole
    spectator = await come(arrive, table, None)
    seen = await lines(spectator.page)
    assert len(seen) == len(whole)
    assert [line for line in seen if line.startswith("Round")] == [line for line in whole if line.startswith("Round")]


async def test_live_lines_join_the_loaded_ones_once_and_older_lines_load_by_keyboard(
    arrive: Arrive, server: RestartableServer
) -> None:
    token = guest_token(server.http)
    async with (
        Client(socket_url(server.http), token) as client,
        Client(socket_url(server.http), guest_token(server.http)) as other,
    ):
        table = await open_table([client, other], "investors", 3)
        # Votes are log lines, and each is an update of its own.
        for agree in [True, False] * 60:
            await client.request("vote", table=table, on="abandon", agree=agree)
        visitor = await come(arrive, table, token)
        withdrawn = visitor.page.locator(".log li").get_by_text("You no longer want to give the game up.")
        before = await withdrawn.count()
        assert 0 < before < 60
        await client.request("vote", table=table, on="abandon", agree=True)
        await client.request("vote", table=table, on="abandon", agree=False)
        await expect(withdrawn).to_have_count(before + 1)
        # Scrolling to the button loads a page too, so the button may be gone before the key is pressed.
        while (shown := await visitor.page.evaluate(FOCUS_EARLIER)) is not None:
            await visitor.page.keyboard.press("Enter")
            await visitor.page.wait_for_function(f"(shown) => !({EARLIER}) || ({LINES}) > shown", arg=shown)
        await expect(withdrawn).to_have_count(61)
        await expect(visitor.page.locator(".log").get_by_text(BEGIN)).to_have_count(1)
