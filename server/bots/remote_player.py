"""A bot that plays over the network: an ordinary user of any server, with nothing but the public protocol."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random
from typing import Any

from protocol.client import Client, RequestRefused, WatchedTable
from server.bots.question import question_from_view, read_question
from server.bots.registry import strategy_of
from server.bots.think_time import SEARCH_SECONDS
from server.games.engine.serialization import to_json

_OUTDATED = ("stale_decision", "not_awaited", "paused", "not_stood_in", "game_over")
"""Codes of refusals that only mean that the view has changed meanwhile: the next view says what to do instead."""


async def play_table(
    client: Client, watched: WatchedTable, strength: str, pause: float, report: Callable[[str], None]
) -> None:
    """Take a seat at a watched table, unless the client has one there, and play until the game is over.

    Raise `RequestRefused` if there is no free seat, and `UnknownStrength` if the game has no bot of this strength.
    """
    strategy_of(watched.view["table"]["game"], strength)
    if _seat(watched) is None:
        await client.request("take_seat", table=watched.table, key=watched.key)
        await client.request("ready", table=watched.table, ready=True)
    while (seat := _seat(watched)) is None:
        await _next_change(watched)
    report(f"Playing on seat {seat} as {watched.view['seats'][seat]['name']}.")
    while watched.view["table"]["phase"] != "over":
        if not await _act(client, watched, strength, pause):
            await _next_change(watched)


async def _act(client: Client, watched: WatchedTable, strength: str, pause: float) -> bool:
    """Send what the view asks for; return False if it asks for nothing."""
    view, prompt, number = watched.view, watched.prompt, watched.number
    seat = _seat(watched)
    if seat is None:
        return False
    chair = view["seats"][seat]
    try:
        if chair["stand_in"] and not chair["resigned"]:
            await client.request("return_to_seat", table=watched.table)
        elif prompt is None:
            return False
        else:
            command, _ = await asyncio.gather(asyncio.to_thread(_choose, view, strength), asyncio.sleep(pause))
            await client.request("decide", table=watched.table, decision=prompt[0], command=command)
    except RequestRefused as refused:
        if refused.code not in _OUTDATED:
            raise
    # The reply arrives before the update that shows its effect.
    while watched.number == number:
        await _next_change(watched)
    return True


def _choose(view: dict[str, Any], strength: str) -> dict[str, Any]:
    question = read_question(question_from_view(view))
    choice = strategy_of(question.game, strength).choose(question, Random(), SEARCH_SECONDS[strength])  # noqa: S311
    return to_json(choice.command)


def _seat(watched: WatchedTable) -> int | None:
    seat: int | None = watched.view["mine"]
    return seat


async def _next_change(watched: WatchedTable) -> None:
    watched.changed.clear()
    await watched.changed.wait()
