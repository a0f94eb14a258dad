"""The benchmarks run in interleaved rounds and report; no test checks a speed."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from server.games.registry import GAMES
from tests.bench import __main__ as bench
from tests.bench import bots, builds, decisions, live, peers, replay, rules
from tests.bench.measurement import Effort, Report, Sample, Spread, interleaved, on_one_core
from tests.bench.peers import PeerMissing, node_server, python_with
from tests.bench.processes import Worker, WorkerFailed

TINY = Effort(rounds=2, seconds=0.01, games=2)


def missing(*_: object, **__: object) -> Path:
    raise PeerMissing("catanatron is not measured: this is a test.")


class Counting:
    """A contestant that records its measurements."""

    def __init__(self, name: str, notes: list[str]) -> None:
        self._name = name
        self._notes = notes

    def measure(self) -> Sample:
        self._notes.append(self._name)
        return Sample(len(self._notes), 1.0, 1.0)


def test_contestants_take_turns_and_every_other_round_goes_backwards() -> None:
    notes: list[str] = []
    samples = interleaved({name: Counting(name, notes) for name in "abc"}, rounds=3)
    assert "".join(notes) == "abccbaabc"
    assert [sample.amount for sample in samples["a"]] == [1, 6, 7]


def test_ratios_compare_what_ran_in_the_same_round() -> None:
    # The machine was ten times slower in the second round, for both alike.
    samples = {
        "investors": [Sample(400, 2.0, 1.0), Sample(40, 2.0, 1.0), Sample(500, 2.0, 1.0)],
        "catanatron": [Sample(100, 1.0, 1.0), Sample(10, 1.0, 1.0), Sample(100, 1.0, 1.0)],
    }
    report = Report("Ratios")
    rules.fill(report, samples)
    assert report.rows == [
        ["", "per CPU second", "per wall second", "ratio by CPU time", "ratio by wall time"],
        ["investors", "400", "200", "4.00 (4.00 to 5.00)", "2.00 (2.00 to 2.50)"],
        ["catanatron", "100", "100", "", ""],
    ]
    assert report.figures["investors"]["ratio_by_cpu_time"] == {"median": 4.0, "least": 4.0, "most": 5.0}


def test_a_spread_is_the_median_with_both_ends() -> None:
    assert Spread.of([5.0, 1.0, 3.0]) == Spread(median=3.0, least=1.0, most=5.0)


def test_a_report_is_a_table_with_notes() -> None:
    report = Report("Title", rows=[["", "first", "b"], ["one", "1", "22,000"], ["three", "3", ""]], notes=["A note."])
    assert report.text().splitlines() == [
        "Title",
        "=====",
        "",
        "       first       b",
        "one        1  22,000",
        "three      3",
        "",
        "A note.",
    ]


def test_every_game_is_measured_even_if_the_peer_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "python_with", missing)
    report = rules.run(TINY)
    assert report.figures.keys() == GAMES.keys()
    assert "catanatron is not measured: this is a test." in report.notes


def test_replays_are_measured_from_text_and_from_steps() -> None:
    report = replay.run(TINY)
    assert report.figures.keys() == {f"{name}, from {way}" for name in GAMES for way in ("text", "steps")}


async def test_the_latency_at_busy_tables_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "THINKING_SECONDS", 0.2)
    report = Report("Live", rows=[["", "figure", "to reach"]])
    await live.busy_tables(report, TINY, live.Scale(idle=0, busy_tables=4, stored_tables=0), cores=set())
    assert report.figures["4 busy tables: from move to answer"]["median_milliseconds"] > 0


def test_bots_are_measured_by_game_and_strength() -> None:
    report = Report("Decisions")
    decisions.measure(report, "builders", "easy", seconds=0.01)
    assert report.figures["builders, easy"]["per_cpu_second"] > 0


async def test_bots_think_while_people_wait_for_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "SETTLE_SECONDS", 0.1)
    monkeypatch.setattr(bots, "THINKING_SECONDS", 0.2)
    report = Report("Bots", rows=[["", "figure", "to reach"]])
    await bots.measure(report, replace(bots.QUICK_SCALE, seconds=0.5, warm_up_seconds=0.1), cores=set())
    assert report.figures["the 99th percentile among bots, by that alone"] > 0
    assert report.figures["among 8 seats of normal bots: from move to answer"]["median_milliseconds"] > 0


async def test_a_restart_is_measured_up_to_the_first_move() -> None:
    assert await live.first_move_after_restart(3, cores=set()) > 0


def test_a_peer_that_cannot_be_installed_is_reported_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr(peers, "FOLDER", tmp_path / "file")
    with pytest.raises(PeerMissing, match=r"^somebody is not measured: it could not be installed, [^.]*\.$"):
        python_with("somebody", "somebody==1")


def test_a_peer_that_is_installed_is_not_installed_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "FOLDER", tmp_path)
    monkeypatch.setattr(peers.venv, "create", missing)
    folder = tmp_path / f"somebody-python{sys.version_info.major}.{sys.version_info.minor}"
    folder.mkdir()
    (folder / "installed").write_text("somebody==1\nsomething==2")
    assert python_with("somebody", "somebody==1", "something==2") == folder / "bin" / "python"
    with pytest.raises(PeerMissing, match="this is a test"):
        python_with("somebody", "somebody==2")


def test_a_peer_on_node_that_cannot_be_installed_is_reported_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "npm").touch()  # nothing that could be run
    monkeypatch.setattr(peers, "FOLDER", tmp_path / "peers")
    monkeypatch.setattr(peers, "node_folder", lambda: tmp_path)
    with pytest.raises(PeerMissing, match=r"^Colyseus is not measured: it could not be installed, [^.]*\.$"):
        node_server("Colyseus")


def test_a_worker_that_ends_too_early_is_reported_in_one_sentence(capfd: pytest.CaptureFixture[str]) -> None:
    failure = pytest.raises(WorkerFailed, match=r"^The worker tests\.bench\.no_such_worker has ended\.$")
    with failure, Worker(sys.executable, "tests.bench.no_such_worker", seconds=0.01) as worker:
        worker.warm_up()
    assert "no_such_worker" in capfd.readouterr().err


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system cannot keep a process on one core")
def test_a_process_is_kept_on_one_core_and_set_free_again() -> None:
    before = os.sched_getaffinity(0)
    with on_one_core():
        assert len(os.sched_getaffinity(0)) == 1
    assert os.sched_getaffinity(0) == before


def test_all_figures_are_written_to_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench, "ROOT", tmp_path)
    monkeypatch.setattr(bench, "RESULTS", tmp_path / "results")
    monkeypatch.setattr(bench, "BENCHES", {"none": lambda _: Report("None", figures={"ratio": 3.5})})
    assert bench.main(["--quick"]) == 0
    (path,) = (tmp_path / "results").iterdir()
    written = json.loads(path.read_text())
    assert written["quick"] is True
    assert written["benchmarks"]["none"]["figures"] == {"ratio": 3.5}
    assert capsys.readouterr().out.startswith("None\n====\n")


def test_a_benchmark_that_fails_does_not_take_the_others_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_: Effort) -> Report:
        raise RuntimeError("this is a test")

    monkeypatch.setattr(bench, "ROOT", tmp_path)
    monkeypatch.setattr(bench, "RESULTS", tmp_path / "results")
    monkeypatch.setattr(bench, "BENCHES", {"bad": fail, "good": lambda _: Report("Good")})
    assert bench.main(["--quick"]) == 1
    on_message = capsys.readouterr()
    assert on_message.out.startswith("Good\n====\n")
    assert on_message.err.endswith("These failed: bad\n")


def test_the_plain_build_is_the_default_only_where_no_other_is_installed(tmp_path: Path) -> None:
    assert builds.runs_plain({}, tmp_path)
    (tmp_path / builds.MANIFEST).touch()
    assert not builds.runs_plain({}, tmp_path)
    assert builds.runs_plain({builds.VARIABLE: builds.PLAIN}, tmp_path)
    assert not builds.runs_plain({builds.VARIABLE: "folder"}, tmp_path)


def test_a_given_build_is_measured_beside_the_plain_one() -> None:
    assert builds.builds(replace(TINY, accelerated="folder")) == {
        builds.PLAIN: {builds.VARIABLE: builds.PLAIN},
        builds.ACCELERATED: {builds.VARIABLE: "folder"},
    }


def test_an_unknown_benchmark_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        bench.main(["weather"])
    assert end.value.code == 2
    assert "there is no benchmark 'weather'; there are human, tables" in capsys.readouterr().err
