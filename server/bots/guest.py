"""A bot at a server that may be anywhere: an ordinary user, with nothing but what every user gets."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random
from typing import Any

from protocol.client import Client, RequestRefused, WatchedTable
from server.bots.pauses import SECONDS
from server.bots.question import asked_in, read_question
from server.bots.registry import strategy_of
from server.games.engine.serialization import to_json

_PASSING = ("stale_decision", "not_awaited", "paused", "not_stood_in", "game_over")
"""Refusals of what was sensible a moment ago: the next view says what to do instead."""


async def play_at(
    client: Client, watched: WatchedTable, strength: str, pause: float, say: Callable[[str], None]
) -> None:
    """Sit down at a table that the client follows, unless it has a seat there, and play until the game is over.

    Raises `RequestRefused` if there is no seat, and `UnknownStrength` if the game is not played in this strength.
    """
    strategy_of(watched.view["table"]["game"], strength)
    if _seat(watched) is None:
        await client.request("take_seat", table=watched.table, key=watched.key)
        await client.request("ready", table=watched.table, ready=True)
    while (seat := _seat(watched)) is None:
        await _changed(watched)
    say(f"Playing on seat {seat} as {watched.view['seats'][seat]['name']}.")
    while watched.view["table"]["phase"] != "over":
        if not await _act(client, watched, strength, pause):
            await _changed(watched)


async def _act(client: Client, watched: WatchedTable, strength: str, pause: float) -> bool:
    """Do what the view asks for; False if it asks for nothing."""
    view, asked, number = watched.view, watched.prompt, watched.number
    seat = _seat(watched)
    if seat is None:
        return False
    chair = view["seats"][seat]
    try:
        if chair["stand_in"] and not chair["resigned"]:
            await client.request("return_to_seat", table=watched.table)
        elif asked is None:
            return False
        else:
            command, _ = await asyncio.gather(asyncio.to_thread(_choose, view, strength), asyncio.sleep(pause))
            await client.request("decide", table=watched.table, decision=asked[0], command=command)
    except RequestRefused as refused:
        if refused.code not in _PASSING:
            raise
    # The answer comes before the frame that shows what it did.
    while watched.number == number:
        await _changed(watched)
    return True


def _choose(view: dict[str, Any], strength: str) -> dict[str, Any]:
    question = read_question(asked_in(view))
    chosen = strategy_of(question.game, strength).choose(question, Random(), SECONDS[strength])  # noqa: S311
    return to_json(chosen.command)


def _seat(watched: WatchedTable) -> int | None:
    seat: int | None = watched.view["mine"]
    return seat


async def _changed(watched: WatchedTable) -> None:
    watched.changed.clear()
    await watched.changed.wait()
