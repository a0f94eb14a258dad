"""A table whose sealed answers stay on the devices: two people and a bot, from the setting to the verified record."""

from __future__ import annotations

import asyncio
import re

import pytest
from playwright.async_api import Page, expect

from protocol.client import Client, socket_url
from tests.web.browser.conftest import OWN, Arrive
from tests.web.browser.scripted_players import SEALED
from tests.web.browser.test_access import widest
from tests.web.browser.test_fairness import check_result, details, token_of
from tests.web.browser.visitor import Visitor, asked

pytestmark = pytest.mark.asyncio(loop_scope="session")

SERVER = OWN

SIZES = ((360, 740), (390, 844), (1280, 720), (1920, 1080))
SETTING = "Sealed answers stay on the devices"
HIDE = """() => {
    Object.defineProperty(document, "hidden", { get: () => true });
    document.dispatchEvent(new Event("visibilitychange"));
    globalThis.setTimeout = globalThis.setInterval = () => 0;
}"""
"""JavaScript: hide the page, and let no timer fire any more."""

WATCH_TITLES = """() => {
    globalThis.titles = new Set();
    const note = () => titles.add(document.querySelector(".decision-title")?.firstChild.textContent);
    new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""
"""JavaScript: collect the titles of the decision bar, however short they are shown."""

OPENED = """([table, decision]) => JSON.parse(localStorage[`fairness.${table}`]).openings
    .some((each) => each.decision === Number(decision) && each.isHeld === false)"""
"""JavaScript: whether the device has opened its answer to a decision, which it keeps as evidence."""


async def pictured(visitor: Visitor, name: str) -> None:
    """Save pictures at all sizes, and check that nothing is wider than the page."""
    shown = visitor.page.viewport_size
    assert shown is not None
    for width, height in SIZES:
        await visitor.page.set_viewport_size({"width": width, "height": height})
        await visitor.screenshot(f"device-seals-{name}-{width}")
        assert await widest(visitor) == width
    await visitor.page.set_viewport_size(shown)


async def seal_a_card(page: Page) -> None:
    await page.locator(".influence-card.can").first.click()
    await page.locator(".answer").click()


async def is_sealed(page: Page) -> None:
    """Wait until the page shows a sealed card, and says where it is."""
    await expect(page.locator(".decision-more")).to_contain_text("Sealed on this device: stay connected")
    await expect(page.locator(".influence-card.sealed")).to_be_visible()


async def bidding(*people: Visitor) -> None:
    """Play until all have to seal an influence card."""
    await asyncio.gather(*(visitor.play(by_mouse=0, until=asked(SEALED)) for visitor in people))
    await asyncio.gather(*(visitor.wait_for_reveals() for visitor in people))


async def decision(page: Page) -> str | None:
    return await page.locator(".bottom").get_attribute("data-decision")


async def test_sealed_answers_stay_on_the_devices_until_all_have_answered(arrive: Arrive) -> None:
    host, guest = await arrive(reduced_motion="reduce"), await arrive(reduced_motion="reduce")
    form = await host.open_form()
    await form.get_by_text("At the table", exact=True).click()
    await form.get_by_label(SETTING).check()
    await pictured(host, "form")
    table = await host.submit_table(form, 3)
    # The setting is in the list, and its price is shown to everybody before they sit down.
    row = guest.page.locator(".open-table")
    await expect(row).to_contain_text(SETTING)
    await row.get_by_role("button", name="Join").click()
    await expect(guest.page.locator('[data-setting="sealed_on_devices"]')).to_contain_text("within ten seconds")
    await pictured(guest, "waiting")
    await guest.button("Sit down").click()
    await guest.button("I am ready").click()
    await host.begin(others=1)
    await asyncio.gather(host.wait_for_table(), guest.wait_for_table())

    await bidding(host, guest)
    first = await decision(host.page)
    await seal_a_card(host.page)
    await is_sealed(host.page)
    await pictured(host, "sealed")
    # Another device of the same person does not have the answer.
    elsewhere = await arrive(None, reduced_motion="reduce")
    cookie = {"name": "sid", "value": await token_of(host), "url": host.http}
    await elsewhere.context.add_cookies([cookie])  # type: ignore[list-item]
    await elsewhere.page.goto(f"{host.http}/t/{table}")
    await expect(elsewhere.page.locator(".decision-more")).to_contain_text("Sealed on another of your devices")
    await pictured(elsewhere, "elsewhere")
    await elsewhere.leave()
    # The page of somebody who reloads, goes to another page of the site and looks away still opens, without a timer.
    await host.page.reload()
    await is_sealed(host.page)
    await host.page.goto(host.http)
    await host.arrived()
    await host.page.evaluate(HIDE)
    await seal_a_card(guest.page)
    await host.page.wait_for_function(OPENED, arg=[table, first])
    await host.page.goto(f"{host.http}/t/{table}")
    await host.wait_for_table()

    # Somebody who closes the page is played by the careful answer.
    await bidding(host, guest)
    await seal_a_card(guest.page)
    await is_sealed(guest.page)
    await guest.page.goto("about:blank")
    await host.page.evaluate(WATCH_TITLES)
    await seal_a_card(host.page)
    await host.page.wait_for_function("() => globalThis.titles.has('Opening the sealed answers…')")
    await pictured(host, "opening")
    await host.button("This game can be verified").click()
    await expect(host.page.get_by_role("dialog")).to_contain_text("so that the server cannot see them before")
    await host.page.keyboard.press("Escape")
    late = re.compile(r"Not opened in time: [^,.]+\. The careful answer counts instead\.")
    await expect(host.page.locator(".log")).to_contain_text(late)
    await pictured(host, "not-opened")

    for visitor in (host, guest):
        async with Client(socket_url(host.http), await token_of(visitor)) as client:
            await client.request("vote", table=table, on="abandon", agree=True)
    assert "Verified" in await check_result(host.page)
    found = await details(host.page)
    assert "Every answer that this device has sealed is in the record" in found
    assert "Sealed answers that were replaced or not opened, and stay closed: 1." in found
