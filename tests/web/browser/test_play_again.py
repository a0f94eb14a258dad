"""Playing again with the same people, and continuing on a second device."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import expect

from protocol.client import Client, socket_url
from tests.scenarios.people import all_play, choose_by_number, guest_token, open_table
from tests.web.browser.conftest import Arrive, RestartableServer
from tests.web.browser.visitor import NETWORK_ERRORS, Visitor

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def come_as(arrive: Arrive, server: RestartableServer, token: str, path: str, **options: object) -> Visitor:
    """Open a path as an existing user."""
    visitor = await arrive(None, **options)
    await visitor.context.add_cookies([{"name": "sid", "value": token, "url": server.http}])
    await visitor.page.goto(server.http + path)
    return visitor


async def test_the_same_people_play_again(arrive: Arrive, server: RestartableServer) -> None:
    tokens = [guest_token(server.http) for _ in range(2)]
    async with Client(socket_url(server.http), tokens[0]) as one, Client(socket_url(server.http), tokens[1]) as other:
        table = await open_table([one, other], "investors", 3)
        await all_play([one, other], table, choose_by_number(11))
    first, second = [await come_as(arrive, server, token, f"/t/{table}") for token in tokens]
    await first.button("Play again").click()
    await first.page.locator(".waiting-title").wait_for()
    assert first.table != table
    await expect(first.page.locator(".begin-title")).to_contain_text("has not come back yet")
    # The other player sees that the next table exists.
    await second.button("To the next table").click()
    await second.page.locator(".waiting-title").wait_for()
    assert second.table == first.table
    await second.button("I am ready").click()
    await expect(first.page.locator(".chair-text")).to_have_count(3)
    await first.begin(others=1)
    await first.wait_for_table()
    await second.wait_for_table()


async def test_a_second_device_becomes_the_same_person_by_a_code(arrive: Arrive) -> None:
    first, second = await arrive(), await arrive()
    await first.rename("Ana")
    for device in (first, second):
        await device.follow("/you")
    await first.button("Play on a second device").click()
    told = await first.page.get_by_text("On the other device, enter").inner_text()
    code = re.search(r"[A-Z0-9]{5} [A-Z0-9]{5}", told)
    assert code is not None
    await second.page.get_by_text("I have a code from another device").click()
    field = second.page.get_by_label("Code from the other device")
    # The browser logs refused requests.
    second.ignore_errors(r"status of 4\d\d")
    await field.fill("WRONGCODE")
    await second.button("Use it").click()
    await expect(second.page.get_by_role("alert")).to_have_text("This code is not known, or no longer.")
    await field.fill(code[0].lower())
    second.ignore_errors(NETWORK_ERRORS)
    await second.button("Use it").click()
    await expect(second.page.get_by_label("Name", exact=True)).to_have_value("Ana")
    # The second device returns to a game that the first one started.
    await first.go_home()
    await first.play_now()
    await second.go_home()
    await second.page.locator(".your-game").click()
    await second.wait_for_table()
    assert second.table == first.table
