"""Nothing that was confirmed is lost, and nothing happens twice, however often the server is killed.

The number of kills comes from the environment variable KILLS: a few in the normal tests, hundreds with `make faults`.
"""

from __future__ import annotations

import os
from pathlib import Path

from tests.e2e.people import by_number
from tests.faults.kills import play_while_killing, undisturbed

KILLS = int(os.environ.get("KILLS", "10"))
TABLES = 3


async def test_a_server_killed_at_any_moment_loses_nothing_and_doubles_nothing(tmp_path: Path) -> None:
    report, tables = await play_while_killing(tmp_path, TABLES, KILLS, seed=7)
    print(f"{report.kills} kills, {report.reconnects} reconnects, {report.granted.total()} decisions granted")  # noqa: T201
    assert report.kills >= min(KILLS, 5)
    for number, (state, steps) in enumerate(tables):
        assert steps == report.granted[state.id]
        assert state.play is not None
        expected = undisturbed(state, by_number(number))
        assert state.play.state == expected.state
        assert state.play.number == expected.number
