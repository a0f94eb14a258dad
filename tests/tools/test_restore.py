"""Restore: what the command does with a file or a Redis, also with damage, and what it leaves when it fails."""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.cli import main
from server.store.api import StoreUnusable, TableCopy
from server.store.redis import RedisStore
from server.store.redis_restore import RedisRestore, check_restored
from server.store.sqlite import SqliteStore
from tests.store.redis_server import RedisServer
from tests.tools.databases import TABLES, contents_of, contents_of_redis, edit, left_in, said, server_on
from tests.tools.golden_tables import golden_database, import_golden

# -- restore into a file --------------------------------------------------------------------------------------


def test_a_backup_is_restored_and_the_old_database_is_kept(
    database: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    expected, target = contents_of(database), tmp_path / "new" / "tables.db"
    target.parent.mkdir()
    assert main(["restore", str(database), "--database", str(target)]) == 0
    assert contents_of(target) == expected
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    golden_database(tmp_path / "other.db", 1)
    os.replace(tmp_path / "other.db", target)
    old = contents_of(target)
    assert main(["restore", str(database), "--database", str(target)]) == 2
    assert "exists already" in said(capsys)
    assert contents_of(target) == old
    assert main(["restore", str(database), "--database", str(target), "--force"]) == 0
    aside = Path(said(capsys).split(" The old one is ")[1].strip().rstrip("."))
    assert contents_of(target) == expected
    assert contents_of(aside) == old
    assert left_in(tmp_path, target.parent) == []


def test_the_journal_of_a_killed_server_goes_with_its_file(
    database: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "killed.db"

    async def leave() -> None:
        store = await SqliteStore.open(tmp_path / "running.db")
        await import_golden(store, 2)
        for suffix in ("", "-wal"):
            await asyncio.to_thread(
                lambda suffix=suffix: Path(f"{target}{suffix}").write_bytes(
                    Path(f"{tmp_path}/running.db{suffix}").read_bytes()
                )
            )
        await store.close()

    asyncio.run(leave())
    assert main(["restore", str(database), "--database", str(target), "--force"]) == 0
    aside = Path(said(capsys).split(" The old one is ")[1].strip().rstrip("."))
    assert contents_of(target) == contents_of(database)
    assert len(contents_of(aside)[0]) == 2
    # One file, so that the restore is one rename.
    assert [name for name in os.listdir(tmp_path) if "wal" in name or "shm" in name] == []


def test_a_damaged_database_is_kept_with_its_journal(
    database: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "damaged.db"
    for suffix in ("", "-wal"):
        Path(f"{target}{suffix}").write_text(f"no database{suffix}")
    assert main(["restore", str(database), "--database", str(target), "--force"]) == 0
    aside = Path(said(capsys).split(" The old one is ")[1].strip().rstrip("."))
    assert aside.read_text() == "no database"
    assert Path(f"{aside}-wal").read_text() == "no database-wal"
    assert contents_of(target) == contents_of(database)


def test_a_database_in_use_is_not_restored(database: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = tmp_path / "copy.db"
    assert main(["backup", str(copy), "--database", str(database)]) == 0
    with server_on(database):
        assert main(["restore", str(copy), "--database", str(database), "--force"]) == 2
        assert "is already in use" in said(capsys)
    assert main(["restore", str(database), "--database", str(database), "--force"]) == 2
    assert "cannot be restored from itself" in said(capsys)


def test_a_damaged_backup_is_restored_only_if_that_is_asked_for(
    database: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(database, "UPDATE events SET payload = x'00' WHERE number = 2 AND seq = 3")
    target = tmp_path / "new.db"
    assert main(["restore", str(database), "--database", str(target)]) == 2
    assert "nothing was restored" in said(capsys)
    assert not target.exists()
    assert main(["restore", str(database), "--database", str(target), "--no-verify"]) == 0
    assert target.exists()


# -- Redis ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def redis() -> Iterator[RedisServer]:
    server = RedisServer()
    server.start()
    yield server
    server.remove()


def test_everything_moves_from_a_file_to_a_redis_and_back(
    redis: RedisServer, database: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    expected, copy, again = contents_of(database), tmp_path / "copy.db", tmp_path / "again.db"
    assert main(["restore", str(database), "--redis", redis.url, "--force"]) == 0
    assert f"Restored {TABLES} tables into the Redis.\n" in said(capsys)
    assert contents_of_redis(redis.url) == expected
    assert main(["verify", "--redis", redis.url]) == 0
    assert main(["backup", str(copy), "--redis", redis.url]) == 0
    assert contents_of(copy) == expected
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert main(["verify", str(copy)]) == 0
    assert main(["restore", str(copy), "--database", str(again)]) == 0
    assert contents_of(again) == expected
    assert left_in(tmp_path) == []
    said(capsys)
    assert main(["restore", str(copy), "--redis", redis.url]) == 2
    assert "holds tables or users already" in said(capsys)
    assert main(["backup", str(copy), "--redis", redis.url]) == 2
    assert "exists already" in said(capsys)


def test_a_redis_with_workers_is_not_restored(
    redis: RedisServer, database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["restore", str(database), "--redis", redis.url, "--force"]) == 0

    async def claim(ttl_seconds: float) -> None:
        store = RedisStore.at(redis.url)
        (name, *_) = await store.names()
        await store.claim(name, "worker", ttl_seconds)
        await store.close()

    asyncio.run(claim(60))
    assert main(["restore", str(database), "--redis", redis.url, "--force"]) == 2
    assert "Workers use this Redis; stop them first." in said(capsys)


def test_a_restore_that_is_broken_off_can_be_repeated_and_no_server_starts_meanwhile(
    redis: RedisServer, database: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def empty() -> None:
        restore = RedisRestore.at(redis.url)
        await restore.begin()
        await restore.end()
        await restore.close()

    asyncio.run(empty())
    calls = iter(range(100))
    real = RedisStore.restore

    async def breaks(self: RedisStore, copy: TableCopy, *, compact: bool = False) -> bool:
        if next(calls) == 2:
            raise KeyboardInterrupt
        return await real(self, copy, compact=compact)

    with monkeypatch.context() as patched:
        patched.setattr(RedisStore, "restore", breaks)
        assert main(["restore", str(database), "--redis", redis.url]) == 130
    with pytest.raises(StoreUnusable, match="A restore into this Redis is not complete"):
        asyncio.run(check_restored(redis.url))
    assert main(["restore", str(database), "--redis", redis.url]) == 0
    asyncio.run(check_restored(redis.url))
    assert contents_of_redis(redis.url) == contents_of(database)


def test_a_damaged_table_is_left_out_of_a_backup_and_named(
    redis: RedisServer, database: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def damage() -> str:
        store = RedisStore.at(redis.url)
        rows = [row for row in await store.tables() if row.phase != "over"]
        await store._pipeline.command("XDEL", store._key(rows[0].table, "log"), "2-0")
        await store.close()
        return rows[0].table

    async def release() -> None:
        restore = RedisRestore.at(redis.url)
        await restore.begin()
        await restore.end()
        await restore.close()

    asyncio.run(release())
    assert main(["restore", str(database), "--redis", redis.url, "--force"]) == 0
    table = asyncio.run(damage())
    said(capsys)
    assert main(["verify", "--redis", redis.url]) == 1
    assert f"Table '{table}' is damaged at entry 2: the hash chain is broken." in said(capsys)
    assert main(["backup", str(tmp_path / "copy.db"), "--redis", redis.url]) == 1
    assert f"The log of table {table} is damaged at entry 2." in said(capsys)
    assert len(contents_of(tmp_path / "copy.db")[0]) == TABLES - 1


def test_a_redis_that_is_not_there_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    nowhere = "redis://127.0.0.1:1/0"
    golden_database(tmp_path / "tables.db", 1)
    for command in (["backup", str(tmp_path / "copy.db")], ["verify"], ["restore", str(tmp_path / "tables.db")]):
        assert main([*command, "--redis", nowhere]) == 2
        assert said(capsys).splitlines()[-1].startswith(f"sanfrancisco {command[0]}: Redis ")
    assert sorted(name for name in os.listdir(tmp_path) if not name.startswith("tables.db")) == []
