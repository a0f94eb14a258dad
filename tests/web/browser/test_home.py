"""The home page and the pages beside it: your games, playing at once, open tables, a new table, wrong addresses."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.async_api import Page, expect

from protocol.client import Client, socket_url
from tests.scenarios.people import guest_token, open_table, person, wait_until
from tests.web.browser.conftest import OWN, Arrive, RestartableServer
from tests.web.browser.test_access import AXE, PHONE, tab_to, widest
from tests.web.browser.visitor import Visitor

pytestmark = pytest.mark.asyncio(loop_scope="session")

SERVER = OWN

PAGES = ("/", "/watch", "/learn", "/rules/planners", "/new/builders", "/you", "/foo")
SIZES = ((1920, 1080), (1280, 720), (1024, 768), (390, 844), (360, 740), (720, 450))
"""The last one is where axe looks: the bar shows icons without words there."""


async def come_as(arrive: Arrive, server: RestartableServer, token: str, **options: object) -> Visitor:
    """Open the home page as an existing user."""
    visitor = await arrive(None, **options)
    await visitor.context.add_cookies([{"name": "sid", "value": token, "url": server.http}])
    await visitor.page.goto(server.http)
    await visitor.arrived()
    return visitor


async def axe_issues(page: Page) -> list[str]:
    """Return every violation that axe-core finds on the page."""
    await page.add_script_tag(path=AXE)
    found: list[dict[str, Any]] = await page.evaluate(
        "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)"
    )
    return [f"{issue['id']}: {node['html'][:200]}" for issue in found for node in issue["nodes"][:3]]


async def test_your_games_come_first_and_the_one_that_waits_for_you_before_the_others(
    arrive: Arrive, server: RestartableServer
) -> None:
    token = guest_token(server.http)
    async with Client(socket_url(server.http), token) as me, person(server.http) as ana, person(server.http) as bo:
        await ana.request("set_name", name="Ana")
        await bo.request("set_name", name="Bo")
        # The visitor has the turn at the older table, and Ana at the newer one.
        settings: dict[str, Any] = {"options": {"first_seat": "0"}, "private": True}
        await open_table([me, bo], "planners", 2, **settings)
        table = await open_table([ana, me], "planners", 2, **settings)
        watched = await ana.watch(table)
        await wait_until(watched, lambda view: view["play"]["decision"]["awaited"] == [0])
        visitor = await come_as(arrive, server, token)
        games = visitor.page.locator(".your-game")
        await expect(games).to_have_count(2)
        await expect(games.nth(0).get_by_role("img", name="with Bo")).to_be_visible()
        await expect(games.nth(0)).to_contain_text("Your move")
        # The first card is drawn without asking, since there is no column to take yet.
        await expect(games.nth(0)).to_contain_text("Put the card in a column")
        await expect(games.nth(0)).to_contain_text("just now")
        await expect(games.nth(0)).to_have_class(re.compile("your-move"))
        await expect(games.nth(1)).to_contain_text("Others are choosing")
        await expect(games.nth(1).get_by_role("img", name="with Ana")).to_be_visible()
        badge = visitor.page.get_by_role("link", name="1 waiting for you", exact=True)
        await visitor.screenshot("home")
        await badge.click()
        await visitor.wait_for_table()
        await visitor.page.go_back()
        # Ana's move makes the second game wait too, although the page does not watch its table.
        number = watched.view["play"]["decision"]["number"]
        await ana.request("decide", table=table, decision=number, command={"do": "lay", "column": 0})
        await expect(visitor.page.get_by_role("link", name="2 waiting for you", exact=True)).to_be_visible()
        await expect(visitor.page.locator(".your-game.your-move")).to_have_count(2)


async def test_the_split_button_plays_with_chosen_seats_strength_and_options(arrive: Arrive) -> None:
    visitor = await arrive(reduced_motion="reduce")
    await visitor.arrived()
    more = visitor.button("Play Planners your way")
    await more.click()
    card = visitor.page.get_by_role("dialog", name="Play Planners your way")
    await visitor.page.keyboard.press("Escape")
    await expect(card).to_be_hidden()
    await expect(more).to_be_focused()
    await more.click()
    await visitor.page.locator(".games-head h1").click()
    await expect(card).to_be_hidden()
    await more.click()
    await card.get_by_role("radio", name="3", exact=True).click()
    await card.get_by_role("radio", name="Normal").click()
    await card.get_by_role("button", name="Options of Planners").click()
    await card.get_by_text("Bonuses may be declined").click()
    await visitor.screenshot("home-play-options")
    await card.get_by_role("button", name="Play", exact=True).click()
    await visitor.wait_for_table()
    await expect(visitor.page.locator(".left .bot-face")).to_have_count(2)
    await expect(visitor.page.locator(".left")).to_contain_text("Normal bot")


async def test_a_select_is_used_by_keyboard_alone(arrive: Arrive) -> None:
    visitor = await arrive("/new")
    page = visitor.page
    clock = page.get_by_role("combobox", name="Clock")
    await clock.wait_for()
    await tab_to(visitor, "[aria-labelledby=create-clock]")
    for key in ("ArrowDown", "ArrowDown"):
        await page.keyboard.press(key)
    listbox = page.get_by_role("listbox", name="Clock")
    await expect(listbox.locator(".active")).to_contain_text("30 s a decision")
    active = await clock.get_attribute("aria-activedescendant")
    assert await listbox.locator(".active").get_attribute("id") == active
    await page.keyboard.press("Escape")
    await expect(listbox).to_be_hidden()
    await expect(clock).to_contain_text("No clock")
    await page.keyboard.press("Enter")
    await page.keyboard.press("End")
    await page.keyboard.press("Enter")
    await expect(clock).to_contain_text("10 min + 15 s")
    await expect(clock).to_be_focused()
    await page.keyboard.type("90")
    await page.keyboard.press("Tab")
    await expect(listbox).to_be_hidden()
    await expect(clock).to_contain_text("90 s a decision")


async def test_open_tables_are_filtered_joined_and_named(arrive: Arrive, server: RestartableServer) -> None:
    visitor = await arrive(reduced_motion="reduce")
    await visitor.arrived()
    rows = visitor.page.locator(".open-table")
    await expect(visitor.page.locator(".open-tables .empty")).to_contain_text("Nobody is waiting")
    async with person(server.http) as marta, person(server.http) as ravi:
        await marta.request("set_name", name="Marta")
        clock, opened = {"kind": "decision", "seconds": 86_400}, []
        for client, settings in (
            (marta, {"game": "investors", "seats": 3, "clock": clock, "options": {"bargaining_offers": 2}}),
            (marta, {"game": "planners", "seats": 4}),
            (ravi, {"game": "builders", "seats": 3}),
            (ravi, {"game": "planners", "seats": 2, "clock": clock}),
        ):
            opened.append((client, (await client.request("create_table", settings=settings))["table"]))
        await expect(rows).to_have_count(4)
        first = rows.filter(has_text="Bargaining")
        await expect(first).to_contain_text("Marta hosts")
        await expect(first).to_contain_text("1 day a move")
        await expect(first.get_by_role("img", name="1 of 3 seats taken")).to_be_visible()
        filters = visitor.page.locator(".filters")
        await visitor.choose(filters, "Game", "Planners")
        await expect(rows).to_have_count(2)
        await filters.get_by_label("No clock").check()
        await expect(rows).to_have_count(1)
        await visitor.choose(filters, "Number of seats", "3 seats")
        await expect(rows).to_have_count(0)
        await expect(visitor.page.locator(".open-tables .empty")).to_contain_text("No open table fits")
        await visitor.choose(filters, "Game", "All games")
        await expect(rows).to_contain_text(["Builders"])
        await rows.get_by_role("button", name="Join").click()
        await visitor.page.locator(".waiting-title").wait_for()
        for client, table in opened:
            await client.request("leave_seat", table=table)


async def test_many_open_tables_are_paged_searched_and_stay_put_under_the_pointer(
    arrive: Arrive, server: RestartableServer
) -> None:
    visitor = await arrive(reduced_motion="reduce")
    await visitor.arrived()
    page, rows = visitor.page, visitor.page.locator(".open-table")
    async with person(server.http) as host, person(server.http) as guest:
        await host.request("set_name", name="Marta")
        opened = []
        for number in range(56):
            settings = {"game": "planners", "seats": 4, "name": f"Evening {number}"}
            opened.append((await host.request("create_table", settings=settings))["table"])
        await expect(rows).to_have_count(6)
        more = page.get_by_role("button", name=re.compile("All [0-9]+ tables"))
        await more.focus()
        await page.keyboard.press("Enter")
        await expect(rows).to_have_count(50)
        status = page.locator(".open-tables [role=status]")
        await expect(status).to_have_text(re.compile("^1–50 of [0-9]+$"))
        await visitor.button("Next").focus()
        await page.keyboard.press("Enter")
        await expect(status).to_have_text(re.compile("^51–[0-9]+ of [0-9]+$"))
        await expect(page.locator(".open-list")).to_be_focused()
        await expect(page.locator(".open-list")).to_be_in_viewport()
        await expect(rows.filter(has_text="Evening 55")).to_have_count(1)
        await visitor.button("Previous").click()
        await expect(rows).to_have_count(50)
        await page.get_by_role("searchbox").fill("evening 54")
        await expect(rows).to_have_count(1)
        await expect(status).to_have_text("1 table")
        await page.get_by_role("searchbox").fill("evening 5")
        # Evening 5 and 50 to 55.
        await expect(rows).to_have_count(7)
        # A table with more people moves to the front, and one that is closed goes, but not under the pointer.
        names = await rows.locator("strong").all_text_contents()
        await rows.nth(1).hover()
        await guest.request("take_seat", table=opened[55])
        await host.request("leave_seat", table=opened[5])
        gone = page.locator(".open-table.gone")
        await expect(gone).to_contain_text(["Evening 5"])
        await expect(gone).to_contain_text("No longer listed")
        await expect(rows.filter(has_text="Evening 55").get_by_role("img", name="2 of 4 seats taken")).to_be_visible()
        assert await rows.locator("strong").all_text_contents() == names
        await page.mouse.move(5, 5)
        await expect(rows.locator("strong").first).to_have_text("Evening 55")
        await expect(gone).to_have_count(0)
        await guest.request("leave_seat", table=opened[55])
        for table in opened[:5] + opened[6:]:
            await host.request("leave_seat", table=table)


async def test_a_table_that_was_closed_says_so(arrive: Arrive, server: RestartableServer) -> None:
    visitor = await arrive(None)
    async with person(server.http) as host:
        table = (await host.request("create_table", settings={"game": "planners", "seats": 2}))["table"]
        await visitor.page.goto(f"{server.http}/t/{table}")
        await visitor.page.locator(".waiting-title").wait_for()
        await host.request("leave_seat", table=table)
        await expect(visitor.page.get_by_text("This table was closed").first).to_be_visible()


async def test_a_new_table_has_the_chosen_settings(arrive: Arrive, server: RestartableServer) -> None:
    visitor = await arrive("/new/builders", reduced_motion="reduce")
    form = visitor.page.locator("form.create")
    await expect(form.get_by_role("radio", name="Builders")).to_have_attribute("aria-checked", "true")
    await form.get_by_role("radio", name="By the day").click()
    await visitor.choose(form, "Clock", "1 day a move")
    await form.get_by_role("radio", name="3", exact=True).click()
    await form.get_by_role("button", name="At the table").click()
    await form.get_by_label("Others may watch").uncheck()
    async with person(server.http) as other:
        await form.get_by_role("button", name="Open the table").click()
        await visitor.page.locator(".waiting-title").wait_for()
        await other.request("take_seat", table=visitor.table)
        view = (await other.watch(visitor.table)).view
    settings = view["table"]["settings"]
    assert (view["table"]["game"], len(view["seats"])) == ("builders", 3)
    assert settings["clock"] == {"kind": "decision", "seconds": 86_400}
    assert settings["spectators"] is False


async def test_the_sides_of_the_blocks_are_chosen_card_by_card(arrive: Arrive) -> None:
    visitor = await arrive("/new/builders", reduced_motion="reduce", **PHONE)
    page = visitor.page
    form = page.locator("form.create")
    await form.get_by_role("button", name="Options of Builders").click()
    await visitor.choose(form, "Sides of the blocks", "card by card")
    blocks = form.locator(".each-field > li")
    await expect(blocks).to_have_count(8)
    first = form.get_by_role("radiogroup", name="Block 1: by lot")
    await first.get_by_role("radio", name="B", exact=True).click()
    await expect(form.get_by_role("radiogroup", name="Block 1: rubble on red 1 and green 4")).to_be_visible()
    await blocks.nth(7).get_by_role("radio", name="A", exact=True).click()
    assert await widest(visitor) == 360
    await visitor.screenshot("new-plot-sides", full=True)
    await form.get_by_role("button", name="Open the table").click()
    settings = page.locator(".settings-card")
    await expect(settings).to_contain_text("Rubble lies as the host has chosen for each block")
    await visitor.button("Change").click()
    dialog = page.get_by_role("dialog", name="Change the table")
    await expect(dialog.locator(".each-field > li").nth(0).get_by_role("radio", checked=True)).to_have_text("B")
    await visitor.choose(dialog, "Sides of the blocks", "all A")
    await dialog.get_by_label("Everybody ranked in majorities").check()
    await dialog.get_by_role("button", name="Save").click()
    await expect(settings).to_contain_text("Rubble lies as on side A of all blocks")
    await expect(settings).to_contain_text("Majorities rank everybody, also players who have none")


async def test_a_quick_match_says_who_waits_and_finds_the_open_table(arrive: Arrive, server: RestartableServer) -> None:
    one = await arrive(reduced_motion="reduce")
    await one.arrived()
    await one.button("Quick match").click()
    item = one.page.get_by_role("menuitem", name="Planners")
    await expect(item).to_contain_text("Nobody waits yet")
    await one.page.keyboard.press("End")
    await expect(one.page.get_by_role("menuitem").last).to_be_focused()
    await item.click()
    await one.page.locator(".waiting-title").wait_for()
    other = await arrive(reduced_motion="reduce")
    await other.arrived()
    await other.button("Quick match").click()
    item = other.page.get_by_role("menuitem", name="Planners")
    await expect(item).to_contain_text("1 person waits")
    await item.click()
    await other.page.locator(".waiting-title").wait_for()
    assert other.table == one.table


@pytest.mark.parametrize("game", ["investors", "planners", "builders"])
async def test_the_big_table_follows_a_running_game(arrive: Arrive, server: RestartableServer, game: str) -> None:
    visitor = await arrive(reduced_motion="reduce")
    await visitor.arrived()
    live = visitor.page.locator(".live-table")
    await live.scroll_into_view_if_needed()
    await expect(live).to_contain_text("No game is being played in public right now.")
    async with person(server.http) as edith:
        await edith.request("set_name", name="Edith")
        table = await open_table([edith], game, 3)
        await expect(live.locator(".live-standings li")).to_have_count(3)
        await expect(live).to_contain_text("Edith")
        await expect(live).to_contain_text("1 watching")
        tiles = {"investors": ".district", "planners": ".pl-space", "builders": ".plot"}[game]
        await expect(live.locator(tiles).first).to_be_visible()
        assert await live.locator(f".live-city:not([inert]) {tiles}").count() == 0, "nothing in it can be used"
        await visitor.screenshot(f"big-table-{game}")
        await live.get_by_role("link", name="Watch").click()
        await visitor.wait_for_table()
        assert visitor.table == table
        # The page of the table goes on to be told, although the home page has stopped watching.
        await edith.request("vote", table=table, on="pause", agree=True)
        await expect(visitor.page.get_by_text("The game is paused.").first).to_be_visible()
        await edith.request("vote", table=table, on="resume", agree=True)
        await visitor.page.go_back()
        await expect(live.locator(".live-standings li")).to_have_count(3)
        await edith.request("vote", table=table, on="pause", agree=True)
        await expect(live.locator(".live-now")).to_have_text("The game is paused.")
        await edith.request("vote", table=table, on="abandon", agree=True)
        await expect(live).to_contain_text("No game is being played in public right now.")


async def test_a_device_that_saves_data_loads_no_big_table(arrive: Arrive, server: RestartableServer) -> None:
    visitor = await arrive(None, reduced_motion="reduce")
    await visitor.page.add_init_script("Object.defineProperty(navigator, 'connection', { value: { saveData: true } })")
    async with person(server.http) as edith:
        table = await open_table([edith], "planners", 3)
        await visitor.page.goto(server.http)
        await visitor.arrived()
        await expect(visitor.page.locator(".live-table").get_by_role("link", name="Games to watch")).to_be_visible()
        loaded = await visitor.page.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)")
        assert [name for name in loaded if "/big-table-" in name] == []
        await edith.request("vote", table=table, on="abandon", agree=True)


async def test_a_wrong_address_says_so_and_leads_home(arrive: Arrive) -> None:
    visitor = await arrive(None)
    visitor.ignore_errors("status of 404")
    for path in ("/foo", "/t/UPPER!", "/rules/a/b", "/foo.html"):
        response = await visitor.page.goto(visitor.http + path)
        assert response is not None
        assert response.status == 404
        await expect(visitor.page.locator("h1")).to_have_text("There is nothing at this address")
    response = await visitor.page.goto(f"{visitor.http}/t/abcdabcd")
    assert response is not None
    assert response.status == 200
    await expect(visitor.page.get_by_role("alert")).to_be_visible()
    await visitor.page.get_by_role("link", name="To the start page").click()
    await visitor.arrived()


async def test_every_page_fits_every_size_and_axe_finds_nothing(arrive: Arrive, server: RestartableServer) -> None:
    # The content security policy is bypassed, because axe has to be injected into the page.
    token = guest_token(server.http)
    async with Client(socket_url(server.http), token) as me, person(server.http) as edith:
        await open_table([me, edith], "planners", 2, private=True)
        running = await open_table([edith], "builders", 3)
        waiting = (await edith.request("create_table", settings={"game": "investors", "seats": 4}))["table"]
        visitor = await come_as(arrive, server, token, bypass_csp=True, reduced_motion="reduce")
        visitor.ignore_errors("status of 404")
        problems = {}
        for path in PAGES:
            await visitor.page.goto(visitor.http + path)
            await visitor.page.locator(".site-me .person-face").wait_for(state="attached")
            await visitor.page.locator("h1").wait_for()
            if path == "/":
                await visitor.page.locator(".live-table").scroll_into_view_if_needed()
                await visitor.page.locator(".live-city .plot").first.wait_for()
            for width, height in SIZES:
                await visitor.page.set_viewport_size({"width": width, "height": height})
                if await widest(visitor) > width:
                    problems[f"{path} at {width}"] = [str(await widest(visitor))]
            problems[path] = await axe_issues(visitor.page)
        await visitor.page.goto(visitor.http)
        await visitor.button("Night").click()
        await visitor.page.locator(".live-table").scroll_into_view_if_needed()
        await visitor.page.locator(".live-city .plot").first.wait_for()
        problems["dark"] = await axe_issues(visitor.page)
        await visitor.page.get_by_role("combobox", name="Language").click()
        problems["listbox"] = await axe_issues(visitor.page)
        await visitor.page.keyboard.press("Escape")
        await visitor.button("Play Builders your way").click()
        problems["popover"] = await axe_issues(visitor.page)
        # Other tests look at an empty site.
        await edith.request("vote", table=running, on="abandon", agree=True)
        await edith.request("leave_seat", table=waiting)
    assert {place: found for place, found in problems.items() if found} == {}


async def test_targets_on_a_phone_are_large_enough_for_a_thumb(arrive: Arrive, server: RestartableServer) -> None:
    visitor = await arrive(reduced_motion="reduce", **PHONE)
    await visitor.arrived()
    async with person(server.http) as host:
        table = (await host.request("create_table", settings={"game": "planners", "seats": 3}))["table"]
        await visitor.page.locator(".open-table").first.wait_for()
        small = await visitor.page.evaluate(
            """() => [...document.querySelectorAll("main button, main a, .bottom-nav a")]
                .map((target) => [target.textContent, target.getBoundingClientRect()])
                .filter(([, { width, height }]) => width > 0 && Math.min(width, height) < 44).map(([text]) => text)"""
        )
        await host.request("leave_seat", table=table)
    assert small == []


async def test_the_first_visit_loads_nothing_of_a_table(arrive: Arrive) -> None:
    visitor = await arrive(reduced_motion="reduce")
    await visitor.arrived()
    await visitor.page.locator(".scene use").first.wait_for(state="attached")
    await visitor.page.evaluate("document.fonts.ready.then(() => true)")
    loaded: list[str] = await visitor.page.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)")
    names = [name.rpartition("/")[2] for name in loaded]
    assert [name for name in names if re.match(r"(table|waiting|investors|planners|builders|.*latin-ext)-", name)] == []
