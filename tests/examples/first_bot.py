"""A bot in a few lines: it joins a table of a running server and plays at random.

    python first_bot.py http://127.0.0.1:8000 TABLE

It needs only the package `protocol` of this project. To make it play well, use `view` in `choose`: it is all that a
person in this seat sees, and its prompt describes all legal commands.
"""

from __future__ import annotations

import asyncio
import random
import sys
from typing import Any

from protocol.client import Client, WatchedTable, guest_token, socket_url


def choose(view: dict[str, Any]) -> dict[str, Any]:
    """Return a command for the open decision."""
    prompt = view["play"]["decision"]["prompt"]
    easy = [choice for choice in prompt["choices"] if all("one_of" in space for space in fields(choice).values())]
    if not easy:
        # PROTOCOL.md describes the spaces of the other choices; the fallback is always legal.
        fallback: dict[str, Any] = prompt["fallback"]
        return fallback
    choice = random.choice(easy)
    return {"do": choice["do"]} | {name: random.choice(space["one_of"]) for name, space in fields(choice).items()}


def fields(choice: dict[str, Any]) -> dict[str, Any]:
    """Return the spaces of a choice, by the fields of its command."""
    return {name: space for name, space in choice.items() if name != "do"}


async def changed(watched: WatchedTable) -> None:
    """Wait until the table has changed."""
    watched.changed.clear()
    await watched.changed.wait()


async def play(http: str, table: str, name: str = "First bot") -> dict[str, Any]:
    """Take a seat at a table, play to the end, and return the last view."""
    async with Client(socket_url(http), guest_token(http)) as client:
        await client.request("set_name", name=name)
        await client.request("take_seat", table=table)
        await client.request("ready", table=table, ready=True)
        watched = await client.watch(table)
        while watched.view["table"]["phase"] != "over":
            if watched.prompt is None:
                await changed(watched)
                continue
            number, _ = watched.prompt
            await client.request("decide", table=table, decision=number, command=choose(watched.view))
            # The reply arrives before the update that shows its effect.
            while watched.prompt is not None and watched.prompt[0] == number:
                await changed(watched)
        return watched.view


if __name__ == "__main__":
    end = asyncio.run(play(*sys.argv[1:3]))
    sys.stdout.write(f"{end['play']['outcome']}\n")
