"""Games that anybody can verify, as players, spectators and strangers see them."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import secrets
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from playwright.async_api import Page, Route, expect

from protocol.client import Client, RequestRefused, WatchedTable, socket_url
from protocol.commitments import seed_commitment
from tests.scenarios.people import all_play, choose_by_number, open_table, person, play_to_the_end, wait_until
from tests.web.browser.conftest import Arrive, RestartableServer
from tests.web.browser.positions import IS_WHOLE, finished_game
from tests.web.browser.scripted_players import sealed_bidding
from tests.web.browser.test_access import PHONE, serious_issues, widest
from tests.web.browser.visitor import Visitor, reached

pytestmark = pytest.mark.asyncio(loop_scope="session")

FINGERPRINT = re.compile(r"^[0-9a-f]{4}( [0-9a-f]{4}){3}$")
SIZES = ((360, 740), (390, 844), (768, 1024), (1440, 900))


async def token_of(visitor: Visitor) -> str:
    """Return the token of the visitor's session."""
    return next(cookie["value"] for cookie in await visitor.context.cookies() if cookie["name"] == "sid")


async def open_for_two(host: Visitor) -> str:
    """Open a table for two, which Investors cannot be played by."""
    await host.choose_game("Planners")
    return await host.open_table(seats=2)


async def let_a_script_finish(visitor: Visitor) -> None:
    """Close the page, let a script play on for the visitor, and open the page at the end of the game."""
    table = visitor.table
    await visitor.page.goto("about:blank")
    async with Client(socket_url(visitor.http), await token_of(visitor)) as client:
        await play_to_the_end(client, table, choose_by_number(5))
    await visitor.page.goto(f"{visitor.http}/t/{table}")


async def check_result(page: Page) -> str:
    """Return what the page says about the record, as soon as it has checked it."""
    await page.locator(".verified:not(.verified-fetching) .verified-result").wait_for()
    return await page.locator(".verified-result").inner_text()


async def details(page: Page) -> str:
    await page.get_by_role("button", name="What was checked").click()
    return await page.locator(".verified-list").inner_text()


async def pictured(visitor: Visitor, name: str) -> None:
    """Save pictures at all sizes, and check that nothing is wider than a phone."""
    shown = visitor.page.viewport_size
    assert shown is not None
    for width, height in SIZES:
        await visitor.page.set_viewport_size({"width": width, "height": height})
        await visitor.screenshot(f"fairness-{name}-{width}")
        assert await widest(visitor) == width
    await visitor.page.set_viewport_size(shown)


async def test_a_game_against_bots_ends_verified_for_the_player_and_for_a_stranger(arrive: Arrive) -> None:
    visitor = await arrive(reduced_motion="reduce")
    table = await visitor.open_table(seats=3)
    await visitor.button("Begin").click()
    await visitor.wait_for_table()
    await visitor.button("This game can be verified").click()
    card = visitor.page.get_by_role("dialog", name="This game can be verified")
    await expect(card).to_contain_text("before anybody could know it: you.")
    await expect(card.locator(".fair-print code")).to_have_text(FINGERPRINT)
    await pictured(visitor, "lock")
    await visitor.page.keyboard.press("Escape")
    if IS_WHOLE:
        assert await visitor.play(by_mouse=0, idle=True)
    else:
        has_sealed = f"JSON.parse(localStorage['fairness.{table}'] ?? '{{}}').openings?.length > 0"
        assert not await visitor.play(by_mouse=0, until=f"{reached(4)} && {has_sealed}")
        await let_a_script_finish(visitor)
    said = await check_result(visitor.page)
    assert "Verified" in said
    assert "The server and one player’s device fixed the shuffle together." in said
    assert "The record is the one that you were shown." in said
    found = await details(visitor.page)
    assert "The random bytes of this device are part of the shuffle." in found
    assert "Every answer that this device has sealed is in the record, unaltered" in found
    await pictured(visitor, "result")

    stranger = await arrive(f"/g/{table}", reduced_motion="reduce")
    await stranger.button("Verify").click()
    said = await check_result(stranger.page)
    assert "Verified" in said
    assert "Nothing in the record was changed or reordered." in said
    await pictured(stranger, "replay")


async def test_the_download_is_what_the_page_has_checked(arrive: Arrive, server: RestartableServer) -> None:
    table, _ = await finished_game(server)
    visitor = await arrive(f"/t/{table}", reduced_motion="reduce")
    # A script that commits to nothing played this game.
    assert "The server alone fixed the shuffle." in await check_result(visitor.page)
    await details(visitor.page)
    async with visitor.page.expect_download() as downloading:
        await visitor.page.get_by_role("link", name="Download the transcript").click()
    download = await downloading.value
    assert download.suggested_filename == f"{table}.json"
    transcript = json.loads((await download.path()).read_text("utf-8"))
    assert transcript["table"] == table


