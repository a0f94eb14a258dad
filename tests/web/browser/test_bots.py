"""Bots in the waiting room and at the table, and hints."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import expect

from tests.web.browser.conftest import Arrive

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_the_host_chooses_how_well_bots_play_seat_by_seat(arrive: Arrive) -> None:
    host = await arrive()
    await host.arrived()
    await host.open_table(seats=4)
    chairs = host.page.locator(".chairs li")
    strength = host.page.get_by_role("radiogroup", name="Bots play")
    await strength.get_by_role("radio", name="Normal").click()
    await chairs.nth(2).get_by_role("button", name="Add a bot").click()
    await chairs.nth(2).get_by_role("button", name="bot, plays normal").click()
    await host.page.get_by_role("menuitem", name="Hard").click()
    await expect(chairs.nth(2)).to_contain_text("bot, plays hard")
    await strength.get_by_role("radio", name="Easy").click()
    await chairs.nth(1).get_by_role("button", name="Add a bot").click()
    await chairs.nth(3).get_by_role("button", name="Add a bot").click()
    await expect(host.page.locator(".chairs .bot-face")).to_have_count(3)
    await expect(chairs.nth(1)).to_contain_text("bot, plays easy")
    manners = re.compile("cautious|greedy|spoiler")
    texts = [await chairs.nth(seat).inner_text() for seat in (1, 2, 3)]
    assert {match[0] for text in texts if (match := manners.search(text))} == {"cautious", "greedy", "spoiler"}
    await chairs.nth(1).get_by_role("button", name=manners).click()
    await host.screenshot("waiting-bots-menu")
    await host.page.get_by_role("menuitem", name="No style").click()
    await expect(chairs.nth(1)).not_to_contain_text(manners)
    await chairs.nth(2).get_by_role("button", name=manners).click()
    await host.page.get_by_role("menuitem", name="Greedy").click()
    await expect(chairs.nth(2).get_by_role("button", name="greedy")).to_be_visible()
    guest = await arrive(f"/t/{host.table}")
    await expect(guest.page.locator(".chairs li").nth(2)).to_contain_text("bot, plays hard, greedy")
    names = await host.page.locator(".chair-text strong").all_text_contents()
    assert len(set(names)) == 4
    await host.screenshot("waiting-bots")
    await chairs.nth(3).get_by_role("button", name="bot, plays easy").click()
    await host.page.get_by_role("menuitem", name="Remove the bot").click()
    await expect(host.page.locator(".chairs .bot-face")).to_have_count(2)
    # Begin fills the free chair.
    await host.button("Begin").click()
    await host.wait_for_table()
    await expect(host.page.locator(".left .bot-face")).to_have_count(3)
    await expect(host.page.locator(".left")).to_contain_text("Hard bot, greedy")
    await host.page.goto(host.http)
    await expect(host.page.get_by_role("img", name=f"{names[1]} (bot)")).to_be_visible()


async def test_a_hint_says_what_a_bot_would_do_and_leaves_the_deciding_to_the_person(arrive: Arrive) -> None:
    newcomer = await arrive(reduced_motion="reduce")
    await newcomer.arrived()
    await newcomer.play_now()
    hint = newcomer.button("Hint")
    await hint.click()
    sentence = newcomer.page.locator(".decision-more.hint")
    await expect(sentence).to_have_text(re.compile(r"\w{3,}"))
    assert not re.search(r"[{}]|inv\.hint", await sentence.inner_text())
    await expect(hint).to_be_disabled()
    await newcomer.screenshot("hint")
    await expect(newcomer.page.locator(".bottom.act")).to_be_visible()
