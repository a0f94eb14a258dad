"""The store in a file: opening, locking, damage, backups."""

import os
import shutil
import sqlite3
import stat
import time
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path

import pytest

from server.store.api import (
    Claimed,
    Known,
    LogDamaged,
    NewEntry,
    Position,
    Rewound,
    StoreDamaged,
    StoreInUse,
    StoreUnusable,
)
from server.store.sqlite import SqliteStore
from tests.store.table_owner import TableOwner, payloads, verify
from tests.store.victim import start_victim


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tables.db"


@pytest.fixture
async def store(path: Path) -> AsyncIterator[SqliteStore]:
    store = await SqliteStore.open(path)
    yield store
    await store.close()


async def test_an_append_needs_a_number_and_the_head_that_belongs_to_it(store: SqliteStore) -> None:
    owner = await TableOwner.create(store, "alpha")
    await owner.append_all("a")
    earlier = owner.end.head
    await owner.append_all("b")
    last = owner.end.head
    for number, head in ((0, last), (1, last), (3, last), (2, earlier), (2, bytes(32))):
        result = await store.append("alpha", owner.fence, Position(number, head), NewEntry(b"c", "c"))
        assert isinstance(result, Rewound)
    assert await payloads(store, "alpha") == ["a", "b"]
    assert (await verify(store, "alpha")).seq == 2
    await owner.append_all("c")


async def test_a_released_table_takes_no_memory(store: SqliteStore) -> None:
    owner = await TableOwner.create(store, "alpha")
    await owner.append_all("a", "b")
    assert await store.release("alpha", owner.fence)
    assert store._numbers == store._leases == {}
    again = await TableOwner.claim(store, "alpha")
    await again.append_all("c", "d")
    assert await payloads(store, "alpha") == ["a", "b", "c", "d"]


async def edit(store: SqliteStore, *statements: str) -> None:
    """Change the stored data without the store."""
    for statement in statements:
        await store._commits.exclusive(lambda db, statement=statement: db.execute(statement))  # type: ignore[misc]


async def value(store: SqliteStore, pragma: str) -> object:
    return await store._commits.read(lambda db: db.execute(f"PRAGMA {pragma}").fetchone()[0])


def content(path: Path) -> bytes:
    return path.read_bytes()


# Opening


async def test_the_file_is_opened_with_settings_that_survive_a_power_cut(store: SqliteStore) -> None:
    assert await value(store, "journal_mode") == "wal"
    assert await value(store, "synchronous") == 2
    assert await value(store, "locking_mode") == "exclusive"
    assert await value(store, "foreign_keys") == 1
    assert await value(store, "user_version") == 2


async def test_fast_durability_does_not_wait_for_the_disk_at_every_commit(path: Path) -> None:
    store = await SqliteStore.open(path, "fast")
    assert await value(store, "synchronous") == 1
    await store.close()


async def test_nobody_else_on_the_machine_may_read_the_file(store: SqliteStore, path: Path) -> None:
    await store.create("alpha", "open", b"")
    await store.backup(path.with_name("copy.db"))
    for name in ("tables.db", "tables.db-wal", "tables.db.lock", "copy.db"):
        assert stat.S_IMODE(path.with_name(name).stat().st_mode) == 0o600, name


async def test_what_was_written_is_there_after_closing_and_opening(store: SqliteStore, path: Path) -> None:
    owner = await TableOwner.create(store, "alpha")
    await owner.append_all("a", "b")
    await store.key_values.put("user", "ann", b"Ann")
    await store.close()
    again = await SqliteStore.open(path)
    assert await payloads(again, "alpha") == ["a", "b"]
    assert await again.key_values.get("user", "ann") == b"Ann"
    stale = TableOwner(again, "alpha", Claimed(owner.fence, 0, bytes(32)))
    assert await stale.append("b") == Known(b"answer to b")
    await again.close()


async def test_a_lease_does_not_outlive_the_process_that_granted_it(store: SqliteStore, path: Path) -> None:
    await TableOwner.create(store, "alpha")
    await store.close()
    again = await SqliteStore.open(path)
    assert isinstance(await again.claim("alpha", "other", 1), Claimed)
    await again.close()


async def test_a_second_process_is_refused_at_once_and_told_which_process_has_the_file(path: Path) -> None:
    holder = start_victim(path, 1)
    try:
        assert holder.stdout is not None
        holder.stdout.readline()
        start = time.monotonic()
        with pytest.raises(StoreInUse, match=rf"{path} is already in use by process {holder.pid}\. Stop it first"):
            await SqliteStore.open(path)
        assert time.monotonic() - start < 1
    finally:
        holder.kill()
        holder.communicate()
    store = await SqliteStore.open(path)  # the lock died with its process
    await store.close()


async def test_a_second_store_in_the_same_process_is_refused(store: SqliteStore, path: Path) -> None:
    with pytest.raises(StoreInUse):
        await SqliteStore.open(path)
    await store.create("alpha", "open", b"")


async def test_a_file_held_by_another_program_is_refused(path: Path) -> None:
    other = sqlite3.connect(path)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StoreInUse, match="in use by another program"):
        await SqliteStore.open(path)
    other.close()