Tamper = Callable[[dict[str, Any]], None]


def swapped_answer(transcript: dict[str, Any]) -> None:
    opening = transcript["openings"][0]
    opening["answer"] = '{"do":"abstain"}' if opening["answer"] != '{"do":"abstain"}' else '{"do":"play_influence"}'


def changed_line(transcript: dict[str, Any]) -> None:
    transcript["lines"][5] = transcript["lines"][5].replace('"seat":0', '"seat":1').replace('"line":6', '"line":6 ')


def swapped_cards(transcript: dict[str, Any]) -> None:
    order = next(draw["order"] for draw in transcript["draws"] if len(set(draw.get("order", ()))) > 1)
    other = next(place for place, card in enumerate(order) if card != order[0])
    order[0], order[other] = order[other], order[0]


def other_server_seed(transcript: dict[str, Any]) -> None:
    transcript["server_seed"] = "00" * 32


FRAUDS: dict[Tamper, str] = {
    swapped_answer: "A sealed answer is not the one that was sealed.",
    changed_line: "Lines of the public record were changed, left out or reordered.",
    swapped_cards: "A shuffle or a draw does not follow from the seed of the game.",
    other_server_seed: "The shuffle was not fixed as it was agreed before the game.",
}


async def test_a_transcript_that_was_tampered_with_says_what_is_wrong(
    arrive: Arrive, server: RestartableServer
) -> None:
    table, token = await finished_game(server)
    visitor = await arrive(None, reduced_motion="reduce")
    await visitor.context.add_cookies([{"name": "sid", "value": token, "url": visitor.http}])
    tampering: list[Tamper] = []

    async def tamper(route: Route) -> None:
        response = await route.fetch()
        transcript = await response.json()
        tampering[0](transcript)
        await route.fulfill(response=response, json=transcript)

    await visitor.page.route("**/transcript.json*", tamper)
    for fraud, sentence in FRAUDS.items():
        tampering[:] = [fraud]
        await visitor.page.goto(f"{visitor.http}/t/{table}")
        said = await check_result(visitor.page)
        assert "This record is wrong" in said, fraud.__name__
        assert sentence in said
        assert "Until this is explained, do not trust the result." in said
        assert await visitor.page.locator(".verified").get_by_role("alert").count() == 1
    await pictured(visitor, "wrong")


async def test_a_record_that_this_device_was_not_shown_is_wrong(arrive: Arrive) -> None:
    visitor = await arrive(reduced_motion="reduce")
    await visitor.open_table(seats=3)
    await visitor.button("Begin").click()
    await visitor.wait_for_table()
    table = visitor.table
    await visitor.play(by_mouse=0, until=reached(2))
    # As if this device had been shown another line: not the last one, which it is shown again.
    heads = f"fairness.{table}.heads"
    at_least_two = "(name) => Object.keys(JSON.parse(localStorage[name] ?? '{}')).length > 1"
    await visitor.page.wait_for_function(at_least_two, arg=heads)
    await visitor.page.goto(f"{visitor.http}/")
    await visitor.page.evaluate(
        """(name) => {
            const heads = JSON.parse(localStorage[name]);
            heads[Object.keys(heads)[0]] = "A".repeat(43);
            localStorage[name] = JSON.stringify(heads);
        }""",
        heads,
    )
    await visitor.page.goto(f"{visitor.http}/t/{table}")
    await visitor.wait_for_table()
    await let_a_script_finish(visitor)
    assert "The record is not the one that this device was shown during the game." in await check_result(visitor.page)


async def test_a_game_from_before_is_not_verifiable_and_says_why(arrive: Arrive, server: RestartableServer) -> None:
    table, _ = await finished_game(server)
    visitor = await arrive(None, reduced_motion="reduce")

    async def old(route: Route) -> None:
        response = await route.fetch()
        transcript = await response.json()
        kept = {name: transcript[name] for name in ("format", "table", "title", "rules")}
        await route.fulfill(response=response, json={**kept, "verifiable": False, "why_not": "continued"})

    await visitor.page.route("**/transcript.json*", old)
    await visitor.page.goto(f"{visitor.http}/t/{table}")
    said = await check_result(visitor.page)
    assert "Not verifiable" in said
    assert "It goes on from a step of another game" in said


class SeatOfAProgram:
    """A program on a seat that commits to random bytes, and opens them when the test says so.

    It is not subscribed to the table, since a subscribed client would open by itself; a spectator looks for it.
    """

    def __init__(self, client: Client, watched: WatchedTable, seed: bytes) -> None:
        self._client = client
        self._watched = watched
        self._seed = seed

    async def open(self) -> None:
        game = self._watched.view["table"]["fairness"]["game"]
        await self._client.request("open_seed", table=self._watched.table, game=game, seed=self._seed.hex())

    async def stage(self, stage: str) -> None:
        await wait_until(self._watched, lambda view: view["table"]["fairness"]["stage"] == stage)


