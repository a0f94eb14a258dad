"""Builders in the browser: by mouse, by keyboard, on a phone, with several people, and after a reload."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest
from playwright.async_api import Page, expect

from server.games.builders.components import (
    BUILDINGS_PER_SEAT,
    EDITION,
    FEE_PER_STEP,
    FIRST_YEAR,
    LAST_YEAR,
    YEARS,
)
from tests.scenarios.people import any_command
from tests.web.browser.conftest import FIXED_DEALS, Arrive, RestartableServer
from tests.web.browser.positions import (
    IS_WHOLE,
    MAX_TABLES,
    Game,
    PositionPredicate,
    open_decision,
    play_to_the_end,
    reach_position,
    sit_down,
)
from tests.web.browser.test_access import PHONE, serious_issues, tab_to, widest
from tests.web.browser.test_multiplayer import SMALL, sit_together
from tests.web.browser.visitor import Visitor, reached

pytestmark = pytest.mark.asyncio(loop_scope="session")

SERVER = FIXED_DEALS

WANTED = ("build", "build_subsidised", "choose_plot", "take_card")

NEXT = """() => {
    const bar = document.querySelector(".bottom.act");
    if (!bar) return "over";
    if (bar.querySelector(".answer:not(:disabled)")) return ".answer";
    return document.querySelector("[data-pick]:not(.chosen)") ? "[data-pick]:not(.chosen)" : null;
}"""
"""The selector that a keyboard user moves to next: the answer, else a pick; null while the page is busy."""

MAX_KEYS = 600
"""The most keys that one turn may take."""

BUILT = ".plot .house:not(.coming)"
"""Houses that are built, without the preview of one."""

CITY = """() => JSON.stringify([document.querySelector(".heading").textContent,
    ...[...document.querySelectorAll(".town use:not(.coming, .coming *), .money-track .markers use")]
        .map((drawn) => drawn.getAttribute("href"))])"""
"""The drawn pieces of the city and of the money track, without previews."""


def builder(rng: random.Random, prompt: dict[str, Any]) -> dict[str, Any]:
    """Choose at random, but build whenever possible, with two permits rather than one."""
    choices = [choice for choice in prompt["choices"] if choice["do"] in WANTED]
    more = [choice for choice in prompt["choices"] if choice["do"] == "choose_permit"]
    return any_command(rng, {"choices": more or choices or prompt["choices"]})


def stage(name: str, *, permits: int = 0, on_card: bool = False) -> PositionPredicate:
    """Return a predicate: the first seat is at this stage with so many permits, and the game does not end soon."""

    def is_reached(game: Game) -> bool:
        return (
            game["turn"] == 0
            and game["year"] < FIRST_YEAR + len(YEARS) - 1
            and all(seat["built"] < BUILDINGS_PER_SEAT - 1 for seat in game["seats"])
            and game["stage"]["name"] == name
            and not game["stage"].get("permits")
            and len(game["seats"][0]["permits"]) >= permits
            and (game["area"] > 0 or not on_card)
        )

    return is_reached


def placing_before_a_choice(game: Game) -> bool:
    """Whether the first seat places a pawn, and then has a choice of actions from every space.

    Where the dollar is all that is possible, the server answers for the seat, and the page never asks for an action.
    """
    if not stage("placing", on_card=True)(game):
        return False
    spaces = EDITION.spaces[2][game["action_cards"][game["area"] - 1]]
    has_income = any(space.action == "income" for space in spaces)
    return has_income and game["seats"][0]["money"] >= FEE_PER_STEP * (len(spaces) - 1)


async def test_a_game_against_bots_by_clicking(arrive: Arrive) -> None:
    visitor = await arrive(reduced_motion="reduce")
    await visitor.choose_game("Builders")
    await visitor.play_now()
    await expect(visitor.page.locator(".action-card")).to_have_count(6)
    await play_to_the_end(visitor, "builders", reached(FIRST_YEAR + 1), ends_soon)
    seats = await visitor.page.locator(".seat").count()
    await expect(visitor.page.locator(".final-seat")).to_have_count(seats)
    # What each part and each goal brought adds up to the total.
    rows = visitor.page.locator(".points tbody tr")
    for row in range(seats):
        numbers = [int(text.replace("−", "-")) for text in (await rows.nth(row).locator("td").all_inner_texts())[1:8]]
        assert sum(numbers[:6]) == numbers[6]
        common, own = numbers[:2]
        goals = await visitor.page.locator(".final-seat").nth(row).locator("ul:nth-of-type(-n+2) b").all_inner_texts()
        assert sum(int(text.replace("−", "-")) for text in goals) == common + own
    await visitor.screenshot("builders-end")


def ends_soon(game: Game) -> bool:
    """Return whether the last cards are played, or somebody has few buildings left. The last year has no cards."""
    is_late = (game["year"], game["area"]) >= (LAST_YEAR - 1, 5)
    return is_late or any(seat["built"] >= BUILDINGS_PER_SEAT - 2 for seat in game["seats"])


async def test_two_people_and_a_spectator(arrive: Arrive) -> None:
    people = await sit_together(arrive, ["Ana", "Bo"], "Builders")
    await people[0].begin(others=1)
    await asyncio.gather(*(visitor.wait_for_table() for visitor in people))
    spectator = await arrive(f"/t/{people[0].table}", reduced_motion="reduce", viewport=SMALL)
    await spectator.wait_for_table()
    # Who watches sees no hidden goal and decides nothing; who plays sees the own one.
    assert await spectator.page.locator(".answer, [data-pick], .my-goal, .only-you").count() == 0
    assert await people[0].page.locator(".my-goal .only-you").count() == 1
    await spectator.screenshot("builders-watching")
    # They play by clicking for most of a year; then all three look at the same city.
    enough = reached(FIRST_YEAR, 5)
    overs = await asyncio.gather(*(visitor.play(by_mouse=12, until=enough) for visitor in people))
    assert overs == [False, False]
    city = await people[0].page.evaluate(CITY)
    for visitor in (people[1], spectator):
        await visitor.page.wait_for_function(f"(city) => ({CITY})() === city", arg=city)


async def lay_out_permits(page: Page) -> int:
    """Lay out permits until a plot can be picked; return how many were laid out before the last step.

    Where only one permit can follow the first, the server lays it out too, in the same step.
    """
    laid = page.locator(".permit-hand .chosen")
    before = await laid.count()
    while await page.locator(".plot.can").count() == 0:
        before = await laid.count()
        await page.locator(".permit-hand [data-pick]").first.click()
        await expect(laid).not_to_have_count(before)
    return before


async def test_a_build_is_put_together_previewed_and_kept_by_a_reload(
    arrive: Arrive, server: RestartableServer
) -> None:
    for _ in range(MAX_TABLES):
        async with reach_position(server, "builders", stage("composing", permits=2), builder) as reached:
            visitor = await sit_down(arrive, reached, reduced_motion="reduce")
            assert await open_decision(visitor) == "choose_permit"
            # Plots that could be reached are marked before anything is selected.
            assert await visitor.page.locator(".plot.in-reach").count() > 0
            before = await lay_out_permits(visitor.page)
            # A single plot is selected by default, and then a first click builds.
            if await visitor.page.locator(".plot.can").count() > 1:
                await build_after_a_reload(visitor, before)
                return
    raise AssertionError(f"no table of {MAX_TABLES} has a choice of plots")


async def build_after_a_reload(visitor: Visitor, before: int) -> None:
    """Select a plot, clear the selection, reload, take the last step back to `before` permits, and build after all."""
    page, laid, built = visitor.page, visitor.page.locator(".permit-hand .chosen"), visitor.page.locator(BUILT)
    count, houses = await laid.count(), await built.count()
    await page.locator(".plot.can").first.click()
    # The preview of a house and its price come from the server.
    await page.locator(".plot.chosen .house.coming").wait_for()
    await expect(page.locator(".price")).to_contain_text("→")
    await visitor.screenshot("builders-preview")
    await page.keyboard.press("Escape")
    await expect(page.locator(".plot.chosen")).to_have_count(0)
    await expect(page.locator(".house.coming")).to_have_count(0)
    # Arrow keys move over the city, also to plots that cannot be picked; the second block is beyond the street.
    await page.locator("[data-plot='0']").focus()
    for key, plot in (("ArrowRight", 1), ("ArrowRight", 6), ("ArrowDown", 8)):
        await page.keyboard.press(key)
        await expect(page.locator(f"[data-plot='{plot}']")).to_be_focused()
    await page.reload()
    await visitor.wait_for_table()
    # The server has the permits that were laid out. Nothing was revealed, so they can still be taken back.
    await expect(laid).to_have_count(count)
    await page.keyboard.press("Escape")
    await expect(laid).to_have_count(before)
    await lay_out_permits(page)
    # The second click on the same plot builds, and ends the turn unless a development card can be taken.
    await page.locator(".plot.can").first.click()
    await page.locator(".plot.chosen .house.coming").wait_for()
    await page.locator(".plot.chosen").click()
    # The last seat to act may be the first to place a pawn, and then decides again at once.
    building = "".join(f":not([data-about={kind}])" for kind in ("choose_permit", "choose_plot", "confirm"))
    await page.locator(f".bottom:not(.act), .bottom{building}").first.wait_for()
    if await open_decision(visitor) == "take_card":
        await page.locator(".answer").click()
        await page.locator(f".bottom:not(.act), .bottom{building}:not([data-about=take_card])").first.wait_for()
    await expect(built).to_have_count(houses + 1)


async def test_a_turn_by_keyboard_alone(arrive: Arrive, server: RestartableServer) -> None:
    async with reach_position(server, "builders", placing_before_a_choice, builder) as reached:
        visitor = await sit_down(arrive, reached, reduced_motion="reduce")
        page = visitor.page
        await tab_to(visitor, ".space.can")
        await page.keyboard.press("Enter")
        await page.locator(".space.chosen").wait_for()
        await page.keyboard.press("Escape")
        await expect(page.locator(".space.chosen")).to_have_count(0)
        await tab_to(visitor, ".space.can")
        await page.keyboard.press("Enter")
        await page.locator(".space.chosen .pawn").wait_for()
        # The same key again confirms what it has chosen.
        await page.keyboard.press("Enter")
        await page.locator(".bottom[data-about=act]").wait_for()
        # And Escape takes the step back, unless it closes what is open.
        await tab_to(visitor, ".all-years")
        await page.keyboard.press("Enter")
        await expect(page.locator(".years-card .year")).to_have_count(len(YEARS))
        await page.keyboard.press("Escape")
        await expect(page.locator(".years-card")).to_have_count(0)
        assert await open_decision(visitor) == "act"
        await visitor.button("Table").click()
        await page.keyboard.press("Escape")
        await expect(page.get_by_role("menu")).to_have_count(0)
        await visitor.button("Rules").click()
        await page.locator(".rules-panel").wait_for()
        await page.keyboard.press("Escape")
        await expect(page.locator(".rules-panel")).to_have_count(0)
        assert await open_decision(visitor) == "act"
        await page.keyboard.press("Escape")
        await page.locator(".bottom[data-about=place_pawn]").wait_for()
        has_placed = False
        for _ in range(MAX_KEYS):
            # Asked before every key: what comes next changes when the server has answered.
            next_one = await (await page.wait_for_function(NEXT)).json_value()
            # The last seat to act may be the first to place a pawn, and then decides again at once.
            is_placing = await open_decision(visitor) == "place_pawn"
            if next_one == "over" or (has_placed and is_placing):
                return
            has_placed = has_placed or not is_placing
            is_there = await page.evaluate("(wanted) => document.activeElement?.matches(wanted)", next_one)
            await page.keyboard.press("Enter" if is_there else "Tab")
        raise AssertionError(f"the turn has not ended after {MAX_KEYS} keys")


async def test_the_table_fits_a_phone(arrive: Arrive, server: RestartableServer) -> None:
    for position in (stage("composing", permits=2), stage("rewarding")):
        async with reach_position(server, "builders", position, builder) as reached:
            visitor = await sit_down(arrive, reached, **PHONE)
            page = visitor.page
            asked = await open_decision(visitor)
            await visitor.screenshot(f"builders-phone-{asked}")
            # What can be taken is in the hand, though the displays are behind a tab.
            assert await page.locator(".bottom [data-pick]").count() > 0
            # The spaces have labels, and the chips of the seats have points, which the Stat beside them spells out.
            labels = await page.locator(".current-spaces .space-label").all_inner_texts()
            assert len(labels) in (3, 4)
            assert all(labels)
            points = await page.locator(".left .seat-points .stat b").all_inner_texts()
            assert len(points) == 2
            assert all(int(text.replace("−", "-")) >= -20 for text in points)
            assert await widest(visitor) == 360
            too_small = await page.evaluate(
                """() => [...document.querySelectorAll(".bottom button, .tabs button, .bar button, [data-pick]")]
                    .map((button) => [button.className, button.getBoundingClientRect()])
                    .filter(([, { width, height }]) => width > 0 && Math.min(width, height) < 44)
                    .map(([name]) => name)"""
            )
            assert too_small == []
            await page.get_by_role("tab", name="Boards").tap()
            await page.locator(".development-board").wait_for()
            assert await page.locator(".builders-aside .action-card").count() == 6
            assert await widest(visitor) == 360
            await visitor.screenshot("builders-phone-boards", full=True)


async def test_nothing_sticks_out_at_other_sizes(arrive: Arrive, server: RestartableServer) -> None:
    async with reach_position(server, "builders", stage("acting"), builder) as reached:
        visitor = await sit_down(arrive, reached, reduced_motion="reduce")
        for width, height in ((1280, 800), (1024, 768), (820, 1180)):
            await visitor.page.set_viewport_size({"width": width, "height": height})
            assert await widest(visitor) == width
            await visitor.screenshot(f"builders-{width}")


async def test_axe_finds_no_serious_issue_at_any_stage(arrive: Arrive, server: RestartableServer) -> None:
    issues: dict[str, list[str]] = {}
    for position in (stage("placing", on_card=True), stage("composing", permits=2), stage("rewarding")):
        async with reach_position(server, "builders", position, builder) as reached:
            # The content security policy is bypassed, because axe has to be injected into the page.
            visitor = await sit_down(arrive, reached, bypass_csp=True, reduced_motion="reduce")
            asked = str(await open_decision(visitor))
            await visitor.page.locator("[data-pick]:not(.chosen)").first.click()
            await visitor.page.locator(".chosen").first.wait_for()
            issues[asked] = await serious_issues(visitor)
            # The colours of the night are the same at every stage.
            if IS_WHOLE or len(issues) == 1:
                await visitor.button("Night").click()
                issues[f"{asked}, dark"] = await serious_issues(visitor)
                await visitor.screenshot(f"builders-dark-{asked}")
    assert {place: found for place, found in issues.items() if found} == {}
