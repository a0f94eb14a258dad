"""Finished games in the store of a `TableServer`: each is played once, and then copied."""

from __future__ import annotations

import json
import random
from typing import Any

from server.store.api import TableCopy
from tests.tables.table_server import PatientBots, TableServer, pass_time

_COPIES: dict[str, TableCopy] = {}


async def with_finished_game(game: str, **settings: Any) -> tuple[TableServer, str]:
    """Return a server that has the table of a game that ann, ben and a bot have played to its end."""
    name = json.dumps([game, settings])
    server = TableServer(bots=PatientBots(0))
    if name not in _COPIES:
        table = await _played(server, game, **settings)
        await server.restart()
        copy = await server.store.copy(table)
        assert copy is not None
        _COPIES[name] = copy
        return server, table
    await server.store.restore(_COPIES[name])
    return server, _COPIES[name].table


async def _played(server: TableServer, game: str, **settings: Any) -> str:
    table = await server.create("ann", game=game, seats=3, absence_seconds=None, **settings)
    await server.seat(table, "ben")
    await server.do("ann", "add_bot", table)
    await server.do("ann", "say", table, text="to all")
    await server.do("ann", "start", table)
    await server.do("ann", "say", table, text="to the players")
    rng = random.Random(6)
    while (state := server.state(table)).phase != "over":
        for name in ("ann", "ben"):
            seat = server.state(table).seat_of(name)
            if seat in server.state(table).awaited():
                await server.play_on(table, name, rng)
                if rng.random() < 0.1:
                    # Refused where nothing can be undone.
                    await server.ask(name, "undo", table, decision=server.state(table).play.number)
        if state.play is server.state(table).play:
            await pass_time(0.01)
    await server.do("ann", "play_again", table)
    return table
