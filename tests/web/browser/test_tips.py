"""Tips in the first games: they are read out, closed, switched off and on again; only players get them."""

from __future__ import annotations

import json

import pytest
from playwright.async_api import expect

from tests.scenarios.people import open_table
from tests.web.browser.conftest import Arrive, RestartableServer
from tests.web.browser.test_access import AXE
from tests.web.browser.test_layout import seated
from tests.web.browser.visitor import Visitor

pytestmark = pytest.mark.asyncio(loop_scope="session")

SHOWN = ".tip-card.shown"

SHOWN_FOR_LONGER = f"document.querySelector('{SHOWN}') && !globalThis.isAnswering()"
"""Holds when a tip is shown that no answer on its way will close."""

WALL = """() => {
    const wall = document.createElement("button");
    wall.id = "wall";
    Object.assign(wall.style, { position: "fixed", inset: "0 60px 0 0", opacity: 0 });
    document.querySelector(".app").append(wall);
}"""
"""Covers the page with a button, apart from a strip at its right."""


async def shown_before(visitor: Visitor) -> list[str]:
    """Return the tips that the device remembers."""
    stored: str = await visitor.page.evaluate("localStorage.tips")
    return list(json.loads(stored)["shown"])


async def test_a_newcomer_gets_tips_until_they_switch_them_off(arrive: Arrive) -> None:
    newcomer = await arrive(reduced_motion="reduce", tips=True)
    page = newcomer.page
    await newcomer.arrived()
    await newcomer.choose_game("Builders")
    await newcomer.play_now()
    await page.locator(SHOWN).wait_for()
    # It is read out, and takes the focus from nothing.
    region = page.locator("[aria-live=polite]", has=page.locator(".tip-card"))
    await expect(region).to_contain_text(await page.locator(".tip-text").inner_text())
    assert await page.evaluate("!document.querySelector('.tip-card').contains(document.activeElement)")
    [first] = await shown_before(newcomer)
    await page.evaluate(AXE.read_text("utf-8"))
    assert await page.evaluate("axe.run('.tip-card').then(({ violations }) => violations.map(({ id }) => id))") == []
    # Escape closes it; it does not come again, and no other one comes at the same decision.
    await page.keyboard.press("Escape")
    await expect(page.locator(".tip-card")).to_have_count(0)
    await newcomer.play(until=SHOWN_FOR_LONGER, by_mouse=0)
    second = (await shown_before(newcomer))[-1]
    assert second != first
    # Where everything can be clicked, a button stands for it.
    await page.evaluate(WALL)
    await page.locator(f"{SHOWN}.folded").wait_for()
    await expect(page.get_by_role("button", name="No more tips")).to_have_count(0)
    await page.get_by_role("button", name="Read the tip").click()
    await expect(page.get_by_role("button", name="No more tips")).to_be_visible()
    await page.mouse.click(300, 300)
    await expect(page.get_by_role("button", name="No more tips")).to_have_count(0)
    await page.evaluate("document.getElementById('wall').remove()")
    await page.locator(f"{SHOWN}:not(.folded)").wait_for()
    # It goes away while the menu is open, and one click ends all tips.
    await newcomer.button("Table").click()
    await expect(page.locator(SHOWN)).to_have_count(0)
    await page.keyboard.press("Escape")
    await page.get_by_role("button", name="No more tips").click()
    await expect(page.locator(".tips")).to_have_count(0)
    # In the menu they begin again.
    await newcomer.button("Table").click()
    choice = page.get_by_role("radiogroup", name="Tips for beginners")
    await expect(choice.get_by_role("radio", name="Off")).to_be_checked()
    await choice.get_by_role("radio", name="On").click()
    await page.keyboard.press("Escape")
    await newcomer.play(until=SHOWN_FOR_LONGER, by_mouse=0)
    # By keyboard, the focus goes back to where it was.
    await page.locator(".home").focus()
    await page.get_by_role("button", name="Close the tip").focus()
    await page.keyboard.press("Enter")
    await expect(page.locator(".tip-card")).to_have_count(0)
    assert await page.evaluate("document.activeElement.matches('.home')")


async def test_somebody_who_watches_gets_no_tips(arrive: Arrive, server: RestartableServer) -> None:
    async with seated(server, 2) as (_, people):
        table = await open_table(people, "builders", 2)
        watcher = await arrive(f"/t/{table}", tips=True)
        await watcher.wait_for_table()
        await expect(watcher.page.locator(".look-back-open")).to_be_visible()
        assert await watcher.page.evaluate("localStorage.tips ?? null") is None
        assert await watcher.page.locator(".tips").count() == 0


async def test_tips_are_switched_on_the_page_of_the_visitor_too(arrive: Arrive) -> None:
    visitor = await arrive("/you", tips=True)
    choice = visitor.page.get_by_role("radiogroup", name="Tips for beginners")
    await expect(choice.get_by_role("radio", name="On")).to_be_checked()
    await choice.get_by_role("radio", name="Off").click()
    await visitor.page.reload()
    await expect(choice.get_by_role("radio", name="Off")).to_be_checked()
