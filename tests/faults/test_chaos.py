"""Several workers and Redis, killed, frozen, stopped and disconnected: no confirmed decision is lost or applied twice.

The number of faults comes from the environment variable FAULTS: a few in the normal tests, hundreds with `make chaos`.
"""

from __future__ import annotations

import os
import signal
from itertools import count
from math import ceil
from pathlib import Path

import pytest

from tests.faults.chaos import failover_seconds, play_through_chaos
from tests.faults.kills import check
from tests.scenarios.people import choose_by_number

FAULTS = int(os.environ.get("FAULTS", "5"))
TABLES = 3
TAKE_OVERS = int(os.environ.get("TAKE_OVERS", "1"))


async def test_games_go_on_through_everything(tmp_path_factory: pytest.TempPathFactory) -> None:
    faults = 0
    for seed in count(3):
        folder = tmp_path_factory.mktemp("chaos")
        report, played = await play_through_chaos(folder, 3, TABLES, FAULTS - faults, seed)
        faults += report.faults.total()
        print(  # noqa: T201 - output of the long run
            f"{faults} faults so far, in these {TABLES} games {dict(report.faults)}, {report.reconnects} reconnects "
            f"and {report.accepted.total()} decisions accepted"
        )
        for number, (state, steps) in enumerate(played):
            check(state, steps, report.accepted[state.id], choose_by_number(number))
        if faults >= FAULTS or not report.faults:
            break


def p99(values: list[float]) -> float:
    return sorted(values)[ceil(0.99 * len(values)) - 1]


@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGTERM])
async def test_another_worker_takes_over(sign: signal.Signals, tmp_path: Path) -> None:
    waits = await failover_seconds(tmp_path, sign, TAKE_OVERS)
    goal = {signal.SIGKILL: 2, signal.SIGTERM: 1}[sign]
    print(  # noqa: T201 - output of the long run
        f"{sign.name}: p99 {p99(waits):.2f} s of {len(waits)} take-overs, where {goal} s is the goal: "
        + " ".join(f"{wait:.2f}" for wait in sorted(waits))
    )
    assert max(waits) < 30, "no worker took over"
