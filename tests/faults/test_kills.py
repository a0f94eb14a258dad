"""No confirmed decision is lost or applied twice, however often the server is killed.

The number of kills comes from the environment variable KILLS: a few in the normal tests, hundreds with `make faults`.
"""

from __future__ import annotations

import os
from itertools import count

import pytest

from server.tables.state import TableState
from tests.faults.kills import play_while_killing, replay_without_server
from tests.scenarios.people import Choose, choose_by_number

KILLS = int(os.environ.get("KILLS", "10"))
TABLES = 3


async def test_a_server_killed_at_any_moment_loses_nothing_and_doubles_nothing(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    kills, tables = 0, 0
    for seed in count(7):
        report, played = await play_while_killing(tmp_path_factory.mktemp("kills"), TABLES, KILLS - kills, seed)
        kills, tables = kills + report.kills, tables + len(played)
        print(  # noqa: T201 - output of the long run
            f"{kills} kills and {tables} games so far; in these {TABLES} games {report.reconnects} reconnects "
            f"and {report.accepted.total()} decisions accepted"
        )
        assert report.kills > 0
        for number, (state, steps) in enumerate(played):
            check(state, steps, report.accepted[state.id], choose_by_number(number))
        if kills >= KILLS:
            break


def check(state: TableState, steps: int, accepted: int, choose: Choose) -> None:
    """Assert that every accepted decision is in the log once, and that the game ended as without kills."""
    assert steps == accepted
    assert state.play is not None
    expected = replay_without_server(state, choose)
    assert state.play.state == expected.state
    assert state.play.number == expected.number
