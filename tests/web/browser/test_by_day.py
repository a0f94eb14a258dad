"""A game by the day in a browser: the visitor's hours, a new table, deadlines on every page, and a holiday."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import expect

from tests.scenarios.people import person, wait_until
from tests.web.browser.conftest import Arrive, RestartableServer
from tests.web.browser.test_access import PHONE, widest

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_hours_a_table_by_the_day_its_deadlines_and_a_holiday(arrive: Arrive, server: RestartableServer) -> None:
    visitor = await arrive("/you", reduced_motion="reduce", timezone_id="Australia/Darwin")
    page = visitor.page
    hours = page.locator(".hours-card")
    await hours.get_by_role("radio", name="In my hours").click()
    await hours.get_by_label("To", exact=True).fill("09:59")
    await expect(hours).to_contain_text("Choose at least 14 hours a week")
    await hours.get_by_label("To", exact=True).fill("22:30")
    await expect(hours).to_contain_text("101 hours a week")
    await expect(hours.get_by_role("combobox", name="Time zone")).to_contain_text("Australia/Darwin (here)")
    await hours.get_by_role("button", name="Save the hours").click()
    await expect(hours.get_by_role("status")).to_have_text("Saved")
    await visitor.screenshot("you-hours", full=True)

    await page.goto(f"{server.http}/new/planners")
    form = page.locator("form.create")
    await form.get_by_role("radio", name="By the day").click()
    await expect(form).to_contain_text("When your time has run out, a bot plays until you are back.")
    await form.get_by_role("radio", name="2", exact=True).click()
    await visitor.screenshot("new-by-day", full=True)
    await form.get_by_role("button", name="Open the table").click()
    await page.locator(".waiting-title").wait_for()
    await expect(page.locator("[data-setting=by_day]")).to_contain_text("your clock runs only in the hours")
    await expect(page.locator("[data-setting=holidays]")).to_contain_text("up to 7 days")
    async with person(server.http) as other:
        await other.request("take_seat", table=visitor.table)
        await visitor.wait_for_table()
        watched = await other.watch(visitor.table)
        clocks = watched.view["clock"]["days"]
        first = watched.view["play"]["decision"]["awaited"][0]
        assert clocks[first]["deadline"] is not None
        await expect(page.locator(".await .day-clock")).to_contain_text(re.compile(r"\d\d:\d\d|asleep"))
        await visitor.screenshot("table-by-day")
        await page.set_viewport_size({"width": 768, "height": 1024})
        await visitor.screenshot("table-by-day-768")
        await page.set_viewport_size(PHONE["viewport"])
        assert await widest(visitor) == 360
        await visitor.screenshot("table-by-day-360")
        await page.set_viewport_size({"width": 1440, "height": 900})

        await visitor.button("Table").click()
        await visitor.button("Begin a holiday (7 days)").click()
        mine = page.locator(".seat.me")
        await expect(mine).to_contain_text("on holiday until")
        await visitor.screenshot("table-by-day-holiday")

        await page.goto(server.http)
        game = page.locator(".your-game")
        await expect(game).to_contain_text("By the day")
        await visitor.screenshot("home-by-day")
        await page.goto(f"{server.http}/you")
        await page.get_by_role("button", name="End the holiday").click()
        await expect(page.get_by_role("button", name="Begin a holiday")).to_be_visible()
        await wait_until(watched, lambda view: view["clock"]["days"][0]["holidays"] == 6)
