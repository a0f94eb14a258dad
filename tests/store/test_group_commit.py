"""Group commit: the result of each job when all goes well, and when the disk fails at any statement."""

import asyncio
import resource
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from server.store import group_commit
from server.store.api import Appended, Claimed, Held, Known, Position, StorageFailed
from server.store.sqlite import SqliteStore
from tests.store.table_owner import TableOwner, payloads, verify


class FailingConnection(sqlite3.Connection):
    """A connection whose disk fails at one chosen statement, and at all after it if `is_permanent`."""

    statements_left = 0
    has_failed = False
    is_permanent = False

    def execute(self, sql: str, *args: Any) -> sqlite3.Cursor:
        if not sql.startswith("ROLLBACK"):
            self.statements_left -= 1
            if self.statements_left == 0 or (self.has_failed and self.is_permanent):
                self.has_failed = True
                raise sqlite3.OperationalError("disk I/O error")
        return super().execute(sql, *args)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tables.db"


@pytest.fixture
async def store(path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[SqliteStore]:
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *args, **named: connect(*args, factory=FailingConnection, **named))
    store = await SqliteStore.open(path)
    yield store
    await store.close()


async def fail_at(store: SqliteStore, statement: int, *, is_permanent: bool = False) -> bool:
    """Let the disk fail at this statement from now (0: never); return whether it has failed since the last call."""

    def work(db: sqlite3.Connection) -> bool:
        assert isinstance(db, FailingConnection)
        has_failed = db.has_failed
        db.statements_left, db.has_failed, db.is_permanent = statement, False, is_permanent
        return has_failed

    return await store._commits.exclusive(work)


async def outcomes(*calls: Any) -> list[Any]:
    return await asyncio.gather(*calls, return_exceptions=True)


async def create_tables(store: SqliteStore, *tables: str) -> list[TableOwner]:
    return [await TableOwner.create(store, table) for table in tables]


def are_of(found: list[Any], *types: type) -> bool:
    return [type(each) for each in found] == list(types)


async def test_appends_that_wait_together_share_a_commit(store: SqliteStore) -> None:
    owners = await create_tables(store, *(f"table {number}" for number in range(100)))
    statements: list[str] = []
    await store._commits.exclusive(lambda db: db.set_trace_callback(statements.append))
    await asyncio.gather(*(owner.append_all("a") for owner in owners))
    await store._commits.exclusive(lambda db: db.set_trace_callback(None))
    assert statements.count("COMMIT") < 10


