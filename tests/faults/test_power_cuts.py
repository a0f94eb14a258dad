"""No acknowledged write is lost or applied twice by a power cut, wherever it happens and whatever it tears.

Processes that write to the store are recorded once; then images of the disk are built for many moments, opened with the
real code, and compared with what was acknowledged. The number of cuts comes from the environment variable CUTS: a few
in the normal tests, thousands with `make cuts`. A failure names the seed and the number of the cut, and the command
that repeats it.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import tempfile
from pathlib import Path

import pytest

from tests.faults.power_cuts import (
    Cut,
    Recording,
    Report,
    choose_cuts,
    images,
    record_load,
    try_cuts,
    write_files,
)
from tests.faults.power_disk import Disk
from tests.faults.power_recording import Record, read_recording
from tests.faults.power_server import ReplayedLogs, record_games
from tests.faults.preload import memory_folder

CUTS = int(os.environ.get("CUTS", "150"))
PER_RECORDING = 5_000
"""Enough for every sync boundary of a recording."""

SEED = int(os.environ.get("CUTS_SEED", "18"))


def shares(cuts: int) -> list[tuple[int, int]]:
    """Return the seed and the number of cuts for each recording."""
    return [(SEED + index, min(PER_RECORDING, cuts - done)) for index, done in enumerate(range(0, cuts, PER_RECORDING))]


def recorded_load(log: Path, seed: int, entries: int, durability: str = "full") -> Recording:
    """Record three processes in the same folder, of which the second closes the file and the others are killed."""
    folder = memory_folder("recorded-")
    try:
        for number, end in enumerate(("kill", "close", "kill")):
            record_load(folder, log, entries, 10 * seed + number, durability, end)
    finally:
        shutil.rmtree(folder)
    return Recording(read_recording(log), log)


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    return recorded_load(tmp_path_factory.mktemp("power") / f"load-{SEED}", SEED, entries=300)


def check(report: Report, recording: Recording, seed: int) -> None:
    log = recording.log
    assert log is not None
    print(f"{log.name}, seed {seed}: {report}")  # noqa: T201 - output of the long run
    if report.failures:
        # Tests that run later delete the folder of this one.
        log = Path(shutil.copy(log, tempfile.mkdtemp(prefix="power-cut-")))
    assert not report.failures, "\n".join(
        f"python -m tests.faults.power_cuts {log} {seed} {cut.number}  # {kind}: {reason}"
        for cut, kind, reason in report.failures
    )


async def test_no_cut_loses_what_a_store_under_load_has_acknowledged(tmp_path: Path, recording: Recording) -> None:
    for seed, number in shares(CUTS // 2):
        if number > 200:
            recording = recorded_load(tmp_path / f"load-{seed}", seed, entries=300 + number // 20)
        check(await try_cuts(recording, choose_cuts(recording, number, seed), seed), recording, seed)


async def test_no_cut_loses_what_a_server_has_acknowledged_during_games(tmp_path: Path) -> None:
    for seed, number in shares(CUTS // 2):
        log, folder = tmp_path / f"games-{seed}", memory_folder("recorded-")
        try:
            await record_games(folder, log, seed, rounds=1)
        finally:
            shutil.rmtree(folder)
        recording = Recording(read_recording(log), log)
        check(await try_cuts(recording, choose_cuts(recording, number, seed), seed, ReplayedLogs()), recording, seed)


async def test_a_second_cut_during_or_after_the_recovery_from_the_first_loses_nothing(
    tmp_path: Path, recording: Recording
) -> None:
    first = choose_cuts(recording, max(1, CUTS // 100), SEED)
    folder = memory_folder("recorded-")
    try:
        for cut, kind, files, history in images(recording, first, SEED):
            again = tmp_path / f"second-{cut.number}"
            write_files(files, folder)
            record_load(folder, again, entries=40, seed=1_000 + cut.number)
            second = Recording(read_recording(again), again, files, history)
            report = await try_cuts(second, choose_cuts(second, 10, SEED), SEED)
            assert not report.failures, f"first cut {cut}, {kind}: {report.failures}"
            assert report.cuts.total() == 10
    finally:
        shutil.rmtree(folder)
    print(f"10 second cuts after each of {len(first)} first cuts")  # noqa: T201 - output of the long run


# The tests below check the test itself: where a sync is missing, losses must be found.


def without_syncs(recording: Recording, name: str) -> Recording:
    """Return the recording as if the disk had never carried out a sync of this file."""
    left_out = {record.offset for record in recording.records if record.kind == "S" and record.path == name}
    assert left_out, name
    return Recording(
        [record for record in recording.records if record.kind not in "SE" or record.offset not in left_out]
    )


@pytest.mark.parametrize("name", ["tables.db-wal", "tables.db", ""], ids=["log", "database", "folder"])
async def test_losses_are_found_if_the_disk_never_syncs_a_file(recording: Recording, name: str) -> None:
    mutant = without_syncs(recording, name)
    report = await try_cuts(mutant, choose_cuts(mutant, 60, SEED), SEED, max_failures=1)
    assert report.failures


async def test_losses_are_found_if_a_single_sync_is_left_out(recording: Recording) -> None:
    kinds = "".join(record.kind for record in recording.records)
    # Syncs of the log after which something was acknowledged, up to the moment when all of that is told.
    syncs = [match.span() for match in re.finditer("(?<=W)SEM+", kinds)]
    found = 0
    # What is told after a sync may be covered by an earlier one, if the event loop was late, or may be a write that
    # changes nothing; then nothing is lost. So no single sync is sure to be missed.
    for first, last in syncs[:: len(syncs) // 10]:
        mutant = Recording([*recording.records[:first], *recording.records[first + 2 :]])
        cuts = [Cut(number, last - 2, is_at_sync=True) for number in range(20)]
        found += bool((await try_cuts(mutant, cuts, SEED, max_failures=1)).failures)
        cuts = [cut._replace(position=last) for cut in cuts[:5]]
        assert not (await try_cuts(recording, cuts, SEED)).failures
    assert found


async def test_fast_durability_loses_the_last_writes_and_damages_nothing(tmp_path: Path) -> None:
    recording = recorded_load(tmp_path / "fast", SEED, entries=50, durability="fast")
    report = await try_cuts(recording, choose_cuts(recording, 40, SEED), SEED, max_failures=40)
    assert report.failures
    assert [failure.reason for failure in report.failures if not failure.reason.startswith("Lost: write")] == []


def test_a_disk_keeps_what_was_synced_and_nothing_else_for_sure() -> None:
    disk = Disk()
    for record in (
        Record("C", 1, 0, "file", b""),
        Record("W", 1, 0, "", b"synced"),
        Record("S", 1, 1, "file", b""),
        Record("W", 1, 6, "", b", and not"),
        Record("E", 1, 1, "file", b""),
    ):
        disk.apply(record)
    assert disk.image("lost", random.Random(1)) == {}
    disk.apply(Record("S", 0, 2, "", b""))
    disk.apply(Record("E", 0, 2, "", b""))
    assert disk.image("lost", random.Random(1)) == {"file": b"synced"}
    assert disk.image("kept", random.Random(1)) == {"file": b"synced, and not"}
