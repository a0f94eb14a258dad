"""The page without a network, installed, and with a new build of the client while a table is open."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from tests.web.browser.conftest import OWN, Arrive, RestartableServer
from tests.web.browser.visitor import NETWORK_ERRORS, Visitor

pytestmark = pytest.mark.asyncio(loop_scope="session")

SERVER = OWN

KEPT = """async () => {
    const [name] = (await caches.keys()).slice(-1);
    const cache = name && await caches.open(name);
    return cache ? (await cache.keys()).map(({ url }) => new URL(url).pathname) : [];
}"""
"""JavaScript: the paths of the files that are kept of the newest build."""

IS_KEPT = f"""async () => {{
    const before = (await ({KEPT})()).length;
    await new Promise((go) => setTimeout(go, 500));
    const kept = await ({KEPT})();
    return kept.length === before && kept.includes("/favicon.svg");
}}"""
"""JavaScript: whether the whole build is kept; this file comes last."""

BUILD = "document.querySelector('meta[name=build]').content"


async def until(page: Page, condition: str) -> None:
    """Wait until a JavaScript expression, which may be a promise, holds."""
    await page.evaluate(
        f"(async () => {{ while (!(await ({condition}))) await new Promise((go) => setTimeout(go, 50)); }})()"
    )


async def with_files(arrive: Arrive, **options: object) -> Visitor:
    """Return a visitor on whose device all files are kept."""
    visitor = await arrive(reduced_motion="reduce", keeps_files=True, **options)
    await visitor.arrived()
    await until(visitor.page, "navigator.serviceWorker.controller !== null")
    await until(visitor.page, f"({IS_KEPT})()")
    return visitor


async def test_the_page_opens_without_a_network_and_shows_the_rules(arrive: Arrive) -> None:
    visitor = await with_files(arrive, locale="de-DE")
    page = visitor.page
    visitor.ignore_errors(NETWORK_ERRORS)
    await visitor.context.set_offline(True)
    await page.reload()
    await expect(page.locator(".banner")).to_have_text(re.compile("Du bist offline"))
    await expect(page.locator(".game-card, .game-cards > *").first).to_be_visible()
    await page.goto(visitor.http + "/rules/planners")
    await expect(page.locator("h1")).to_have_text("So spielt man Planer")
    await expect(page.locator(".rules-page svg").nth(3)).to_be_visible()
    await page.goto(visitor.http + "/learn")
    await expect(page.locator("h1")).to_be_visible()
    # An address of a table opens its page, which goes on when the network is back.
    await page.goto(visitor.http + "/t/k3q7m2xd")
    await page.goto(visitor.http + "/")
    await visitor.context.set_offline(False)
    await expect(page.locator(".banner")).to_have_count(0)
    await visitor.arrived()


async def test_only_files_of_the_client_are_kept(arrive: Arrive) -> None:
    visitor = await with_files(arrive)
    page = visitor.page
    await visitor.open_table(seats=3)
    await visitor.button("Begin").click()
    await visitor.wait_for_table()
    await page.goto(visitor.http + "/games")
    await page.goto(visitor.http + "/you")
    await expect(page.locator("h1")).to_be_visible()
    kept = await page.evaluate(KEPT)
    assert {path for path in kept if not path.startswith("/assets/")} == {"/", "/table.html", "/favicon.svg"}
    html = await page.evaluate("fetch('/').then((answer) => answer.text())")
    assert visitor.table not in html


def another_build(built: Path, folder: Path) -> None:
    """Write a client as a build of another version makes it: a part that is fetched late has another name."""
    shutil.copytree(built, folder, ignore=shutil.ignore_patterns("*.br", "*.gz"))
    (late,) = (folder / "assets").glob("drawer-*.js")
    late.rename(late.with_name("drawer-ZZZZZZZZ.js"))
    [version] = re.findall(r'name="build" content="(\w+)"', (folder / "index.html").read_text("utf-8"))
    for file in (*folder.glob("*.html"), *folder.glob("*.js"), *folder.glob("assets/*.js")):
        text = file.read_text("utf-8")
        changed = text.replace(late.stem, "drawer-ZZZZZZZZ").replace(version, "0123456789abcdef")
        if changed != text:
            file.write_text(changed, "utf-8")


async def opened_rules(page: Page) -> None:
    """Open the rules beside the table, whose code is fetched then, and close them."""
    await page.get_by_role("button", name="Rules", exact=True).click()
    await expect(page.locator(".rules-panel")).to_contain_text("Most prestige wins")
    await page.keyboard.press("Escape")
    await expect(page.locator(".rules-panel")).to_have_count(0)


async def test_a_new_build_takes_over_and_does_not_disturb_a_running_game(
    arrive: Arrive, server: RestartableServer, built: tuple[Path, float], tmp_path: Path
) -> None:
    another_build(built[0], tmp_path / "client")
    visitor = await with_files(arrive)
    page = visitor.page
    first = await page.evaluate(BUILD)
    await visitor.open_table(seats=3)
    await visitor.button("Begin").click()
    await visitor.wait_for_table()
    visitor.ignore_errors(NETWORK_ERRORS)
    server.kill()
    server.serve_client(tmp_path / "client")
    server.start_again()
    # The new build is kept; the page at the table is still the old one, and finds its own files.
    await until(page, "caches.keys().then((names) => names.length === 2)")
    await until(page, f"({IS_KEPT})()")
    assert await page.evaluate(BUILD) == first
    assert not any("ZZZZZZZZ" in each for each in await page.evaluate("performance.getEntries().map(({name}) => name)"))
    # The browser's own cache would have these files, too, for a while.
    await (await visitor.context.new_cdp_session(page)).send("Network.clearBrowserCache")
    await until(page, "navigator.serviceWorker.controller.state === 'activated'")
    await opened_rules(page)
    assert not await visitor.play(by_mouse=0, until="document.querySelectorAll('.log-line, .log li').length > 12")
    # The next page is the new one.
    await visitor.button("To the lobby").click()
    await expect(page.locator("meta[name=build]")).to_have_attribute("content", "0123456789abcdef")
    await visitor.arrived()


async def test_the_page_can_be_installed(arrive: Arrive) -> None:
    visitor = await with_files(arrive)
    page = visitor.page
    devtools = await visitor.context.new_cdp_session(page)
    manifest = await devtools.send("Page.getAppManifest")
    assert manifest["url"].endswith("/manifest.webmanifest")
    assert manifest["errors"] == []
    sizes = await page.evaluate(
        """async () => {
            const { icons } = await (await fetch("/manifest.webmanifest")).json();
            const links = [...document.querySelectorAll("link[rel=apple-touch-icon]")].map(({ href }) => href);
            const size = async (src) => {
                const image = new Image();
                image.src = src;
                await image.decode();
                return `${image.naturalWidth}x${image.naturalHeight}`;
            };
            const pictures = icons.filter(({ type }) => type === "image/png");
            const wrong = [];
            for (const { src, sizes } of pictures) if (await size(src) !== sizes) wrong.push(src);
            return [pictures.length, wrong, await Promise.all(links.map(size))];
        }"""
    )
    assert sizes == [3, [], ["180x180"]]
    # The browser's offer is shown on the visitor's own page, and taken up there.
    await page.goto(visitor.http + "/you")
    await expect(page.get_by_role("button", name="Install")).to_have_count(0)
    await page.evaluate(
        """() => {
            const offer = new Event("beforeinstallprompt", { cancelable: true });
            offer.prompt = () => (globalThis.isPrompted = true);
            dispatchEvent(offer);
        }"""
    )
    await page.get_by_role("button", name="Install").click()
    assert await page.evaluate("globalThis.isPrompted")
    await expect(page.get_by_role("button", name="Install")).to_have_count(0)
