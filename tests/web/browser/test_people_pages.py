"""Profiles, rankings and finished games in a browser, on a server whose index has a season of games."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import expect

from protocol.client import Client, socket_url
from server.history.record import GameRecord
from server.people.directory import ACCOUNT, HANDLE
from server.people.handles import handle_key
from server.store.sqlite import SqliteStore
from tests.history.rated_games import DAY, fill, record, register, seat
from tests.scenarios.people import all_play, choose_by_number, guest_token, open_table, person
from tests.web.browser.conftest import Arrive, RestartableServer
from tests.web.browser.test_access import PHONE, widest
from tests.web.browser.test_home import axe_issues
from tests.web.browser.visitor import Visitor

pytestmark = pytest.mark.asyncio(loop_scope="session")

SIZES = ((1440, 900), (1280, 720), (768, 1024), (360, 740))
CITIES: dict[str, dict[str, Any]] = {
    "investors": {"tiles": "01.2p" * 7, "sticks": "01.w" * 20 + ".."},
    "planners": {"cities": ["cct.." * 5] * 3},
    "builders": {"grid": [5, 3], "plots": "012r.." * 15},
}
GAMES = tuple(CITIES)


def season(me: str) -> list[GameRecord]:
    """Return 60 games of the visitor, the latest one today: 40 are rated, and of Builders only four of these."""
    now = round(time.time() * 1000)
    games = []
    for number in range(60):
        game = "builders" if number % 15 == 0 else GAMES[number % 2]
        order = [me, "ann", "bea"] if number % 3 == 0 else ["ann", me, "bea"] if number % 3 == 1 else ["bea", "ann", me]
        seats = [
            seat(user, place, name=user.capitalize(), points=60 - 10 * place)
            for place, user in enumerate(order, start=1)
        ]
        games.append(
            record(
                *seats,
                table=f"season{number:02}",
                game=game,
                title="Nob Hill Evening" if number == 59 else None,
                started=now - (60 - number) * DAY // 2 - 1_800_000,
                ended=now - (60 - number) * DAY // 2 + 1_000,
                rated=number % 3 != 2 or number < 3,
                city=CITIES[game],
            )
        )
    return games


class SeasonServer(RestartableServer):
    """A server with a season of games, and the token of a visitor with the handle `mira`."""

    token = ""


@pytest.fixture(scope="module")
def server(built: tuple[Path, float], tmp_path_factory: pytest.TempPathFactory) -> Iterator[SeasonServer]:
    folder = tmp_path_factory.mktemp("season")
    server = SeasonServer(folder, built[0])

    async def user_id() -> str:
        async with Client(socket_url(server.http), server.token) as client:
            await client.request("set_name", name="Mira")
            user: str = client.user["id"]
            return user

    async def seed(me: str) -> None:
        store = await SqliteStore.open(folder / "tables.db")
        key = handle_key("mira")
        assert key is not None
        await store.key_values.put(ACCOUNT, me, json.dumps({"handle": "mira", "motto": "More cable cars."}).encode())
        await store.key_values.put(HANDLE, key, json.dumps({"user": me}).encode())
        await register(store.key_values, "ann", motto="Slow and steady.", languages=["en", "de"])
        await register(store.key_values, "bea", privacy="nobody")
        games = season(me)
        for game in games:
            # The server looks whether the tables of the latest games in its index are over.
            await store.create(game.table, "over", b"")
        await fill(store.games, games)
        await store.close()

    server.token = guest_token(server.http)
    me = asyncio.run(user_id())
    server.kill()
    asyncio.run(seed(me))
    server.start_again()
    yield server
    server.kill()


async def come_as(token: str, arrive: Arrive, server: SeasonServer, path: str, **options: object) -> Visitor:
    """Open a page as the user with this token."""
    visitor = await arrive(None, reduced_motion="reduce", **options)
    await visitor.context.add_cookies([{"name": "sid", "value": token, "url": server.http}])
    await visitor.page.goto(server.http + path)
    return visitor


async def come(arrive: Arrive, server: SeasonServer, path: str, **options: object) -> Visitor:
    """Open a page as the visitor of the season."""
    return await come_as(server.token, arrive, server, path, **options)


async def test_from_the_rankings_to_a_profile_to_its_games(arrive: Arrive, server: SeasonServer) -> None:
    visitor = await come(arrive, server, "/rankings/planners")
    page = visitor.page
    # Bea shows herself to nobody, so she is in no ranking.
    rows = page.locator(".ranking tbody tr")
    await expect(rows).to_have_count(2)
    mine = page.locator(".ranking tr.mine")
    await expect(mine).to_contain_text("Mira")
    await expect(mine).to_contain_text("you")
    await page.get_by_role("link", name="Builders").click()
    await expect(page.locator(".rankings-empty")).to_contain_text("Nobody has played ten rated games of Builders yet.")
    await expect(page.locator(".own-reason")).to_contain_text("6 more rated games until you are ranked")
    await page.get_by_role("link", name="Investors").click()
    await page.locator(".ranking").get_by_role("link", name="Ann", exact=True).click()
    await expect(page.locator("h1")).to_have_text("Ann")
    assert page.url.endswith("/u/ann")
    await expect(page.locator(".profile-motto")).to_have_text("“Slow and steady.”")
    await expect(page.locator(".profile-about")).to_contain_text("speaks English and Deutsch · 60 games")
    builders = page.locator(".profile-game", has_text="Builders")
    await expect(builders.locator(".profile-number")).to_contain_text("?")
    await expect(builders.locator(".profile-figures")).to_contain_text("provisional: 4 of 10 games")
    # The chart reads its values by keyboard.
    chart = page.get_by_role("slider", name="Rating in Investors, game by game")
    await chart.focus()
    before = await chart.get_attribute("aria-valuetext")
    await page.keyboard.press("Home")
    await expect(chart).to_have_attribute("aria-valuenow", "1")
    assert await chart.get_attribute("aria-valuetext") != before
    await expect(page.locator(".chart-read")).to_contain_text("±")
    await expect(page.locator(".profile-recent .thumbnail")).to_have_count(10)
    await page.get_by_role("link", name="All games").click()
    await expect(page.locator("h1")).to_have_text("Games of Ann")
    await expect(page.locator(".played")).to_have_count(50)


async def test_the_end_of_a_rated_game_shows_the_ratings_and_the_profile_follows(
    arrive: Arrive, server: SeasonServer
) -> None:
    token = guest_token(server.http)
    async with Client(socket_url(server.http), token) as nora, person(server.http) as theo:
        for client, name in ((nora, "Nora"), (theo, "Theo")):
            await client.request("set_name", name=name)
            await client.request("keep_name", handle=name.lower())
            await client.request("make_recovery_codes")
        table = await open_table([nora, theo], "planners", 2, rated=True)
        await all_play([nora, theo], table, choose_by_number(1))
    visitor = await come_as(token, arrive, server, f"/t/{table}")
    page = visitor.page
    changes = page.locator(".rating-list > li")
    await expect(changes).to_have_count(2)
    other = changes.filter(has_text="Theo")
    await expect(other.locator(".rating-figures")).to_contain_text("1,500→")
    await expect(other).to_contain_text("provisional")
    for name in ("Replay", "Theo"):
        await expect(page.locator(".result").get_by_role("link", name=name, exact=True).first).to_be_visible()
    await visitor.button("Share").click()
    await expect(page.get_by_label("Link to the replay")).to_have_value(f"{server.http}/g/{table}")
    await other.get_by_role("link", name="Theo").click()
    await expect(page.locator("h1")).to_have_text("Theo")
    await expect(page.locator(".profile-recent .played")).to_have_count(1)
    await expect(page.locator(".profile-recent .played svg.thumbnail")).to_have_count(1)


async def test_finished_games_are_paged_filtered_and_searched(arrive: Arrive, server: SeasonServer) -> None:
    visitor = await come(arrive, server, "/games")
    page = visitor.page
    games = page.locator(".played")
    await expect(games).to_have_count(50)
    await expect(games.first).to_contain_text("Nob Hill Evening")
    await expect(games.first.locator(".played-outcome")).to_have_text("3rd of 3")
    # Planners counts half points.
    await expect(games.first.locator(".played-standings li")).to_have_text(["1Bea25", "2Ann20", "3You15"])
    await visitor.button("Next").click()
    await expect(games).to_have_count(10)
    # The way back from a replay leads to the same page.
    await games.first.locator(".played-title").click()
    await page.wait_for_url("**/g/season09")
    await page.go_back()
    await expect(games).to_have_count(10)
    await visitor.button("Previous").click()
    await expect(games).to_have_count(50)
    await page.get_by_role("combobox", name="Rated or not").click()
    await page.get_by_role("option", name="Unrated games").click()
    await expect(games).to_have_count(19)
    await expect(page.locator(".rated-badge")).to_have_count(0)
    await page.get_by_role("searchbox").fill("nob h")
    await expect(page.locator(".played-title")).to_have_text(["Nob Hill Evening"])
    await page.reload()
    await expect(page.locator(".played-title")).to_have_text(["Nob Hill Evening"])
    await page.get_by_role("searchbox").fill("nothing of that name")
    await expect(page.locator(".games-empty")).to_contain_text("No finished game fits these filters.")
    await visitor.button("Clear the filters").click()
    await expect(games).to_have_count(50)


async def test_the_games_of_somebody_who_is_not_there_lead_to_the_own_ones(
    arrive: Arrive, server: SeasonServer
) -> None:
    visitor = await come(arrive, server, "/games?of=nobody_of_that_name")
    page = visitor.page
    await expect(page.get_by_role("alert")).to_contain_text("nobody of that name")
    await page.get_by_role("radio", name="Your games").click()
    await expect(page.locator(".played")).to_have_count(50)
    await expect(page.get_by_role("alert")).to_have_count(0)


async def test_the_way_back_from_a_profile_leads_to_the_same_ranking(arrive: Arrive, server: SeasonServer) -> None:
    visitor = await come(arrive, server, "/rankings/investors")
    page = visitor.page
    await page.get_by_role("radio", name="This week").click()
    await page.wait_for_url("**/rankings/investors?week")
    # The period stays when the game changes.
    await page.get_by_role("link", name="Planners").click()
    await page.wait_for_url("**/rankings/planners?week")
    await page.locator(".ranking").get_by_role("link", name="Ann", exact=True).click()
    await expect(page.locator("h1")).to_have_text("Ann")
    await page.go_back()
    await expect(page.get_by_role("radio", name="This week")).to_be_checked()


async def test_who_is_not_open_and_who_is_not_there_look_the_same(arrive: Arrive, server: SeasonServer) -> None:
    visitor = await come(arrive, server, "/u/bea")
    sentences = []
    for path in ("/u/bea", "/u/nobody_of_that_name"):
        await visitor.page.goto(server.http + path)
        sentences.append(await visitor.page.get_by_role("alert").inner_text())
    assert sentences[0] == sentences[1]
    assert "nobody of that name" in sentences[0]


async def test_the_pages_fit_every_size_and_axe_finds_nothing(arrive: Arrive, server: SeasonServer) -> None:
    # The content security policy is bypassed, because axe has to be injected into the page.
    visitor = await come(arrive, server, "/", bypass_csp=True)
    problems = {}
    for path, shown in (
        ("/u/mira", ".profile-recent .played"),
        ("/rankings/investors", ".ranking"),
        ("/rankings/builders", ".own-reason"),
        ("/games?rated=no", ".played"),
    ):
        await visitor.page.goto(server.http + path)
        await visitor.page.locator(shown).first.wait_for()
        for width, height in SIZES:
            await visitor.page.set_viewport_size({"width": width, "height": height})
            if await widest(visitor) > width:
                problems[f"{path} at {width}"] = [str(await widest(visitor))]
        problems[path] = await axe_issues(visitor.page)
    assert {place: found for place, found in problems.items() if found} == {}


async def test_targets_on_a_phone_are_large_enough_for_a_thumb(arrive: Arrive, server: SeasonServer) -> None:
    visitor = await come(arrive, server, "/u/ann", **PHONE)
    small = {}
    for path, shown in (("/u/ann", ".played"), ("/rankings/investors", ".ranking"), ("/games", ".played")):
        await visitor.page.goto(server.http + path)
        await visitor.page.locator(shown).first.wait_for()
        # The link of a row is as large as the row.
        small[path] = await visitor.page.evaluate(
            """() => [...document.querySelectorAll("main button, main a:not(.played-title), .bottom-nav a")]
                .map((target) => [target.textContent, target.getBoundingClientRect()])
                .filter(([, { width, height }]) => width > 0 && Math.min(width, height) < 44).map(([text]) => text)"""
        )
    assert small == {path: [] for path in small}
