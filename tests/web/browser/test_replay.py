"""The replay of a finished game."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.async_api import expect

from protocol.client import Client, socket_url
from tests.scenarios.people import guest_token, open_table
from tests.web.browser.conftest import Arrive, RestartableServer
from tests.web.browser.positions import Choose, finished_game, play_until
from tests.web.browser.test_access import PHONE, serious_issues, widest
from tests.web.browser.test_builders import builder
from tests.web.browser.test_planners import planner
from tests.web.browser.visitor import Visitor

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def come_back(arrive: Arrive, server: RestartableServer, **options: Any) -> Visitor:
    """Open the result in a browser as the person who played, and start the replay."""
    table, token = await finished_game(server)
    visitor = await arrive(None, reduced_motion="reduce", **options)
    await visitor.context.add_cookies([{"name": "sid", "value": token, "url": server.http}])
    await visitor.page.goto(f"{server.http}/t/{table}")
    await visitor.button("Step through the game").click()
    await expect(visitor.page.locator(".step-count")).to_have_text(re.compile(r"Step 0 of \d+"))
    return visitor


async def shown(visitor: Visitor) -> None:
    """Wait until the requested step is shown."""
    await expect(visitor.page.locator(".replay-view")).to_have_attribute("aria-busy", "false")


async def test_a_replay_is_controlled_by_buttons_and_by_keyboard(arrive: Arrive, server: RestartableServer) -> None:
    # The content security policy is bypassed, because axe has to be injected into the page.
    visitor = await come_back(arrive, server, bypass_csp=True)
    page, count = visitor.page, visitor.page.locator(".step-count")
    slider = page.get_by_role("slider", name="Step of the game")
    last = int(await slider.get_attribute("max") or 0)
    assert last > 50
    await expect(slider).to_be_focused()
    at_first = await page.locator(".past-board .city-map").inner_html()
    await visitor.button("Last step").click()
    await expect(count).to_have_text(f"Step {last} of {last}")
    await expect(page.locator(".step-text")).not_to_be_empty()
    await page.wait_for_function(
        "(before) => document.querySelector('.past-board .city-map').innerHTML !== before", arg=at_first
    )
    await visitor.button("Previous step").click()
    await slider.focus()
    for _ in range(12):
        await page.keyboard.press("ArrowLeft")
    await expect(count).to_have_text(f"Step {last - 13} of {last}")
    await visitor.button("Next step").click()
    await slider.fill(str(last // 2))
    await expect(slider).to_have_attribute("aria-valuetext", f"Step {last // 2} of {last}")
    await shown(visitor)
    # Nothing can be picked in the replay.
    assert await page.locator(".past-board [data-street].open").count() == 0
    await visitor.screenshot("replay")
    assert await serious_issues(visitor) == []
    await visitor.button("Back to the result").click()
    await expect(visitor.button("Step through the game")).to_be_focused()
    await page.locator(".points").wait_for()


async def test_the_replay_fits_a_phone(arrive: Arrive, server: RestartableServer) -> None:
    visitor = await come_back(arrive, server, **PHONE)
    await visitor.page.get_by_role("slider").fill("60")
    await shown(visitor)
    await visitor.screenshot("phone-replay")
    assert await visitor.page.evaluate("document.documentElement.scrollWidth") == 360
    sizes = await visitor.page.evaluate(
        """() => [...document.querySelectorAll(".replay button")].map((button) => button.getBoundingClientRect())
            .map(({ width, height }) => Math.min(width, height))"""
    )
    assert min(sizes) >= 40
    await visitor.page.get_by_role("button", name="Back to the result").click()
    await visitor.page.locator(".points").wait_for()


@pytest.mark.parametrize(
    "game, choose, result", [("planners", planner, ".pl-end"), ("builders", builder, ".final-seats")]
)
async def test_the_result_and_the_replay_of_the_other_games(
    game: str, choose: Choose, result: str, arrive: Arrive, server: RestartableServer
) -> None:
    token = guest_token(server.http)
    async with (
        Client(socket_url(server.http), token) as first,
        Client(socket_url(server.http), guest_token(server.http)) as other,
    ):
        table = await open_table([first, other], game, 2)
        assert not await play_until([first, other], table, lambda _: False, choose, seed=1)
    visitor = await arrive(None, bypass_csp=True, reduced_motion="reduce")
    await visitor.context.add_cookies([{"name": "sid", "value": token, "url": visitor.http}])
    await visitor.page.goto(f"{visitor.http}/t/{table}")
    await visitor.page.locator(result).wait_for()
    assert await serious_issues(visitor) == []
    await visitor.button("Step through the game").click()
    slider = visitor.page.get_by_role("slider", name="Step of the game")
    last = int(await slider.get_attribute("max") or 0)
    await slider.fill(str(last // 2))
    await shown(visitor)
    # Nothing can be picked in the replay.
    assert await visitor.page.locator("[data-pick], .answer").count() == 0
    assert await serious_issues(visitor) == []
    await visitor.screenshot(f"{game}-replay")
    await visitor.button("Back to the result").click()
    await visitor.page.set_viewport_size({"width": 360, "height": 740})
    await visitor.page.locator(result).wait_for()
    assert await widest(visitor) == 360
    await visitor.screenshot(f"{game}-phone-end")
