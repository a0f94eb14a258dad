"""Answers that have no alternative, at a table: given by the server in new games, asked for in games from before."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import pytest

from server.games.engine.game import Game
from server.games.registry import GAMES
from server.model import Done
from tests.games.engine.test_forced import forcing
from tests.games.toys import AUCTION
from tests.tables.table_server import TableServer
from tests.tables.virtual_time import in_virtual_time


@in_virtual_time
async def test_a_new_table_does_not_ask_for_the_only_possible_answer() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben", game="planners")
    assert server.state(table).play.decision.kind == "lay", "no column can be taken, so a project was drawn"
    await server.registry.close()


@in_virtual_time
async def test_a_table_that_was_opened_before_goes_on_asking(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "planners", replace(GAMES["planners"], rules_version=1))
    server = TableServer()
    table = await server.begin("ann", "ben", game="planners")
    monkeypatch.undo()
    await server.restart()
    await server.watch("ann", table)
    state = server.state(table)
    assert state.play.decision.kind == "turn"
    first = ("ann", "ben")[state.awaited()[0]]
    await server.do(first, "decide", table, decision=1, command={"do": "draw"})
    await server.do(first, "decide", table, decision=2, command={"do": "lay", "column": 0})
    assert server.state(table).play.decision.kind == "turn"
    await server.registry.close()


@pytest.mark.parametrize("is_shown", [True, False], ids=["shown", "not shown"])
@in_virtual_time
async def test_a_forced_seat_is_not_awaited_in_a_sealed_decision(
    is_shown: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    forced = replace(forcing(cast("Game[Any]", AUCTION), ["bid"], [1]), rules_version=2)
    monkeypatch.setitem(GAMES, "auction", forced)
    server = TableServer()
    table = await server.begin("ann", "ben", "cat", show_decided=is_shown, clock={"kind": "decision", "seconds": 10})
    await server.restart()
    pat, ben = await server.watch("pat", table), await server.watch("ben", table)
    assert server.state(table).awaited() == (0, 2)
    assert pat.decision["awaited"] == ([0, 2] if is_shown else [0, 1, 2])
    assert ben.decision["answer"] == {"do": "sit"}
    for name in ("ann", "cat"):
        assert isinstance(await server.bid(name, table, -1), Done)
    assert "bids_revealed" in [event["event"] for event in pat.events]
    await server.registry.close()
