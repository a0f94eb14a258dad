"""The waiting room: chairs, settings in words, the invitation, and the ways in which a game begins."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import Page, expect

from protocol.client import Client, socket_url
from tests.scenarios.people import all_play, choose_by_number, guest_token, open_table, person
from tests.web.browser.conftest import OWN, Arrive, RestartableServer
from tests.web.browser.test_access import PHONE, serious_issues, widest
from tests.web.browser.test_play_again import come_as
from tests.web.browser.visitor import Visitor

pytestmark = pytest.mark.asyncio(loop_scope="session")

SERVER = OWN

LARGEST_SHIFT = 0.01


async def host_table(client: Client, *, game: str = "investors", seats: int = 3, **settings: Any) -> str:
    opened = await client.request("create_table", settings={"game": game, "seats": seats, **settings})
    table: str = opened["table"]
    return table


def chair(page: Page, seat: int) -> Any:
    return page.locator(".chairs li").nth(seat)


async def test_a_guest_on_a_phone_sits_down_with_a_name(arrive: Arrive) -> None:
    host = await arrive("/", reduced_motion="reduce")
    async with person(host.http) as mira:
        await mira.request("set_name", name="Mira")
        table = await host_table(mira, name="Nob Hill Evening", clock={"kind": "decision", "seconds": 86_400})
        guest = await arrive(f"/t/{table}", reduced_motion="reduce", **PHONE)
        page = guest.page
        await expect(page.locator("h1")).to_have_text("Mira keeps a chair for you")
        await expect(page.locator("[data-setting=clock]")).to_contain_text("1 day a move")
        assert await widest(guest) == 360
        await guest.screenshot("phone-waiting-guest")
        # Name and button are in sight without scrolling.
        for part in (page.get_by_label("Your name"), guest.button("Sit down"), guest.button("Watch")):
            box = await part.bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= 740
        await guest.button("Watch").click()
        await expect(page.locator(".begin-title")).to_have_text("You are watching.")
        await guest.button("Sit down").click()
        await page.get_by_label("Your name").fill("Inge")
        await guest.button("Sit down").click()
        await expect(chair(page, 1)).to_contain_text("Inge")
        await expect(chair(page, 1)).to_contain_text("you")
        await expect(page.locator("h1")).to_have_text("Nob Hill Evening")
        await guest.button("I am ready").click()
        await expect(page.locator(".begin-title")).to_have_text("You are ready.")
        await expect(chair(page, 1)).to_contain_text("ready")


async def test_the_chair_of_a_bot_is_taken_over(arrive: Arrive) -> None:
    guest = await arrive("/")
    async with person(guest.http) as mira, person(guest.http) as theo:
        table = await host_table(mira)
        await theo.request("take_seat", table=table)
        await mira.request("add_bot", table=table, seat=2)
        await guest.page.goto(f"{guest.http}/t/{table}")
        await expect(chair(guest.page, 2).locator(".bot-face")).to_be_visible()
        await chair(guest.page, 2).get_by_role("button", name="Take over").click()
        await expect(chair(guest.page, 2)).to_contain_text("you")
        await expect(guest.page.locator(".chairs .bot-face")).to_have_count(0)


async def test_the_host_changes_the_table_and_guests_are_asked_again(arrive: Arrive, server: RestartableServer) -> None:
    token = guest_token(server.http)
    async with Client(socket_url(server.http), token) as client:
        table = await host_table(client, seats=4)
    host, guest = await come_as(arrive, server, token, f"/t/{table}"), await arrive(f"/t/{table}")
    await guest.button("Sit down").click()
    await guest.button("I am ready").click()
    await expect(host.page.locator(".begin-title")).to_have_text("2 chairs are free.")
    await host.button("Change").click()
    dialog = host.page.get_by_role("dialog", name="Change the table")
    await dialog.get_by_role("radio", name="3", exact=True).click()
    await dialog.get_by_role("combobox", name="Clock").click()
    await host.page.get_by_role("option", name="1 day a move").click()
    await dialog.get_by_role("combobox", name="The city").click()
    await host.page.get_by_role("option", name="laid by the players").click()
    await host.screenshot("waiting-change")
    await dialog.get_by_role("button", name="Save").click()
    await expect(dialog).to_have_count(0)
    for visitor in (host, guest):
        settings = visitor.page.locator(".settings-card")
        await expect(settings).to_contain_text("Three seats, open to anyone")
        await expect(settings).to_contain_text("1 day a move, then a bot decides for you until you are back")
        await expect(settings).to_contain_text("The city is laid by the players, tile by tile")
        await expect(visitor.page.locator(".chairs li")).to_have_count(3)
    await expect(guest.page.locator(".begin-title")).to_have_text("Are you ready?")
    await expect(guest.page.locator(".begin-more")).to_contain_text("has changed the table")
    await expect(chair(host.page, 1)).to_contain_text("not ready yet")
    # The name of the table is changed beside it.
    await host.button("Change the name of the table").click()
    await host.page.get_by_label("Name of the table").fill("Nob Hill Evening")
    await host.button("Save").click()
    await expect(guest.page.locator("h1")).to_have_text("Nob Hill Evening")


async def test_begin_fills_free_chairs_and_says_who_is_not_ready(arrive: Arrive, server: RestartableServer) -> None:
    token = guest_token(server.http)
    async with Client(socket_url(server.http), token) as client, person(server.http) as theo:
        table = await host_table(client)
        await theo.request("set_name", name="Theo")
        await theo.request("take_seat", table=table)
        host = await come_as(arrive, server, token, f"/t/{table}")
        await expect(host.page.locator(".begin-title")).to_have_text("One chair is free, and Theo is not ready yet.")
        await host.button("Begin").click()
        await expect(host.page.get_by_role("alert")).to_have_text("The game cannot begin yet: Theo is not ready.")
        await theo.request("ready", table=table, ready=True)
        await expect(host.page.locator(".begin-title")).to_have_text("One chair is free.")
        await expect(host.page.get_by_role("alert")).to_have_count(0)
        await host.button("Begin").click()
        await host.wait_for_table()
        await expect(host.page.locator(".left .bot-face")).to_have_count(1)


async def test_a_quick_match_says_what_it_waits_for_and_begins_by_itself(
    arrive: Arrive, server: RestartableServer
) -> None:
    token = guest_token(server.http)
    async with Client(socket_url(server.http), token) as client, person(server.http) as theo:
        table = (await client.request("quick_match", game="planners", seats=3))["table"]
        host = await come_as(arrive, server, token, f"/t/{table}")
        await expect(host.page.locator(".begin-title")).to_have_text("Waiting for 2 more people.")
        await expect(host.page.locator(".begin-more")).to_have_text(
            "The game begins by itself when the table is full; you can fill up with bots at any time."
        )
        await theo.request("take_seat", table=table)
        guest = await arrive(f"/t/{table}")
        await expect(host.page.locator(".begin-title")).to_have_text("Waiting for one more person.")
        await guest.button("Sit down").click()
        await host.wait_for_table()
        await guest.wait_for_table()


async def test_a_quick_match_is_filled_up_with_bots(arrive: Arrive, server: RestartableServer) -> None:
    token = guest_token(server.http)
    async with Client(socket_url(server.http), token) as client:
        table = (await client.request("quick_match", game="builders", seats=3))["table"]
    host = await come_as(arrive, server, token, f"/t/{table}")
    await host.button("Begin").click()
    await host.wait_for_table()


async def test_a_seated_person_changes_chair_name_and_language(arrive: Arrive) -> None:
    guest = await arrive("/")
    async with person(guest.http) as mira:
        table = await host_table(mira, seats=5)
        await guest.page.goto(f"{guest.http}/t/{table}")
        await guest.button("Sit down").click()
        await expect(chair(guest.page, 1)).to_contain_text("you")
        await guest.button("violet, free").click()
        await expect(chair(guest.page, 4)).to_contain_text("you")
        await expect(guest.button("violet, your chair")).to_have_attribute("aria-pressed", "true")
        name = guest.page.get_by_label("Name", exact=True)
        await name.fill("Inge")
        await name.press("Enter")
        await expect(chair(guest.page, 4)).to_contain_text("Inge")
        await guest.page.locator(".you-card").get_by_role("combobox", name="Language").click()
        await guest.page.get_by_role("option", name="Deutsch").click()
        await expect(guest.page.locator(".settings-card")).to_contain_text("Fünf Plätze, offen für alle")


async def test_the_link_to_a_private_table_has_its_key(arrive: Arrive, server: RestartableServer) -> None:
    token = guest_token(server.http)
    async with Client(socket_url(server.http), token) as client:
        opened = await client.request("create_table", settings={"game": "investors", "seats": 3, "private": True})
    host = await come_as(arrive, server, token, f"/t/{opened['table']}")
    await expect(host.page.get_by_role("img", name="The link as a code to photograph")).to_be_visible()
    link = await host.page.get_by_label("Link to this table").input_value()
    assert link == f"{host.http}/t/{opened['table']}#k={opened['key']}"
    guest = await arrive(link.removeprefix(host.http))
    await guest.button("Sit down").click()
    await expect(chair(guest.page, 1)).to_contain_text("you")


async def test_playing_again_against_bots_alone_begins_at_once(arrive: Arrive, server: RestartableServer) -> None:
    token = guest_token(server.http)
    async with Client(socket_url(server.http), token) as client:
        table = await open_table([client], "investors", 3)
        await all_play([client], table, choose_by_number(11))
    visitor = await come_as(arrive, server, token, f"/t/{table}")
    await visitor.button("Play again").click()
    await visitor.wait_for_table()
    assert visitor.table != table


async def test_nothing_moves_when_people_come_and_go(arrive: Arrive, server: RestartableServer) -> None:
    token = guest_token(server.http)
    async with Client(socket_url(server.http), token) as client, person(server.http) as theo:
        table = await host_table(client, seats=4)
        host = await come_as(arrive, server, token, f"/t/{table}")
        page = host.page
        await page.locator(".begin-title").wait_for()
        await page.evaluate("document.fonts.ready.then(() => { measured.shifts = 0 })")
        await theo.request("set_name", name="Theodora of the Hills")
        for _ in range(2):
            await theo.request("take_seat", table=table)
            await expect(chair(page, 1)).to_contain_text("Theodora")
            await theo.request("ready", table=table, ready=True)
            await expect(page.locator(".begin-title")).to_have_text("2 chairs are free.")
            await client.request("fill_with_bots", table=table)
            await expect(page.locator(".begin-title")).to_have_text("Everybody is here.")
            await client.request("remove_bot", table=table, seat=2)
            await client.request("remove_bot", table=table, seat=3)
            await theo.request("leave_seat", table=table)
            await expect(page.locator(".begin-title")).to_have_text("3 chairs are free.")
        assert (await host.measurements())["shifts"] <= LARGEST_SHIFT


MISFITS = """() => {
    const problems = [];
    const box = (each) => each.getBoundingClientRect();
    const all = (selector) => [...document.querySelectorAll(selector)];
    if (document.documentElement.scrollWidth > innerWidth) problems.push("scrolls sideways");
    const bar = box(document.querySelector(".begin-bar"));
    if (bar.bottom > innerHeight + 1 || bar.height > innerHeight / 3) problems.push(`bar ${bar.top} to ${bar.bottom}`);
    for (const each of all(".waiting button, .begin-status p, .chair-state, .chair-wish, .setting-list li, .how p")) {
        if (each.clientWidth && each.scrollWidth > each.clientWidth + 1) problems.push(`cut: ${each.textContent}`);
    }
    const frame = box(document.querySelector(".table-panel"));
    const parts = all(".chairs button, .chair-name strong, .chair-state, .chair-wish, .chair-portrait");
    const names = new Map(parts.map((each) => [each, each.textContent || each.className]));
    for (const one of parts) {
        const a = box(one);
        if (a.left < frame.left || a.right > frame.right) problems.push(`outside: ${names.get(one)}`);
        for (const other of parts) {
            const b = box(other);
            const isBeside = a.right <= b.left + 1 || b.right <= a.left + 1;
            const isBelow = a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
            if (isBeside || isBelow || one.contains(other) || other.contains(one)) continue;
            problems.push(`${names.get(one)} over ${names.get(other)}`);
        }
    }
    return problems;
}"""
"""Sideways scrolling, cut texts, overlapping chairs, and a bar that is out of sight or takes more than a third."""


async def misfits(visitor: Visitor, width: int, height: int) -> list[str]:
    """Return what does not fit the waiting room at a size."""
    await visitor.page.set_viewport_size({"width": width, "height": height})
    return [f"{width}x{height}: {problem}" for problem in await visitor.page.evaluate(MISFITS)]


SIZES = [
    (1920, 1080),
    (1440, 900),
    (1366, 650),
    (1280, 720),
    (1100, 760),
    (900, 1100),
    (720, 450),
    (390, 844),
    (360, 740),
]


@pytest.mark.parametrize("game, locale", [("investors", "de-DE"), ("builders", "en-US")])
async def test_it_fits_every_screen(arrive: Arrive, server: RestartableServer, game: str, locale: str) -> None:
    token = guest_token(server.http)
    async with Client(socket_url(server.http), token) as client, person(server.http) as theo:
        await client.request("set_name", name="Bartholomew of Nob Hill")
        await theo.request("set_name", name="Theodora of the Hills")
        table = await host_table(client, game=game, seats=5 if game == "investors" else 4)
        await theo.request("take_seat", table=table)
        await client.request("add_bot", table=table, seat=3)
        host = await come_as(arrive, server, token, f"/t/{table}", locale=locale)
        guest = await arrive(f"/t/{table}", locale=locale)
        problems = []
        for visitor in (host, guest):
            await visitor.page.locator(".begin-bar").wait_for()
            await visitor.page.evaluate("document.fonts.ready.then(() => {})")
            for width, height in SIZES:
                problems += await misfits(visitor, width, height)
        assert not problems, "\n".join(problems)


async def test_axe_finds_nothing_in_the_waiting_room(arrive: Arrive, server: RestartableServer) -> None:
    token = guest_token(server.http)
    async with Client(socket_url(server.http), token) as client, person(server.http) as theo:
        table = await host_table(client, seats=4)
        await theo.request("take_seat", table=table)
        await client.request("add_bot", table=table, seat=3)
        host = await come_as(arrive, server, token, f"/t/{table}", bypass_csp=True, reduced_motion="reduce")
        guest = await arrive(f"/t/{table}", bypass_csp=True, reduced_motion="reduce", color_scheme="dark", **PHONE)
        issues = []
        for visitor in (host, guest):
            await visitor.page.locator(".begin-bar").wait_for()
            issues += await serious_issues(visitor)
        for menu in await host.page.locator(".chair-menu").all():
            await menu.click()
            issues += await serious_issues(host)
            await host.page.keyboard.press("Escape")
        await host.button("Change").click()
        issues += await serious_issues(host)
        assert issues == []
