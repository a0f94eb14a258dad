"""Results are compared with the goals, and written into the document."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.bench import document
from tests.bench.__main__ import BENCHES
from tests.bench.accelerated import HARD_BOTS, WHOLE_MOVE
from tests.bench.contestants import BOARDGAME_IO, COLYSEUS, RAW, REAL, TRIVIAL
from tests.bench.goals import goals
from tests.bench.measurement import Report


def rounds(cpu: list[float], **more: list[Any]) -> dict[str, list[Any]]:
    waits = {"paced_p99": [None] * len(cpu)}
    return {"numbers": list(range(len(cpu))), "microseconds_per_delivery": cpu, **waits, **more}


TABLES = {
    "watched": {
        "tables": 50,
        "spectators": 16,
        "contestants": {
            # The machine was ten times slower in the second round, for all alike.
            RAW: rounds([5.0, 50.0, 5.0]),
            TRIVIAL: rounds([6.0, 60.0, 5.5], paced_p99=[2.0, 20.0, 2.0]),
            REAL: rounds(
                [20.0, 200.0, 20.0],
                deliveries_per_second=[25.0, 2.5, 25.0],
                moves_per_second=[900.0, 90.0, 950.0],
                update_bytes=[270, 270, 270],
            ),
            COLYSEUS: rounds([8.0, 80.0, 8.0], paced_p99=[1.0, None, 2.0]),
            BOARDGAME_IO: rounds([60.0, 600.0, 60.0], deliveries_per_second=[10.0, 1.0, 10.0]),
        },
    }
}


def marks_by_goal(report: Report) -> dict[str, list[str]]:
    return {row[0]: row[1:] for row in report.rows[1:]}


def test_goals_are_ratios_of_the_same_round() -> None:
    assert marks_by_goal(goals({"tables": TABLES})) == {
        "T=50 S=16: durable moves per second of a core": ["900", "≥ 2,200", "≥ 3,000", "not met"],
        "T=50 S=16: CPU per delivery, trivial game by raw uvloop": ["1.2×", "≤ 1.9×", "≤ 1.5×", "moonshot met"],
        "T=50 S=16: CPU per delivery, Colyseus by our trivial game": ["1.33×", "≥ 1×", "≥ 1.3×", "moonshot met"],
        "T=50 S=16: deliveries per second, Investors durable by boardgame.io's trivial game": [
            *("2.5×", "≥ 2.2×", "≥ 3×", "first met")
        ],
        "Investors: an update, median": ["270 bytes", "≤ 400 bytes", "", "met"],
    }


def test_the_human_pace_is_compared_at_the_same_number_of_tables() -> None:
    def cpu(*microseconds: float) -> dict[str, list[Any]]:
        return {"numbers": list(range(len(microseconds))), "microseconds_per_move": [*microseconds]}

    few = {REAL: cpu(1.2, 12.0), BOARDGAME_IO: cpu(2.0, 20.0), TRIVIAL: cpu(0.7, 7.0), COLYSEUS: cpu(0.5, 5.0)}
    measured = {
        "few": {"tables": 200, "contestants": few},
        "resting": {"tables": 1_000, "contestants": {REAL: {"rest_share": [0.015]}}},
        "limit": {REAL: {"tables": 5_500}},
    }
    assert marks_by_goal(goals({"human": measured})) == {
        "human pace, 200 tables: CPU per move, Investors durable by boardgame.io": [
            *("0.6×", "≤ 0.75×", "≤ 0.5×", "first met")
        ],
        "human pace, 200 tables: CPU per move, trivial game by Colyseus": ["1.4×", "≤ 1.1×", "≤ 0.8×", "not met"],
        "human pace: durable tables of one core, 70% of it, p99 50 ms": ["5,500", "≥ 5,000", "≥ 8,000", "first met"],
        "at rest: 1,000 tables with 4,000 connections": [
            *("1.5 % of a core", "≤ 2 % of a core", "≤ 1 % of a core", "first met")
        ],
    }


def test_the_accelerated_build_has_figures_of_its_own() -> None:
    rules = {name: {"ratio_by_cpu_time": {"median": 4.5}} for name in ("investors", "investors, accelerated")}
    by_plain = {name: {"median": 1.5} for name in (WHOLE_MOVE, f"{HARD_BOTS}, investors")}
    report = goals({"rules": rules, "accelerated": by_plain})
    assert [row[-1] for row in report.rows[1:]] == ["moonshot met", "not met", "first met", "first met"]
    assert report.notes == ["3 of 4 figures are met, and 1 of 4 moonshots."]


def test_a_round_that_failed_is_compared_with_nothing() -> None:
    contestants = {RAW: rounds([5.0, 50.0, 5.0]), TRIVIAL: {**rounds([60.0, 6.0]), "numbers": [1, 2]}}
    measured = {"watched": {"tables": 50, "spectators": 16, "contestants": contestants}}
    (row,) = goals({"tables": measured}).rows[1:]
    assert row[1] == "1.2×"


def test_a_move_must_not_cost_more_for_how_long_a_game_has_lasted() -> None:
    sizes = {"10": {"microseconds_per_move": [100.0, 200.0]}, "3000": {"microseconds_per_move": [150.0, 300.0]}}
    (row,) = goals({"scaling": {"moves before": sizes}}).rows[1:]
    assert row == ["CPU per move: 3,000 moves before, by 10", "1.5×", "≤ 1.3×", "", "not met"]


def test_what_was_not_measured_is_no_goal() -> None:
    assert goals({}).rows == [["", "figure", "first", "moonshot", ""]]
    assert goals({"rules": {"investors": {"per_cpu_second": {"median": 1.0}}}}).figures == {}


def results(time: str, *, quick: bool, **figures: str) -> str:
    benchmarks = {
        name: Report(name, [["", "a", "b"], ["part", "", ""], ["  x", figure, "1"]], ["So."]).to_json()
        for name, figure in figures.items()
    }
    about = {"time": time, "quick": quick, "system": "Linux on a board", "cores": 2, "python": "3", "node": "20"}
    return json.dumps({**about, "benchmarks": benchmarks})


def test_the_newest_results_are_written_between_their_markers(tmp_path: Path) -> None:
    (tmp_path / "1.json").write_text(results("2030-01-01T00:00", quick=False, rules="old", replay="kept"))
    (tmp_path / "2.json").write_text(results("2030-01-02T00:00", quick=False, rules="new"))
    (tmp_path / "3.json").write_text(results("2030-01-03T00:00", quick=True, rules="brief"))
    text = "Words.\n<!-- begin rules -->\n?\n<!-- end rules -->\n<!-- begin live -->\n?\n<!-- end live -->\nMore."
    written = document.filled(text, document.merged(tmp_path, with_quick=False))
    assert written.splitlines() == [
        "Words.",
        "<!-- begin rules -->",
        "",
        "|  | a | b |",
        "|---|---:|---:|",
        "| **part** |  |  |",
        "| x | new | 1 |",
        "",
        "- So.",
        "",
        "*2030-01-02: 2 cores, Linux on a board, Python 3, Node 20.*",
        "",
        "<!-- end rules -->",
        "<!-- begin live -->",
        "?",
        "<!-- end live -->",
        "More.",
    ]
    assert document.filled(written, document.merged(tmp_path, with_quick=False)) == written


def test_every_benchmark_has_its_place_in_the_document() -> None:
    text = document.DOCUMENT.read_text()
    for name in (*BENCHES, document.GOALS):
        assert f"<!-- begin {name} -->\n" in text
        assert f"<!-- end {name} -->\n" in text
