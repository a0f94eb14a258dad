"""A table as an overlay for streams: seats and city on a transparent page, and nothing that spectators may not know."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from tests.web.browser.conftest import Arrive
from tests.web.browser.test_access import widest
from tests.web.browser.visitor import reached

pytestmark = pytest.mark.asyncio(loop_scope="session")

BACKGROUNDS = "[document.documentElement, document.body].map((each) => getComputedStyle(each).backgroundColor)"
SIZES = ((1920, 1080), (1280, 720), (360, 740))


@pytest.mark.parametrize("game", ["Investors", "Planners", "Builders"])
async def test_a_stream_shows_the_table_as_spectators_see_it(arrive: Arrive, game: str) -> None:
    player = await arrive(reduced_motion="reduce")
    await player.choose_game(game)
    table = await player.open_table(seats=3)
    stream = await arrive(f"/t/{table}?overlay", reduced_motion="reduce", viewport={"width": 1920, "height": 1080})
    page = stream.page
    await expect(page.locator(".overlay-note")).to_contain_text("The game has not begun yet.")
    await player.button("Begin").click()
    await player.wait_for_table()
    await expect(page.locator(".overlay .seat")).to_have_count(3)
    await expect(page.locator(".overlay .middle svg").first).to_be_visible()
    assert await page.evaluate(BACKGROUNDS) == ["rgba(0, 0, 0, 0)"] * 2
    await player.play(by_mouse=0, until=reached(1) if game == "Planners" else reached(2, 2))
    await expect(page.locator(".overlay-lines")).not_to_have_text("")
    # There is neither a hand nor a log, and nothing to press.
    for absent in (".bottom", ".right", ".bar"):
        await expect(page.locator(absent)).to_have_count(0)
    for width, height in SIZES:
        await page.set_viewport_size({"width": width, "height": height})
        await stream.screenshot(f"overlay-{game.lower()}-{width}")
        assert await widest(stream) == width
    # Whoever sits there would show their own hand.
    await player.page.goto(f"{player.http}/t/{table}?overlay")
    await expect(player.page.locator(".overlay-note")).to_contain_text("in which you do not sit at this table")
    await expect(player.page.locator(".overlay .seat")).to_have_count(0)


async def test_the_link_to_the_overlay_is_where_spectators_are_counted(arrive: Arrive) -> None:
    player = await arrive(reduced_motion="reduce")
    table = await player.open_table(seats=3)
    await player.button("Begin").click()
    await player.wait_for_table()
    await player.page.get_by_role("tab", name="watching").click()
    await player.page.get_by_text("For a stream").click()
    await expect(player.page.get_by_label("Link to the overlay")).to_have_value(f"{player.http}/t/{table}?overlay")
