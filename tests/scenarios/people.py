"""Scripted people: they read the prompts that the server sends, and decide by chance or by a rule of their own."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from typing import Any

import httpx

from protocol.client import Client, RequestRefused, WatchedTable, socket_url
from protocol.codec import Encoding

Prompt = dict[str, Any]
Choose = Callable[[int, int, Prompt], dict[str, Any]]
"""Takes a seat, the number of a decision and its prompt, and gives a command."""

FREELY = (
    "--request-rate=100000/1/100000",
    "--chat-rate=100000/1/100000",
    "--creation-rate=100000/1/100000",
    "--match-rate=100000/1/100000",
    "--handshake-rate=100000/1/100000",
    "--session-rate=100000/1/100000",
    "--frame-rate=100000/1/100000",
    "--connections-per-address=4000",
    "--bot-min-seconds=0",
    "--bot-max-seconds=0",
)
"""Arguments for a server whose limits are not what is tested."""


def guest_token(http: str) -> str:
    """Become a guest and give the token, as a browser's cookie would hold it."""
    answer = httpx.post(f"{http}/api/session", headers={"Origin": http}, timeout=20)
    answer.raise_for_status()
    return next(iter(answer.cookies.values()))


def person(http: str, encoding: Encoding = Encoding.MSGPACK, **more: Any) -> Client:
    """Give the connection of a new guest."""
    return Client(socket_url(http), guest_token(http), encoding, **more)


def any_command(rng: random.Random, prompt: Prompt) -> dict[str, Any]:
    """Give some command that a prompt describes."""
    choice = rng.choice(prompt["choices"])
    return {"do": choice["do"]} | {name: _any_value(rng, space) for name, space in choice.items() if name != "do"}


def _any_value(rng: random.Random, space: dict[str, Any]) -> Any:
    match space:
        case {"one_of": values}:
            return rng.choice(values)
        case {"some_of": values, "least": least, "most": most}:
            above = space.get("above")
            if above is None:
                return rng.sample(values, rng.randint(least, most))
            largest_first = sorted(values, reverse=True)
            return next(some for size in range(least, most + 1) if sum(some := largest_first[:size]) > above)
        case {"pairs": pairs}:
            key, values = rng.choice(pairs)
            return [key, rng.choice(values)]
        case {"amounts": amounts, "step": step, "least": least}:
            return [max(least, step)] + [0] * (len(amounts) - 1) if least else [0] * len(amounts)
        case {"shares": values, "dues": [[_, due]]}:
            return [_covering(values, due)]
    raise AssertionError(space)


def _covering(values: list[int], due: int) -> list[int]:
    share: list[int] = []
    for value in sorted(values, reverse=True):
        if sum(share) < due:
            share.append(value)
    return share


async def open_table(people: list[Client], game: str, seats: int, **settings: Any) -> str:
    """Let the first person open a table, the others and then bots sit down, and begin."""
    host, *others = people
    opened = await host.request("create_table", settings={"game": game, "seats": seats, **settings})
    table: str = opened["table"]
    for other in others:
        await other.request("take_seat", table=table, key=opened["key"])
        await other.request("ready", table=table, ready=True)
    for _ in range(seats - len(people)):
        await host.request("add_bot", table=table)
    await host.request("start", table=table)
    return table


async def play_to_the_end(client: Client, table: str, choose: Choose) -> WatchedTable:
    """Decide whatever is asked until the game is over; a refusal is an error."""
    watched = await client.watch(table)
    while watched.view["table"]["phase"] != "over":
        asked = watched.prompt
        if asked is None:
            watched.changed.clear()
            if watched.prompt is None and watched.view["table"]["phase"] != "over":
                await watched.changed.wait()
            continue
        number, prompt = asked
        await client.request(
            "decide", table=table, decision=number, command=choose(watched.view["mine"], number, prompt)
        )
        await _shown(watched, number)
    return watched


async def play_until(people: list[Client], watched: list[WatchedTable], is_enough: Callable[[], bool]) -> None:
    """Let everybody answer by chance, one after the other and all in step, until it is enough."""
    rng = random.Random(5)
    while not is_enough():
        asked = [(seat, each.prompt) for seat, each in enumerate(watched) if each.prompt is not None]
        if not asked:
            # A bot is awaited, or not everybody has been shown yet what is asked.
            await _any_changed(watched)
            continue
        seat, (number, prompt) = asked[0]
        command = any_command(rng, prompt)
        await people[seat].request("decide", table=watched[seat].table, decision=number, command=command)
        await _shown(watched[seat], number)
        reached = watched[seat].view["play"]["decision"]["number"]
        for each in watched:
            while each.view["play"]["decision"]["number"] < reached:
                each.changed.clear()
                await each.changed.wait()


async def _any_changed(watched: list[WatchedTable]) -> None:
    for each in watched:
        each.changed.clear()
    changes = [asyncio.create_task(each.changed.wait()) for each in watched]
    await asyncio.wait(changes, return_when=asyncio.FIRST_COMPLETED)
    for change in changes:
        change.cancel()


async def _shown(watched: WatchedTable, number: int) -> None:
    """Wait until the view shows that a decision was answered; the answer comes before the frame."""
    while (asked := watched.prompt) is not None and asked[0] == number:
        watched.changed.clear()
        await watched.changed.wait()


def by_number(seed: int) -> Choose:
    """Give a rule that decides by seat and number alone, so that neither time nor order play a part."""

    def choose(seat: int, number: int, prompt: Prompt) -> dict[str, Any]:
        return any_command(random.Random(f"{seed}/{seat}/{number}"), prompt)

    return choose


async def refusal_of(asking: Any) -> str:
    """Give the code of the refusal that a request gets."""
    try:
        await asking
    except RequestRefused as refused:
        return refused.code
    raise AssertionError("the request was granted")


async def all_play(people: list[Client], table: str, choose: Choose, seconds: float = 120) -> list[WatchedTable]:
    async with asyncio.timeout(seconds):
        return list(await asyncio.gather(*(play_to_the_end(client, table, choose) for client in people)))
