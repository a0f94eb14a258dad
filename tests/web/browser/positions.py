"""Games that scripted players bring to a position, where a visitor takes over in a browser."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, NamedTuple

from protocol.client import Client, socket_url
from tests.scenarios.people import (
    all_play,
    any_changed,
    any_command,
    choose_by_number,
    guest_token,
    open_table,
    until_answered,
)
from tests.web.browser.conftest import Arrive, RestartableServer
from tests.web.browser.visitor import IS_PICTURED, Visitor

IS_WHOLE = "ALL_GAMES" in os.environ or IS_PICTURED
"""Whether games are played by clicking from the first decision to the last (`make games`)."""

MAX_TABLES = 30
"""The number of games that may end without reaching the position."""

Game = dict[str, Any]
PositionPredicate = Callable[[Game], bool]
Choose = Callable[[random.Random, dict[str, Any]], dict[str, Any]]


class ReachedPosition(NamedTuple):
    """A table at which the user with this token must decide, and the other player."""

    table: str
    token: str
    other: Client


async def play_until(
    people: list[Client], table: str, is_reached: PositionPredicate, choose: Choose, seed: int
) -> bool:
    """Play until the first player sees the position; return False if the game ends before."""
    rng = random.Random(seed)
    watched = [await client.watch(table) for client in people]
    while (view := watched[0].view)["table"]["phase"] != "over":
        if is_reached(view["play"]["game"]):
            return True
        seat = view["play"]["game"]["turn"]
        asked = watched[seat].prompt
        if asked is None:
            watched[0].changed.clear()
            watched[seat].changed.clear()
            waiting = [asyncio.create_task(watched[each].changed.wait()) for each in {0, seat}]
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            for task in waiting:
                task.cancel()
            continue
        number, prompt = asked
        await people[seat].request("decide", table=table, decision=number, command=choose(rng, prompt))
        while any(each.view["play"]["decision"] == view["play"]["decision"] for each in watched):
            still = next(each for each in watched if each.view["play"]["decision"] == view["play"]["decision"])
            still.changed.clear()
            await still.changed.wait()
    return False


@contextlib.asynccontextmanager
async def reach_position(
    server: RestartableServer, game: str, is_reached: PositionPredicate, choose: Choose
) -> AsyncIterator[ReachedPosition]:
    """Play a table of two to a position in which the first player must decide."""
    async with contextlib.AsyncExitStack() as stack:
        token = guest_token(server.http)
        first = await stack.enter_async_context(Client(socket_url(server.http), token))
        other = await stack.enter_async_context(Client(socket_url(server.http), guest_token(server.http)))
        for seed in range(MAX_TABLES):
            table = await open_table([first, other], game, 2)
            if await play_until([first, other], table, is_reached, choose, seed):
                yield ReachedPosition(table, token, other)
                return
        raise AssertionError(f"{MAX_TABLES} games ended without reaching the position")


async def play_ahead(people: list[Visitor], is_late: PositionPredicate, choose: Choose) -> None:
    """Let scripted players answer for visitors who close the page meanwhile, and open it again late in the game.

    To draw every position in a browser takes long. A game may be over before it is late.
    """
    table = people[0].table
    async with contextlib.AsyncExitStack() as stack:
        clients = []
        for visitor in people:
            [token] = [cookie["value"] for cookie in await visitor.context.cookies() if cookie["name"] == "sid"]
            await visitor.page.goto("about:blank")
            clients.append(await stack.enter_async_context(Client(socket_url(visitor.http), token)))
        rng = random.Random(7)
        watched = [await client.watch(table) for client in clients]
        while (view := watched[0].view)["table"]["phase"] != "over" and not is_late(view["play"]["game"]):
            asked = [(seat, each.prompt) for seat, each in enumerate(watched) if each.prompt is not None]
            if not asked:
                await any_changed(watched)
            for seat, (number, prompt) in asked:
                command = choose(rng, prompt)
                await clients[seat].request("decide", table=table, decision=number, command=command)
                await until_answered(watched[seat], number)
    for visitor in people:
        await visitor.page.goto(f"{visitor.http}/t/{table}")
        await visitor.page.locator(".bottom .decision-bar, .result").first.wait_for()


async def play_to_the_end(visitor: Visitor, screenshots: str, begun: str, is_late: PositionPredicate) -> None:
    """Play by clicking until a JavaScript expression holds, and again from late in the game to its end.

    A scripted player answers in between, unless games are played whole.
    """
    if not IS_WHOLE:
        assert not await visitor.play(by_mouse=30, until=begun)
        await play_ahead([visitor], is_late, any_command)
    assert await visitor.play(by_mouse=30, screenshots=screenshots)


async def finished_game(server: RestartableServer, **settings: Any) -> tuple[str, str]:
    """Return a table with these settings after a game with bots, and the token of its only person."""

    async def play() -> tuple[str, str]:
        token = guest_token(server.http)
        async with Client(socket_url(server.http), token) as client:
            table = await open_table([client], "investors", 3, **settings)
            await all_play([client], table, choose_by_number(3))
        return table, token

    return await (play() if settings else played_once(server, "investors", play))


async def finished_game_of_two(
    server: RestartableServer, game: str, choose: Choose, **settings: Any
) -> tuple[str, str]:
    """Return a table with these settings after a game of two people, and the token of the first."""

    async def play() -> tuple[str, str]:
        token = guest_token(server.http)
        async with (
            Client(socket_url(server.http), token) as first,
            Client(socket_url(server.http), guest_token(server.http)) as other,
        ):
            table = await open_table([first, other], game, 2, **settings)
            assert not await play_until([first, other], table, lambda _: False, choose, seed=1)
        return table, token

    return await (play() if settings else played_once(server, game, play))


async def played_once(
    server: RestartableServer, game: str, play: Callable[[], Awaitable[tuple[str, str]]]
) -> tuple[str, str]:
    """Play a game that all tests of a server share, unless one of them has played it."""
    if game not in server.finished:
        server.finished[game] = await play()
    return server.finished[game]


async def sit_down(arrive: Arrive, reached: ReachedPosition, **options: Any) -> Visitor:
    """Open the table in a browser as the user who must decide."""
    visitor = await arrive(None, **options)
    await visitor.context.add_cookies([{"name": "sid", "value": reached.token, "url": visitor.http}])
    await visitor.page.goto(f"{visitor.http}/t/{reached.table}")
    await visitor.wait_for_table()
    return visitor


async def open_decision(visitor: Visitor) -> str | None:
    """Return the kind of decision that the visitor must make, or None."""
    asked: str | None = await visitor.page.evaluate("document.querySelector('.bottom.act')?.dataset.about ?? null")
    return asked
