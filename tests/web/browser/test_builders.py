"""Builders at its table: played by clicking, by keyboard, on a phone, together, and after a reload."""

from __future__ import annotations

import asyncio
import random
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import expect

from server.games.builders.components import BUILDINGS_PER_SEAT, FIRST_YEAR, YEARS
from server.games.builders.events import EVENTS
from tests.scenarios.people import any_command
from tests.web.browser.conftest import Arrive, RestartableServer
from tests.web.browser.moments import Game, Moment, about, reach, sit_down
from tests.web.browser.test_access import PHONE, serious_issues, tab_to, widest
from tests.web.browser.test_together import SMALL, sit_together
from tests.web.node import WEB

pytestmark = pytest.mark.asyncio(loop_scope="module")

WANTED = ("build", "build_subsidised", "choose_plot", "take_card")

NEXT = """() => {
    const bar = document.querySelector(".bottom.act");
    if (!bar) return "over";
    if (bar.querySelector(".answer:not(:disabled)")) return ".answer";
    return document.querySelector("[data-pick]:not(.chosen)") ? "[data-pick]:not(.chosen)" : null;
}"""
"""Where somebody at the keyboard goes next: to the answer, else to a pick; nowhere while the page is busy."""

MAX_KEYS = 600
"""Keys that one turn may take at most."""

CITY = """() => JSON.stringify([document.querySelector(".heading").textContent,
    ...[...document.querySelectorAll(".town use, .money-track .markers use")]
        .map((drawn) => drawn.getAttribute("href"))])"""
"""What lies in the city, and everybody's money, as it is drawn."""


def builder(rng: random.Random, prompt: dict[str, Any]) -> dict[str, Any]:
    """Choose by chance, but build whenever that is possible, and with two permits rather than with one."""
    choices = [choice for choice in prompt["choices"] if choice["do"] in WANTED]
    more = [choice for choice in prompt["choices"] if choice["do"] == "choose_permit"]
    return any_command(rng, {"choices": more or choices or prompt["choices"]})


def stage(name: str, *, permits: int = 0, on_card: bool = False) -> Moment:
    """Give what tells whether the first seat is at this stage, holding so many permits, with the end not near."""

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


async def test_every_event_of_the_rules_has_its_sentence() -> None:
    sentences = (Path(WEB) / "src/scenes/builders/sentences.js").read_text("utf-8")
    known = set(re.findall(r"^  (\w+): \(", sentences, re.MULTILINE))
    assert {event.name for event in EVENTS} == known


async def test_a_whole_game_against_bots_by_clicking(arrive: Arrive) -> None:
    visitor = await arrive(reduced_motion="reduce")
    await visitor.choose_game("Builders")
    await visitor.play_now()
    assert await visitor.page.locator(".action-card").count() == 6
    assert await visitor.play(by_mouse=30, shots="builders")
    seats = await visitor.page.locator(".seat").count()
    assert await visitor.page.locator(".final-seat").count() == seats
    # What each part and each goal brought adds up to the total.
    rows = visitor.page.locator(".points tbody tr")
    for row in range(seats):
        numbers = [int(text.replace("−", "-")) for text in (await rows.nth(row).locator("td").all_inner_texts())[1:8]]
        assert sum(numbers[:6]) == numbers[6]
        common, own = numbers[:2]
        goals = await visitor.page.locator(".final-seat").nth(row).locator("ul:nth-of-type(-n+2) b").all_inner_texts()
        assert sum(int(text.replace("−", "-")) for text in goals) == common + own
    await visitor.shoot("builders-end")


async def test_two_people_and_a_spectator(arrive: Arrive) -> None:
    people = await sit_together(arrive, ["Ana", "Bo"], "Builders")
    await people[0].button("Begin").click()
    await asyncio.gather(*(visitor.see_city() for visitor in people))
    spectator = await arrive(f"/t/{people[0].table}", reduced_motion="reduce", viewport=SMALL)
    await spectator.see_city()
    # Who watches sees no hidden goal and decides nothing; who plays sees the own one.
    assert await spectator.page.locator(".answer, [data-pick], .my-goal, .only-you").count() == 0
    assert await people[0].page.locator(".my-goal .only-you").count() == 1
    await spectator.shoot("builders-watching")
    # They play by clicking until a card of the second year; then all three look at the same city.
    enough = "document.querySelector('.heading').textContent === '1907, card 3'"
    overs = await asyncio.gather(*(visitor.play(by_mouse=12, until=enough) for visitor in people))
    assert overs == [False, False]
    cities = [await visitor.page.evaluate(CITY) for visitor in people]
    assert cities[0] == cities[1]
    await spectator.page.wait_for_function(f"(city) => ({CITY})() === city", arg=cities[0])


