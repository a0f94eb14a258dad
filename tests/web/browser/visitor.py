"""A visitor: a browser context with a page, and the errors that occurred in it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Locator, Page

from tests.web.node import WEB

SCREENSHOTS = WEB / "screenshots"
IS_PICTURED = "SCREENSHOTS" in os.environ
"""Whether screenshots are saved: they are for inspection, no test reads them, and drawing them takes long."""

TIMEOUT = 60_000.0
"""Milliseconds that anything may take on a busy machine."""

GAME_TIMEOUT = 900.0
"""Seconds that a whole game may take on a busy machine."""

_INSTRUMENTATION = (Path(__file__).parent / "instrumentation.js").read_text("utf-8")

NO_TIPS = (
    """try { localStorage.tips ??= '{"choice": "off"}' } catch { /* a page without storage has no tips either */ }"""
)
"""Switches off the tips of the first games: most tests are not about them."""

NO_SERVICE_WORKER = "Object.defineProperty(Navigator.prototype, 'serviceWorker', { value: undefined });"
"""Makes a browser without service workers: they fetch the whole client, which few tests are about."""

NETWORK_ERRORS = r"net::ERR_|WebSocket connection to"
"""Console messages of a browser that cannot reach the server."""


def asked(*kinds: str) -> str:
    """Return a JavaScript expression that holds while the visitor must make a decision of one of these kinds."""
    return f"{list(kinds)}.includes(document.querySelector('.bottom.act')?.dataset.about)"


def reached(*numbers: int) -> str:
    """Return a JavaScript expression that holds from a round on, or from a year and one of its cards.

    It is not enough to wait for the round itself: others may play through it before the page has shown it.
    """
    return f"globalThis.hasReached({', '.join(map(str, numbers))})"


class Visitor:
    """A person with their own browser context. Use `arrive` to create one."""

    def __init__(self, context: BrowserContext, page: Page, http: str) -> None:
        self.context = context
        self.page = page
        self.http = http
        self.errors: list[str] = []
        self._ignored: list[str] = []
        self.game = "Investors"

    @classmethod
    async def arrive(
        cls,
        browser: Browser,
        http: str,
        path: str | None = "/",
        *,
        tips: bool = False,
        keeps_files: bool = False,
        **options: Any,
    ) -> Visitor:
        """Open a browser and, unless the path is None, the page of a path.

        With `keeps_files`, it has service workers.
        """
        settings: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}, "locale": "en-US", **options}
        context = await browser.new_context(**settings)
        context.set_default_timeout(TIMEOUT)
        await context.add_init_script(_INSTRUMENTATION)
        if not tips:
            await context.add_init_script(NO_TIPS)
        if not keeps_files:
            await context.add_init_script(NO_SERVICE_WORKER)
        visitor = cls(context, await context.new_page(), http)
        context.on("console", visitor._on_console)
        context.on("weberror", lambda error: visitor.errors.append(f"error: {error.error}"))
        if path is not None:
            await visitor.page.goto(http + path)
        return visitor

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.errors.append(f"{message.type}: {message.text}")

    def ignore_errors(self, pattern: str) -> None:
        """Do not report errors that match this pattern."""
        self._ignored.append(pattern)

    def unexpected_errors(self) -> list[str]:
        """Return the errors and warnings of the console, of scripts, and of the content security policy."""
        return [error for error in self.errors if not any(re.search(each, error) for each in self._ignored)]

    async def leave(self) -> None:
        await self.context.close()

    async def screenshot(self, name: str, *, full: bool = False) -> None:
        """Save a screenshot of the page for inspection, if SCREENSHOTS is set in the environment."""
        if not IS_PICTURED:
            return
        SCREENSHOTS.mkdir(exist_ok=True)
        await self.page.screenshot(path=SCREENSHOTS / f"{name}.png", full_page=full)

    # -- common actions ------------------------------------------------------------------------------

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    @property
    def table(self) -> str:
        """The id of the table that the page shows."""
        return self.page.url.rpartition("/t/")[2].partition("#")[0]

    async def arrived(self) -> None:
        """Wait until the home page is connected and knows the visitor."""
        await self.page.locator(".site-me .person-face, .bottom-nav .person-face").first.wait_for(state="attached")
        await self.page.locator(".split-main:not([disabled])").first.wait_for()

    async def go_home(self) -> None:
        """Show the home page by its link in the navigation, if another page of the site is shown."""
        if await self.page.locator("main .game-cards").count() == 0:
            await self.page.locator(".site-brand").click()
        await self.page.locator("main .game-cards").wait_for()

    async def choose_game(self, game: str) -> None:
        """Choose the game that `play_now` and `open_table` start."""
        self.game = game

    async def play_now(self) -> None:
        await self.button(f"Play {self.game}").click()
        await self.wait_for_table()

    async def wait_for_table(self) -> None:
        """Wait until the page shows the table of a running game."""
        await self.page.locator(".bottom .decision-bar").wait_for()

    async def wait_for_reveals(self) -> None:
        """Wait until no reveal covers the board.

        A reveal opens in an effect, one frame after the update that it belongs to, and must not be overlooked.
        """
        await self.page.evaluate(
            """async () => {
                const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
                await frame();
                await frame();
            }"""
        )
        await self.page.locator(".reveal").wait_for(state="detached")

    async def rename(self, name: str) -> None:
        """Change the visitor's name, and show the home page again."""
        await self.follow("/you")
        await self.page.get_by_label("Name", exact=True).fill(name)
        await self.button("Save").click()
        await self.button("Save").wait_for(state="detached")
        await self.go_home()

    async def follow(self, path: str) -> None:
        """Follow a link of the shown page: on a phone some are in the navigation at the bottom."""
        await self.page.locator(f'a[href="{path}"]:visible').first.click()

    async def choose(self, within: Locator, label: str, value: str) -> None:
        """Choose a value of a select."""
        await within.get_by_role("combobox", name=label, exact=True).click()
        await self.page.get_by_role("option", name=value).click()

    async def open_form(self) -> Locator:
        """Open the page for a new table of the chosen game, and return its form."""
        await self.follow("/new")
        form = self.page.locator("form.create")
        await form.get_by_role("radio", name=self.game, exact=True).click()
        return form

    async def open_table(self, seats: int) -> str:
        """Create a table of the chosen game, and return its id."""
        return await self.submit_table(await self.open_form(), seats)

    async def submit_table(self, form: Locator, seats: int) -> str:
        """Choose the number of seats, create the table, and return its id."""
        await form.get_by_role("radio", name=str(seats), exact=True).click()
        await form.get_by_role("button", name="Open the table").click()
        await self.page.locator(".waiting-title").wait_for()
        return self.table

    async def begin(self, others: int) -> None:
        """Begin the game in the waiting room, as soon as the page shows that so many others are ready."""
        await self.page.wait_for_function(
            """(others) => [...document.querySelectorAll("main *")]
                .filter((part) => part.checkVisibility() && part.textContent.trim() === "ready")
                .filter((part, _, all) => !all.some((inner) => inner !== part && part.contains(inner)))
                .length >= others""",
            arg=others,
        )
        await self.button("Begin").click()

    async def measurements(self) -> dict[str, Any]:
        """Return the measurements that instrumentation.js recorded."""
        measured: dict[str, Any] = await self.page.evaluate("globalThis.measured")
        return measured

    # -- playing by clicking ----------------------------------------------------------------------------------

    async def play(
        self, *, until: str = "false", by_mouse: int = 40, idle: bool = False, screenshots: str | None = None
    ) -> bool:
        """Play by clicking until the game is over or a JavaScript expression holds; return whether it is over.

        The first clicks use the mouse, if nothing covers their target; the others are made within the page, which is
        much faster. With `idle` those pass whenever possible, so that the game ends sooner. With `screenshots`, each
        kind of decision is saved as a picture when it is first seen.
        """
        if not IS_PICTURED:
            screenshots = None
        seen = ["none"]
        async with asyncio.timeout(GAME_TIMEOUT):
            for _ in range(by_mouse):
                next_point = f"(patience) => globalThis.nextPoint(() => {until}, patience)"
                found = await self.page.evaluate(next_point, TIMEOUT)
                if isinstance(found, str):
                    return found == "over"
                if screenshots is not None:
                    await self._screenshot_decision(screenshots, seen)
                await self.page.mouse.click(*found)
            while True:
                end = await self.page.evaluate(
                    f"([seen, idle, patience]) => globalThis.playOn(seen, () => {until}, idle, patience)",
                    [None if screenshots is None else seen, idle, TIMEOUT],
                )
                if end != "new":
                    return bool(end == "over")
                await self._screenshot_decision(screenshots or "", seen)

    async def _screenshot_decision(self, screenshots: str, seen: list[str]) -> None:
        about = await self.page.evaluate("globalThis.shownState()")
        if about and about not in seen:
            seen.append(about)
            await self.screenshot(f"{screenshots}-{about}")


@contextlib.asynccontextmanager
async def expect_reveal(*pages: Page) -> AsyncIterator[None]:
    """Wait at the end of the block until each page has shown a reveal since its beginning.

    A reveal closes after three seconds, so the pages count them: waiting for the element could miss it.
    """
    counts = [await page.evaluate("measured.reveals") for page in pages]
    yield
    for page, count in zip(pages, counts, strict=True):
        await page.wait_for_function("(count) => measured.reveals > count", arg=count)
