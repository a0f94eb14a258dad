"""Somebody who watches: predicts, is seen, looks back, and sees who was right and what the players saw."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import expect

from tests.scenarios.people import all_play, choose_by_number, open_table, person
from tests.web.browser.conftest import Arrive, RestartableServer
from tests.web.browser.test_access import widest

pytestmark = pytest.mark.asyncio(loop_scope="session")

SIZES = ((1440, 900), (768, 1024), (360, 740))


async def test_a_spectator_predicts_is_seen_and_learns_who_was_right(arrive: Arrive, server: RestartableServer) -> None:
    async with person(server.http) as ann, person(server.http) as bo:
        await ann.request("set_name", name="Ann")
        await bo.request("set_name", name="Bo")
        table = await open_table([ann, bo], "planners", 2)
        watched = await ann.watch(table)
        visitor = await arrive(f"/t/{table}", reduced_motion="reduce", viewport={"width": 1440, "height": 900})
        page = visitor.page
        await page.get_by_role("button", name="Who will win?").click()
        panel = page.locator(".watching-panel")
        rows = {name: panel.get_by_role("button", name=re.compile(f"^{name}:")) for name in ("Ann", "Bo")}
        await rows["Bo"].click()
        await expect(rows["Bo"]).to_have_attribute("aria-pressed", "true")
        await expect(page.get_by_role("button", name="Who will win?")).to_have_count(0)
        await rows["Ann"].focus()
        await page.keyboard.press("Enter")
        await expect(rows["Ann"]).to_have_attribute("aria-pressed", "true")
        await expect(rows["Ann"]).to_contain_text("100 %")
        await panel.get_by_role("checkbox").check()
        await expect(panel.locator(".watchers")).to_contain_text("you")
        for width, height in SIZES:
            await page.set_viewport_size({"width": width, "height": height})
            if width < 720:
                await page.get_by_role("tab", name="watching").click()
            await visitor.screenshot(f"predictions-{width}")
            assert await widest(visitor) == width
        await page.set_viewport_size({"width": 1440, "height": 900})
        # A player is told who wants to be seen, and nothing of predictions.
        (shown,) = (await ann.request("get_watching", table=table))["people"]
        assert (shown["winner"], shown["score"], watched.predictions) == (None, None, None)
        await page.reload()
        await page.get_by_role("tab", name="watching").click()
        await expect(rows["Ann"]).to_have_attribute("aria-pressed", "true")
        await expect(panel.locator(".watchers")).to_contain_text("you")

        await all_play([ann, bo], table, choose_by_number(1))
        await expect(panel).to_contain_text(re.compile("You were right!|You were wrong this time."))
        await page.get_by_role("button", name="With whose eyes").click()
        await visitor.screenshot("predictions-over")
        await page.get_by_role("menuitem", name="Bo").click()
        await page.wait_for_url(re.compile(rf"/g/{table}\?step=\d+&eyes=1"))
