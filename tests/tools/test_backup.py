"""Backup and verify: what a command does with a file, and what it leaves when it fails or is broken off."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from server.cli import main
from server.control import control_path
from server.store import backup as store_backup
from server.store.sqlite import SqliteStore
from server.tools import backup
from tests.tools.databases import TABLES, TIMEOUT_SECONDS, contents_of, edit, left_in, said, server_on
from tests.tools.golden_tables import golden_database, golden_exports

# -- backup of a file -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("runs", [True, False], ids=["by the server", "without a server"])
def test_a_backup_holds_everything_and_only_its_owner_may_read_it(
    database: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], runs: bool
) -> None:
    expected = contents_of(database)
    copy = tmp_path / "copy.db"
    if runs:
        with server_on(database):
            assert main(["backup", str(copy), "--database", str(database)]) == 0
    else:
        assert main(["backup", str(copy), "--database", str(database)]) == 0
    assert said(capsys).startswith(f"Wrote {copy}: ")
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert contents_of(copy) == expected
    assert main(["verify", str(copy)]) == 0
    assert f"{TABLES} tables with " in said(capsys)
    assert left_in(tmp_path, database.parent) == []
    # A single file, which can be read without writing beside it.
    with closing(sqlite3.connect(copy)) as db:
        assert db.execute("PRAGMA journal_mode").fetchone() == ("delete",)


def test_a_relative_name_is_that_of_the_command_and_not_of_the_server(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with server_on(database):
        monkeypatch.chdir(tmp_path)
        assert main(["backup", "copy.db", "--database", "server/tables.db"]) == 0
    assert contents_of(tmp_path / "copy.db") == contents_of(database)


def test_a_server_that_cannot_write_there_makes_the_copy_beside_its_database(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def not_here(request: dict[str, Any]) -> None:
        assert request["folder"] == str(tmp_path)

    monkeypatch.setattr(backup, "_shared_folder", not_here)
    with server_on(database):
        assert main(["backup", str(tmp_path / "copy.db"), "--database", str(database)]) == 0
    assert contents_of(tmp_path / "copy.db") == contents_of(database)
    assert left_in(tmp_path, database.parent) == []


def test_a_copy_on_another_file_system_is_complete(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    part, copy = tmp_path / ".tables.part", tmp_path / "copy.db"
    part.write_bytes(database.read_bytes())
    monkeypatch.setattr(store_backup, "_is_on", lambda part, folder: False)
    store_backup.put_in_place(part, copy, replace=False)
    assert copy.read_bytes() == database.read_bytes()
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600


@pytest.mark.parametrize("folder, shared", [("there", True), ("there", False), ("nowhere", False)])
def test_a_folder_is_shared_if_it_is_the_same_for_both(tmp_path: Path, folder: str, shared: bool) -> None:
    (tmp_path / "there").mkdir()
    found = os.stat(tmp_path / "there")
    inode = found.st_ino if shared else found.st_ino + 1
    request = {"folder": str(tmp_path / folder), "device": found.st_dev, "inode": inode}
    assert backup._shared_folder(request) == (tmp_path / folder if shared else None)


def test_a_file_is_replaced_only_by_force(database: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = tmp_path / "copy.db"
    copy.write_text("older")
    with server_on(database):
        assert main(["backup", str(copy), "--database", str(database)]) == 2
        assert said(capsys) == f"sanfrancisco backup: {copy} exists already; --force replaces it.\n"
        assert copy.read_text() == "older"
        copy.with_name("copy.db-wal").write_text("a journal that would be applied to the new file")
        assert main(["backup", str(copy), "--database", str(database), "--force"]) == 0
    assert not copy.with_name("copy.db-wal").exists()
    assert contents_of(copy) == contents_of(database)


@pytest.mark.parametrize("runs", [True, False])
def test_the_database_in_use_is_never_replaced(
    database: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], runs: bool
) -> None:
    before = contents_of(database)
    other = tmp_path / "other.db"
    golden_database(other, 1)
    with server_on(database if runs else other):
        assert main(["backup", str(database), "--database", str(database), "--force"]) == 2
        used = database if runs else other
        assert main(["backup", str(used), "--database", str(other if runs else database), "--force"]) == 2
        assert "is a database in use" in said(capsys)
    assert contents_of(database) == before


def test_a_backup_without_a_place_is_refused(
    database: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for target, why in ((tmp_path, "is a folder"), (tmp_path / "no" / "copy.db", "There is no folder")):
        assert main(["backup", str(target), "--database", str(database)]) == 2
        assert why in said(capsys)
    assert main(["backup", str(tmp_path / "copy.db"), "--database", str(tmp_path / "none.db")]) == 2
    assert "There is no database" in said(capsys)


def test_a_full_disk_is_named_and_leaves_nothing(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = store_backup.open_plain

    def small(path: Path) -> sqlite3.Connection:
        db = plain(path)
        db.execute("PRAGMA max_page_count = 10")
        return db

    with server_on(database):
        with monkeypatch.context() as patched:
            patched.setattr(store_backup, "open_plain", small)
            assert main(["backup", str(tmp_path / "copy.db"), "--database", str(database)]) == 2
            assert said(capsys) == f"sanfrancisco backup: {tmp_path} could not take the backup: the disk is full.\n"
        with monkeypatch.context() as patched:
            real = os.statvfs(tmp_path)
            few = os.statvfs_result((*real[:4], 1, *real[5:]))
            patched.setattr(os, "statvfs", lambda folder: few)
            assert main(["backup", str(tmp_path / "copy.db"), "--database", str(database)]) == 2
            assert "MB left." in said(capsys)
        assert left_in(tmp_path, database.parent) == []
        assert sorted(os.listdir(tmp_path)) == ["server"]
        assert main(["backup", str(tmp_path / "copy.db"), "--database", str(database)]) == 0


def test_a_server_that_does_not_answer_is_named(
    database: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with server_on(database):
        control_path(database).unlink()
        assert main(["backup", str(tmp_path / "copy.db"), "--database", str(database)]) == 2
    assert f"in use by process {os.getpid()}" in (text := said(capsys))
    assert "does not answer" in text


# -- verify ---------------------------------------------------------------------------------------------------


NAME = "(SELECT name FROM tables WHERE number = 2)"


@pytest.mark.parametrize(
    "damage, found",
    [
        ("UPDATE events SET payload = x'00' WHERE number = 2 AND seq = 3", "at entry 3: the hash chain is broken"),
        ("DELETE FROM events WHERE number = 2 AND seq = 3", "at entry 3: the hash chain is broken"),
        ("UPDATE tables SET phase = 'other' WHERE number = 2", "its phase does not follow"),
        ("UPDATE tables SET about = x'80' WHERE number = 2", ""),
        (
            "UPDATE tables SET about = (SELECT about FROM tables WHERE number = 1) WHERE number = 2",
            "its summary does not",
        ),
        ("UPDATE tables SET about = x'c1' WHERE number = 2", "its summary does not"),
        ("UPDATE tables SET name = 'renamed' WHERE number = 2", "its log is that of table"),
    ],
)
def test_a_damaged_table_is_named(database: Path, capsys: pytest.CaptureFixture[str], damage: str, found: str) -> None:
    edit(database, damage)
    assert main(["verify", "--database", str(database)]) == (1 if found else 0)
    lines = [line for line in said(capsys).splitlines() if "in the index" not in line]
    assert len(lines) == (2 if found else 1)
    assert found in lines[0]
    assert lines[-1].endswith(": 1 damaged." if found else ": all intact.")


def test_a_log_with_an_intact_chain_that_breaks_the_rules_is_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "tables.db"
    log = next(log for log in golden_exports() if len(log.entries) > 40)

    async def fill() -> None:
        store = await SqliteStore.open(path)
        await store.create(log.table, "over", b"", [*log.entries[:20], log.entries[0], *log.entries[20:]])
        await store.create("empty", "open", b"")
        await store.close()

    asyncio.run(fill())
    assert main(["verify", "--database", str(path)]) == 1
    *damages, last = said(capsys).splitlines()
    replay, missing = sorted(damages, key=lambda line: "'empty'" in line)
    assert missing == "Table 'empty' is damaged at entry 1: it is missing."
    assert re.fullmatch(f"Table '{log.table}' is damaged at entry [0-9]+: it cannot be replayed.", replay)
    assert last.endswith("2 damaged.")


def test_of_a_file_in_use_a_copy_is_verified(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(database, "UPDATE events SET payload = x'00' WHERE number = 2 AND seq = 3")
    with server_on(database):
        assert main(["verify", "--database", str(database)]) == 1
        assert f"{TABLES} tables with " in (text := said(capsys))
        assert "at entry 3: the hash chain is broken" in text
        assert left_in(database.parent) == []
        control_path(database).unlink()
        assert main(["verify", "--database", str(database)]) == 2
        assert "does not answer" in said(capsys)
        assert main(["restore", str(database), "--database", f"{database}.new"]) == 2
        assert "is already in use" in said(capsys)


def test_verify_changes_nothing(database: Path) -> None:
    before, names = database.read_bytes(), sorted(os.listdir(database.parent))
    (database.parent / "tables.db.lock").unlink(missing_ok=True)
    assert main(["verify", str(database)]) == 0
    assert database.read_bytes() == before
    assert sorted(os.listdir(database.parent)) == [name for name in names if name != "tables.db.lock"]


@pytest.mark.parametrize("content", [None, b"", b"no database", b"SQLite format 3\0"])
def test_anything_else_is_no_backup(tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes | None) -> None:
    path = tmp_path / "file"
    if content is not None:
        path.write_bytes(content)
    for command in (["verify", str(path)], ["restore", str(path), "--database", str(tmp_path / "new.db")]):
        assert main(command) == 2
        assert said(capsys).startswith(f"sanfrancisco {command[0]}: ")
    assert not (tmp_path / "new.db").exists()


# -- broken off -----------------------------------------------------------------------------------------------


# A killed command without a server cannot delete anything; the next backup replaces what it has left.
@pytest.mark.parametrize(
    "runs, sign",
    [
        (True, signal.SIGINT),
        (True, signal.SIGTERM),
        (True, signal.SIGKILL),
        (False, signal.SIGINT),
        (False, signal.SIGTERM),
    ],
)
def test_a_command_that_is_broken_off_leaves_nothing_and_the_server_goes_on(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, runs: bool, sign: signal.Signals
) -> None:
    hold = threading.Event()
    command = [sys.executable, "-m", *(["server"] if runs else ["tests.tools.slow_backup"])]
    command += ["backup", str(tmp_path / "copy.db"), "--database", str(database)]
    with contextlib.ExitStack() as stack:
        if runs:
            real = store_backup.finish_copy
            monkeypatch.setattr(store_backup, "finish_copy", lambda *args: hold.wait(TIMEOUT_SECONDS) and real(*args))
            stack.enter_context(server_on(database))
        # A shell that runs the tests in the background lets them ignore SIGINT.
        heed = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, preexec_fn=heed) as process:  # noqa: PLW1509
            wait_until(lambda: bool(left_in(tmp_path)) and (runs or bool((tmp_path / "slow").exists())))
            process.send_signal(sign)
            try:
                _, error = process.communicate(timeout=TIMEOUT_SECONDS)
            finally:
                # A command that did not end would let the test wait for ever.
                process.kill()
        assert process.returncode == (130 if sign != signal.SIGKILL else -sign), error
        assert error == ""
        hold.set()
        wait_until(lambda: left_in(tmp_path, database.parent) == [])
        assert not (tmp_path / "copy.db").exists()
        if runs:
            assert main(["backup", str(tmp_path / "copy.db"), "--database", str(database)]) == 0


def wait_until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + TIMEOUT_SECONDS
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.02)
