"""Scripted players at the table of a visitor, who can hold back their sealed answers."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator

from protocol.client import Client
from tests.scenarios.people import any_command, person
from tests.web.browser.visitor import Visitor, asked

SEALED = "influence_tender"


class ScriptedPlayers:
    """Players who answer at random, but seal no influence card before `go_on` is set."""

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
async def sealed_bidding(visitor: Visitor) -> AsyncIterator[ScriptedPlayers]:
    """Bring a visitor to a table of three that waits for every seat's influence card."""
    async with contextlib.AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(person(visitor.http)) for _ in range(2)]
        players = ScriptedPlayers(clients)
        table = await visitor.open_table(seats=3)
        await players.sit_down(table)
        await visitor.begin(others=2)
        playing = [asyncio.create_task(players.play(client, table)) for client in clients]
        try:
            await visitor.wait_for_table()
            # Not by mouse: the game may go on between finding a point and clicking it, which would select a card.
            await visitor.play(by_mouse=0, until=asked(SEALED))
            await visitor.wait_for_reveals()
            yield players
        finally:
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
