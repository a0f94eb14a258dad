"""A finished game leaves the page: as a link, a picture, a file, and inside the page of another site."""

from __future__ import annotations

import contextlib
import http.server
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.async_api import Page, expect

from tests.web.browser.conftest import FIXED_DEALS, Arrive, RestartableServer
from tests.web.browser.positions import Choose, finished_game, finished_game_of_two
from tests.web.browser.test_builders import builder
from tests.web.browser.test_planners import planner
from tests.web.browser.test_replay import at_step, shown

pytestmark = pytest.mark.asyncio(loop_scope="session")

SERVER = FIXED_DEALS

SVG = "{http://www.w3.org/2000/svg}"
XLINK_HREF = "{http://www.w3.org/1999/xlink}href"


NO_STORAGE = """for (const name of ["localStorage", "sessionStorage"]) {
    Object.defineProperty(globalThis, name, { get: () => { throw new DOMException("denied", "SecurityError"); } });
}"""
"""Some browsers refuse storage to the pages that another site embeds."""


@contextlib.contextmanager
def other_site(body: str) -> Iterator[str]:
    """Serve a page of another origin, and yield its address."""

    class OnePage(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            page = f"<!doctype html><html lang=en><title>Another site</title><body>{body}".encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(page)))
            self.end_headers()
            self.wfile.write(page)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - that is its name
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), OnePage) as site:
        thread = threading.Thread(target=site.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{site.server_port}/"
        finally:
            site.shutdown()
            thread.join()


async def share_field(page: Page, name: str) -> str:
    """Return the text of a field among those for sharing the moment."""
    await page.get_by_role("button", name="Share this moment").click()
    text = await page.get_by_role("textbox", name=name).input_value()
    await page.keyboard.press("Escape")
    return text


async def test_a_moment_is_embedded_in_another_site_without_a_session(
    arrive: Arrive, server: RestartableServer
) -> None:
    table, _ = await finished_game(server)
    author = await arrive(f"/g/{table}?step=30", reduced_motion="reduce")
    await at_step(author.page, 30)
    code = await share_field(author.page, "Code to embed this moment in a page")
    reader = await arrive(None, reduced_motion="reduce")
    await reader.context.add_init_script(NO_STORAGE)
    asked: list[str] = []
    reader.page.on("request", lambda request: asked.append(request.url))
    reader.page.on("websocket", lambda websocket: asked.append(websocket.url))
    with other_site(code) as address:
        # A favicon is asked for, which that site does not have.
        await reader.page.goto(address)
        frame = reader.page.frame_locator("iframe")
        slider = frame.get_by_role("slider", name="Step of the game")
        await expect(slider).to_have_attribute("aria-valuenow", "30")
        await expect(frame.locator("main.middle")).to_have_attribute("aria-busy", "false")
        await reader.screenshot("embedded-replay")
        # A page with a connection would see to it now.
        await reader.page.frames[1].evaluate("dispatchEvent(new Event('online'))")
        await frame.get_by_role("button", name="One step on").click()
        await expect(slider).to_have_attribute("aria-valuenow", "31")
        await expect(frame.locator("main.middle")).to_have_attribute("aria-busy", "false")
        link = frame.get_by_role("link", name="Open the whole replay")
        assert await link.get_attribute("href") == f"/g/{table}?step=31&eyes=all"
    assert [url for url in asked if "/api/session" in url or "/socket" in url] == []
    assert await reader.context.cookies() == []


async def test_a_log_is_downloaded_and_opened_again(arrive: Arrive, server: RestartableServer, tmp_path: Path) -> None:
    table, _ = await finished_game(server)
    visitor = await arrive(f"/g/{table}", reduced_motion="reduce")
    page = visitor.page
    await shown(page)
    last = await page.get_by_role("slider", name="Step of the game").get_attribute("aria-valuemax")
    await visitor.button("More").click()
    async with page.expect_download() as download:
        await page.get_by_role("menuitem", name="Download the log").click()
    file = tmp_path / (await download.value).suggested_filename
    await (await download.value).save_as(file)

    async def choose(path: Path) -> None:
        await visitor.button("More").click()
        async with page.expect_event("filechooser") as dialog:
            await page.get_by_role("menuitem", name="Open a log file").click()
        await (await dialog.value).set_files(path)

    damaged = tmp_path / "damaged.log"
    damaged.write_bytes(file.read_bytes()[:-200])
    visitor.ignore_errors("400")
    await choose(damaged)
    await expect(page.get_by_role("alert")).to_be_visible()
    assert page.url.startswith(f"{server.http}/g/{table}?")
    await choose(file)
    await page.wait_for_url(re.compile(f"/g/(?!{table})[a-z0-9]+.*#k="))
    await shown(page)
    await expect(page.get_by_role("slider", name="Step of the game")).to_have_attribute("aria-valuemax", last or "")


async def test_the_game_of_a_table_without_spectators_is_shared_by_a_key(
    arrive: Arrive, server: RestartableServer
) -> None:
    table, token = await finished_game(server, spectators=False)
    player = await arrive(None, reduced_motion="reduce")
    await player.context.add_cookies([{"name": "sid", "value": token, "url": server.http}])
    await player.page.goto(f"{server.http}/t/{table}")
    await player.button("Share").click()
    link = await player.page.locator(".share-link input").input_value()
    stranger = await arrive(f"/g/{table}", reduced_motion="reduce")
    await expect(stranger.page.get_by_role("alert")).to_contain_text("Only those who played can see this game")
    await stranger.page.goto(link)
    await at_step(stranger.page, 0)
    # The page of the game knows that it is shared, and offers the same link.
    await player.page.goto(f"{server.http}/g/{table}?step=4")
    await at_step(player.page, 4, 0)
    key = link.partition("#")[2]
    assert (await share_field(player.page, "Link to this moment")).endswith(f"/g/{table}?step=4&eyes=0#{key}")


@pytest.mark.parametrize("game, choose", [("planners", planner), ("builders", builder), ("investors", None)])
async def test_a_picture_is_complete_without_the_page(
    game: str, choose: Choose | None, arrive: Arrive, server: RestartableServer, tmp_path: Path
) -> None:
    table, _ = await (finished_game_of_two(server, game, choose) if choose else finished_game(server))
    visitor = await arrive(f"/g/{table}?step=60", reduced_motion="reduce")
    await at_step(visitor.page, 60)
    await visitor.button("Share this moment").click()
    async with visitor.page.expect_download() as download:
        await visitor.button("SVG").click()
    file = tmp_path / "moment.svg"
    await (await download.value).save_as(file)
    picture = ElementTree.parse(file).getroot()  # noqa: S314 - our own page made it
    names = {part.get("id") for part in picture.iter() if part.get("id")}
    used = [part.get("href") or part.get(XLINK_HREF) or "" for part in picture.iter(f"{SVG}use")]
    assert len(used) > 20
    assert {href for href in used if href.removeprefix("#") not in names} == set()
    filled = set(re.findall(r"url\((?:&quot;|[\"'])?#([\w-]+)", file.read_text("utf-8")))
    assert filled - names == set()
    assert {part.tag for part in picture.iter() if not part.tag.startswith(SVG)} == set()
    assert [part.tag for part in picture.iter() if part.tag in (f"{SVG}script", f"{SVG}foreignObject")] == []
