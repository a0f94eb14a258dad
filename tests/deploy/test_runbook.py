"""RUNBOOK.md explains all log messages and metrics of the server, and its commands work."""

from __future__ import annotations

import ast
import asyncio
import re
import shlex
import subprocess
from collections.abc import Iterator
from contextlib import AsyncExitStack
from functools import cache
from pathlib import Path

import pytest

from protocol.client import Client, socket_url
from server.cli import main
from server.gateway.metrics import PREFIX, Counters, GatewayCollector
from tests.deploy.deployment import DEPLOY, TIMEOUT_SECONDS, health
from tests.gateway.process import ROOT, ServerProcess
from tests.scenarios.people import UNLIMITED, guest_token
from tests.store.redis_server import RedisServer, redis_server

RUNBOOK = (DEPLOY / "RUNBOOK.md").read_text()


# -- messages of the server -------------------------------------------------------------------------------------


@cache
def said() -> set[str]:
    """Return all log messages of the server, as they are in the code."""
    found = set()
    for path in (ROOT / "server").rglob("*.py"):
        for call in ast.walk(ast.parse(path.read_text())):
            match call:
                case ast.Call(
                    func=ast.Attribute(value=ast.Name("log"), attr="info" | "warning" | "error" | "exception")
                    | ast.Name("log_failure"),
                    args=[ast.Constant(str(words)), *_],
                ):
                    found.add(words)
    return found


def test_every_line_of_the_log_is_explained() -> None:
    assert len(said()) > 30
    assert sorted(words for words in said() if f"*{words}*" not in RUNBOOK) == []


def test_nothing_is_explained_that_is_never_logged() -> None:
    section = RUNBOOK[RUNBOOK.index("## What the log says") : RUNBOOK.index("## When Redis is away")]
    assert set(re.findall(r"\*([a-z ]+)\*", section)) == said()


def section_names(heading: str) -> set[str]:
    """Return the names in the first column of a section's table."""
    section = re.split(r"^## ", RUNBOOK[RUNBOOK.index(f"## {heading}") + 3 :], flags=re.MULTILINE)[0]
    cells = re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
    return {name for cell in cells for name in re.findall(r"`([a-z_]+)", cell)}


def test_every_metric_is_explained() -> None:
    source = (ROOT / "server/app.py").read_text()
    gauges = {"connections", "tables_awake", "tables_open", "tables_running"}
    assert all(f'"{name}"' in source for name in gauges - {"tables_open", "tables_running"})
    counters = {f"{family.name}_total" for family in GatewayCollector(Counters(), {}).collect()}
    expected = gauges | {name.removeprefix(PREFIX) for name in counters} | {"loop_lag_seconds"}
    assert section_names("What `/metrics` says") == expected


# -- commands of an operator ------------------------------------------------------------------------------------


def commands(heading: str) -> list[str]:
    """Return the commands of a section, in order."""
    section = re.split(r"^##+ ", RUNBOOK[RUNBOOK.index(f"# {heading}") + 2 :], flags=re.MULTILINE)[0]
    return re.findall(r"^    (\S.*)$", section, re.MULTILINE)


@pytest.fixture
def redis() -> Iterator[RedisServer]:
    server = RedisServer("--include", str(DEPLOY / "redis.conf"), "--port", "0")
    server.start()
    yield server
    server.remove()


def run(redis: RedisServer, command: str) -> str:
    """Run a command of the runbook against the Redis of this test."""
    program, *words = shlex.split(command)
    assert program == "redis-cli"
    line = [Path(redis_server()).with_name(program), "-s", f"{redis.folder}/redis.sock", *words]
    return subprocess.run(line, check=True, capture_output=True, text=True, timeout=TIMEOUT_SECONDS).stdout


