"""Standing orders on the page: given, changed and withdrawn by their owner, used, and seen by nobody else."""

from __future__ import annotations

import asyncio

import pytest
from playwright.async_api import Page, expect

from tests.web.browser.conftest import Arrive
from tests.web.browser.test_access import widest
from tests.web.browser.test_multiplayer import sit_together
from tests.web.browser.visitor import Visitor

pytestmark = pytest.mark.asyncio(loop_scope="session")

SIZES = ((360, 740), (768, 1024), (1280, 720), (1440, 900))
FAR = 9
"""The number of the decision at which four turns were taken: each has two decisions."""


async def open_orders(page: Page) -> None:
    """Open the dialog by keyboard."""
    await page.locator(".orders-button").focus()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("dialog", name="Standing orders")).to_be_visible()


async def pictured(visitor: Visitor, name: str) -> None:
    """Save pictures at all sizes, and check that nothing is wider than the page."""
    shown = visitor.page.viewport_size
    assert shown is not None
    for width, height in SIZES:
        await visitor.page.set_viewport_size({"width": width, "height": height})
        await visitor.screenshot(f"orders-{name}-{width}")
        assert await widest(visitor) == width
    await visitor.page.set_viewport_size(shown)


async def give(visitor: Visitor, column: str, until: str) -> None:
    """Order to draw, and to lay the card in a column."""
    dialog = visitor.page.get_by_role("dialog", name="Standing orders")
    await dialog.get_by_role("button", name="Add an order").click()
    await visitor.choose(dialog, "Lay it in", column)
    await visitor.choose(dialog, "It holds", until)
    await expect(dialog.locator(".order-preview")).to_have_text(f"Draw a project and lay it in {column}")
    await dialog.get_by_role("button", name="Save the order").click()
    await expect(dialog.locator(".order-list li").last).to_contain_text(f"Draw a project and lay it in {column}")


async def test_two_people_play_by_their_standing_orders_alone(arrive: Arrive) -> None:
    people = await sit_together(arrive, ["Ana", "Bo"], "Planners")
    await people[0].begin(others=1)
    await asyncio.gather(*(visitor.wait_for_table() for visitor in people))
    spectator = await arrive(f"/t/{people[0].table}")
    await spectator.wait_for_table()
    assert await spectator.page.locator(".orders-button").count() == 0

    # Whoever is not awaited orders first, so that nothing happens while the dialog is looked at.
    is_first = await people[0].page.locator(".bottom.act").count()
    waiting, deciding = (people[1], people[0]) if is_first else (people[0], people[1])
    await open_orders(waiting.page)
    await expect(waiting.page.get_by_role("dialog")).to_contain_text("You have given no orders.")
    await pictured(waiting, "none")
    await give(waiting, "column A", "once")
    await give(waiting, "the longest column", "until I change it")
    await pictured(waiting, "given")
    # One is withdrawn, the other is changed.
    dialog = waiting.page.get_by_role("dialog", name="Standing orders")
    await dialog.get_by_role("button", name="Withdraw: Draw a project and lay it in column A").click()
    await expect(dialog.locator(".order-list li")).to_have_count(1)
    await dialog.get_by_role("button", name="Change: Draw a project").click()
    await visitor_chooses_shortest(waiting)
    await pictured(waiting, "changed")
    await waiting.page.keyboard.press("Escape")
    await expect(dialog).to_be_hidden()
    await expect(waiting.page.locator(".orders-count")).to_have_text("1")
    await pictured(waiting, "mark")

    await open_orders(deciding.page)
    await give(deciding, "column B", "until I change it")
    await deciding.page.keyboard.press("Escape")
    far = "(far) => Number(document.querySelector('.bottom').dataset.decision) >= far"
    await asyncio.gather(*(visitor.page.wait_for_function(far, arg=FAR) for visitor in (*people, spectator)))
    for visitor in people:
        await expect(visitor.page.locator(".order-notice")).to_contain_text("Your order has acted in your place")
    await pictured(deciding, "used")
    # Everybody else has seen turns, and nothing of orders.
    await expect(spectator.page.locator(".log")).not_to_contain_text("order")
    assert await spectator.page.locator(".order-notice, .orders-count").count() == 0


async def visitor_chooses_shortest(visitor: Visitor) -> None:
    dialog = visitor.page.get_by_role("dialog", name="Standing orders")
    await visitor.choose(dialog, "Lay it in", "the shortest column")
    await dialog.get_by_role("button", name="Save the order").click()
    await expect(dialog.locator(".order-list li")).to_contain_text(["the shortest column"])
