"""No power cut of Redis loses what it has acknowledged, or leaves half of an append.

The append-only file is cut at single bytes of its last records, and, from a recording of everything that Redis does
with its files, at any moment of a load with rewrites of the file. The numbers of cuts follow from the environment
variable CUTS: a few in the normal tests, with `make cuts` every byte of the last records.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.power_cuts import Recording, choose_cuts, images
from tests.faults.power_disk import IN_ORDER
from tests.faults.power_recording import read_recording
from tests.faults.power_redis import RedisOnFolder, SequentialRun, check_redis_image, record_redis, repair
from tests.faults.preload import memory_folder
from tests.store.redis_server import redis_server

CUTS = int(os.environ.get("CUTS", "75"))
SEED = int(os.environ.get("CUTS_SEED", "18"))


@pytest.fixture
def folder() -> Iterator[Path]:
    folder = memory_folder("redis-")
    yield folder
    shutil.rmtree(folder)


async def test_a_cut_at_any_byte_of_the_append_only_file_leaves_whole_appends(folder: Path) -> None:
    run, files, file = await sequential_run(folder)
    size = len(files[file])
    # Every byte of the last records, or a few that are spread over them.
    wanted = 2 * CUTS // 10
    last = range(max(0, size - 2_000), size + 1)
    positions = list(last) if wanted >= len(last) else random.Random(SEED).sample(last, wanted)
    seen = set()
    for position in positions:
        history = run.history(position)
        seen.add(history.acknowledged)
        cut = files | {file: files[file][:position]}
        assert await check_redis_image(cut, history, folder) == (None, False), f"cut at byte {position}"
    print(f"{len(positions)} cuts at single bytes, within {len(seen)} different records")  # noqa: T201
    assert len(seen) > 1


async def test_a_torn_tail_is_refused_by_redis_and_repaired_as_the_runbook_says(folder: Path) -> None:
    run, files, file = await sequential_run(folder)
    whole = files[file]
    # In the middle of the last append: it has lost its end, which is zeros or garbage on the disk.
    start = whole.rindex(b"second, after the archive")
    for tail in (bytes(600), random.Random(SEED).randbytes(600)):
        torn = files | {file: whole[:start] + tail}
        assert await check_redis_image(torn, run.history(start), folder) == (None, True)
    assert "is valid" in repair(folder), "nothing is left to repair"


async def sequential_run(folder: Path) -> tuple[SequentialRun, dict[str, bytes], str]:
    """Return a run, the files after it, and the name of the append-only file that it has written."""
    server = RedisOnFolder(folder)
    try:
        assert server.is_up(), server.log()
        run = SequentialRun(server)
        await run.write()
    finally:
        server.end()
    return run, read_files(folder), str(run.file.relative_to(folder))


def read_files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


async def test_no_cut_under_load_and_during_rewrites_of_the_file_loses_what_redis_has_acknowledged(
    folder: Path, tmp_path: Path
) -> None:
    log, is_old = tmp_path / "redis", version() < (7,)
    # Redis 6.2 does not sync the folder of its file. It needs a file system with a journal, and a rewrite is not safe
    # even there: what is acknowledged between the rename of the new file and the next sync may be lost.
    await record_redis(folder, log, entries=100, seed=SEED, rewrites=0 if is_old else 6)
    recording = Recording(read_recording(log), log, is_journaled=is_old)
    assert is_old or any(record.kind == "R" for record in recording.records)
    kinds, repaired, failures = Counter[str](), 0, []
    for cut, kind, files, history in images(recording, choose_cuts(recording, CUTS // 7, SEED), SEED, IN_ORDER):
        reason, was_repaired = await check_redis_image(files, history, folder)
        kinds[kind] += 1
        repaired += was_repaired
        if reason is not None:
            failures.append((cut, kind, reason))
    print(f"{kinds.total()} cuts {dict(kinds)}, of which {repaired} were repaired: {len(failures)} failures")  # noqa: T201
    assert not failures, f"{failures} of {log}"


async def test_losses_are_found_if_redis_syncs_only_every_second(folder: Path, tmp_path: Path) -> None:
    log = tmp_path / "redis"
    await record_redis(folder, log, entries=100, seed=SEED, rewrites=0)
    records = [record for record in read_recording(log) if record.kind not in "SE"]
    recording = Recording(records, log, is_journaled=True)
    (*_, last) = recording.replay()
    _, disk, history = last
    reason, _ = await check_redis_image(disk.image("lost", random.Random(SEED)), history, folder)
    assert reason is not None
    assert "Lost" in reason


def version() -> tuple[int, ...]:
    words = subprocess.run([redis_server(), "--version"], capture_output=True, text=True, check=True).stdout.split()
    return tuple(map(int, next(word for word in words if word.startswith("v="))[2:].split(".")))
