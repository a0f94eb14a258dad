"""Games that are recorded as one seat receives them, so that each build of the client is shown the same messages."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from protocol.client import Client, socket_url
from tests.gateway.process import ServerProcess
from tests.scenarios.people import UNLIMITED, all_play, choose_by_number, guest_token, open_table

Message = dict[str, Any]

GAMES = {"investors": 5, "planners": 4, "builders": 4}
"""Each game with its most seats."""


class Recording(NamedTuple):
    """The end of a game as seat 0 saw it: a view, the updates after it, and the whole log."""

    table: str
    welcome: Message
    view: Message
    updates: list[Message]
    log: list[Message]


async def record(game: str, updates: int) -> Recording:
    """Play a game against bots, and return it from so many updates before its end."""
    with tempfile.TemporaryDirectory(prefix="frames-") as folder:
        server = ServerProcess(Path(folder), *UNLIMITED)
        try:
            return await _record(server.http, game, updates)
        finally:
            server.end()


async def _record(http: str, game: str, count: int) -> Recording:
    welcomes: list[Message] = []
    seen: list[tuple[Message, Message]] = []
    """Each update, and the view after it."""

    def note(message: Message) -> None:
        if message["type"] == "welcome":
            welcomes.append(message)
        elif message["type"] == "update":
            seen.append((message, client.tables[message["table"]].view))

    client = Client(socket_url(http), guest_token(http), on_message=note)
    async with client:
        table = await open_table([client], game, GAMES[game])
        await all_play([client], table, choose_by_number(3), seconds=600)
        log = await client.read_log(table)
    running = [
        (update, view) for update, view in seen if view["table"]["phase"] == "running" and view["play"]["decision"]
    ]
    update, view = running[-count - 1]
    first = {
        "type": "view",
        "table": table,
        "number": update["number"],
        "stamp": update["stamp"],
        "view": view,
        "elapsed": 0,
        "missed": None,
        "chat": [],
    }
    return Recording(table, welcomes[0], first, [update for update, _ in running[-count:]], log)
