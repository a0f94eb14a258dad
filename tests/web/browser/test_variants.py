"""Investors with optional rules: a city laid by the players, and bargaining."""

from __future__ import annotations

import asyncio
import contextlib
import random
from typing import Any

import pytest
from playwright.async_api import expect

from protocol.client import Client
from tests.scenarios.people import any_command, person
from tests.web.browser.conftest import Arrive
from tests.web.browser.visitor import Visitor, asked

pytestmark = pytest.mark.asyncio(loop_scope="session")

MEEK = (
    "lay_tile",
    "accept_tender",
    "abstain",
    "play_influence",
    "pass_bid",
    "choose_option",
    "accept_offer",
    "pay_offer",
    "pay_cheque",
    "bid_cheques",
    "waive",
    "claim_subsidy",
    "stop_drawing",
)
"""The preferred commands of the partners, who want deals and no streets; the most preferred first."""


class Partners:
    """Scripted players who choose the first option tile, accept every deal, and offer one when told to."""

    def __init__(self) -> None:
        self.offers = False
        self.wants_draws = False

    def command(self, rng: random.Random, prompt: dict[str, Any]) -> dict[str, Any]:
        # Of several offers that could be made, the last stands here: the visitor does not invest in it. Draws alone are
        # offered to the visitor, who has the first seat.
        choices = {choice["do"]: choice for choice in prompt["choices"]}
        if "pass_offer" in choices:
            wanted = "make_offer" if self.offers else "pass_offer"
        else:
            wanted = next(name for name in MEEK if name in choices)
        choice = choices[wanted]
        if wanted == "make_offer" and self.wants_draws:
            offers = [each for each in prompt["choices"] if each["do"] == wanted]
            choice = next((each for each in offers if each["investor"]["one_of"] == [0]), choice)
        if wanted == "choose_option":
            return {"do": wanted, "option": choice["option"]["one_of"][0]}
        if wanted == "make_offer":
            [investor], others = choice["investor"]["one_of"], choice["amounts"]["amounts"]
            return {
                "do": wanted,
                "investor": investor,
                "amounts": [0 if self.wants_draws else 10] * len(others),
                "draws": [int(self.wants_draws)] * len(others),
                "avoid": [],
            }
        if wanted == "pay_offer":
            # Any cheque covers a due of the smallest amount.
            space = choice["cheques"]
            return {"do": wanted, "cheques": [[space["shares"][place]] for place in range(len(space["dues"]))]}
        return any_command(rng, {"choices": [choice]})

    async def play(self, client: Client, table: str) -> None:
        rng = random.Random(7)
        watched = await client.watch(table)
        while watched.view["table"]["phase"] != "over":
            asked = watched.prompt
            if asked is not None:
                number, prompt = asked
                command = self.command(rng, prompt)
                await client.request("decide", table=table, decision=number, command=command)
            while watched.prompt == asked and watched.view["table"]["phase"] != "over":
                watched.changed.clear()
                await watched.changed.wait()


async def open_with_everything(visitor: Visitor) -> str:
    """Create a table of three at which players lay the city, and each may make one offer."""
    form = await visitor.open_form()
    await form.get_by_text("Options of Investors").click()
    await visitor.choose(form, "The city", "laid by the players")
    await form.get_by_label("Bargaining", exact=True).fill("1")
    return await visitor.submit_table(form, seats=3)


async def offer_and_pay(visitor: Visitor) -> None:
    """Offer to invest and to pay each of the others, with a draw for one of them, and pay it."""
    page = visitor.page
    await expect(page.locator(".answer")).to_be_disabled()
    await page.locator(".seat-choice", has_text="You").click()
    await expect(page.locator(".decision-more")).to_contain_text("At least")
    more = page.get_by_role("button", name="More", exact=True)
    await more.nth(1).click()
    await expect(page.locator(".answer")).to_be_enabled()
    await more.nth(0).click()
    await more.nth(2).click()
    street = page.locator("[data-street].open").first
    await street.click()
    await expect(page.locator(".avoided li")).to_have_count(1)
    await page.locator(".avoided li button").click()
    await expect(page.locator(".avoided li")).to_have_count(0)
    await visitor.screenshot("table-make_offer")
    await visitor.button("Make this offer").click()
    await page.locator("[data-about=pay_offer].act").wait_for()
    pay = page.get_by_role("button", name="Pay and take the right")
    await expect(pay).to_be_disabled()
    await expect(page.get_by_role("button", name="Decline", exact=True)).to_have_count(0)
    # After the first partner is paid, the next one is selected.
    for _ in range(2):
        await page.locator("button.cheque:not(.chosen):not(.taken)").first.click()
    await visitor.screenshot("table-pay_offer")
    await pay.click()


async def test_a_city_is_laid_and_deals_are_made_by_clicking(arrive: Arrive) -> None:
    visitor = await arrive(reduced_motion="reduce")
    partners = Partners()
    async with contextlib.AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(person(visitor.http)) for _ in range(2)]
        table = await open_with_everything(visitor)
        for client in clients:
            await client.request("take_seat", table=table)
            await client.request("ready", table=table, ready=True)
        await visitor.begin(others=2)
        playing = [asyncio.create_task(partners.play(client, table)) for client in clients]
        try:
            await visitor.wait_for_table()
            await visitor.play(by_mouse=4, screenshots="table", until="!document.querySelector('.district.empty')")
            assert await visitor.page.locator(".district.empty").count() == 0
            await visitor.play(by_mouse=0, idle=True, until=asked("make_offer"))
            await offer_and_pay(visitor)
            await visitor.page.locator(".log").get_by_text("You gave").wait_for()
            partners.offers = True
            await visitor.play(by_mouse=0, idle=True, until=asked("answer_offer"))
            await expect(visitor.page.locator(".open-offer li").first).to_contain_text("invests")
            await visitor.screenshot("table-answer_offer")
            await visitor.button("Accept").click()
            await visitor.page.locator(".log").get_by_text("gave you").wait_for()
            partners.wants_draws = True
            await visitor.play(by_mouse=0, idle=True, until=asked("pay_offer"))
            await expect(visitor.page.locator(".decision-title")).to_contain_text("Agree to the draws")
            await expect(visitor.page.locator(".open-offer li")).to_have_count(3)
            await visitor.screenshot("table-pay_offer-draws")
            await visitor.button("Accept").click()
            await visitor.page.locator(".log").get_by_text("You gave").nth(1).wait_for()
        finally:
            for task in playing:
                task.cancel()
            failures = await asyncio.gather(*playing, return_exceptions=True)
    assert [each for each in failures if isinstance(each, Exception)] == []