async def test_a_table_is_taken_out_of_a_backup_while_the_server_runs(redis: RedisServer, tmp_path: Path) -> None:
    """The fields of `/healthz` are explained, too."""
    here, there = ["--redis", redis.url], tmp_path / "restored.db"
    worker = await asyncio.to_thread(ServerProcess, tmp_path, *here, *UNLIMITED)
    try:
        assert set(await asyncio.to_thread(health, worker.operator_http)) == section_names("What `/healthz` says")
        async with asyncio.timeout(60), AsyncExitStack() as stack:
            token = await asyncio.to_thread(guest_token, worker.http)
            host = await stack.enter_async_context(Client(socket_url(worker.http), token))
            table = (await host.request("create_table", settings={"game": "investors", "seats": 3}))["table"]
            watched = await host.watch(table)
            await host.request("say", table=table, text="before")
            assert await asyncio.to_thread(main, ["export", table, *here, "-o", str(tmp_path / "good.log")]) == 0
            await host.request("say", table=table, text="after")
            assert await asyncio.to_thread(main, ["import", str(tmp_path / "good.log"), *here]) == 2
            removing = [line for line in commands("Restore a table") if "DEL" in line or "SREM" in line]
            answers = [run(redis, line.replace("TABLE", table)) for line in removing]
            # Only a finished game has an archive.
            assert [int(answer) for answer in answers] == [3, 1]
            assert await asyncio.to_thread(main, ["import", str(tmp_path / "good.log"), *here]) == 0
            await host.request("say", table=table, text="again")
            while [line["text"] for line in watched.view["talk"]] != ["before", "again"]:
                watched.changed.clear()
                await watched.changed.wait()
    finally:
        worker.end()
    # The other direction: from Redis into a file.
    assert await asyncio.to_thread(main, ["export", table, *here, "-o", str(tmp_path / "last.log")]) == 0
    assert await asyncio.to_thread(main, ["import", str(tmp_path / "last.log"), "--database", str(there)]) == 0


def test_a_table_is_removed_with_all_its_keys() -> None:
    source = (ROOT / "server/store/redis.py").read_text()
    services = {"table", *re.findall(r'_key\(table, "(\w+)"\)', source)}
    (line,) = [line for line in commands("Restore a table") if "DEL" in line]
    assert set(re.findall(r"sf:\{TABLE\}:(\w+)", line)) == services


def test_tables_in_redis_are_listed(redis: RedisServer, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tables", "--redis", redis.url]) == 0
    assert capsys.readouterr().out.split()[:2] == ["table", "game"]
    redis.kill()
    assert main(["tables", "--redis", redis.url]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert re.fullmatch(r"sanfrancisco tables: Redis failed: .*[^.]\.\n", told.err)


def test_what_is_asked_for_wins_over_the_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SANFRANCISCO_REDIS", "redis://127.0.0.1:1/0")
    monkeypatch.setenv("SANFRANCISCO_WORKERS", "2")
    missing = str(tmp_path / "missing.db")
    assert main(["tables", "--database", missing]) == 2
    assert capsys.readouterr().err == f"sanfrancisco tables: There is no database {missing}.\n"
    assert main(["tables"]) == 2
    assert "Redis failed" in capsys.readouterr().err
    assert main(["tables", "--database", missing, "--redis", "redis://127.0.0.1:1/0"]) == 2
    assert "give --database or --redis, not both." in capsys.readouterr().err


def test_a_backup_is_taken_and_everything_is_restored(redis: RedisServer, tmp_path: Path) -> None:
    run(redis, "redis-cli SET something kept")
    (backup,) = [line for line in commands("Back up") if line.startswith("redis-cli")]
    run(redis, backup.replace("/var/backups", str(redis.folder)))
    redis.kill()
    for file in redis.folder.glob("appendonly*"):
        file.unlink()
    (redis.folder / "tables.rdb").rename(redis.folder / "dump.rdb")
    start, *rest = commands("Restore everything")
    written = shlex.split(start)
    assert written[0] == "redis-server"
    once = RedisServer(*written[written.index("--appendonly") : written.index("--daemonize")])
    once.folder = redis.folder
    once.start()
    switch, look, _ = rest
    run(once, switch)
    while "aof_rewrite_in_progress:1" in (shown := run(once, look)) or "aof_rewrite_scheduled:1" in shown:
        pass
    assert "aof_last_bgrewrite_status:ok" in shown
    once.kill()
    redis.start()
    assert run(redis, "redis-cli GET something") == "kept\n"