@contextlib.asynccontextmanager
async def program_at(http: str, table: str) -> AsyncIterator[SeatOfAProgram]:
    async with person(http) as client, person(http) as spectator:
        await client.request("take_seat", table=table, seat=1)
        watched = await spectator.watch(table)
        await wait_until(watched, lambda view: view["seats"][1]["user"] is not None)
        seed, game = secrets.token_bytes(32), watched.view["table"]["fairness"]["game"]
        commitment = seed_commitment(table, game, 1, watched.view["seats"][1]["user"], seed)
        await client.request("commit_seed", table=table, game=game, commitment=commitment)
        await client.request("ready", table=table, ready=True)
        yield SeatOfAProgram(client, watched, seed)


async def test_a_host_who_begins_at_once_takes_part_in_the_shuffle(arrive: Arrive) -> None:
    host = await arrive(reduced_motion="reduce")
    has_begun = asyncio.Event()

    async def hold(route: Route) -> None:
        await has_begun.wait()
        await route.continue_()

    # What commits is fetched by the waiting room, and a slow network takes longer than the host.
    await host.page.route("**/assets/part-*.js", hold)
    await host.open_table(seats=3)
    await host.button("Begin").click()
    has_begun.set()
    await host.wait_for_table()
    await host.button("This game can be verified").click()
    await expect(host.page.locator(".fair-list")).to_contain_text("before anybody could know it: you.")


async def test_a_reload_in_the_middle_of_the_exchange_loses_nothing(arrive: Arrive) -> None:
    host = await arrive(reduced_motion="reduce")
    table = await open_for_two(host)
    async with program_at(host.http, table) as program:
        # Between commitment and opening, and after the opening while another seat is awaited.
        await host.page.reload()
        await host.begin(others=1)
        await program.stage("open")
        await expect(host.page.locator(".begin-title")).to_have_text("The game is about to begin.")
        await host.page.reload()
        await expect(host.page.locator(".begin-title")).to_have_text("The game is about to begin.")
        await program.open()
        await host.wait_for_table()
        await host.button("This game can be verified").click()
        await expect(host.page.locator(".fair-list")).to_contain_text("before anybody could know it: you and ")


async def test_a_seat_that_does_not_open_is_named_and_the_game_can_begin_again(arrive: Arrive) -> None:
    host = await arrive(reduced_motion="reduce")
    table = await open_for_two(host)
    async with program_at(host.http, table) as program:
        await host.begin(others=1)
        await program.stage("open")
        await pictured(host, "about-to-begin")
        await program.stage("waiting")
        alert = host.page.locator(".begin-alert")
        await expect(alert).to_contain_text("did not answer in time, so the game did not begin.")
        await pictured(host, "voided")
    # The page has committed anew, by itself.
    await expect(host.page.locator(".begin-title")).not_to_have_text("The game is about to begin.")


async def test_somebody_on_another_page_of_the_site_still_opens(arrive: Arrive) -> None:
    host, guest = await arrive(reduced_motion="reduce"), await arrive(reduced_motion="reduce")
    table = await open_for_two(host)
    await guest.page.goto(f"{host.http}/t/{table}")
    await guest.button("Sit down").click()
    await guest.button("I am ready").click()
    await guest.go_home()
    await host.begin(others=1)
    await host.wait_for_table()
    await host.button("This game can be verified").click()
    await expect(host.page.locator(".fair-list")).to_contain_text("before anybody could know it: you and ")


async def test_two_tabs_of_one_person_do_not_fight(arrive: Arrive) -> None:
    visitor = await arrive(reduced_motion="reduce")
    await visitor.open_table(seats=3)
    second = await visitor.context.new_page()
    await second.goto(visitor.page.url)
    await second.locator(".waiting-title").wait_for()
    await visitor.button("Begin").click()
    await visitor.wait_for_table()
    await second.locator(".bottom .decision-bar").wait_for()
    await visitor.button("This game can be verified").click()
    await expect(visitor.page.locator(".fair-list")).to_contain_text("before anybody could know it: you.")


async def test_a_sealed_answer_survives_a_reload_and_a_change(arrive: Arrive) -> None:
    visitor = await arrive(reduced_motion="reduce")
    async with sealed_bidding(visitor) as players:
        table = visitor.table
        await visitor.page.locator(".influence-card.can").first.click()
        await visitor.page.locator(".answer").click()
        await visitor.page.locator(".influence-card.sealed").wait_for()
        await visitor.page.reload()
        await visitor.page.locator(".influence-card.sealed").wait_for()
        # Changing a sealed card takes one click.
        await visitor.page.locator(".influence-card.can:not(.sealed)").nth(1).click()
        stored = "(name) => JSON.parse(localStorage[name]).openings.map(({ attempt }) => attempt)"
        await visitor.page.wait_for_function(f"(name) => ({stored})(name).includes(1)", arg=f"fairness.{table}")
        assert (await visitor.page.evaluate(stored, f"fairness.{table}"))[-2:] == [0, 1]
        players.go_on.set()
        await let_a_script_finish(visitor)
    assert "Verified" in await check_result(visitor.page)
    assert "Every answer that this device has sealed is in the record" in await details(visitor.page)


