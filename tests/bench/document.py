"""BENCHMARKS.md: writes the newest results between its markers, and leaves the text around them alone.

The two plots that it begins with are files beside the other documents.

A block begins with `<!-- begin NAME -->` and ends with `<!-- end NAME -->`; NAME is the name of a benchmark.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.bench.goals import goals
from tests.bench.plots import plots
from tests.bench.processes import ROOT
from tests.bench.summary import summary

DOCUMENT = ROOT / "BENCHMARKS.md"
PLOTS = ROOT / "docs" / "benchmarks"
GOALS, SUMMARY = "goals", "summary"

Results = Mapping[str, Any]


def merged(folder: Path, *, with_quick: bool) -> dict[str, Results]:
    """Return the newest results by the name of the benchmark, with the machine and the time beside the report."""
    newest: dict[str, Results] = {}
    for path in sorted(folder.glob("*.json")):
        written = json.loads(path.read_text())
        if written["quick"] and not with_quick:
            continue
        about = {key: value for key, value in written.items() if key != "benchmarks"}
        newest |= {name: {**report, "about": about} for name, report in written["benchmarks"].items()}
    return newest


def filled(text: str, results: Mapping[str, Results]) -> str:
    """Return the document with the results filled in; a block without results stays as it is."""
    blocks = {name: _block(report, report["about"]) for name, report in results.items()}
    if results:
        figures = {name: report["figures"] for name, report in results.items()}
        blocks[SUMMARY] = "\n".join(f"- {sentence}" for sentence in summary(figures))
        goal_report = goals(figures)
        blocks[GOALS] = _block(goal_report.to_json(), max((report["about"] for report in results.values()), key=_time))

    def block(found: re.Match[str]) -> str:
        name = found[1]
        return f"<!-- begin {name} -->\n{blocks[name]}\n<!-- end {name} -->" if name in blocks else found[0]

    return re.sub(r"<!-- begin (\w+) -->\n.*?<!-- end \1 -->", block, text, flags=re.DOTALL)


def write(results: Mapping[str, Results], document: Path = DOCUMENT, folder: Path = PLOTS) -> None:
    """Write the results to the document, and draw its plots anew."""
    document.write_text(filled(document.read_text(), results))
    folder.mkdir(exist_ok=True)
    for name, text in plots({name: report["figures"] for name, report in results.items()}).items():
        (folder / name).write_text(text)


def _time(about: Results) -> str:
    return str(about["time"])


def _block(report: Results, about: Results) -> str:
    brief = " Measured briefly: such figures only show that it runs." if about["quick"] else ""
    notes = [f"- {note}" for note in report["notes"]]
    return "\n".join(["", _table(report["rows"]), "", *notes, "", f"{_machine(about)}{brief}", ""])


def _machine(about: Results) -> str:
    node = f", Node {about['node']}" if about.get("node") else ""
    day = about["time"].partition("T")[0]
    return f"*{day}: {about['cores']} cores, {about['system']}, Python {about['python']}{node}.*"


def _table(rows: Sequence[Sequence[str]]) -> str:
    head, *rest = rows
    lines = [_line(head), "|" + "---|" + "---:|" * (len(head) - 1)]
    for name, *figures in rest:
        is_title = len(figures) > 1 and not any(figures)
        lines.append(_line([f"**{name}**" if is_title else name.strip(), *figures]))
    return "\n".join(lines)


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
