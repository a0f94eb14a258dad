"""A commentator and a spectator side by side: one sees all hands, late, and the other none."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Page, expect

from tests.web.browser.conftest import Arrive
from tests.web.browser.test_access import widest
from tests.web.browser.visitor import Visitor, reached

pytestmark = pytest.mark.asyncio(loop_scope="session")

SIZES = ((360, 740), (768, 1024), (1440, 900))


async def pictured(visitor: Visitor, name: str) -> None:
    """Save pictures at all sizes, and check that nothing is wider than the page."""
    shown = visitor.page.viewport_size
    assert shown is not None
    for width, height in SIZES:
        await visitor.page.set_viewport_size({"width": width, "height": height})
        await visitor.screenshot(f"commentary-{name}-{width}")
        assert await widest(visitor) == width
    await visitor.page.set_viewport_size(shown)


async def say(page: Page, text: str) -> None:
    await page.get_by_role("tab", name=re.compile("^Chat")).click()
    await page.get_by_placeholder("Write to the table").fill(text)
    await page.keyboard.press("Enter")


async def test_a_commentator_sees_all_hands_behind_a_spectator_who_sees_none(arrive: Arrive) -> None:
    host = await arrive(reduced_motion="reduce")
    form = await host.open_form()
    await form.get_by_text("At the table", exact=True).click()
    await host.choose(form, "Commentators", "see all hands 2 decisions later")
    await pictured(host, "form")
    table = await host.submit_table(form, 3)
    await expect(host.page.locator("[data-setting=delayed_view]")).to_contain_text("2 decisions later")
    link = host.page.get_by_label("Link for commentators")
    await expect(link).to_have_value(re.compile(rf"/t/{table}\?commentate#k=[0-9a-f]{{32}}$"))
    await pictured(host, "waiting")
    path = (await link.input_value()).removeprefix(host.http)
    await host.button("Begin").click()
    await host.wait_for_table()
    sign = host.page.locator(".bar").get_by_role("button", name="A commentator sees everything 2 decisions later")
    await sign.click()
    await expect(host.page.locator(".commentary-card")).to_contain_text("Any player can end that at any time.")
    await host.page.keyboard.press("Escape")
    commentator = await arrive(path, reduced_motion="reduce")
    spectator = await arrive(f"/t/{table}", reduced_motion="reduce")
    await host.play(by_mouse=0, until=reached(2, 2))
    for visitor in (commentator, spectator):
        await visitor.wait_for_table()
    seen = commentator.page
    await expect(seen.locator(".commentary-sign")).to_contain_text("2 decisions behind")
    await expect(seen.locator(".bottom")).to_contain_text("You see all hands and sealed answers.")
    await expect(seen.locator(".seat .open-hand")).to_have_count(3)
    await expect(spectator.page.locator(".open-hand, .commentary-sign")).to_have_count(0)
    await pictured(commentator, "table")
    await pictured(host, "player")
    # On a phone the hands have a tab.
    await seen.set_viewport_size({"width": 360, "height": 740})
    await seen.get_by_role("tab", name="Hands").click()
    await expect(seen.locator(".open-hands > li")).to_have_count(3)
    await commentator.screenshot("commentary-hands-360")
    await seen.set_viewport_size({"width": 1440, "height": 900})
    await say(seen, "They bluff.")
    await expect(seen.locator(".chat")).to_contain_text("They bluff.")
    stream = await arrive(path.replace("#", "&overlay#"), reduced_motion="reduce")
    await expect(stream.page.locator(".overlay .open-hand")).to_have_count(3)
    await expect(stream.page.locator(".overlay-bar")).to_contain_text("2 decisions behind")
    await stream.screenshot("commentary-overlay-1440")
    # Any player ends it at once.
    await host.page.get_by_role("tab", name="watching").click()
    await pictured(host, "part")
    await host.button("Show them nothing more").click()
    await expect(seen.locator("main")).to_contain_text("do not show their hands to commentators any more")
    await expect(stream.page.locator(".open-hand")).to_have_count(0)
    await expect(sign).to_have_count(0)
    for visitor in (host, spectator):
        await visitor.page.get_by_role("tab", name=re.compile("^Chat")).click()
        await expect(visitor.page.locator(".chat")).not_to_contain_text("They bluff.")