async def test_another_history_turns_the_lock_into_a_warning(arrive: Arrive) -> None:
    visitor = await arrive(reduced_motion="reduce")
    async with sealed_bidding(visitor):
        # Another page of the same person was shown another game.
        async with Client(socket_url(visitor.http), await token_of(visitor)) as other:
            with pytest.raises(RequestRefused, match="another course"):
                await other.request("vote", table=visitor.table, on="pause", agree=True, seen=f"3.{'A' * 43}")
        lock = visitor.button("Not everybody was shown the same game")
        await lock.wait_for()
        await lock.click()
        alert = visitor.page.get_by_role("dialog").get_by_role("alert")
        await expect(alert).to_contain_text("Your page was shown another course of this game than the others.")
        await expect(alert).to_contain_text("compare the fingerprint below")
        await pictured(visitor, "differs")
        # It is still there after a reload.
        await visitor.page.reload()
        await lock.wait_for()


@pytest.mark.parametrize("size", [PHONE, {}], ids=["phone", "wide"])
async def test_axe_finds_no_serious_issue_with_the_lock_and_the_result(arrive: Arrive, size: dict[str, Any]) -> None:
    visitor = await arrive(bypass_csp=True, reduced_motion="reduce", **size)
    table = await visitor.open_table(seats=3)
    await visitor.button("Begin").click()
    await visitor.wait_for_table()
    issues: dict[str, list[str]] = {}
    if size is PHONE:
        # The narrowest phones have the lock in the menu alone.
        sign = visitor.page.get_by_role("img", name="This game can be verified")
        await expect(sign).to_have_count(0)
        await visitor.page.set_viewport_size({"width": 390, "height": 844})
        await expect(sign).to_be_visible()
        await visitor.page.set_viewport_size({"width": 360, "height": 740})
        await visitor.button("Table").click()
        await visitor.button("This game can be verified").click()
    else:
        await visitor.button("This game can be verified").click()
    await visitor.page.locator(".fair-print code").wait_for()
    await visitor.screenshot(f"fairness-menu-{visitor.page.viewport_size['width']}")  # type: ignore[index]
    issues["lock"] = await serious_issues(visitor)
    async with person(visitor.http) as one, person(visitor.http) as two:
        table = await open_table([one, two], "investors", 3)
        await all_play([one, two], table, choose_by_number(7))
    await visitor.page.goto(f"{visitor.http}/t/{table}")
    await check_result(visitor.page)
    await details(visitor.page)
    issues["result"] = await serious_issues(visitor)
    await visitor.page.goto(f"{visitor.http}/g/{table}")
    await visitor.button("Verify").click()
    await check_result(visitor.page)
    issues["replay"] = await serious_issues(visitor)
    await visitor.page.goto(f"{visitor.http}/rules/fairness")
    await visitor.page.locator(".fairness-text").wait_for()
    issues["page"] = await serious_issues(visitor)
    assert {place: found for place, found in issues.items() if found} == {}


async def test_how_it_works_is_a_page_in_four_languages(arrive: Arrive) -> None:
    titles = {
        "en": "Fairness that anybody can check",
        "de": "Fairness, die alle überprüfen können",
        "it": "Correttezza che chiunque può verificare",
        "pl": "Uczciwość, którą każdy może sprawdzić",
    }
    for language, title in titles.items():
        visitor = await arrive("/rules/fairness", locale=language)
        await expect(visitor.page.locator("h1")).to_have_text(title)
        await pictured(visitor, f"page-{language}")


async def test_two_people_see_the_same_fingerprint_and_a_spectator_too(arrive: Arrive) -> None:
    host, guest = await arrive(reduced_motion="reduce"), await arrive(reduced_motion="reduce")
    table = await open_for_two(host)
    await guest.page.goto(f"{host.http}/t/{table}")
    await guest.button("Sit down").click()
    await guest.button("I am ready").click()
    await host.begin(others=1)
    spectator = await arrive(f"/t/{table}", reduced_motion="reduce")
    people = [host, guest, spectator]
    await asyncio.gather(*(visitor.wait_for_table() for visitor in people))
    prints = []
    for visitor in people:
        await visitor.button("This game can be verified").click()
        prints.append(await visitor.page.locator(".fair-print").inner_text())
    assert len(set(prints)) == 1