async def test_a_commit_takes_a_bounded_number_of_jobs(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(group_commit, "MAX_BATCH_SIZE", 5)
    owners = await create_tables(store, *(f"table {number}" for number in range(12)))
    statements: list[str] = []
    await store._commits.exclusive(lambda db: db.set_trace_callback(statements.append))
    await asyncio.gather(*(owner.append_all("a") for owner in owners))
    await store._commits.exclusive(lambda db: db.set_trace_callback(None))
    assert statements.count("COMMIT") >= 3


async def test_a_job_with_a_bug_gets_its_exception_and_the_others_in_its_batch_succeed(store: SqliteStore) -> None:
    ann, bob = await create_tables(store, "alpha", "beta")
    found = await outcomes(ann.append("a"), write_and_raise(store), bob.append("b"))
    assert are_of(found, Appended, ZeroDivisionError, Appended)
    assert {row.summary for row in await store.tables()} == {b"about"}


async def test_when_sqlite_rolls_the_transaction_back_every_job_of_the_batch_fails(store: SqliteStore) -> None:
    """SQLite does this by itself after some disk errors."""
    ann, bob = await create_tables(store, "alpha", "beta")
    found = await outcomes(ann.append("a"), store._commits.write(lambda db: db.execute("ROLLBACK")), bob.append("b"))
    assert are_of(found, StorageFailed, StorageFailed, StorageFailed)
    assert await payloads(store, "alpha") == await payloads(store, "beta") == []
    await ann.append_all("a")
    await bob.append_all("b")


async def test_a_read_that_failed_with_its_batch_is_run_again_alone(store: SqliteStore) -> None:
    attempts: list[int] = []

    def fail_once(db: sqlite3.Connection) -> str:
        attempts.append(len(attempts))
        if len(attempts) == 1:
            raise sqlite3.OperationalError("disk I/O error")
        return "read"

    pause = threading.Event()
    _, *found = await outcomes(
        store._commits.exclusive(lambda _: pause.wait(10)),  # so that the next two form a batch
        store._commits.read(fail_once),
        store._commits.write(lambda db: db.execute("ROLLBACK")),
        asyncio.to_thread(pause.set),
    )
    assert are_of(found, str, StorageFailed, type(None))


@pytest.mark.parametrize("has_bug", [False, True], ids=["", "beside a bug"])
@pytest.mark.parametrize("is_permanent", [False, True], ids=["once", "permanently"])
@pytest.mark.parametrize("has_begun", [False, True], ids=["first entry", "later entry"])
async def test_wherever_the_disk_fails_a_batch_nothing_is_half_written(
    store: SqliteStore, has_bug: bool, is_permanent: bool, has_begun: bool
) -> None:
    statement, failures, is_complete = 0, 0, False
    while not is_complete:
        statement += 1
        ann, bob = await create_tables(store, f"alpha {statement}", f"beta {statement}")
        if has_begun:
            await ann.append_all("begun")
            await bob.append_all("begun")
        before = len(await payloads(store, ann.table))
        await fail_at(store, statement, is_permanent=is_permanent)
        found = await outcomes(
            ann.append("a"), store.head(ann.table), bob.append("b"), *([write_and_raise(store)] if has_bug else [])
        )
        is_complete = not await fail_at(store, 0)
        for owner, result, key in ((ann, found[0], "a"), (bob, found[2], "b")):
            log = await payloads(store, owner.table)
            assert (await verify(store, owner.table)).seq == len(log)
            again = await owner.append(key)
            if isinstance(result, Appended):
                assert len(log) == result.seq > before
                assert again == Known(b"answer to " + key.encode())
            else:
                assert isinstance(result, StorageFailed)
                assert len(log) == before
                assert isinstance(again, Appended)
        assert isinstance(found[1], Position | StorageFailed)
        failures += isinstance(found[0], StorageFailed)
    assert statement > (20 if has_bug else 8), "the disk must have failed at every statement of the batch"
    assert failures > 0


async def write_and_raise(store: SqliteStore) -> None:
    def work(db: sqlite3.Connection) -> None:
        db.execute("UPDATE tables SET about = x'00'")
        raise ZeroDivisionError

    await store._commits.write(work)


async def test_a_failed_commit_refuses_every_append_of_its_batch_but_reads_succeed(store: SqliteStore) -> None:
    ann, bob = await create_tables(store, "alpha", "beta")
    await ann.append_all("a")
    with no_room_for_files_larger_than(size(store)):
        found = await outcomes(
            ann.append("b"), store.read("alpha"), bob.append("c"), store.key_values.put("user", "x", b"")
        )
        assert are_of(found, StorageFailed, list, StorageFailed, StorageFailed)
        assert [entry.payload for entry in found[1]] == [b"a"]
        assert str(found[0]).startswith("The storage failed: ")
        assert await payloads(store, "alpha") == ["a"]
        assert are_of(await outcomes(ann.append("b")), StorageFailed)
    await ann.append_all("b")
    await bob.append_all("c")
    assert await payloads(store, "alpha") == ["a", "b"]


async def test_a_full_disk_refuses_what_does_not_fit_and_recovers(store: SqliteStore, path: Path) -> None:
    (owner,) = await create_tables(store, "alpha")
    pages = await store._commits.read(lambda db: db.execute("PRAGMA page_count").fetchone()[0])
    await store._commits.exclusive(lambda db: db.execute(f"PRAGMA max_page_count = {pages + 4}"))
    stored = 0
    while isinstance(found := (await outcomes(owner.append(f"command {stored}", bytes(2000))))[0], Appended):
        stored += 1
    assert isinstance(found, StorageFailed)
    assert stored > 0
    assert (await verify(store, "alpha")).seq == stored
    await store._commits.exclusive(lambda db: db.execute("PRAGMA max_page_count = 1000000"))
    await owner.append_all(f"command {stored}")
    await store.close()
    again = await SqliteStore.open(path)
    assert (await verify(again, "alpha")).seq == stored + 1
    await again.close()


async def test_a_claim_that_was_not_stored_leaves_no_lease(store: SqliteStore) -> None:
    await store.create("alpha", "open", b"")
    with no_room_for_files_larger_than(size(store)):
        assert are_of(await outcomes(store.claim("alpha", "ann", 3600)), StorageFailed)
    assert isinstance(await store.claim("alpha", "bob", 3600), Claimed)
    assert await store.claim("alpha", "ann", 3600) == Held("bob")


async def test_jobs_beyond_the_bound_are_refused(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(group_commit, "MAX_QUEUED", 0)
    with pytest.raises(StorageFailed, match="overloaded"):
        await store.head("alpha")


async def test_closing_finishes_pending_jobs(store: SqliteStore, path: Path) -> None:
    owners = await create_tables(store, *(f"table {number}" for number in range(50)))
    tasks = [asyncio.ensure_future(owner.append("a")) for owner in owners]
    await asyncio.sleep(0)
    await store.close()
    assert all(isinstance(result, Appended) for result in await asyncio.gather(*tasks))
    again = await SqliteStore.open(path)
    assert {row.seq for row in await again.tables()} == {1}
    await again.close()


async def test_a_closed_store_refuses_every_call(store: SqliteStore) -> None:
    await store.close()
    await store.close()
    for call in (store.head("alpha"), store.key_values.get("user", "ann"), store.create("alpha", "open", b"")):
        with pytest.raises(StorageFailed, match="closed"):
            await call


async def test_a_cancelled_append_takes_effect_once_or_never(store: SqliteStore) -> None:
    owners = await create_tables(store, *(f"table {number}" for number in range(40)))
    tasks = [asyncio.ensure_future(owner.append("a")) for owner in owners]
    await asyncio.sleep(0)
    for task in tasks[::2]:
        task.cancel()
    await asyncio.wait(tasks)
    for owner in owners:
        assert isinstance(await owner.append("a"), Appended | Known)
        assert await payloads(store, owner.table) == ["a"]


async def test_opening_that_is_cancelled_releases_the_file(path: Path) -> None:
    opening = asyncio.ensure_future(SqliteStore.open(path))
    await asyncio.sleep(0)
    opening.cancel()
    await asyncio.wait([opening])
    assert opening.cancelled()
    store = await eventually(lambda: SqliteStore.open(path))
    await store.close()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
async def test_pending_jobs_fail_when_a_bug_ends_the_thread(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = await create_tables(store, "alpha", "beta")

    def fail(db: sqlite3.Connection, batch: list[Any]) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(group_commit, "_run_batch", fail)
    found = await outcomes(ann.append("a"), bob.append("b"))
    assert are_of(found, StorageFailed, StorageFailed)
    with pytest.raises(StorageFailed, match="internal error"):
        await store.head("alpha")


async def eventually(open_it: Callable[[], Any]) -> Any:
    """Open a store as soon as the thread of another one has closed the file."""
    async with asyncio.timeout(10):
        while True:
            (found,) = await outcomes(open_it())
            if not isinstance(found, Exception):
                return found
            await asyncio.sleep(0.01)


def size(store: SqliteStore) -> int:
    return Path(f"{store._path}-wal").stat().st_size


@contextmanager
def no_room_for_files_larger_than(limit: int) -> Iterator[None]:
    """Let no file of this process grow beyond `limit`, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
