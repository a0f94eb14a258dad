"""A long run of kills: several lanes in processes of their own, with progress and a table at the end.

`python -m tests.faults.kill_run BACKEND LANE KILLS SEED` runs one lane and prints its report as a line of JSON whenever
it has changed; `run_kills` starts these processes and sums their reports.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, cast

from tests.faults.kill_lanes import Lane, LaneReport
from tests.faults.kill_schedule import Backend
from tests.gateway.process import ROOT

LANES: Sequence[tuple[Backend, int]] = (("file", 0), ("redis", 0), ("file", 1), ("redis", 1), ("redis", 2))
"""The lanes of a long run. Half of the kills are for each backend."""

PROGRESS_SECONDS = 10.0
REPORT_BYTES = 1 << 24


def shares(kills: int, lanes: Sequence[tuple[Backend, int]]) -> list[int]:
    """Return the number of kills of each lane."""
    result = []
    for backend, _ in lanes:
        same = [lane for lane in lanes if lane[0] == backend]
        result.append(round(kills / (len({name for name, _ in lanes}) * len(same)) + 0.5))
    return result


async def run_in_this_process(kills: int, seed: int) -> list[LaneReport]:
    """Run one lane for each backend."""
    lanes: list[tuple[Backend, int]] = [("file", 0), ("redis", 0)]
    running = [Lane(backend, number, seed) for backend, number in lanes]
    try:
        return await asyncio.gather(
            *(lane.run(share) for lane, share in zip(running, shares(kills, lanes), strict=True))
        )
    finally:
        for lane in running:
            lane.close()


async def run_kills(kills: int, seed: int, show: Callable[[str], None]) -> list[LaneReport]:
    """Run all lanes in processes of their own, and show their progress."""
    began = time.monotonic()
    reports = [LaneReport(backend, number) for backend, number in LANES]
    processes = [
        await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.faults.kill_run", backend, str(number), str(share), str(seed)),
            cwd=ROOT,
            stdout=asyncio.subprocess.PIPE,
            limit=REPORT_BYTES,
        )
        for (backend, number), share in zip(LANES, shares(kills, LANES), strict=True)
    ]

    async def read(place: int) -> None:
        output = processes[place].stdout
        assert output is not None
        async for line in output:
            reports[place] = _report(json.loads(line))
        if await processes[place].wait() != 0:
            reports[place].failures.append("the process of the lane has failed")

    async def show_progress() -> None:
        while True:
            await asyncio.sleep(PROGRESS_SECONDS)
            total = sum(report.kills.total() for report in reports)
            failures = sum(len(report.failures) for report in reports)
            show(f"{total} of {kills} kills after {time.monotonic() - began:.0f} s, {failures} failures")

    progress = asyncio.create_task(show_progress())
    try:
        await asyncio.gather(*(read(place) for place in range(len(LANES))))
    finally:
        progress.cancel()
        for process in processes:
            if process.returncode is None:
                process.kill()
                await process.wait()
    return reports


def table(reports: Sequence[LaneReport]) -> list[str]:
    """Return the lines of a table: kills by backend and kind, then everything else that was counted."""
    backends = sorted({report.backend for report in reports})
    kills = {backend: _sum(report.kills for report in reports if report.backend == backend) for backend in backends}
    counts = {backend: _sum(report.counts for report in reports if report.backend == backend) for backend in backends}
    for report in reports:
        counts[report.backend]["failures"] += len(report.failures)
        counts[report.backend] += Counter({f"warning: {name}": n for name, n in report.warnings.items()})
    kinds = sorted({kind for counter in kills.values() for kind in counter})
    names = sorted({name for counter in counts.values() for name in counter} | {"failures"})
    rows: list[tuple[str, Sequence[int]]] = [
        *((f"killed {kind}", [kills[backend][kind] for backend in backends]) for kind in kinds),
        ("kills", [kills[backend].total() for backend in backends]),
        *((name, [counts[backend][name] for backend in backends]) for name in names),
    ]
    lines = ["".join([f"{'':32}", *(f"{name:>10}" for name in (*backends, "together"))])]
    return lines + ["".join([f"{name:32}", *(f"{n:>10}" for n in (*row, sum(row)))]) for name, row in rows]


def _sum(counters: Any) -> Counter[str]:
    return sum(counters, Counter())


def _report(fields: dict[str, Any]) -> LaneReport:
    counters = {name: Counter(fields[name]) for name in ("kills", "counts", "warnings")}
    return LaneReport(**(fields | counters))


async def main(backend: str, lane: str, kills: str, seed: str) -> None:
    """Run one lane, and print its reports."""

    def show(report: LaneReport) -> None:
        print(report.to_json(), flush=True)  # noqa: T201 - the starting process reads it

    running = Lane(cast("Backend", backend), int(lane), int(seed), show)
    try:
        report = await running.run(int(kills))
    finally:
        running.close()
    left = asyncio.all_tasks() - {asyncio.current_task()}
    report.failures += [f"a client left a task behind: {task}" for task in left]
    show(report)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