async def test_a_build_is_put_together_previewed_and_kept_by_a_reload(
    arrive: Arrive, server: RestartableServer
) -> None:
    async with reach(server, "builders", stage("composing", permits=2), builder) as reached:
        visitor = await sit_down(arrive, reached, reduced_motion="reduce")
        page, laid = visitor.page, visitor.page.locator(".permit-hand .chosen")
        assert await about(visitor) == "choose_permit"
        # What could come of it is marked before anything is chosen.
        assert await page.locator(".plot.in-reach").count() > 0
        while await page.locator(".plot.can").count() == 0:
            before = await laid.count()
            await page.locator(".permit-hand [data-pick]").first.click()
            await expect(laid).not_to_have_count(before)
        count = await laid.count()
        houses = await page.locator(".plot .house").count()
        await page.locator(".plot.can").first.click()
        # The ghost of a house, the price spelled out, and both from what the server foretells.
        await page.locator(".plot.chosen .house.coming").wait_for()
        await expect(page.locator(".price")).to_contain_text("→")
        await visitor.shoot("builders-preview")
        await page.keyboard.press("Escape")
        await expect(page.locator(".plot.chosen")).to_have_count(0)
        await expect(page.locator(".plot .house")).to_have_count(houses)
        await page.reload()
        await visitor.see_city()
        # The permits were laid out at the server's table; nothing was revealed, so they can still be taken back.
        await expect(laid).to_have_count(count)
        await page.keyboard.press("Escape")
        await expect(laid).to_have_count(count - 1)
        while await page.locator(".plot.can").count() == 0:
            before = await laid.count()
            await page.locator(".permit-hand [data-pick]").first.click()
            await expect(laid).not_to_have_count(before)
        # The second click on the same plot builds, and ends the turn unless a development card can be taken.
        await page.locator(".plot.can").first.click()
        await page.locator(".plot.chosen .house.coming").wait_for()
        await page.locator(".plot.chosen").click()
        # Who was the last to act may be the first to place a pawn, and is asked again at once.
        building = "".join(f":not([data-about={asked}])" for asked in ("choose_permit", "choose_plot", "confirm"))
        await page.locator(f".bottom:not(.act), .bottom{building}").first.wait_for()
        if await about(visitor) == "take_card":
            await page.locator(".answer").click()
            await page.locator(f".bottom:not(.act), .bottom{building}:not([data-about=take_card])").first.wait_for()
        await expect(page.locator(".plot .house")).to_have_count(houses + 1)


async def test_a_turn_by_keyboard_alone(arrive: Arrive, server: RestartableServer) -> None:
    async with reach(server, "builders", stage("placing", on_card=True), builder) as reached:
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
        # And Escape takes the step back.
        await page.keyboard.press("Escape")
        await page.locator(".bottom[data-about=place_pawn]").wait_for()
        for _ in range(MAX_KEYS):
            # Asked before every key: what comes next changes when the server has answered.
            next_one = await (await page.wait_for_function(NEXT)).to_json()
            if next_one == "over":
                break
            is_there = await page.evaluate("(wanted) => document.activeElement?.matches(wanted)", next_one)
            await page.keyboard.press("Enter" if is_there else "Tab")
        await page.locator(".bottom:not(.act)").wait_for()


async def test_the_table_fits_a_phone(arrive: Arrive, server: RestartableServer) -> None:
    for moment in (stage("composing", permits=2), stage("rewarding")):
        async with reach(server, "builders", moment, builder) as reached:
            visitor = await sit_down(arrive, reached, **PHONE)
            page = visitor.page
            asked = await about(visitor)
            await visitor.shoot(f"builders-phone-{asked}")
            # What can be taken is in the hand, though the displays are behind a tab.
            assert await page.locator(".bottom [data-pick]").count() > 0
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
            await visitor.shoot("builders-phone-boards", full=True)


async def test_nothing_sticks_out_at_other_sizes(arrive: Arrive, server: RestartableServer) -> None:
    async with reach(server, "builders", stage("acting"), builder) as reached:
        visitor = await sit_down(arrive, reached, reduced_motion="reduce")
        for width, height in ((1280, 800), (1024, 768), (820, 1180)):
            await visitor.page.set_viewport_size({"width": width, "height": height})
            assert await widest(visitor) == width
            await visitor.shoot(f"builders-{width}")


async def test_axe_finds_no_serious_issue_at_any_stage(arrive: Arrive, server: RestartableServer) -> None:
    issues: dict[str, list[str]] = {}
    for moment in (stage("placing", on_card=True), stage("composing", permits=2), stage("rewarding")):
        async with reach(server, "builders", moment, builder) as reached:
            # Only here the content policy is set aside: axe has to be put into the page.
            visitor = await sit_down(arrive, reached, bypass_csp=True, reduced_motion="reduce")
            asked = str(await about(visitor))
            await visitor.page.locator("[data-pick]:not(.chosen)").first.click()
            await visitor.page.locator(".chosen").first.wait_for()
            issues[asked] = await serious_issues(visitor)
            await visitor.button("Night").click()
            issues[f"{asked}, dark"] = await serious_issues(visitor)
            await visitor.shoot(f"builders-dark-{asked}")
    assert {place: found for place, found in issues.items() if found} == {}
