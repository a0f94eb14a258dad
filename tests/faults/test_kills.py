"""No confirmed decision is lost or applied twice, however often servers, workers and Redis are killed.

The number of kills comes from the environment variable KILLS: a few in the normal tests, thousands with `make faults`.
KILL_SEED repeats the schedule of another run.
"""

from __future__ import annotations

import os
import time
from itertools import islice

from tests.faults.kill_run import run_in_this_process, run_kills, table
from tests.faults.kill_schedule import schedule

KILLS = int(os.environ.get("KILLS", "10"))
SEED = int(os.environ.get("KILL_SEED", "7"))
FEW = 50
"""So many kills take no processes of their own."""


def show(line: str) -> None:
    print(line, flush=True)  # noqa: T201 - output of the long run


async def test_a_server_killed_at_any_moment_loses_nothing_and_doubles_nothing() -> None:
    began = time.monotonic()
    reports = await (run_in_this_process(KILLS, SEED) if KILLS <= FEW else run_kills(KILLS, SEED, show))
    show(f"\nseed {SEED}, {time.monotonic() - began:.0f} s")
    for line in table(reports):
        show(line)
    failures = [failure for report in reports for failure in report.failures]
    assert not failures, "\n".join(failures)
    assert sum(report.kills.total() for report in reports) >= KILLS
    assert all(report.counts["games"] for report in reports)


def test_a_seed_repeats_its_schedule() -> None:
    first, again, other = (list(islice(schedule("redis", 3, seed), 100)) for seed in ("7/0", "7/0", "8/0"))
    assert first == again
    assert first != other
