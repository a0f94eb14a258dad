"""What surrounds the board: your move, votes, chat, rules, and what can be changed at the table."""

from __future__ import annotations

import re
from contextlib import AsyncExitStack
from typing import Any

import pytest
from playwright.async_api import Locator, expect

from protocol.client import Client, socket_url
from tests.scenarios.people import guest_token, open_table, wait_until
from tests.web.browser.conftest import Arrive, RestartableServer
from tests.web.browser.test_access import PHONE
from tests.web.browser.visitor import Visitor

pytestmark = pytest.mark.asyncio(loop_scope="session")

FIRST = {"first_seat": "0"}
"""Options of a game in which the seat of the host begins."""


class TwoPeople:
    """A visitor and a client at a table that waits for the visitor."""

    def __init__(self, visitor: Visitor, mine: Client, other: Client, table: str) -> None:
        self.visitor, self.mine, self.other, self.table = visitor, mine, other, table


async def two_people(
    stack: AsyncExitStack, arrive: Arrive, server: RestartableServer, game: str = "planners", **options: Any
) -> TwoPeople:
    token = guest_token(server.http)
    mine = await stack.enter_async_context(Client(socket_url(server.http), token))
    other = await stack.enter_async_context(Client(socket_url(server.http), guest_token(server.http)))
    await other.request("set_name", name="Bo")
    table = await open_table([mine, other], game, 2, options=FIRST)
    visitor = await arrive(None, reduced_motion="reduce", **options)
    await visitor.context.add_cookies([{"name": "sid", "value": token, "url": visitor.http}])
    await visitor.page.goto(f"{visitor.http}/t/{table}")
    await visitor.wait_for_table()
    return TwoPeople(visitor, mine, other, table)


async def box(locator: Locator) -> dict[str, float]:
    found = await locator.bounding_box()
    assert found is not None
    return dict(found)


async def test_votes_are_declined_and_withdrawn_over_a_board_that_stays(
    arrive: Arrive, server: RestartableServer
) -> None:
    async with AsyncExitStack() as stack:
        people = await two_people(stack, arrive, server)
        page, vote = people.visitor.page, people.visitor.page.locator(".notice[data-vote=pause]")
        board = page.locator(".middle")
        before = await box(board)
        await people.other.request("vote", table=people.table, on="pause", agree=True)
        await expect(vote).to_contain_text("Bo would like to pause.")
        assert await box(board) == before
        await people.visitor.button("Put aside").click()
        await expect(vote).to_have_count(0)
        await people.visitor.button("Open vote").click()
        await people.visitor.button("Decline").click()
        await expect(vote).to_have_count(0)
        await page.locator(".log").get_by_text("You would rather not pause.").wait_for()
        await people.mine.request("vote", table=people.table, on="pause", agree=True)
        await expect(vote).to_contain_text("You would like to pause.")
        await people.visitor.button("Withdraw").click()
        await expect(vote).to_have_count(0)
        await people.other.request("vote", table=people.table, on="pause", agree=True)
        await people.visitor.button("Agree").click()
        await page.locator(".notice", has_text="The game is paused.").wait_for()


@pytest.mark.parametrize("options", [{}, PHONE], ids=["wide", "phone"])
async def test_unread_lines_are_counted_until_the_chat_is_opened(
    options: dict[str, Any], arrive: Arrive, server: RestartableServer
) -> None:
    async with AsyncExitStack() as stack:
        people = await two_people(stack, arrive, server, **options)
        page = people.visitor.page
        tab = page.get_by_role("tab", name=re.compile("^Chat"))
        await expect(tab).to_have_text("Chat")
        for text in ("hello", "see https://example.com"):
            await people.other.request("say", table=people.table, text=text)
        await expect(tab.locator(".count-badge")).to_contain_text("2")
        await tab.click()
        await expect(tab).to_have_text("Chat")
        chat = page.locator(".chat")
        await expect(chat.locator("li").first).to_contain_text("Bo")
        await expect(chat.locator("time").first).to_have_text(re.compile(r"\d{1,2}:\d\d"))
        await expect(chat.locator("li svg").first).to_be_visible()
        # A link is text.
        await expect(chat.get_by_text("see https://example.com", exact=True)).to_be_visible()
        assert await chat.locator("a").count() == 0
        await page.get_by_role("tab", name="Log").click()
        await people.mine.request("say", table=people.table, text="own words")
        await people.other.request("say", table=people.table, text="more")
        await expect(tab.locator(".count-badge")).to_contain_text("1")
        # The mark is kept on this device.
        await page.reload()
        await expect(tab.locator(".count-badge")).to_contain_text("1")


