"""Fingers on a phone: what a tap explains, and a city that is made larger and moved."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import CDPSession, expect

from tests.web.browser.conftest import Arrive
from tests.web.browser.test_access import PHONE
from tests.web.browser.visitor import Visitor

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def touch(fingers: CDPSession, kind: str, *points: tuple[float, float]) -> None:
    """Let fingers come down at, move to, or leave these places."""
    places: list[dict[str, Any]] = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
    await fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})


async def drag(fingers: CDPSession, start: list[tuple[float, float]], end: list[tuple[float, float]]) -> None:
    """Move fingers from places to places in small steps."""
    await touch(fingers, "touchStart", *start)
    for step in range(1, 11):
        between = [
            (x + (u - x) * step / 10, y + (v - y) * step / 10) for (x, y), (u, v) in zip(start, end, strict=True)
        ]
        await touch(fingers, "touchMove", *between)
    await touch(fingers, "touchEnd")


async def city_is(visitor: Visitor, claim: str) -> None:
    """Wait until something is true of the city's `width` or its left edge `x`."""
    await visitor.page.wait_for_function(
        f"() => {{ const {{ x, width }} = document.querySelector('.city').getBoundingClientRect(); return {claim} }}"
    )


async def at_a_move_on_the_map(arrive: Arrive) -> Visitor:
    visitor = await arrive(**PHONE, reduced_motion="reduce")
    await visitor.play_now()
    await visitor.play(
        by_mouse=0,
        until="document.querySelector('.bottom.act')?.dataset.about === 'invest' && !document.querySelector('.chosen')",
    )
    await visitor.page.locator(".reveal").wait_for(state="detached")
    return visitor


async def test_the_city_is_made_larger_moved_and_whole_again(arrive: Arrive) -> None:
    visitor = await at_a_move_on_the_map(arrive)
    page = visitor.page
    fingers = await visitor.context.new_cdp_session(page)
    middle = await page.evaluate(
        """() => { const { x, y, width, height } = document.querySelector('.city').getBoundingClientRect();
            return [x + width / 2, y + height / 2] }"""
    )
    x, y = middle
    await drag(fingers, [(x - 20, y), (x + 20, y)], [(x - 50, y), (x + 50, y)])
    await city_is(visitor, "width > 720")
    assert await page.evaluate("document.documentElement.scrollWidth") == 360
    await visitor.shoot("phone-zoomed")
    left = await page.evaluate("document.querySelector('.city').getBoundingClientRect().x")
    await drag(fingers, [(x, y)], [(x + 40, y)])
    await city_is(visitor, f"x > {left} + 20")
    # Moving the city chose nothing.
    assert await page.locator(".street.chosen").count() == 0
    await visitor.button("Show all").tap()
    await expect(visitor.button("Show all")).to_have_count(0)
    await city_is(visitor, "width === 360")
    await drag(fingers, [(x - 20, y), (x + 20, y)], [(x - 60, y), (x + 60, y)])
    for _ in range(2):
        await touch(fingers, "touchStart", (x, y))
        await touch(fingers, "touchEnd")
    await expect(visitor.button("Show all")).to_have_count(0)
    await city_is(visitor, "width === 360")


async def test_a_tap_or_a_long_press_explains_what_a_mouse_learns_by_hovering(arrive: Arrive) -> None:
    visitor = await at_a_move_on_the_map(arrive)
    page = visitor.page
    words = page.locator(".touch-tooltip")
    await page.locator(".seat").nth(1).tap()
    await expect(words).to_contain_text("prestige")
    await expect(words).to_contain_text("sticks left")
    await page.locator(".bank").tap()
    await expect(words).to_contain_text("face down")
    # Streets that can be picked reach far into their districts, so that fingers hit them.
    # A finger is wider than a point, and browsers move it to what can be picked nearby: take the one with most room.
    alone = await page.evaluate(
        """() => {
            const ways = [[1, 0], [-1, 0], [0, 1], [0, -1]];
            const room = (district) => {
                const { x, y, width, height } = district.getBoundingClientRect();
                const isOwn = (right, down) =>
                    district.contains(document.elementFromPoint(x + width / 2 + right, y + height / 2 + down));
                let far = 0;
                while (far < 40 && ways.every(([right, down]) => isOwn(right * far, down * far))) far += 1;
                return far;
            };
            const rooms = [...document.querySelectorAll("[data-district].ruin")].map(room);
            return rooms.indexOf(Math.max(...rooms));
        }"""
    )
    await page.locator("[data-district].ruin").nth(alone).tap()
    await expect(words).to_have_count(0)
    await expect(page.locator(".callout")).to_contain_text("in ruins, worth")
    # A street that can be picked is explained by a long press, which picks nothing.
    fingers = await visitor.context.new_cdp_session(page)
    box = await page.locator("[data-street].open .glow").first.bounding_box()
    assert box is not None
    await touch(fingers, "touchStart", (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2))
    await expect(words).to_contain_text("Street")
    await touch(fingers, "touchEnd")
