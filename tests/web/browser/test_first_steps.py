"""From the home page into a game."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from playwright.async_api import expect

from tests.web.browser.conftest import Arrive
from tests.web.browser.positions import IS_WHOLE, play_to_the_end
from tests.web.browser.test_access import PHONE
from tests.web.browser.visitor import reached

LATE_YEAR = 10
"""The game ends with the twelfth year."""

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_newcomer_is_in_a_game_with_one_click_and_plays_it_to_the_end(
    arrive: Arrive, record_property: Callable[[str, object], None]
) -> None:
    began = time.perf_counter()
    newcomer = await arrive(reduced_motion="reduce")
    await newcomer.arrived()
    await newcomer.screenshot("home-empty")
    await newcomer.play_now()
    record_property("from opening the address to sitting in a game, seconds", f"{time.perf_counter() - began:.1f}")
    began = time.perf_counter()
    await play_to_the_end(newcomer, "table", reached(4), lambda game: len(game["years"]) >= LATE_YEAR)
    await newcomer.screenshot("end")
    await expect(newcomer.page.locator(".points tbody tr")).to_have_count(4)
    if IS_WHOLE:
        record_property("a whole game against bots by clicking, seconds", f"{time.perf_counter() - began:.1f}")


async def test_a_game_that_waits_comes_before_all_others_on_a_phone(arrive: Arrive) -> None:
    visitor = await arrive(reduced_motion="reduce", **PHONE)
    await visitor.arrived()
    assert await visitor.page.locator("main > section").first.locator("h1").count() == 1
    await visitor.play_now()
    await visitor.page.locator(".bottom.act").wait_for()
    await visitor.page.goto(visitor.http)
    game = visitor.page.locator("main > section").first.locator(".your-game.your-move")
    await expect(game).to_contain_text("Your move")
    await visitor.screenshot("phone-home-returning")
    await game.click()
    await visitor.wait_for_table()
