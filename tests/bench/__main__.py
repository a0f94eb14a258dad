"""Run benchmarks: progress to standard error, tables to standard output, all figures to .bench/results."""

from __future__ import annotations

import argparse
import json
import os
import platform
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.bench import (
    accelerated,
    bots,
    cluster,
    connections,
    decisions,
    document,
    human,
    live,
    memory,
    replay,
    rules,
    scaling,
    tables,
)
from tests.bench.builds import PLAIN, VARIABLE, runs_plain
from tests.bench.goals import goals
from tests.bench.measurement import FULL, QUICK, Effort, Report
from tests.bench.peers import node_folder
from tests.bench.processes import ROOT

BENCHES: dict[str, Callable[[Effort], Report]] = {
    "human": human.run,
    "tables": tables.run,
    "connections": connections.run,
    "scaling": scaling.run,
    "memory": memory.run,
    "rules": rules.run,
    "replay": replay.run,
    "decisions": decisions.run,
    "accelerated": accelerated.run,
    "live": live.run,
    "bots": bots.run,
    "cluster": cluster.run,
}
"""By name. A new benchmark is a module with a function `run`, and a line here."""

RESULTS = ROOT / ".bench" / "results"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"benchmarks to run: {', '.join(BENCHES)} (default: all)"
    )
    parser.add_argument("--quick", action="store_true", help="measure briefly, only to see that everything runs")
    parser.add_argument(
        "--write", action="store_true", help="write the newest results to BENCHMARKS.md without measuring"
    )
    parser.add_argument("--accelerated", metavar="FOLDER", help="of an accelerated build (default: compile one)")
    args = parser.parse_args(arguments)
    unknown = [name for name in args.names if name not in BENCHES]
    if unknown:
        parser.error(f"there is no benchmark {unknown[0]!r}; there are {', '.join(BENCHES)}")
    if args.write:
        results = document.merged(RESULTS, with_quick=args.quick)
        document.write(results)
        print(f"Written to {document.DOCUMENT.name}: {', '.join(results) or 'nothing'}", file=sys.stderr)
        return 0
    effort = replace(QUICK if args.quick else FULL, accelerated=args.accelerated)
    return measure(args.names or list(BENCHES), effort)


def measure(names: list[str], effort: Effort) -> int:
    """Run these benchmarks and return an exit code; a benchmark that fails does not stop the others."""
    # Clean up the server processes on SIGTERM as on Ctrl-C.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    started, is_quick = datetime.now(UTC), not effort.is_full
    reports: dict[str, Report] = {}
    failed: list[str] = []
    for number, name in enumerate(names, start=1):
        print(f"Measuring: {name} ({number} of {len(names)})", file=sys.stderr)
        start = time.monotonic()
        try:
            report = BENCHES[name](effort)
        except Exception:  # noqa: BLE001 - keep the results of the other benchmarks
            traceback.print_exc()
            failed.append(name)
            continue
        report.notes.append(f"Measuring took {time.monotonic() - start:,.0f} seconds.")
        reports[name] = report
        print(report.text(), flush=True)
        path = saved(reports, started, is_quick=is_quick)
    if reports:
        goal_report = goals({name: report.figures for name, report in reports.items()})
        if goal_report.figures:
            print(goal_report.text())
        print(f"All figures: {path}", file=sys.stderr)
    if failed:
        print(f"These failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def saved(reports: dict[str, Report], started: datetime, *, is_quick: bool) -> Path:
    """Write all figures to the file of this run and return its path."""
    content = {
        "time": started.isoformat(timespec="seconds"),
        "quick": is_quick,
        **_machine(),
        "benchmarks": {name: report.to_json() for name, report in reports.items()},
    }
    RESULTS.mkdir(parents=True, exist_ok=True)
    path = RESULTS / f"{started:%Y%m%dT%H%M%SZ}.json"
    path.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n")
    return path.relative_to(ROOT)


def _machine() -> dict[str, Any]:
    """Return a general description of the machine."""
    try:
        node = subprocess.run([node_folder() / "node", "--version"], check=True, capture_output=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError):
        node = ""
    return {
        "system": f"{platform.system()} on {platform.machine()}",
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "node": node.strip().lstrip("v"),
    }


if __name__ == "__main__":
    if not runs_plain(os.environ):
        # This process has imported the accelerated build already.
        command = [sys.executable, "-m", "tests.bench", *sys.argv[1:]]
        os.execve(sys.executable, command, os.environ | {VARIABLE: PLAIN})  # noqa: S606 - the same program again
    sys.exit(main())
