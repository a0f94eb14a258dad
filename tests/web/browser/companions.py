"""People without a browser who sit at the table of a visitor, and can hold back their sealed answers."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator

from protocol.client import Client
from tests.scenarios.people import any_command, person
from tests.web.browser.visitor import Visitor

SEALED = "influence_tender"


class Companions:
    """They answer by chance whatever is asked, but seal no influence card before `go_on` is set."""

    def __init__(self, clients: list[Client]) -> None:
        self._clients = clients
        self.go_on = asyncio.Event()

    async def sit_down(self, table: str) -> None:
        for client in self._clients:
            await client.request("take_seat", table=table)
            await client.request("ready", table=table, ready=True)

    async def play(self, client: Client, table: str) -> None:
        rng = random.Random(table)
        watched = await client.watch(table)
        while watched.view["table"]["phase"] != "over":
            asked = watched.prompt
            if asked is None:
                watched.changed.clear()
                await watched.changed.wait()
                continue
            if watched.view["play"]["decision"]["about"] == SEALED:
                await self.go_on.wait()
            number, prompt = asked
            await client.request("decide", table=table, decision=number, command=any_command(rng, prompt))
            while (again := watched.prompt) is not None and again[0] == number:
                watched.changed.clear()
                await watched.changed.wait()


@contextlib.asynccontextmanager
async def sealed_bidding(visitor: Visitor) -> AsyncIterator[Companions]:
    """Bring a visitor from the lobby to a table of three that waits for everybody's sealed influence card."""
    async with contextlib.AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(person(visitor.http)) for _ in range(2)]
        companions = Companions(clients)
        table = await visitor.open_table(seats=3)
        await companions.sit_down(table)
        await visitor.button("Begin").click()
        playing = [asyncio.create_task(companions.play(client, table)) for client in clients]
        try:
            await visitor.see_city()
            # Not by mouse: the game may go on between aiming and clicking, and the click would then choose a card.
            await visitor.play(by_mouse=0, until=f"document.querySelector('.bottom.act')?.dataset.about === '{SEALED}'")
            await visitor.page.locator(".reveal").wait_for(state="detached")
            yield companions
        finally:
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