async def test_another_program_cannot_read_a_file_in_use(store: SqliteStore, path: Path) -> None:
    await store.create("alpha", "open", b"")
    other = sqlite3.connect(path, timeout=0)
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        other.execute("SELECT * FROM tables")
    other.close()


async def test_a_folder_that_is_missing_is_named(path: Path) -> None:
    with pytest.raises(StoreUnusable, match=r"nowhere/tables\.db cannot be opened: No such file"):
        await SqliteStore.open(path.parent / "nowhere" / "tables.db")


async def test_a_database_of_another_program_is_left_alone(path: Path) -> None:
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE recipes (name)")
    other.close()
    before = content(path)
    with pytest.raises(StoreUnusable, match="belongs to another program"):
        await SqliteStore.open(path)
    assert content(path) == before


async def test_a_file_of_a_newer_version_is_left_alone(store: SqliteStore, path: Path) -> None:
    await edit(store, "PRAGMA user_version = 99")
    await store.close()
    before = content(path)
    with pytest.raises(StoreUnusable, match="newer version"):
        await SqliteStore.open(path)
    assert content(path) == before


def overwrite(path: Path, start: int, wrong: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(start)
        file.write(wrong)


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: overwrite(path, 0, b"Dear diary, "),
        lambda path: overwrite(path, 4096, bytes(4096)),
        lambda path: os.truncate(path, 8 * 4096),
    ],
    ids=["no database", "a page overwritten", "cut short"],
)
async def test_a_damaged_file_is_refused_with_a_sentence(
    store: SqliteStore, path: Path, damage: Callable[[Path], None]
) -> None:
    await TableOwner.create(store, "alpha", *(bytes(3000) for _ in range(20)))
    await store.close()
    damage(path)
    before = content(path)
    with pytest.raises(StoreDamaged, match=r"tables\.db is damaged \(.+\)\. Restore the latest backup"):
        await SqliteStore.open(path)
    assert content(path) == before


# Damaged tables


@pytest.mark.parametrize(
    "damage, seq",
    [
        ("UPDATE events SET payload = x'00' WHERE number = 1 AND seq = 2", 2),
        ("UPDATE events SET head = zeroblob(32) WHERE number = 1 AND seq = 2", 2),
        ("UPDATE events SET seq = 9 WHERE number = 1 AND seq = 3", 3),
        ("DELETE FROM events WHERE number = 1 AND seq = 1", 1),
        ("DELETE FROM events WHERE number = 1 AND seq = 2", 2),
        ("DELETE FROM events WHERE number = 1 AND seq = 3", 3),
        ("UPDATE tables SET head = zeroblob(32) WHERE number = 1", 3),
        ("UPDATE tables SET seq = 2 WHERE number = 1", 3),
    ],
)
async def test_a_damaged_table_names_the_entry_and_other_tables_go_on(
    store: SqliteStore, damage: str, seq: int
) -> None:
    owners = [await TableOwner.create(store, table) for table in ("alpha", "beta")]
    for owner in owners:
        await owner.append_all("a", "b", "c")
    await edit(store, damage)
    for look in (store.read, partial(verify, store)):
        with pytest.raises(LogDamaged, match=f"The log of table alpha is damaged at entry {seq}.") as raised:
            await look("alpha")
        assert (raised.value.table, raised.value.seq) == ("alpha", seq)
    await owners[1].append_all("d")
    assert await payloads(store, "beta") == ["a", "b", "c", "d"]
    assert await verify(store, "beta") == owners[1].end


async def test_damage_is_found_on_any_page_of_a_log(store: SqliteStore) -> None:
    owner = await TableOwner.create(store, "alpha", *(b"entry %d" % number for number in range(2500)))
    assert owner.end.seq == 2500
    assert await verify(store, "alpha") == owner.end
    await edit(store, "UPDATE events SET payload = x'00' WHERE seq = 2345")
    assert len(await store.read("alpha", 0)) == 1000
    with pytest.raises(LogDamaged, match="entry 2345"):
        await verify(store, "alpha")


async def test_reading_after_a_missing_entry_raises(store: SqliteStore) -> None:
    owner = await TableOwner.create(store, "alpha")
    await owner.append_all("a", "b", "c")
    await edit(store, "DELETE FROM events WHERE seq = 2")
    with pytest.raises(LogDamaged, match="entry 2"):
        await store.read("alpha", 2)


# Backups and closing


async def test_a_backup_is_a_store(store: SqliteStore, path: Path) -> None:
    copy = path.with_name("copy.db")
    owner = await TableOwner.create(store, "alpha")
    await owner.append_all("a")
    await store.backup(copy)
    await owner.append_all("b")
    backup = await SqliteStore.open(copy)
    assert await payloads(backup, "alpha") == ["a"]
    await backup.close()
    assert await payloads(store, "alpha") == ["a", "b"]


async def test_a_copy_of_the_files_as_a_kill_would_leave_them_is_a_store(store: SqliteStore, path: Path) -> None:
    owner = await TableOwner.create(store, "alpha")
    await owner.append_all("a")
    left = path.with_name("left.db")
    shutil.copyfile(path, left)
    shutil.copyfile(f"{path}-wal", f"{left}-wal")
    again = await SqliteStore.open(left)
    assert await payloads(again, "alpha") == ["a"]
    await again.close()
