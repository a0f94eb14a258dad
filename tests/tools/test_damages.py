"""A database damaged at many places: it is opened or refused with a sentence, and no changed log stays unnoticed."""

from __future__ import annotations

import asyncio
import os
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing, redirect_stderr, redirect_stdout, suppress
from io import StringIO
from pathlib import Path

import pytest

from server.cli import main
from server.store.api import LogDamaged, StorageFailed, StoreUnusable
from server.store.sqlite import SqliteStore
from tests.tools.golden_tables import golden_database

DAMAGES = int(os.environ.get("DAMAGES", "80"))
SEED = int(os.environ.get("DAMAGES_SEED", "1"))
TABLES = 7


@pytest.fixture(scope="module")
def intact(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("intact") / "tables.db"
    golden_database(path, TABLES)
    return path


def damaged(content: bytes, rng: random.Random) -> tuple[str, bytes]:
    """Return the name of a damage, and the content with it."""
    changed = bytearray(content)
    place = rng.randrange(len(content))
    # Most of a file is payload; the structure is where SQLite stumbles.
    if rng.random() < 0.5:
        place = place // 4096 * 4096 + rng.randrange(120)
    length = rng.choice((1, 1, 4, 16, 512, 4096))
    kind = rng.choice(("flip", "flip", "zero", "ones", "noise", "cut"))
    part = changed[place : place + length]
    match kind:
        case "flip":
            changed[place] ^= 1 << rng.randrange(8)
        case "zero":
            changed[place : place + length] = bytes(len(part))
        case "ones":
            changed[place : place + length] = b"\xff" * len(part)
        case "noise":
            changed[place : place + length] = rng.randbytes(len(part))
        case "cut":
            del changed[place:]
    return f"{kind} of {length} at {place}", bytes(changed)


def logs_of(path: Path) -> list[tuple[object, ...]] | None:
    """Return all tables and log entries in a file without the help of the store; None if SQLite cannot read them."""
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as db:
            db.text_factory = bytes
            rows = db.execute(
                "SELECT t.name, e.seq, e.head, e.payload FROM events e LEFT JOIN tables t USING (number) ORDER BY 1, 2"
            ).fetchall()
            return [*rows, *db.execute("SELECT name, phase, seq, head FROM tables NOT INDEXED ORDER BY 1")]
    except (sqlite3.Error, UnicodeDecodeError, OverflowError):
        return None


def run(*arguments: str) -> tuple[int, str]:
    """Run a command in this process; a traceback would be an exception here."""
    with redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as error:
        code = main(list(arguments))
    return code, out.getvalue() + error.getvalue()


async def use(path: Path) -> Exception | None:
    """Open a file as a server does, and read everything in it; return the error that says what is wrong, if any."""
    try:
        store = await SqliteStore.open(path, "fast")
    except StoreUnusable as error:
        return error
    try:
        for row in await store.tables():
            with suppress(StorageFailed, LogDamaged):
                await store.read(row.table)
                await store.copy(row.table)
        await store.key_values.find("user")
    except StorageFailed as error:
        return error
    finally:
        await store.close()
    return None


def cases(content: bytes) -> Iterator[tuple[str, bytes]]:
    rng = random.Random(SEED)
    return (damaged(content, rng) for _ in range(DAMAGES))


def test_no_damage_that_changes_a_log_stays_unnoticed(intact: Path, tmp_path: Path) -> None:
    content, expected = intact.read_bytes(), logs_of(intact)
    assert run("verify", str(intact))[0] == 0
    found = 0
    for number, (name, changed) in enumerate(cases(content)):
        path = tmp_path / f"{number}.db"
        path.write_bytes(changed)
        code, said = run("verify", str(path))
        assert said.count("\n") >= 1, name
        assert said.rstrip().endswith("."), (name, said)
        assert code == 0 or said.startswith(("sanfrancisco verify: ", "Table ", "The index ", "The ratings ")), (
            name,
            said,
        )
        if logs_of(path) != expected:
            assert code in (1, 2), (name, said)
            found += 1
        path.unlink()
    assert found > DAMAGES / 4


def test_a_damaged_file_is_opened_or_refused_with_a_sentence(intact: Path, tmp_path: Path) -> None:
    refused = 0
    for number, (name, changed) in enumerate(cases(intact.read_bytes())):
        path = tmp_path / f"{number}.db"
        path.write_bytes(changed)
        error = asyncio.run(use(path))
        assert error is None or str(error).endswith("."), name
        if isinstance(error, StoreUnusable):
            assert str(path) in str(error), name
            refused += 1
        path.unlink()
    assert refused > DAMAGES / 10


@pytest.mark.parametrize("command", ["tables", "backup", "restore", "reindex"])
def test_no_command_shows_a_traceback(intact: Path, tmp_path: Path, command: str) -> None:
    content = intact.read_bytes()
    for number, (name, changed) in enumerate(cases(content)):
        if number % 4:
            continue
        path, other = tmp_path / f"{number}.db", tmp_path / f"{number}.copy"
        path.write_bytes(changed)
        match command:
            case "tables":
                code, said = run("tables", "--database", str(path))
            case "reindex":
                code, said = run("reindex", "--database", str(path))
                # Logs that cannot be read are named.
                code = 0 if code == 1 and said.startswith("The log of table ") else code
            case "backup":
                code, said = run("backup", str(other), "--database", str(path))
            case _:
                code, said = run("restore", "--no-verify", str(path), "--database", str(other))
        assert code in (0, 2), name
        assert code == 0 or said.startswith(f"sanfrancisco {command}: "), (name, said)
        assert other.exists() == (code == 0 and command in ("backup", "restore")), name
        assert not list(tmp_path.glob("*.part*")), name
