"""The page of the coach: from the result to what it found, for those who played and for others."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from tests.web.browser.analysed_games import answer_with, done, findings_of, running
from tests.web.browser.conftest import FIXED_DEALS, Arrive, RestartableServer
from tests.web.browser.positions import IS_WHOLE, Choose, finished_game, finished_game_of_two
from tests.web.browser.test_access import serious_issues, widest
from tests.web.browser.test_builders import builder
from tests.web.browser.test_planners import planner
from tests.web.browser.visitor import IS_PICTURED, Visitor

pytestmark = pytest.mark.asyncio(loop_scope="session")

SERVER = FIXED_DEALS

SIZES = {"360": (360, 740), "768": (768, 1024), "1280": (1280, 720), "1920": (1920, 1080)}


async def pictures(visitor: Visitor, name: str) -> None:
    """Save what the page shows in every size, light and dark."""
    if not IS_PICTURED:
        return
    for theme in ("light", "dark"):
        await visitor.page.evaluate("(theme) => (document.documentElement.dataset.theme = theme)", theme)
        for label, (width, height) in SIZES.items():
            await visitor.page.set_viewport_size({"width": width, "height": height})
            await visitor.screenshot(f"{name}-{label}-{theme}", full=True)
    await visitor.page.evaluate("() => delete document.documentElement.dataset.theme")


async def test_a_player_asks_the_coach_and_sees_what_would_have_been_better(
    arrive: Arrive, server: RestartableServer
) -> None:
    table, token = await finished_game(server)
    findings = await findings_of(server, table, token)
    points = findings["seats"][0]["points"]
    assert len(points) >= 2
    player = await arrive(None, bypass_csp=True, reduced_motion="reduce")
    page = player.page
    await player.context.add_cookies([{"name": "sid", "value": token, "url": server.http}])
    await answer_with(page, running(42), done(findings))
    await page.goto(f"{server.http}/t/{table}")
    await page.locator(".result").wait_for()
    await player.screenshot("coach-from-the-result")
    await page.locator(".result").get_by_role("link", name="Analyse").click()
    await expect(page.get_by_role("progressbar")).to_have_attribute("aria-valuenow", "42")
    await player.screenshot("coach-progress")

    # The findings are those of the own seat, and say so.
    await expect(page.locator(".coach-title")).to_contain_text("you")
    await expect(page.locator(".coach-point")).to_have_count(len(points))
    await expect(page.locator(".coach-point").first).to_contain_text("31 % instead of 38 %")
    await expect(page.locator(".coach-point").first).to_contain_text("between 25 and 37 %")
    await page.locator(".coach-place > *").first.wait_for()
    await pictures(player, "coach")
    assert await serious_issues(player) == []
    await page.set_viewport_size({"width": 360, "height": 740})
    assert await widest(player) == 360
    # A phone has a list in place of the table.
    await expect(page.locator(".coach-tender-list li").first).to_contain_text("too many")

    # Another seat, which the address keeps; its sentences are not about the visitor.
    await page.get_by_role("radio").nth(2).click()
    await page.wait_for_url(f"**/g/{table}/coach?eyes=2")
    await expect(page.locator(".coach-point")).to_have_count(0)
    await expect(page.locator(".coach-title")).not_to_contain_text("you")
    await page.get_by_role("radio").nth(0).click()

    # The moment before the decision, in the replay; and the tabs lead back.
    await page.set_viewport_size({"width": 1440, "height": 900})
    await page.get_by_role("link", name="See it in the replay").first.click()
    await page.wait_for_url(f"**/g/{table}?step={points[0]['step'] - 1}&eyes=0")
    await page.get_by_role("navigation", name="After the game").get_by_role("link", name="Coach").click()
    await page.locator(".coach-point").first.wait_for()
    await player.button("Play on from here").first.click()
    await page.get_by_role("button", name="Play on", exact=True).click()
    await page.wait_for_url(lambda url: "/t/" in url and table not in url)
    await player.wait_for_table()


async def test_a_stranger_sees_the_result_and_why_there_is_no_analysis(
    arrive: Arrive, server: RestartableServer
) -> None:
    table, token = await finished_game(server)
    findings = await findings_of(server, table, token)
    full = {"code": "analysis_queue_full", "sentence": "More than an hour of analyses is waiting already."}
    waiting = {**running(0), "state": "waiting", "of": 0, "ahead": 3}
    stranger = await arrive(None, reduced_motion="reduce")
    page = stranger.page
    await answer_with(page, full, waiting, {**running(3), "state": "failed"}, done(findings))
    await page.goto(f"{server.http}/g/{table}/result")
    await expect(page.locator(".result-title")).to_be_visible()
    await pictures(stranger, "result")
    await page.get_by_role("navigation", name="After the game").get_by_role("link", name="Coach").click()
    await expect(page.get_by_role("alert")).to_contain_text("More than an hour")
    await stranger.button("Try again").click()
    await expect(page.get_by_text("3 analyses come before yours.")).to_be_visible()
    await expect(page.get_by_role("alert")).to_contain_text("has failed")
    await stranger.button("Try again").click()
    await expect(page.locator(".coach-title")).to_be_visible()
    await expect(page.locator(".coach-title")).not_to_contain_text("you")
    # A table of all tenders, with a grade for the shown seat.
    await expect(page.locator(".coach-tender-table tbody tr").first).to_contain_text("too many")


GAMES = [("planners", planner), *([("builders", builder)] if IS_WHOLE else [])]


@pytest.mark.parametrize("game, choose", GAMES)
async def test_a_turning_point_is_drawn_where_it_was_decided(
    game: str, choose: Choose, arrive: Arrive, server: RestartableServer
) -> None:
    table, token = await finished_game_of_two(server, game, choose)
    findings = await findings_of(server, table, token)
    points = findings["seats"][1]["points"]
    visitor = await arrive(None, reduced_motion="reduce")
    page = visitor.page
    await answer_with(page, done(findings))
    await page.goto(f"{server.http}/g/{table}/coach?eyes=1")
    await expect(page.locator(".coach-point")).to_have_count(len(points))
    await expect(page.locator(".coach-place > *").first).to_be_visible()
    # Whatever is drawn there is only looked at: a sentence beside it says the same.
    assert await page.locator(".coach-place:not([inert])").count() == 0
    await page.set_viewport_size({"width": 360, "height": 740})
    assert await widest(visitor) == 360
    await pictures(visitor, f"coach-{game}")