CITIES = {"investors": ".city", "planners": ".pl-grid", "builders": ".town"}

COVERED_BY_RULES = """() => {
    const rules = document.querySelector(".rules-panel").getBoundingClientRect();
    const parts = ".middle button, .middle svg, .bottom, .bottom button, .left .seat, .bar";
    return [...document.querySelectorAll(parts)].filter((part) => {
        const { left, right, top, bottom, width } = part.getBoundingClientRect();
        const isBeside = right <= rules.left + 1 || left >= rules.right - 1;
        return width > 0 && !isBeside && top < rules.bottom - 1 && bottom > rules.top + 1;
    }).map((part) => part.outerHTML.slice(0, 80));
}"""
"""The parts of the table that the rules cover."""


@pytest.mark.parametrize("game", ["investors", "planners", "builders"])
@pytest.mark.parametrize("size", [(1440, 900), (1280, 720)], ids=["wide", "short"])
async def test_the_rules_stand_beside_the_table(
    game: str, size: tuple[int, int], arrive: Arrive, server: RestartableServer
) -> None:
    async with AsyncExitStack() as stack:
        viewport = {"width": size[0], "height": size[1]}
        if game == "investors":
            token = guest_token(server.http)
            client = await stack.enter_async_context(Client(socket_url(server.http), token))
            table = await open_table([client], game, 3)
            visitor = await arrive(None, reduced_motion="reduce", viewport=viewport)
            await visitor.context.add_cookies([{"name": "sid", "value": token, "url": visitor.http}])
            await visitor.page.goto(f"{visitor.http}/t/{table}")
            await visitor.wait_for_table()
        else:
            visitor = (await two_people(stack, arrive, server, game, viewport=viewport)).visitor
        page = visitor.page
        await visitor.button("Rules").click()
        await expect(visitor.button("Close the rules")).to_be_focused()
        rules = await box(page.locator(".rules-panel"))
        assert rules["width"] >= 240
        assert await page.evaluate(COVERED_BY_RULES) == []
        assert (await box(page.locator(CITIES[game]).first))["width"] >= 380
        await visitor.screenshot(f"rules-{game}-{size[0]}")
        await page.keyboard.press("Escape")
        await expect(page.locator(".rules-panel")).to_have_count(0)
        await expect(visitor.button("Rules")).to_be_focused()


async def test_the_rules_are_a_sheet_with_a_close_button_on_a_phone(arrive: Arrive, server: RestartableServer) -> None:
    async with AsyncExitStack() as stack:
        people = await two_people(stack, arrive, server, **PHONE)
        page = people.visitor.page
        await people.visitor.button("Rules").click()
        await expect(people.visitor.button("Close the rules")).to_be_focused()
        assert await page.locator("[inert] .bar, .bar[inert]").count() == 1
        await people.visitor.button("Close the rules").click()
        await expect(people.visitor.button("Rules")).to_be_focused()
        assert await page.locator("[inert]").count() == 0


