"""A backup of the file while appends go on: what it holds, and what is left when it is broken off."""

import asyncio
import fcntl
import os
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from server.store import backup
from server.store.api import Appended, NewEntry, StorageFailed
from server.store.sqlite import SqliteStore
from tests.store.table_owner import TableOwner, payloads, verify

TIMEOUT_SECONDS = 30.0


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tables.db"


@pytest.fixture
async def store(path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[SqliteStore]:
    # So that a small file takes many steps.
    monkeypatch.setattr(backup, "PAGES_PER_STEP", 1)
    monkeypatch.setattr(backup, "PAGES_PER_SYNC", 50)
    store = await SqliteStore.open(path, "fast")
    for number in range(4):
        await store.create(f"old-{number}", "over", b"", [bytes(3000)] * 60)
    yield store
    await store.close()


class Halfway:
    """Takes the progress of a backup, and holds it halfway until it is told to go on."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._go_on = threading.Event()
        self.reached = asyncio.Event()

    def __call__(self, done: int, total: int) -> None:
        if done > total // 2 and not self.reached.is_set():
            self._loop.call_soon_threadsafe(self.reached.set)
            assert self._go_on.wait(TIMEOUT_SECONDS)

    def go_on(self) -> None:
        self._go_on.set()


def names(folder: Path) -> list[str]:
    return sorted(os.listdir(folder))


async def test_appends_go_on_and_the_backup_is_the_state_of_its_end(store: SqliteStore, path: Path) -> None:
    owners = [await TableOwner.create(store, f"new-{number}") for number in range(3)]
    steps = 0

    def on_progress(done: int, total: int) -> None:
        nonlocal steps
        steps += 1

    writing = asyncio.ensure_future(store.backup(path.with_name("copy.db"), on_progress))
    count = 0
    while not writing.done():
        count += 1
        await asyncio.gather(*(owner.append(f"{count}", b"x" * 500) for owner in owners))
    await writing
    assert steps > 200
    assert count > 20
    copy = await SqliteStore.open(path.with_name("copy.db"))
    found = [await verify(copy, owner.table) for owner in owners]
    # One moment: a round of appends is committed together or with its neighbours, so the tables are level.
    assert max(end.seq for end in found) - min(end.seq for end in found) <= 1
    assert min(end.seq for end in found) > 10
    for number in range(4):
        assert (await verify(copy, f"old-{number}")).seq == 60
    await copy.close()


async def test_what_is_appended_to_pages_that_are_copied_already_is_in_the_backup(
    store: SqliteStore, path: Path
) -> None:
    owner = await TableOwner.claim(store, "old-0")
    halfway = Halfway()
    writing = asyncio.ensure_future(store.backup(path.with_name("copy.db"), halfway))
    await halfway.reached.wait()
    appending = [asyncio.ensure_future(owner.append("a"))]
    # An append that fails in the middle must not harm the copy.
    appending += [asyncio.ensure_future(store.append("old-1", "no fence", owner.end, NewEntry(b"b", "b")))]
    halfway.go_on()
    await asyncio.gather(writing, *appending)
    copy = await SqliteStore.open(path.with_name("copy.db"))
    assert (await copy.read("old-0", 60))[0].payload == b"a"
    assert await copy.answer_to("old-0", "a", b"request") is not None
    await copy.close()


async def test_a_cancelled_backup_leaves_nothing_and_the_store_goes_on(store: SqliteStore, path: Path) -> None:
    before = names(path.parent)
    for _ in range(2):
        halfway = Halfway()
        writing = asyncio.ensure_future(store.backup(path.with_name("copy.db"), halfway))
        await halfway.reached.wait()
        assert names(path.parent) == sorted([*before, ".tables.db.backup.part"])
        writing.cancel()
        halfway.go_on()
        await asyncio.wait([writing])
        assert writing.cancelled()
        # Nothing but this job runs on the thread of the store.
        assert await store._commits.exclusive(lambda _: len(store._commits._running)) == 1
        owner = await TableOwner.create(store, f"table-{id(halfway)}")
        await owner.append_all("a")
        assert names(path.parent) == before
    await store.backup(path.with_name("copy.db"))


async def test_a_backup_that_is_cancelled_before_it_begins_leaves_nothing(store: SqliteStore, path: Path) -> None:
    before = names(path.parent)
    is_held, go_on = asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    def hold(_: object) -> None:
        loop.call_soon_threadsafe(is_held.set)
        assert go_on.wait(TIMEOUT_SECONDS)

    holding = asyncio.ensure_future(store._commits.exclusive(hold))
    await is_held.wait()
    writing = asyncio.ensure_future(store.backup(path.with_name("copy.db")))
    async with asyncio.timeout(TIMEOUT_SECONDS):
        while names(path.parent) == before:  # noqa: ASYNC110 - nothing tells when the file is there
            await asyncio.sleep(0)
    writing.cancel()
    await asyncio.sleep(0)
    # The file may be deleted only when the thread will not create it again.
    go_on.set()
    await asyncio.wait([holding, writing])
    assert writing.cancelled()
    await store._commits.exclusive(lambda _: None)
    assert names(path.parent) == before


async def test_closing_the_store_breaks_a_backup_off(store: SqliteStore, path: Path) -> None:
    owner = await TableOwner.claim(store, "old-0")
    halfway = Halfway()
    writing = asyncio.ensure_future(store.backup(path.with_name("copy.db"), halfway))
    await halfway.reached.wait()
    appending = asyncio.ensure_future(owner.append("a"))
    await asyncio.sleep(0)
    closing = asyncio.ensure_future(store.close())
    await asyncio.sleep(0)
    halfway.go_on()
    with pytest.raises(StorageFailed, match="closed"):
        await writing
    await closing
    assert isinstance(await appending, Appended)
    assert names(path.parent) == ["tables.db", "tables.db.lock"]
    again = await SqliteStore.open(path)
    assert (await again.read("old-0", 60))[0].payload == b"a"
    await again.close()


async def test_only_one_backup_is_written_at_a_time(store: SqliteStore, path: Path) -> None:
    halfway = Halfway()
    writing = asyncio.ensure_future(store.backup(path.with_name("copy.db"), halfway))
    await halfway.reached.wait()
    for name in ("copy.db", "other.db"):
        with pytest.raises(StorageFailed, match=r"Another (backup|long operation) .*"):
            await store.backup(path.with_name(name))
    halfway.go_on()
    await writing
    assert await payloads(store, "old-0") == ["\0" * 3000] * 60


async def test_a_part_that_a_killed_process_has_left_is_replaced(store: SqliteStore, path: Path) -> None:
    part = path.with_name(".tables.db.backup.part")
    with open(part, "wb") as left:  # noqa: ASYNC230
        left.write(b"half a backup" * 1000)
    await store.backup(path.with_name("copy.db"))
    assert part.name not in names(path.parent)
    copy = await SqliteStore.open(path.with_name("copy.db"))
    assert len(await copy.names()) == 4
    await copy.close()


async def test_a_part_of_another_process_is_left_alone(store: SqliteStore, path: Path) -> None:
    part = path.with_name(".tables.db.backup.part")
    with open(part, "wb") as other:  # noqa: ASYNC230
        other.write(b"theirs")
        other.flush()
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(StorageFailed, match=r"Another backup is being written to"):
            await store.backup(path.with_name("copy.db"))
        with open(part, "rb") as same:  # noqa: ASYNC230
            assert same.read() == b"theirs"


async def test_a_file_that_appears_meanwhile_is_not_replaced(store: SqliteStore, path: Path) -> None:
    halfway = Halfway()
    copy = path.with_name("copy.db")
    writing = asyncio.ensure_future(store.backup(copy, halfway))
    await halfway.reached.wait()
    with open(copy, "wb") as mine:  # noqa: ASYNC230
        mine.write(b"mine")
    halfway.go_on()
    with pytest.raises(StorageFailed, match="exists already"):
        await writing
    with open(copy, "rb") as mine:  # noqa: ASYNC230
        assert mine.read() == b"mine"
    assert ".tables.db.backup.part" not in names(path.parent)
