"""Every game that ends is in the index once, with its ratings, however often servers are killed meanwhile.

The number of kills comes from the environment variable INDEX_KILLS: a few in the normal tests, 200 with
`make index-kills`. KILL_SEED repeats the schedule of another run.
"""

from __future__ import annotations

import os
import time

import pytest

from tests.faults.index_kills import run
from tests.faults.kill_schedule import Backend

KILLS = int(os.environ.get("INDEX_KILLS", "4"))
SEED = int(os.environ.get("KILL_SEED", "7"))


@pytest.mark.parametrize("backend", ["file", "redis"])
async def test_the_index_is_right_however_often_servers_are_killed_while_games_end(backend: Backend) -> None:
    began = time.monotonic()
    report = await run(backend, KILLS // 2, SEED)
    seconds = time.monotonic() - began
    print(f"\n{backend}, seed {SEED}, {seconds:.0f} s: {report}")  # noqa: T201 - output of the long run
    assert report.kills.total() >= KILLS // 2
    assert report.games
