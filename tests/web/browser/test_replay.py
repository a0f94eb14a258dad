"""The page of a finished game: for a stranger on a phone, by keyboard, private and shared, and live for spectators."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.async_api import Page, expect

from protocol.client import Client, socket_url
from tests.scenarios.people import guest_token, open_table
from tests.web.browser.conftest import FIXED_DEALS, Arrive, RestartableServer
from tests.web.browser.positions import Choose, finished_game, finished_game_of_two, play_until
from tests.web.browser.test_access import PHONE, serious_issues, widest
from tests.web.browser.test_builders import builder
from tests.web.browser.test_planners import planner
from tests.web.browser.visitor import Visitor

pytestmark = pytest.mark.asyncio(loop_scope="session")

SERVER = FIXED_DEALS


async def shown(page: Page) -> None:
    """Wait until the wanted step is on the board."""
    await expect(page.locator("main.middle")).to_have_attribute("aria-busy", "false")


async def at_step(page: Page, step: int, eyes: str | int = "all") -> None:
    """Wait until a step is shown, and the address says so."""
    await expect(page.get_by_role("slider", name="Step of the game")).to_have_attribute("aria-valuenow", str(step))
    await shown(page)
    await page.wait_for_url(re.compile(rf"\?step={step}&eyes={eyes}\b"))


async def test_a_stranger_on_a_phone_replays_a_game_and_plays_on_from_a_step(
    arrive: Arrive, server: RestartableServer
) -> None:
    table, token = await finished_game(server)
    player = await arrive(None, reduced_motion="reduce")
    await player.context.add_cookies([{"name": "sid", "value": token, "url": server.http}])
    await player.page.goto(f"{server.http}/t/{table}")
    link = await player.page.locator(f".result a[href^='/g/{table}']").first.get_attribute("href")

    stranger = await arrive(f"{link}?step=30", reduced_motion="reduce", permissions=["clipboard-write"], **PHONE)
    page = stranger.page
    await at_step(page, 30)
    await stranger.screenshot("phone-replay")
    assert await widest(stranger) == 360
    sizes = await page.evaluate(
        """() => [...document.querySelectorAll(".replay-bottom button, .bar button")]
            .map((button) => button.getBoundingClientRect()).map(({ width, height }) => Math.min(width, height))"""
    )
    assert min(sizes) >= 44
    await stranger.button("One step on").click()
    await at_step(page, 31)

    await stranger.button("Eyes, speed and steps").click()
    await page.get_by_role("radio", name="as spectators saw it").click()
    await at_step(page, 31, "spectators")
    await page.get_by_role("radio", name=re.compile("^as .+ saw it$")).first.click()
    await at_step(page, 31, 0)
    await page.keyboard.press("Escape")

    await stranger.button("Log").click()
    await page.locator(".replay-sheet .log li.shown").first.wait_for()
    await page.keyboard.press("Escape")

    await stranger.button("Share this moment").click()
    field = page.get_by_role("textbox", name="Link to this moment")
    await expect(field).to_have_value(f"{server.http}/g/{table}?step=31&eyes=0")
    async with page.expect_download() as download:
        await stranger.button("PNG").click()
    assert (await download.value).suggested_filename == f"san-francisco-investors-{table}-31.png"
    await page.keyboard.press("Escape")

    await stranger.button("Play on from here").click()
    await page.get_by_role("radio", name="As it was").check()
    await page.get_by_role("button", name="Play on", exact=True).click()
    await page.wait_for_url(re.compile("/t/(?!" + table + ")[a-z0-9]+"))
    await stranger.wait_for_table()
    await expect(page.locator(".seat.me")).to_have_count(1)


async def open_replay(
    arrive: Arrive, server: RestartableServer, moment: str = "", **options: Any
) -> tuple[Visitor, str]:
    table, _ = await finished_game(server)
    visitor = await arrive(f"/g/{table}{moment}", reduced_motion="reduce", **options)
    await shown(visitor.page)
    return visitor, table


async def test_a_replay_is_controlled_by_keys_by_its_timeline_and_by_its_log(
    arrive: Arrive, server: RestartableServer
) -> None:
    # The content security policy is bypassed, because axe has to be injected into the page.
    visitor, table = await open_replay(arrive, server, bypass_csp=True)
    page = visitor.page
    slider = page.get_by_role("slider", name="Step of the game")
    await at_step(page, 0)
    last = int(await slider.get_attribute("aria-valuemax") or 0)
    assert last > 50
    await page.keyboard.press("End")
    await at_step(page, last)
    # Hands are those of others, also where they are empty.
    await expect(page.locator(".open-hand", has_text="You have")).to_have_count(0)
    await page.keyboard.press("ArrowLeft")
    await at_step(page, last - 1)
    await page.keyboard.press("Shift+ArrowLeft")
    await expect(slider).not_to_have_attribute("aria-valuenow", str(last - 1))
    await page.keyboard.press("2")
    await page.wait_for_url(re.compile("eyes=1"))
    await page.keyboard.press("0")
    await page.wait_for_url(re.compile("eyes=all"))
    # With all open, the hand of every seat stands at its card.
    await expect(page.locator(".open-hand")).to_have_count(3)

    box = await slider.bounding_box()
    assert box is not None
    await page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    await expect(slider).to_have_attribute("aria-valuenow", re.compile(f"^({last // 2}|{last // 2 + 1})$"))
    await shown(page)
    # The log follows, and a click on a line goes to its step.
    await expect(page.locator(".log li.shown").first).to_be_in_viewport()
    line = page.locator(".log li", has_text="The city lies in ruins.")
    await line.get_by_role("button").click()
    await at_step(page, 0)
    # Nothing can be picked in a replay.
    assert await page.locator("[data-street].open, .answer").count() == 0
    # The events of a step one by one.
    await page.get_by_role("radio", name="Event", exact=True).click()
    await expect(page.locator(".replay-controls .step-count")).to_contain_text("event 1 of")
    await expect(page.locator(".log li.shown")).to_have_count(1)
    await page.keyboard.press("Escape")
    await page.locator("h1").click()
    await page.keyboard.press("?")
    await page.get_by_role("dialog", name="Keys").wait_for()
    await page.keyboard.press("Escape")
    await visitor.button("Play").click()
    await expect(slider).not_to_have_attribute("aria-valuenow", "0")
    await visitor.button("Pause").click()
    await visitor.screenshot("replay")
    assert await serious_issues(visitor) == []
    # The steps are not in the history: going back leaves the game.
    await page.goto(f"{server.http}/g/{table}?step={last + 500}")
    await expect(page.get_by_text(f"it ended with step {last}")).to_be_visible()
    await page.go_back()
    await expect(slider).not_to_have_attribute("aria-valuenow", str(last))


async def test_a_private_game_is_seen_by_others_with_its_link_only(arrive: Arrive, server: RestartableServer) -> None:
    table, token = await finished_game_of_two(server, "planners", planner, private=True)
    player = await arrive(None, reduced_motion="reduce")
    await player.context.add_cookies([{"name": "sid", "value": token, "url": server.http}])
    await player.page.goto(f"{server.http}/g/{table}?step=20")
    await at_step(player.page, 20, 0)
    stranger = await arrive(f"/g/{table}", reduced_motion="reduce")
    refusal = "There is no such game, or it is private and this link does not open it."
    await expect(stranger.page.get_by_role("alert")).to_have_text(refusal)
    await player.button("Share this moment").click()
    await player.button("Create a link").click()
    link = await player.page.get_by_role("textbox", name="Link to this moment").input_value()
    await stranger.page.goto(link)
    await at_step(stranger.page, 20, 0)
    await player.button("Stop sharing").click()
    await expect(player.button("Create a link")).to_be_visible()
    await stranger.page.reload()
    await expect(stranger.page.get_by_role("alert")).to_have_text(refusal)


@pytest.mark.parametrize("game, choose", [("planners", planner), ("builders", builder)])
async def test_the_replay_of_the_other_games(
    game: str, choose: Choose, arrive: Arrive, server: RestartableServer
) -> None:
    table, _ = await finished_game_of_two(server, game, choose)
    visitor = await arrive(f"/g/{table}?step=60", bypass_csp=True, reduced_motion="reduce")
    await at_step(visitor.page, 60)
    await visitor.page.locator(".log li.shown").first.wait_for()
    # Nothing can be picked in a replay.
    assert await visitor.page.locator("[data-pick], .answer").count() == 0
    assert await serious_issues(visitor) == []
    await visitor.screenshot(f"{game}-replay")
    await visitor.page.set_viewport_size({"width": 360, "height": 740})
    await visitor.page.locator(".phone-controls").wait_for()
    assert await widest(visitor) == 360
    await visitor.screenshot(f"{game}-phone-replay")


async def test_event_by_event_the_board_goes_along_with_the_log(arrive: Arrive, server: RestartableServer) -> None:
    table, _ = await finished_game_of_two(server, "planners", planner)
    visitor = await arrive(f"/g/{table}", reduced_motion="reduce")
    page = visitor.page
    await at_step(page, 0)
    await page.get_by_role("radio", name="Event", exact=True).click()
    deck, count = page.locator(".pl-deck b"), page.locator(".replay-controls .step-count")
    # In some step a card is put into a column, and then the next player draws one.
    while True:
        await shown(page)
        line, cards = await shown_line(page), int(await deck.inner_text())
        await visitor.button("One step on").click()
        await shown(page)
        if "puts it in" in line and "event 2 of" in await count.inner_text() and "draws" in await shown_line(page):
            break
    await expect(deck).to_have_text(str(cards - 1))
    await visitor.button("One step back").click()
    await expect(deck).to_have_text(str(cards))
    # By decisions, the board is the one after the whole step again.
    await page.get_by_role("radio", name="Decision", exact=True).click()
    await expect(deck).to_have_text(str(cards - 1))


async def shown_line(page: Page) -> str:
    """Return the only line of the log that is marked."""
    await expect(page.locator(".log li.shown")).to_have_count(1)
    return await page.locator(".log li.shown").inner_text()


async def test_a_spectator_looks_back_in_a_running_game_while_it_goes_on(
    arrive: Arrive, server: RestartableServer
) -> None:
    async with (
        Client(socket_url(server.http), guest_token(server.http)) as first,
        Client(socket_url(server.http), guest_token(server.http)) as other,
    ):
        people = [first, other]
        table = await open_table(people, "planners", 2)
        assert await play_until(people, table, lambda game: game["deck"] < 70, planner, seed=1)
        spectator = await arrive(f"/t/{table}", reduced_motion="reduce")
        page = spectator.page
        await spectator.button("Look back").click()
        bar = page.locator(".look-back")
        await expect(bar).to_contain_text("You are looking back at step")
        slider = bar.get_by_role("slider")
        await slider.fill("3")
        await expect(bar).to_have_attribute("aria-busy", "false")
        # Before the slider moved, there was one.
        await expect(bar.locator(".muted")).to_have_text(re.compile(r"^\d+ newer events$"))
        await expect(page.locator(".log li.shown").first).to_be_in_viewport()
        past = await page.locator(".planners").inner_text()
        before = await bar.locator(".muted").inner_text()
        assert await play_until(people, table, lambda game: game["deck"] < 66, planner, seed=2)
        # The live game goes on underneath: only the number of newer events has changed.
        await expect(bar.locator(".muted")).not_to_have_text(before)
        assert await page.locator(".planners").inner_text() == past
        await spectator.screenshot("look-back")
        await expect(bar.locator(".look-back-news")).to_have_text(re.compile(r"^\+\d+$"))
        await page.get_by_role("button", name=re.compile("^Back to live: the game has gone on by")).click()
        await expect(page.locator(".planners")).not_to_have_text(past)
        await expect(spectator.button("Look back")).to_be_visible()
