"""An update renders only the parts that it changes, and a hidden page renders nothing.

The client is built with a counter of renders.
"""

from __future__ import annotations

import random
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from protocol.client import Client, socket_url
from tests.scenarios.people import any_command, guest_token, open_table, person, until_answered
from tests.web.browser.conftest import OWN, Arrive, RestartableServer
from tests.web.browser.test_around_the_table import two_people
from tests.web.browser.visitor import Visitor
from tests.web.node import ROOT, run_node

pytestmark = pytest.mark.asyncio(loop_scope="session")

SERVER = OWN

BOARDS = {
    "Aside",
    "Board",
    "City",
    "CityMap",
    "Decision",
    "RunningTable",
    "SeatCard",
    "SeatStats",
    "Seats",
    "TurnStatus",
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, float]:
    folder = tmp_path_factory.mktemp("web") / "dist"
    run_node("node", "build.mjs", f"--out={folder}", f"--with={ROOT / 'tests' / 'web' / 'render-counter.js'}")
    return folder, 0.0


async def renders(page: Page) -> dict[str, int]:
    """Return how often each component has rendered since the last call."""
    counted: dict[str, int] = await page.evaluate("(() => { const before = rendered; rendered = {}; return before })()")
    return counted


async def until_drawn(visitor: Visitor) -> None:
    """Wait until the page has drawn all that comes when a table is opened; who is there is told last."""
    await visitor.wait_for_table()
    await visitor.page.wait_for_function("() => measured.received.presence > 0")
    await visitor.page.wait_for_load_state("networkidle")
    await visitor.wait_for_reveals()


async def finish_turn(client: Client, table: str) -> None:
    """Decide at random until another seat must decide."""
    rng = random.Random(5)
    watched = await client.watch(table)
    while (asked := watched.prompt) is not None:
        number, prompt = asked
        await client.request("decide", table=table, decision=number, command=any_command(rng, prompt))
        await until_answered(watched, number)


async def set_hidden(page: Page, *, is_hidden: bool) -> None:
    """Let the page believe that its tab is in the background, or in front again."""
    await page.evaluate(
        """(isHidden) => {
            Object.defineProperty(document, "hidden", { configurable: true, get: () => isHidden });
            document.dispatchEvent(new Event("visibilitychange"));
        }""",
        is_hidden,
    )


@pytest.mark.parametrize("game, seats", [("investors", 3), ("planners", 2), ("builders", 2)])
async def test_a_chat_line_draws_neither_the_city_nor_the_seats(
    arrive: Arrive, server: RestartableServer, game: str, seats: int
) -> None:
    async with AsyncExitStack() as stack:
        token = guest_token(server.http)
        mine = await stack.enter_async_context(Client(socket_url(server.http), token))
        others = [await stack.enter_async_context(person(server.http)) for _ in range(seats - 1)]
        table = await open_table([mine, *others], game, seats)
        visitor = await arrive(None, reduced_motion="reduce")
        await visitor.context.add_cookies([{"name": "sid", "value": token, "url": visitor.http}])
        page = visitor.page
        await page.goto(f"{visitor.http}/t/{table}")
        await until_drawn(visitor)
        assert (await renders(page))["Board"] > 0
        await others[0].request("say", table=table, text="hello")
        await expect(page.locator(".tab-list .count-badge")).to_contain_text("1")
        counted = await renders(page)
        assert "UnreadBadge" in counted
        assert BOARDS & counted.keys() == set()


async def test_a_hidden_page_draws_nothing_until_somebody_looks(arrive: Arrive, server: RestartableServer) -> None:
    async with AsyncExitStack() as stack:
        people = await two_people(stack, arrive, server)
        page = people.visitor.page
        await until_drawn(people.visitor)
        await page.locator(".bar h1").click()  # Browsers are silent until then.
        await page.evaluate(
            """() => {
                globalThis.sounds = 0;
                globalThis.OscillatorNode = class extends OscillatorNode {
                    start() {
                        sounds += 1;
                        super.start();
                    }
                };
            }"""
        )
        shown = page.locator(".await-text")
        before = await shown.inner_text()
        await expect(page).to_have_title("● Your move · Planners")
        await set_hidden(page, is_hidden=True)
        await renders(page)
        await finish_turn(people.mine, people.table)
        # The title and the sounds tell a hidden page apart, so they go on.
        await expect(page).not_to_have_title("● Your move · Planners")
        await page.wait_for_function("() => sounds > 0")
        assert await renders(page) == {}
        assert await shown.inner_text() == before
        await set_hidden(page, is_hidden=False)
        await expect(shown).to_contain_text("Waiting for Bo")
        counted = await renders(page)
        assert counted["Board"] == 1
