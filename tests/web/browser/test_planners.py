"""Planners in the browser: by mouse, by keyboard, on a phone, with several people, and after a reload."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest
from playwright.async_api import expect

from tests.scenarios.people import any_command
from tests.web.browser.conftest import FIXED_DEALS, Arrive, RestartableServer
from tests.web.browser.positions import (
    IS_WHOLE,
    Game,
    PositionPredicate,
    open_decision,
    play_ahead,
    play_to_the_end,
    reach_position,
    sit_down,
)
from tests.web.browser.test_access import PHONE, serious_issues, tab_to, widest
from tests.web.browser.test_multiplayer import SMALL, sit_together

pytestmark = pytest.mark.asyncio(loop_scope="session")

SERVER = FIXED_DEALS

MAX_KEYS = 600
"""The most keys that one turn may take."""

NEXT_KEY = """() => {
    if (!document.querySelector(".bottom.act")) return "none";
    const isBusy = document.querySelector("[data-pick]:disabled");
    const canAnswer = document.querySelector(".answer:not(:disabled)");
    const wanted = canAnswer ? ".answer" : isBusy ? null : "[data-pick]:not(.chosen)";
    if (!wanted || !document.querySelector(wanted)) return null;
    return document.activeElement.matches(wanted) ? "Enter" : "Tab";
}"""
"""The key that a keyboard user presses next to reach the answer, else a pick; null while the page is busy."""

CARDS_LEFT = "parseInt(document.querySelector('.heading').textContent)"
CITY = "[...document.querySelectorAll('[data-space]')].map((space) => space.title)"


def planner(rng: random.Random, prompt: dict[str, Any]) -> dict[str, Any]:
    """Choose at random, but place cards whenever possible, and take a column now and then."""
    choices = {choice["do"]: choice for choice in prompt["choices"]}
    if "place" in choices:
        card, rows = rng.choice(choices["place"]["placement"]["pairs"])
        return {"do": "place", "placement": [card, rng.choice(rows)]}
    if "finalize" in choices and rng.random() < 0.3:
        return {"do": "finalize", "column": rng.choice(choices["finalize"]["column"]["one_of"])}
    return {"do": "draw"} if "draw" in choices else any_command(rng, prompt)


def stage(name: str, *, cards: int = 0, columns: int = 0) -> PositionPredicate:
    """Return a predicate: the first seat is at this stage with so many cards in hand and columns to take."""

    def is_reached(game: Game) -> bool:
        held, open_columns = game["stage"].get("cards", []), game["open_columns"]
        is_there = game["turn"] == 0 and game["stage"]["name"] == name
        return is_there and len(held) >= cards and len(open_columns) >= columns

    return is_reached


async def test_a_game_against_bots_by_clicking(arrive: Arrive) -> None:
    visitor = await arrive(reduced_motion="reduce")
    await visitor.choose_game("Planners")
    await visitor.play_now()
    few = f"{CARDS_LEFT} < {await visitor.page.evaluate(CARDS_LEFT) - 8}"
    await play_to_the_end(visitor, "planners", few, lambda game: game["tokens"] <= 2)
    seats = await visitor.page.locator(".seat").count()
    assert await visitor.page.locator(".pl-end-total").count() == seats
    # Five districts and the cable cars, each with a token or none for everybody.
    assert await visitor.page.locator(".pl-medallion").count() == 6 * seats
    assert await visitor.page.locator(".pl-end-city").count() == seats
    await visitor.screenshot("planners-end")


async def test_two_people_and_a_spectator(arrive: Arrive) -> None:
    people = await sit_together(arrive, ["Ana", "Bo"], "Planners")
    await people[0].begin(others=1)
    await asyncio.gather(*(visitor.wait_for_table() for visitor in people))
    spectator = await arrive(f"/t/{people[0].table}", reduced_motion="reduce", viewport=SMALL)
    await spectator.wait_for_table()
    # Who watches can open every city and decide nothing.
    assert await spectator.page.locator(".answer, [data-pick]").count() == 0
    await spectator.page.get_by_role("button", name="Look at the city of Bo").click()
    await expect(spectator.page.locator(".pl-city-name")).to_have_text("City of Bo")
    await spectator.screenshot("planners-watching")
    some = f"{CARDS_LEFT} < {await spectator.page.evaluate(CARDS_LEFT) - 3}"
    overs = await asyncio.gather(*(visitor.play(by_mouse=6, until=some) for visitor in people))
    assert overs == [False, False]
    await play_ahead(people, lambda game: game["tokens"] <= 1, any_command)
    assert await asyncio.gather(*(visitor.play(by_mouse=6, idle=True) for visitor in people)) == [True, True]
    await spectator.page.locator(".pl-end").wait_for()
    totals = [await visitor.page.locator(".pl-end-total").all_inner_texts() for visitor in (*people, spectator)]
    assert len(totals[0]) == 2
    assert all(each == totals[0] for each in totals)


async def test_a_choice_previews_everywhere_and_a_reload_keeps_what_was_placed(
    arrive: Arrive, server: RestartableServer
) -> None:
    async with reach_position(server, "planners", stage("placing", cards=3), planner) as reached:
        visitor = await sit_down(arrive, reached, reduced_motion="reduce")
        page, hand = visitor.page, visitor.page.locator(".pl-hand-card")
        before = await hand.count()
        assert await page.locator(".pl-space.ghost").count() == 0
        await hand.first.click()
        if await page.locator(".pl-space.chosen").count() == 0:
            await page.locator(".pl-space.open").first.click()
        # The ghost lies in the city, and the bar says what follows, both from what the server foretells.
        await page.locator(".pl-space.chosen.ghost").wait_for()
        await expect(page.locator(".pl-preview")).to_have_attribute("aria-busy", "false")
        await expect(page.locator(".pl-standing-title")).to_have_text("With this choice")
        await visitor.screenshot("planners-preview")
        await page.keyboard.press("Escape")
        await expect(page.locator(".pl-space.ghost")).to_have_count(0)
        await expect(hand).to_have_count(before)
        await hand.first.click()
        if await page.locator(".pl-space.chosen").count() == 0:
            await page.locator(".pl-space.open").first.click()
        number = await page.locator(".bottom").get_attribute("data-decision")
        await page.locator(".answer").click()
        await expect(page.locator(".bottom")).not_to_have_attribute("data-decision", number or "")
        city = await page.evaluate(CITY)
        asked = await open_decision(visitor)
        await page.reload()
        await visitor.wait_for_table()
        assert await open_decision(visitor) == asked
        assert await page.evaluate(CITY) == city
        # Nothing was revealed, so even after the reload the step can be taken back.
        await visitor.button("Undo the last step").click()
        await expect(hand).to_have_count(before)


async def test_a_rival_s_city_opens_and_choosing_brings_your_own_back(
    arrive: Arrive, server: RestartableServer
) -> None:
    async with reach_position(server, "planners", stage("placing", cards=2), planner) as reached:
        visitor = await sit_down(arrive, reached, reduced_motion="reduce")
        name = visitor.page.locator(".pl-city-name")
        await expect(name).to_have_text("Your city")
        await visitor.page.locator(".pl-mini-open").click()
        await expect(name).to_contain_text("City of")
        await visitor.button("Back to your city").click()
        await expect(name).to_have_text("Your city")
        await visitor.page.locator(".pl-mini-open").click()
        await visitor.page.locator(".pl-hand-card").first.click()
        await expect(name).to_have_text("Your city")


async def test_a_turn_by_keyboard_alone(arrive: Arrive, server: RestartableServer) -> None:
    async with reach_position(server, "planners", stage("turn", columns=1), planner) as reached:
        visitor = await sit_down(arrive, reached, reduced_motion="reduce")
        await tab_to(visitor, ".pl-column.open")
        await visitor.page.keyboard.press("Enter")
        await visitor.page.locator(".pl-column.chosen").wait_for()
        await visitor.page.keyboard.press("Escape")
        await expect(visitor.page.locator(".pl-column.chosen")).to_have_count(0)
        await tab_to(visitor, ".pl-column.open")
        await visitor.page.keyboard.press("Enter")
        await visitor.page.locator(".pl-column.chosen").wait_for()
        # The same key again confirms what it has chosen.
        await visitor.page.keyboard.press("Enter")
        await visitor.page.locator(".bottom.act:not([data-about=turn])").wait_for()
        for _ in range(MAX_KEYS):
            key = await (await visitor.page.wait_for_function(NEXT_KEY)).json_value()
            if key == "none":
                break
            await visitor.page.keyboard.press(str(key))
        await visitor.page.locator(".decision-bar.at-rest").wait_for()


async def test_the_table_fits_a_phone(arrive: Arrive, server: RestartableServer) -> None:
    async with reach_position(server, "planners", stage("placing", cards=2), planner) as reached:
        visitor = await sit_down(arrive, reached, **PHONE)
        await visitor.page.locator(".pl-hand-card").first.tap()
        await visitor.page.locator(".pl-hand-card.chosen").wait_for()
        await visitor.screenshot("planners-phone")
        assert await widest(visitor) == 360
        too_small = await visitor.page.evaluate(
            """() => [...document.querySelectorAll(".bottom button, .tabs button, .bar button, .seat, [data-pick]")]
                .map((button) => [button.className, button.getBoundingClientRect()])
                .filter(([, { width, height }]) => width > 0 && Math.min(width, height) < 44).map(([name]) => name)"""
        )
        assert too_small == []
        await visitor.page.locator(".pl-seat-stats").nth(1).tap()
        await expect(visitor.page.locator(".pl-city-name")).to_contain_text("City of")
        await visitor.page.get_by_role("tab", name="Boards").tap()
        await expect(visitor.page.locator(".pl-scores .pl-standing")).to_have_count(6)
        assert await widest(visitor) == 360
        await visitor.screenshot("planners-phone-boards")


async def test_axe_finds_no_serious_issue_at_any_stage(arrive: Arrive, server: RestartableServer) -> None:
    issues: dict[str, list[str]] = {}
    for position in (stage("turn", columns=1), stage("placing", cards=2), stage("bonus")):
        async with reach_position(server, "planners", position, planner) as reached:
            # The content security policy is bypassed, because axe has to be injected into the page.
            visitor = await sit_down(arrive, reached, bypass_csp=True, reduced_motion="reduce")
            await visitor.page.locator("[data-pick]:not(.chosen)").first.click()
            await visitor.page.locator("[data-pick].chosen").first.wait_for()
            asked = str(await open_decision(visitor))
            issues[asked] = await serious_issues(visitor)
            # The colours of the night are the same at every stage.
            if IS_WHOLE or len(issues) == 1:
                await visitor.button("Night").click()
                issues[f"{asked}, dark"] = await serious_issues(visitor)
                await visitor.screenshot(f"planners-dark-{asked}")
    assert {place: found for place, found in issues.items() if found} == {}
