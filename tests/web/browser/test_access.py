"""Accessibility: keyboard, phone, dark theme, German, and axe-core."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.async_api import expect

from tests.scenarios.people import all_play, choose_by_number, open_table, person
from tests.web.browser.conftest import Arrive
from tests.web.browser.scripted_players import sealed_bidding
from tests.web.browser.visitor import Visitor, asked, expect_reveal
from tests.web.node import WEB

pytestmark = pytest.mark.asyncio(loop_scope="session")

PHONE = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True, "device_scale_factor": 2}
AXE = WEB / "node_modules/axe-core/axe.min.js"


async def tab_to(visitor: Visitor, selector: str) -> None:
    """Press the tab key until an element that matches the selector has the focus."""
    for _ in range(150):
        if await visitor.page.evaluate("(wanted) => document.activeElement?.matches(wanted) ?? false", selector):
            return
        await visitor.page.keyboard.press("Tab")
    raise AssertionError(f"{selector} cannot be reached with the tab key")


async def test_a_bid_by_keyboard_alone(arrive: Arrive) -> None:
    visitor = await arrive()
    async with sealed_bidding(visitor) as players:
        await tab_to(visitor, ".influence-card.can")
        await visitor.page.keyboard.press("Enter")
        await visitor.page.locator(".influence-card.chosen").wait_for()
        await tab_to(visitor, ".answer")
        await visitor.page.keyboard.press("Enter")
        await visitor.page.locator(".influence-card.sealed").wait_for()
        async with expect_reveal(visitor.page):
            players.go_on.set()
        await visitor.screenshot("reveal")


REGIONS = "() => [...document.querySelectorAll('.middle, .bottom, .right')].map((part) => part.classList[0])"
"""The board, the decision and the column with the log, in the order of the document."""


async def test_the_decision_comes_before_the_log_for_screen_readers_and_the_tab_key(arrive: Arrive) -> None:
    visitor = await arrive("/learn/investors")
    await visitor.page.locator(".guide").wait_for()
    assert await visitor.page.evaluate(REGIONS) == ["middle", "bottom", "right"]
    await visitor.page.goto(f"{visitor.http}/")
    await visitor.play_now()
    for size in ((1440, 900), (1280, 720), (1000, 800), (820, 400), (390, 844)):
        await visitor.page.set_viewport_size({"width": size[0], "height": size[1]})
        assert await visitor.page.evaluate(REGIONS) == ["middle", "bottom", "right"]


RING = """() => {
    const ring = document.querySelector(".focus-ring rect:last-child");
    const { x, y, width, height } = ring.getBoundingClientRect();
    const street = document.activeElement.querySelector(".glow").getBoundingClientRect();
    const isAround = x < street.x && y < street.y && x + width > street.right && y + height > street.bottom;
    return [isAround, getComputedStyle(ring).stroke];
}"""
"""Whether the ring surrounds the street that has the focus, and the colour of the ring."""


async def focused_place(visitor: Visitor) -> str | None:
    """Return the number of the street or district that has the focus."""
    place: str | None = await visitor.page.evaluate("document.activeElement.dataset.cell ?? null")
    return place


async def test_a_stick_is_placed_by_keyboard_alone(arrive: Arrive) -> None:
    visitor = await arrive(reduced_motion="reduce")
    await visitor.play_now()
    await visitor.play(
        by_mouse=0,
        until=f"{asked('invest')} && document.querySelectorAll('.street.open:not(.chosen)').length > 1"
        " && document.querySelector('.district.target') && document.querySelector('.street.closed')",
    )
    await visitor.wait_for_reveals()
    page = visitor.page
    # The city is one tab stop: the first street that can be picked.
    assert await page.locator('.city-map [tabindex="0"]').count() == 1
    await tab_to(visitor, ".street.open")
    first = await focused_place(visitor)
    is_around, colour = await page.evaluate(RING)
    assert is_around
    target = await page.evaluate("getComputedStyle(document.querySelector('.district.target .tile')).stroke")
    assert colour != target
    reached = {first}
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"):
        await page.keyboard.press(key)
        reached.add(await focused_place(visitor))
    assert len(reached) > 1
    assert None not in reached
    # Page Down goes to the next street that can be picked, and the tab key returns to it.
    await page.keyboard.press("PageDown")
    last = await focused_place(visitor)
    await expect(page.locator(f'[data-cell="{last}"]')).to_have_class(re.compile("open"))
    await page.keyboard.press("Shift+Tab")
    assert await focused_place(visitor) is None
    await expect(page.locator(".focus-ring")).to_have_count(0)
    await page.keyboard.press("Tab")
    assert await focused_place(visitor) == last
    # A street that cannot be picked says why, with the way to its rule.
    bar = page.locator(".bottom")
    await page.locator(".street.closed").first.focus()
    await page.keyboard.press("Enter")
    await expect(bar.get_by_role("alert")).to_contain_text("not open now")
    await expect(bar.get_by_role("alert").get_by_role("link")).to_have_text("5.1")
    await page.locator(f'[data-cell="{last}"]').focus()
    await page.keyboard.press("Enter")
    await expect(page.locator(f'[data-cell="{last}"]')).to_have_class(re.compile("chosen"))


async def widest(visitor: Visitor) -> int:
    width: int = await visitor.page.evaluate("document.documentElement.scrollWidth")
    return width


async def test_everything_fits_a_phone(arrive: Arrive) -> None:
    visitor = await arrive(**PHONE)
    await visitor.arrived()
    assert await widest(visitor) == 360
    await visitor.screenshot("phone-lobby", full=True)
    await visitor.open_table(seats=3)
    assert await widest(visitor) == 360
    await visitor.screenshot("phone-waiting", full=True)
    await visitor.button("Begin").click()
    await visitor.wait_for_table()
    assert not await visitor.play(
        by_mouse=0,
        screenshots="phone",
        until=asked("cheque_tender"),
    )
    await visitor.screenshot("phone-bidding")
    assert await widest(visitor) == 360
    too_small = await visitor.page.evaluate(
        """() => [...document.querySelectorAll(".bottom button, .tabs button, .bar button")]
            .map((button) => [button.textContent, button.getBoundingClientRect()])
            .filter(([, { width, height }]) => width > 0 && Math.min(width, height) < 40).map(([text]) => text)"""
    )
    assert too_small == []


async def test_dark_and_german_are_a_click_away_and_remembered(arrive: Arrive) -> None:
    visitor = await arrive()
    await visitor.button("Night").click()
    await visitor.choose(visitor.page.locator(".site-bar"), "Language", "Deutsch")
    await visitor.page.locator("html[lang=de] h1").wait_for()
    await visitor.screenshot("dark-lobby")
    await visitor.page.reload()
    await expect(visitor.page.locator("html")).to_have_attribute("lang", "de")
    await expect(visitor.page.locator("html")).to_have_attribute("data-theme", "dark")
    await visitor.page.locator(".split-main:not([disabled])").first.click()
    await visitor.wait_for_table()
    await visitor.play(by_mouse=0, screenshots="dark", until=asked("invest"))
    await visitor.wait_for_reveals()
    await visitor.screenshot("dark-table")


async def finished_table(http: str) -> str:
    """Play a game to its end with scripted players, and return its table."""
    async with person(http) as one, person(http) as two, person(http) as three:
        people = [one, two, three]
        table = await open_table(people, "investors", 3)
        await all_play(people, table, choose_by_number(7))
        return table


async def serious_issues(visitor: Visitor) -> list[str]:
    """Return the serious and critical violations that axe-core finds on the page."""
    await visitor.page.add_script_tag(path=AXE)
    found: list[dict[str, Any]] = await visitor.page.evaluate(
        "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)"
    )
    return [
        f"{issue['id']}: {issue['help']}: {node['html'][:160]} {node.get('failureSummary', '')}"
        for issue in found
        if issue["impact"] in ("serious", "critical")
        for node in issue["nodes"][:3]
    ]


async def test_axe_finds_no_serious_issue_on_any_page(arrive: Arrive) -> None:
    # The content security policy is bypassed, because axe has to be injected into the page.
    visitor = await arrive(bypass_csp=True, reduced_motion="reduce")
    await visitor.arrived()
    issues = {"lobby": await serious_issues(visitor)}
    await visitor.open_table(seats=3)
    issues["waiting room"] = await serious_issues(visitor)
    await visitor.button("Begin").click()
    await visitor.wait_for_table()
    for about in ("influence_tender", "invest", "cheque_tender"):
        await visitor.play(by_mouse=0, until=asked(about))
        await visitor.wait_for_reveals()
        issues[about] = await serious_issues(visitor)
    await visitor.page.goto(f"{visitor.http}/t/{await finished_table(visitor.http)}")
    await visitor.page.locator(".points").wait_for()
    issues["end"] = await serious_issues(visitor)
    assert {place: found for place, found in issues.items() if found} == {}
