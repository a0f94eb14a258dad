"""Scripted players: they read the prompts of the server, and decide at random or by a given rule."""

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
"""Takes a seat, the number of a decision and its prompt, and returns a command."""

UNLIMITED = (
    "--request-rate=100000/1/100000",
    "--chat-rate=100000/1/100000",
    "--creation-rate=100000/1/100000",
    "--match-rate=100000/1/100000",
    "--list-rate=100000/1/100000",
    "--hosted-tables=100000",
    "--handshake-rate=100000/1/100000",
    "--failure-rate=100000/1/100000",
    "--session-rate=100000/1/100000",
    "--code-rate=100000/1/100000",
    "--new-handshake-rate=100000/1/100000",
    "--new-creation-rate=100000/1/100000",
    "--new-match-rate=100000/1/100000",
    "--new-chat-rate=100000/1/100000",
    "--new-hint-rate=100000/1/100000",
    "--account-rate=100000/1/100000",
    "--sign-in-rate=100000/1/100000",
    "--new-account-rate=100000/1/100000",
    "--frame-rate=100000/1/100000",
    "--connections-per-address=20000",
    "--bot-min-seconds=0",
    "--bot-max-seconds=0",
)
"""Arguments for a server without rate limits or bot delays, for tests of other things."""


def guest_token(http: str) -> str:
    """Create a guest and return the token from its cookie."""
    answer = httpx.post(f"{http}/api/session", headers={"Origin": http}, timeout=60)
    answer.raise_for_status()
    return next(iter(answer.cookies.values()))


def person(http: str, encoding: Encoding = Encoding.MSGPACK, **more: Any) -> Client:
    """Return a client of a new guest."""
    return Client(socket_url(http), guest_token(http), encoding, **more)


def any_command(rng: random.Random, prompt: Prompt) -> dict[str, Any]:
    """Return a random command that a prompt describes."""
    choice = rng.choice(prompt["choices"])
    return {"do": choice["do"]} | {name: _any_value(rng, space) for name, space in choice.items() if name != "do"}


def _any_value(rng: random.Random, space: dict[str, Any]) -> Any:
    match space:
        case {"one_of": values}:
            return rng.choice(values)
        case {"some_of": values, "least": minimum, "most": maximum}:
            above = space.get("above")
            if above is None:
                return rng.sample(values, rng.randint(minimum, maximum))
            largest_first = sorted(values, reverse=True)
            return next(some for size in range(minimum, maximum + 1) if sum(some := largest_first[:size]) > above)
        case {"pairs": pairs}:
            key, values = rng.choice(pairs)
            return [key, rng.choice(values)]
        case {"amounts": amounts, "step": step}:
            # The smallest amount, to one seat, and no draws: any cheque can give that.
            return [0 if "payable" in space else step] + [0] * (len(amounts) - 1)
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
    """Open a table as the first person, seat the others and then bots, start the game, and return the table."""
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
    """Answer every prompt until the game is over; a refusal is an error."""
    watched = await client.watch(table)
    while watched.view["table"]["phase"] != "over":
        prompted = watched.prompt
        if prompted is None:
            watched.changed.clear()
            if watched.prompt is None and watched.view["table"]["phase"] != "over":
                await watched.changed.wait()
            continue
        number, prompt = prompted
        await client.request(
            "decide", table=table, decision=number, command=choose(watched.view["mine"], number, prompt)
        )
        await until_answered(watched, number)
    return watched


async def play_until(people: list[Client], watched: list[WatchedTable], is_enough: Callable[[], bool]) -> None:
    """Let all players answer at random, one after the other, until `is_enough`."""
    rng = random.Random(5)
    while not is_enough():
        prompted = [(seat, each.prompt) for seat, each in enumerate(watched) if each.prompt is not None]
        if not prompted:
            # A bot is awaited, or the next prompt has not arrived yet.
            await any_changed(watched)
            continue
        seat, (number, prompt) = prompted[0]
        command = any_command(rng, prompt)
        await people[seat].request("decide", table=watched[seat].table, decision=number, command=command)
        await until_answered(watched[seat], number)
        reached = watched[seat].view["play"]["decision"]["number"]
        for each in watched:
            await wait_until(each, lambda view: view["play"]["decision"]["number"] >= reached)  # noqa: B023


async def wait_until(watched: WatchedTable, is_so: Callable[[dict[str, Any]], bool]) -> None:
    """Wait until a condition holds for the view."""
    while not is_so(watched.view):
        watched.changed.clear()
        await watched.changed.wait()


async def until_over(watched: WatchedTable) -> None:
    await wait_until(watched, lambda view: view["table"]["phase"] == "over")


async def any_changed(watched: list[WatchedTable]) -> None:
    """Wait until one of the views changes."""
    for each in watched:
        each.changed.clear()
    changes = [asyncio.create_task(each.changed.wait()) for each in watched]
    await asyncio.wait(changes, return_when=asyncio.FIRST_COMPLETED)
    for change in changes:
        change.cancel()


async def until_answered(watched: WatchedTable, number: int) -> None:
    """Wait until the view shows that a decision was answered; the reply arrives before the update."""
    while (prompted := watched.prompt) is not None and prompted[0] == number:
        watched.changed.clear()
        await watched.changed.wait()


def choose_by_number(seed: int) -> Choose:
    """Return a rule that depends only on the seat and the number of the decision, not on time or order."""

    def choose(seat: int, number: int, prompt: Prompt) -> dict[str, Any]:
        return any_command(random.Random(f"{seed}/{seat}/{number}"), prompt)

    return choose


async def refusal_of(request: Any) -> str:
    """Return the code of the refusal of a request."""
    try:
        await request
    except RequestRefused as refused:
        return refused.code
    raise AssertionError("the request was accepted")


async def all_play(people: list[Client], table: str, choose: Choose, seconds: float = 120) -> list[WatchedTable]:
    async with asyncio.timeout(seconds):
        return list(await asyncio.gather(*(play_to_the_end(client, table, choose) for client in people)))