async def test_name_language_and_theme_are_changed_at_the_table(arrive: Arrive, server: RestartableServer) -> None:
    async with AsyncExitStack() as stack:
        people = await two_people(stack, arrive, server, color_scheme="light")
        page = people.visitor.page
        html = page.locator("html")
        await expect(html).to_have_attribute("data-theme", "light")
        await page.emulate_media(color_scheme="dark")
        await expect(html).to_have_attribute("data-theme", "dark")
        menu = page.get_by_role("dialog", name="Table")
        await people.visitor.button("Table").click()
        await menu.get_by_role("radio", name="Day").click()
        await expect(html).to_have_attribute("data-theme", "light")
        await menu.get_by_label("Name", exact=True).fill("Uta")
        await menu.get_by_role("button", name="Save").click()
        await menu.get_by_role("button", name="Save").wait_for(state="detached")
        watched = await people.other.watch(people.table)
        # The table learns of the name after the reply.
        await wait_until(watched, lambda view: view["seats"][0]["name"] == "Uta")
        await menu.get_by_role("combobox", name="Language").click()
        await page.get_by_role("option", name="Deutsch").click()
        await expect(html).to_have_attribute("lang", "de")
        await page.get_by_role("button", name="Tisch", exact=True).click()
        await page.get_by_role("radio", name="Automatisch").click()
        await expect(html).to_have_attribute("data-theme", "dark")


HIDDEN_TAB = """
    globalThis.shownNotifications = [];
    globalThis.Notification = class {
        static permission = "default";
        static async requestPermission() {
            return (Notification.permission = "granted");
        }
        constructor(title) {
            shownNotifications.push(this);
            this.title = title;
        }
        close() {}
    };
    let isHidden = false;
    Object.defineProperty(document, "hidden", { get: () => isHidden });
    globalThis.setHidden = (value) => {
        isHidden = value;
        document.dispatchEvent(new Event("visibilitychange"));
    };
"""
"""Lets a test hide the page and show it again, and records the notifications that it shows."""


async def test_a_game_that_waits_shows_in_title_icon_and_button_and_as_a_notification_if_wanted(
    arrive: Arrive, server: RestartableServer
) -> None:
    async with AsyncExitStack() as stack:
        people = await two_people(stack, arrive, server)
        page = people.visitor.page
        icon = page.locator("link[rel=icon]")
        await expect(page).to_have_title("● Your move · Planners")
        await expect(icon).to_have_attribute("href", re.compile("favicon-move"))
        await expect(page.locator(".next-game")).to_have_count(0)
        await page.context.add_init_script(HIDDEN_TAB)
        await page.reload()
        await people.visitor.button("Table").click()
        await people.visitor.button("Notify me when it is my move").click()
        await people.visitor.button("No more notifications").wait_for()
        await page.keyboard.press("Escape")
        await page.evaluate("setHidden(true)")
        second = await open_table([people.mine, people.other], "builders", 2, options=FIRST)
        await expect(page).to_have_title("● Your move (2) · Planners")
        await page.wait_for_function("() => shownNotifications.length === 1")
        assert await page.evaluate("shownNotifications[0].title") == "Your move · Builders"
        # A click on the notification brings the page to the front.
        await page.evaluate("setHidden(false)")
        await expect(page.locator(".next-game")).to_contain_text("1")
        await page.evaluate("shownNotifications[0].onclick()")
        await page.wait_for_url(f"**/t/{second}")
        await page.locator(".app[data-game=builders]").wait_for()
        assert await page.evaluate("shownNotifications.length") == 1
        # The button goes round.
        await page.locator(".next-game").click()
        await page.wait_for_url(f"**/t/{people.table}")
        await people.visitor.wait_for_table()


async def test_a_spectator_goes_from_table_to_table(arrive: Arrive, server: RestartableServer) -> None:
    hosts = [await arrive(reduced_motion="reduce") for _ in range(2)]
    tables = []
    for host in hosts:
        tables.append(await host.open_table(seats=3))
        await host.button("Begin").click()
        await host.wait_for_table()
    spectator = await arrive(f"/t/{tables[0]}", reduced_motion="reduce")
    page = spectator.page
    for _ in range(40):
        await page.get_by_role("tab", name="watching").click()
        await page.get_by_role("link", name="Watch next").click()
        if spectator.table == tables[1]:
            break
    assert spectator.table == tables[1]
    await spectator.wait_for_table()
