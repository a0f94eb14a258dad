"""Several visitors at one table."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest
from playwright.async_api import expect

from server.games.investors.components import MAX_TENDERS_WITHOUT_A_STICK
from tests.scenarios.people import any_command
from tests.web.browser.conftest import Arrive
from tests.web.browser.positions import play_ahead
from tests.web.browser.visitor import Visitor, reached

pytestmark = pytest.mark.asyncio(loop_scope="session")

PASSING = ("accept_tender", "abstain", "pass_bid", "waive", "stop_drawing")
SMALL = {"width": 1120, "height": 680}
HOSTILE_NAMES = ["<img onerror=alert(1)>", "<script>alert(1)</", "{{alert(1)}}"]
HOSTILE_LINES = [
    "<script>alert(1)</script>",
    "<svg/onload=alert(1)>",
    "javascript:alert(1)//<a href=javascript:alert(1)>x</a>",
    "\"><iframe srcdoc='<script>parent.alert(1)</script>'>",
    "<style>*{display:none}</style>",
    "&lt;b&gt; &#x3c;b&#x3e; ${alert(1)} %3Cscript%3E",
]


async def sit_together(arrive: Arrive, names: list[str], game: str = "Investors") -> list[Visitor]:
    """Seat visitors with these names at a table of the first one, all ready."""
    host, *others = [await arrive(reduced_motion="reduce", viewport=SMALL) for _ in names]
    for visitor, name in zip((host, *others), names, strict=True):
        await visitor.rename(name)
    await host.choose_game(game)
    table = await host.open_table(seats=len(names))
    for other in others:
        await other.page.goto(f"{host.http}/t/{table}")
        await other.button("Sit down").click()
        await other.button("I am ready").click()
    return [host, *others]


def passing(rng: random.Random, prompt: dict[str, Any]) -> dict[str, Any]:
    """Pass whenever possible: a game of Investors in which nothing is built ends after 36 rounds."""
    kept = [choice for choice in prompt["choices"] if choice["do"] in PASSING]
    return any_command(rng, {"choices": kept or prompt["choices"]})


async def test_three_people_and_a_spectator_play_to_the_end(arrive: Arrive) -> None:
    people = await sit_together(arrive, ["Ana", "Bo", "Cleo"])
    await people[0].screenshot("waiting-room")
    await people[0].begin(others=2)
    await asyncio.gather(*(visitor.wait_for_table() for visitor in people))
    spectator = await arrive(f"/t/{people[0].table}", reduced_motion="reduce", viewport=SMALL)
    await spectator.wait_for_table()
    await spectator.screenshot("watching")
    assert await spectator.page.locator(".answer, .influence-card.can, [data-street].open").count() == 0
    overs = await asyncio.gather(*(visitor.play(by_mouse=12, idle=True, until=reached(3)) for visitor in people))
    assert overs == [False, False, False]
    await play_ahead(people, lambda game: game["round"] >= MAX_TENDERS_WITHOUT_A_STICK - 2, passing)
    assert await asyncio.gather(*(visitor.play(by_mouse=0, idle=True) for visitor in people)) == [True, True, True]
    points = [visitor.page.locator(".points tbody .total") for visitor in (*people, spectator)]
    for each in points:
        await expect(each).to_have_count(3)
    totals = await points[0].all_inner_texts()
    for each in points:
        await expect(each).to_have_text(totals)


async def test_hostile_names_and_chat_are_shown_as_text(arrive: Arrive) -> None:
    people = await sit_together(arrive, HOSTILE_NAMES)
    host = people[0]
    dialogs: list[str] = []
    for visitor in people:
        visitor.page.on("dialog", lambda dialog: dialogs.append(dialog.message))
    for line in HOSTILE_LINES:
        await host.page.get_by_label("Write to the table").fill(line)
        await host.button("Send").click()
        await people[1].page.locator(".chat li").get_by_text(line, exact=True).wait_for()
    await expect(people[1].page.locator(".chair-text strong")).to_have_text(HOSTILE_NAMES)
    await host.begin(others=2)
    await people[1].wait_for_table()
    await people[1].page.locator(".seat-name strong").get_by_text(HOSTILE_NAMES[0], exact=True).wait_for()
    await people[1].page.get_by_role("tab", name="Chat").click()
    await people[1].page.locator(".chat li").get_by_text(HOSTILE_LINES[0], exact=True).wait_for()
    for visitor in people:
        assert await visitor.page.locator("img, iframe, style, body script").count() == 0
    assert dialogs == []
