"""The lobby, the waiting room, and starting a game."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from tests.web.browser.conftest import Arrive
from tests.web.browser.test_access import PHONE

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_newcomer_is_in_a_game_with_one_click_and_plays_it_to_the_end(
    arrive: Arrive, record_property: Callable[[str, object], None]
) -> None:
    began = time.perf_counter()
    newcomer = await arrive(reduced_motion="reduce")
    await newcomer.page.locator("#name").wait_for()
    await newcomer.screenshot("lobby-empty")
    await newcomer.play_now()
    record_property("from opening the address to sitting in a game, seconds", f"{time.perf_counter() - began:.1f}")
    began = time.perf_counter()
    assert await newcomer.play(by_mouse=30, screenshots="table")
    await newcomer.screenshot("end")
    assert await newcomer.page.locator(".points tbody tr").count() == 4
    record_property("a whole game against bots by clicking, seconds", f"{time.perf_counter() - began:.1f}")


async def test_a_game_that_waits_comes_before_all_others_on_a_phone(arrive: Arrive) -> None:
    visitor = await arrive(reduced_motion="reduce", **PHONE)
    await visitor.page.locator("#you-title").wait_for()
    assert (await visitor.page.locator("h2").all_inner_texts()).index("Your running games") == 3
    await visitor.play_now()
    await visitor.page.goto(visitor.http)
    await visitor.page.locator(".yours .return").wait_for()
    assert (await visitor.page.locator("h2").all_inner_texts()).index("Your running games") == 0
    await visitor.screenshot("phone-lobby-returning")
    await visitor.page.locator(".yours .return").click()
    await visitor.wait_for_table()
