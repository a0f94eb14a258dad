"""Touch on a phone: tooltips by tap and long press, and a city that is zoomed and moved."""

from __future__ import annotations

import time
from typing import Any

import pytest
from playwright.async_api import CDPSession, Locator, Page, expect

from tests.web.browser.conftest import Arrive
from tests.web.browser.test_access import PHONE
from tests.web.browser.visitor import TIMEOUT, Visitor, asked

pytestmark = pytest.mark.asyncio(loop_scope="session")

STEP = 0.005
"""Seconds between two touch events."""

TOOLTIP_TIMEOUT = 4_000.0
"""Milliseconds to wait for a tooltip or callout, which the page closes again after five seconds."""

Point = tuple[float, float]


class Fingers:
    """Touch input with its own clock.

    The page tells a double tap from two taps by the timestamps of the events. On a busy machine the events of one
    gesture may be dispatched seconds apart, so each event carries the time at which a person would have made it.
    """

    def __init__(self, session: CDPSession) -> None:
        self._session = session
        self._time = 0.0

    async def touch(self, kind: str, *points: Point) -> None:
        """Put fingers down at these points, move them there, or lift them all."""
        self._time += STEP
        touches: list[dict[str, Any]] = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        await self._session.send(
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches, "timestamp": self._time}
        )

    def start_gesture(self) -> None:
        """Set the clock to the present; the events up to the next gesture follow in quick succession."""
        self._time = max(self._time, time.time())

    async def drag(self, start: list[Point], end: list[Point]) -> None:
        """Move fingers from points to points in ten steps."""
        self.start_gesture()
        await self.touch("touchStart", *start)
        for step in range(1, 11):
            between = [
                (x + (u - x) * step / 10, y + (v - y) * step / 10) for (x, y), (u, v) in zip(start, end, strict=True)
            ]
            await self.touch("touchMove", *between)
        await self.touch("touchEnd")

    async def tap(self, point: Point) -> None:
        await self.touch("touchStart", point)
        await self.touch("touchEnd")


async def city_is(visitor: Visitor, claim: str) -> None:
    """Wait until a claim about the city's `width` or its left edge `x` holds."""
    await visitor.page.wait_for_function(
        f"() => {{ const {{ x, width }} = document.querySelector('.city').getBoundingClientRect(); return {claim} }}"
    )


STREET = """() => {
    const { left, right } = document.querySelector(".zoom-area").getBoundingClientRect();
    for (const street of document.querySelectorAll("[data-street].open")) {
        const { x, y, width, height } = street.querySelector(".glow").getBoundingClientRect();
        const middle = x + width / 2;
        if (middle - left > 50 && right - middle > 50) return [middle, y + height / 2];
    }
    return null;
}"""
"""The middle of a street that can be picked and has room for two fingers beside it."""


async def at_a_move_on_the_map(arrive: Arrive) -> Visitor:
    visitor = await arrive(**PHONE, reduced_motion="reduce")
    await visitor.play_now()
    await visitor.play(
        by_mouse=0, until=f"{asked('invest')} && !document.querySelector('.chosen') && ({STREET})() !== null"
    )
    await visitor.wait_for_reveals()
    return visitor


async def middle_of_the_city(page: Page) -> Point:
    x, y = await page.evaluate(
        """() => { const { x, y, width, height } = document.querySelector('.city').getBoundingClientRect();
            return [x + width / 2, y + height / 2] }"""
    )
    return x, y


async def test_the_city_is_zoomed_moved_and_reset_by_touch(arrive: Arrive) -> None:
    visitor = await at_a_move_on_the_map(arrive)
    page = visitor.page
    fingers = Fingers(await visitor.context.new_cdp_session(page))
    x, y = await middle_of_the_city(page)
    await fingers.drag([(x - 20, y), (x + 20, y)], [(x - 50, y), (x + 50, y)])
    await city_is(visitor, "width > 720")
    assert await page.evaluate("document.documentElement.scrollWidth") == 360
    await visitor.screenshot("phone-zoomed")
    left = await page.evaluate("document.querySelector('.city').getBoundingClientRect().x")
    await fingers.drag([(x, y)], [(x + 40, y)])
    await city_is(visitor, f"x > {left} + 20")
    # Moving the city selects nothing.
    assert await page.locator(".street.chosen").count() == 0
    await visitor.button("Show all").tap()
    await expect(visitor.button("Show all")).to_have_count(0)
    await city_is(visitor, "width === 360")


async def test_a_double_tap_resets_the_zoom_and_does_not_confirm(arrive: Arrive) -> None:
    visitor = await at_a_move_on_the_map(arrive)
    page = visitor.page
    fingers = Fingers(await visitor.context.new_cdp_session(page))
    # A pinch around a street keeps the street under the fingers, so that both taps hit it.
    x, y = await page.evaluate(STREET)
    await fingers.drag([(x - 20, y), (x + 20, y)], [(x - 45, y), (x + 45, y)])
    await visitor.button("Show all").wait_for()
    fingers.start_gesture()
    await fingers.tap((x, y))
    await expect(page.locator(".street.chosen")).to_have_count(1)
    await fingers.tap((x, y))
    await expect(visitor.button("Show all")).to_have_count(0)
    await city_is(visitor, "width === 360")
    await until_clicks_are_handled(page)
    # A second click on the same street would have confirmed it.
    await expect(page.locator(".street.chosen")).to_have_count(1)
    await expect(page.locator(".bottom.act[data-about=invest] .answer:not(:disabled)")).to_have_count(1)


async def until_clicks_are_handled(page: Page) -> None:
    """Wait for two frames: the click of a touch follows it at once."""
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


async def tap_until(locator: Locator, shown: Locator, *texts: str) -> None:
    """Tap until these texts are shown, again where the page closed them before they could be read."""
    deadline = time.monotonic() + TIMEOUT / 1000
    while True:
        await locator.tap()
        try:
            for text in texts:
                await expect(shown).to_contain_text(text, timeout=TOOLTIP_TIMEOUT)
        except AssertionError:
            if time.monotonic() > deadline:
                raise
        else:
            return


async def test_a_tap_or_a_long_press_shows_what_a_mouse_shows_on_hover(arrive: Arrive) -> None:
    visitor = await at_a_move_on_the_map(arrive)
    page = visitor.page
    tooltip = page.locator(".touch-tooltip")
    await tap_until(page.locator(".seat").nth(1), tooltip, "prestige", "sticks left")
    await tap_until(page.locator(".bank"), tooltip, "face down")
    # Streets that can be picked extend far into their districts, so that fingers hit them. Browsers also move a touch
    # to a pickable element nearby, so take the district with most room.
    roomiest = await page.evaluate(
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
    await tap_until(page.locator("[data-district].ruin").nth(roomiest), page.locator(".callout"), "in ruins, worth")
    await expect(tooltip).to_have_count(0)
    # A long press on a street that can be picked shows its tooltip and picks nothing.
    fingers = Fingers(await visitor.context.new_cdp_session(page))
    box = await page.locator("[data-street].open .glow").first.bounding_box()
    assert box is not None
    fingers.start_gesture()
    await fingers.touch("touchStart", (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2))
    await expect(tooltip).to_contain_text("Street")
    # By the clock of the fingers this was a tap, so the browser sends a click.
    await fingers.touch("touchEnd")
    await until_clicks_are_handled(page)
    assert await page.locator(".street.chosen").count() == 0
