"""A person in front of a browser: one context with its pages, and everything that went wrong in them."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Locator, Page

from tests.web.node import WEB

SCREENSHOTS = WEB / "screenshots"
PATIENCE = 30_000.0
"""Milliseconds that anything may take on a busy machine."""

MAX_GAME = 400.0
"""Seconds that a whole game may take on a busy machine."""

_WATCH = (Path(__file__).parent / "watch.js").read_text("utf-8")

OUT_OF_REACH = r"net::ERR_|WebSocket connection to"
"""What a browser says by itself when a server cannot be reached."""


class Visitor:
    """A context of its own, as a person with a browser of their own has. Use `arrive` to make one."""

    def __init__(self, context: BrowserContext, page: Page, http: str) -> None:
        self.context = context
        self.page = page
        self.http = http
        self.troubles: list[str] = []
        self._forgiven: list[str] = []

    @classmethod
    async def arrive(cls, browser: Browser, http: str, path: str | None = "/", **options: Any) -> Visitor:
        """Open a browser and, unless the path is None, the page of a path."""
        settings: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}, "locale": "en-US", **options}
        context = await browser.new_context(**settings)
        context.set_default_timeout(PATIENCE)
        await context.add_init_script(_WATCH)
        visitor = cls(context, await context.new_page(), http)
        context.on("console", visitor._hear)
        context.on("weberror", lambda error: visitor.troubles.append(f"error: {error.error}"))
        if path is not None:
            await visitor.page.goto(http + path)
        return visitor

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.troubles.append(f"{message.type}: {message.text}")

    def forgive(self, pattern: str) -> None:
        """Do not count what fits this as a trouble."""
        self._forgiven.append(pattern)

    def unforgiven(self) -> list[str]:
        """Give what went wrong: errors and warnings of the console, of scripts, and of the content policy."""
        return [trouble for trouble in self.troubles if not any(re.search(each, trouble) for each in self._forgiven)]

    async def leave(self) -> None:
        await self.context.close()

    async def shoot(self, name: str, *, full: bool = False) -> None:
        """Keep a picture of the page for whoever wants to look at it."""
        SCREENSHOTS.mkdir(exist_ok=True)
        await self.page.screenshot(path=SCREENSHOTS / f"{name}.png", full_page=full)

    # -- what every visitor does ------------------------------------------------------------------------------

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    @property
    def table(self) -> str:
        """The id of the table that the page is at."""
        return self.page.url.rpartition("/t/")[2].partition("#")[0]

    async def choose_game(self, game: str) -> None:
        """Choose in the lobby what to play."""
        await self.page.get_by_label("Game", exact=True).first.get_by_role("button", name=game, exact=True).click()

    async def play_now(self) -> None:
        await self.button("Play now").click()
        await self.see_city()

    async def see_city(self) -> None:
        """Wait for the table of any game."""
        await self.page.locator(".bottom .decide").wait_for()

    async def rename(self, name: str) -> None:
        await self.page.get_by_label("Name", exact=True).fill(name)
        await self.button("Save").click()
        await self.button("Save").wait_for(state="detached")

    async def open_table(self, seats: int) -> str:
        """Open a table in the lobby, and give its id."""
        form = self.page.locator("form.create")
        await form.get_by_role("button", name=str(seats), exact=True).click()
        await form.get_by_role("button", name="Open the table").click()
        await self.page.locator(".waiting-title").wait_for()
        return self.table

    async def figures(self) -> dict[str, Any]:
        """Give what the page has measured about itself."""
        measured: dict[str, Any] = await self.page.evaluate("globalThis.measured")
        return measured

    # -- playing by clicking ----------------------------------------------------------------------------------

    async def play(
        self, *, until: str = "false", by_mouse: int = 40, idle: bool = False, shots: str | None = None
    ) -> bool:
        """Click what the page offers until the game is over or an expression in the page holds; give if it is over.

        The first clicks are made with the mouse, as far as nothing lies over what they aim at; the others within the
        page, which is much faster; with `idle` these let everything pass, so that the game ends sooner. With `shots`,
        the first sight of every kind of decision is kept as a picture.
        """
        seen = ["none"]
        async with asyncio.timeout(MAX_GAME):
            for _ in range(by_mouse):
                offer = await self.page.wait_for_function(f"() => ({until}) ? 'enough' : globalThis.offered()")
                found = await offer.to_json()
                if isinstance(found, str):
                    return found == "over"
                if shots is not None:
                    await self._shoot_decision(shots, seen)
                await self.page.mouse.click(*found)
            while True:
                end = await self.page.evaluate(
                    f"([seen, idle]) => globalThis.rush(seen, () => {until}, idle)",
                    [None if shots is None else seen, idle],
                )
                if end != "new":
                    return bool(end == "over")
                await self._shoot_decision(shots or "", seen)

    async def _shoot_decision(self, shots: str, seen: list[str]) -> None:
        about = await self.page.evaluate("globalThis.sight()")
        if about and about not in seen:
            seen.append(about)
            await self.shoot(f"{shots}-{about}")
