"""Games in which standing orders answer are verified like any other."""

from __future__ import annotations

import pytest

from protocol import messages
from server.fairness.findings import result_of
from server.fairness.transcript import transcript_of
from server.fairness.verify import verify
from server.games.registry import GAMES
from server.tables.events import OrderUsed
from tests.fairness.played_tables import PlayedTable
from tests.games.ordering import random_order


@pytest.mark.parametrize("title", GAMES)
def test_a_game_with_orders_is_verified(title: str) -> None:
    table = PlayedTable(1, title)
    table.begin(people=len(table.state.chairs), contributors=1)
    used = 0
    for _ in range(400):
        play = table.state.play
        if play is None or table.state.phase == "over":
            break
        seat = table.rng.choice(table.state.awaited())
        mine = table.state.orders.get(seat)
        given = [order for _ in range(3) if (order := random_order(GAMES[title], play, table.rng)) is not None]
        revision = 0 if mine is None else mine.revision
        table.ask(seat, messages.SetOrders, revision=revision, orders=given, seed=table.rng.choice((None, "5a" * 32)))
        before = len(table.entries)
        # The pause begins when the table looks at its clocks.
        table.wait(0)
        table.wait(2)
        used += len(table.entries) - before
        if table.state.phase != "over" and table.state.play is play:
            table.answer(seat)
    table.abandon()
    assert used > 10
    transcript = transcript_of(table.export())
    assert result_of(verify(transcript)) == "verified"
    assert OrderUsed.name not in str(transcript)
    assert "orders_set" not in str(transcript)
