"""Runs benchmarks: progress to standard error, tables to standard output, all figures to .bench/results."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from tests.bench import bots, fleet, live, replay, rules
from tests.bench.measuring import FULL, QUICK, Effort, Report
from tests.bench.processes import ROOT

BENCHES: dict[str, Callable[[Effort], Report]] = {
    "rules": rules.run,
    "replay": replay.run,
    "live": live.run,
    "bots": bots.run,
    "fleet": fleet.run,
}
"""Each by its name. A new benchmark is a module with a function like these, and a line here."""

RESULTS = ROOT / ".bench" / "results"


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which ones: {', '.join(BENCHES)} (default: all)")
    parser.add_argument("--quick", action="store_true", help="measure briefly; such figures only show that it runs")
    asked = parser.parse_args(arguments)
    unknown = [name for name in asked.names if name not in BENCHES]
    if unknown:
        parser.error(f"there is no benchmark {unknown[0]!r}; there are {', '.join(BENCHES)}")
    reports = {}
    for name in asked.names or BENCHES:
        print(f"Measuring: {name}", file=sys.stderr)
        reports[name] = BENCHES[name](QUICK if asked.quick else FULL)
        print(reports[name].text())
    print(f"All figures: {saved(reports, is_quick=asked.quick)}", file=sys.stderr)


def saved(reports: dict[str, Report], *, is_quick: bool) -> Path:
    """Write all figures to a new file and give its path."""
    now = datetime.now(UTC)
    content = {
        "time": now.isoformat(timespec="seconds"),
        "quick": is_quick,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "benchmarks": {name: report.figures for name, report in reports.items()},
    }
    RESULTS.mkdir(parents=True, exist_ok=True)
    path = RESULTS / f"{now:%Y%m%dT%H%M%SZ}.json"
    path.write_text(json.dumps(content, indent=2) + "\n")
    return path.relative_to(ROOT)


if __name__ == "__main__":
    main()
