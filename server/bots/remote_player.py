"""A bot that plays over the network: an ordinary user of any server, with nothing but the public protocol."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

from protocol.client import Client, RequestRefused, WatchedTable
from server.bots.question import question_from_view, read_question
from server.bots.registry import strategy_of
from server.bots.strategy import Style
from server.bots.think_time import SEARCH_SECONDS
from server.games.engine.serialization import to_json

_OUTDATED = ("stale_decision", "not_awaited", "paused", "not_stood_in", "game_over")
"""Codes of refusals that only mean that the view has changed meanwhile: the next view says what to do instead."""


class BotPlayer(NamedTuple):
    """The strength and the style of a bot."""

    strength: str
    style: Style | None


async def play_table(
    client: Client, watched: WatchedTable, bot: BotPlayer, pause: float, report: Callable[[str], None]
) -> None:
    """Take a seat at a watched table, unless the client has one there, and play until the game is over.

    Raise `RequestRefused` if there is no free seat, and `UnknownStrength` if the game has no bot of this strength.
    """
    strategy_of(watched.view["table"]["game"], bot.strength)
    if _seat(watched) is None:
        await client.request("take_seat", table=watched.table, key=watched.key)
        await client.request("ready", table=watched.table, ready=True)
    while (seat := _seat(watched)) is None:
        await _next_change(watched)
    report(f"Playing on seat {seat} as {watched.view['seats'][seat]['name']}.")
    while watched.view["table"]["phase"] != "over":
        if not await _act(client, watched, bot, pause):
            await _next_change(watched)


async def _act(client: Client, watched: WatchedTable, bot: BotPlayer, pause: float) -> bool:
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
            command, _ = await asyncio.gather(asyncio.to_thread(_choose, view, bot), asyncio.sleep(pause))
            await client.request("decide", table=watched.table, decision=prompt[0], command=command)
    except RequestRefused as refused:
        if refused.code not in _OUTDATED:
            raise
    # The reply arrives before the update that shows its effect.
    while watched.number == number:
        await _next_change(watched)
    return True


def _choose(view: dict[str, Any], bot: BotPlayer) -> dict[str, Any]:
    question = read_question(question_from_view(view, bot.style))
    strategy, seconds = strategy_of(question.game, bot.strength), SEARCH_SECONDS[bot.strength]
    choice = strategy.choose(question, Random(), seconds)  # noqa: S311 (no secrets)
    return to_json(choice.command)


def _seat(watched: WatchedTable) -> int | None:
    seat: int | None = watched.view["mine"]
    return seat


async def _next_change(watched: WatchedTable) -> None:
    watched.changed.clear()
    await watched.changed.wait()
