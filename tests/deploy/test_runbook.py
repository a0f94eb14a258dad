"""RUNBOOK.md explains all log messages and metrics of the server, and its commands work."""

from __future__ import annotations

import ast
import asyncio
import json
import re
import shlex
import shutil
import signal
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import pytest

from protocol.client import Client, socket_url
from server.cli import main
from server.gateway.metrics import PREFIX, Counters, GatewayCollector
from tests.deploy.deployment import DEPLOY, TIMEOUT_SECONDS, Nginx, health
from tests.deploy.runbook import NOT_HERE, RUNBOOK, Shell, commands
from tests.faults.kills import free_port
from tests.gateway.process import ROOT, ServerProcess
from tests.scenarios.people import UNLIMITED, guest_token, open_table
from tests.store.redis_server import RedisServer

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
    gauges = {"connections", "tasks", "tables_awake", "tables_open", "tables_running"}
    gauges |= {"analyses_waiting", "analyses_running"}
    assert all(f'"{name}"' in source for name in gauges - {"tables_open", "tables_running"})
    counters = {f"{family.name}_total" for family in GatewayCollector(Counters(), {}).collect()}
    expected = gauges | {name.removeprefix(PREFIX) for name in counters} | {"loop_lag_seconds"}
    assert section_names("What `/metrics` says") == expected


# -- commands of an operator ------------------------------------------------------------------------------------


@pytest.fixture
def redis() -> Iterator[RedisServer]:
    server = RedisServer("--include", str(DEPLOY / "redis.conf"), "--port", "0")
    server.start()
    yield server
    server.remove()


class Installation:
    """A server with a file, started as the runbook says, and a worker with a Redis, each with a game that has begun."""

    def __init__(self, folder: Path, redis: RedisServer) -> None:
        self.shell = Shell(folder, redis.folder / "redis.sock")
        self.redis = redis
        self._folder = folder
        self._database = str(folder / "lib" / "sanfrancisco" / "sanfrancisco.db")
        self.tables: list[str] = []
        self.file_server, self.worker = self._start()

    def _start(self) -> tuple[ServerProcess, ServerProcess]:
        (start, *_) = commands("Start")
        program, serve, *arguments = shlex.split(self.shell.line(start))
        assert (program, serve) == ("sanfrancisco", "serve")
        # All but the address is as written; tests listen on the loopback interface only.
        arguments[arguments.index("--host") + 1], arguments[arguments.index("--port") + 1] = "127.0.0.1", "0"
        arguments[arguments.index("--database") + 1] = self._database
        self.shell.ran.append(start)
        with ThreadPoolExecutor() as pool:
            file_server = pool.submit(ServerProcess, self._folder, *arguments, *UNLIMITED)
            worker = pool.submit(ServerProcess, self._folder, "--redis", self.redis.url, *UNLIMITED)
            return file_server.result(), worker.result()

    def stop(self) -> None:
        for server in (self.file_server, self.worker):
            server.tell(signal.SIGTERM)
        for server in (self.file_server, self.worker):
            assert server.exit_code() == 0
            server.end()

    def restart(self) -> None:
        self.file_server, self.worker = self._start()

    def end(self) -> None:
        self.file_server.end()
        self.worker.end()


async def begin_game(http: str) -> tuple[str, str]:
    """Begin a game of a guest and bots; return the table and the guest's token."""
    token = await asyncio.to_thread(guest_token, http)
    async with Client(socket_url(http), token) as host:
        return await open_table([host], "investors", seats=3), token


async def said_at(http: str, token: str, table: str, text: str | None = None) -> list[str]:
    """Return the chat at a table, after saying something."""
    async with Client(socket_url(http), token) as client:
        if text is not None:
            await client.request("say", table=table, text=text)
        watched = await client.watch(table)
        while text is not None and text not in [line["text"] for line in watched.view["talk"]]:
            watched.changed.clear()
            await watched.changed.wait()
        return [line["text"] for line in watched.view["talk"]]


def test_every_command_runs_or_it_is_said_why_not() -> None:
    """The scenario below runs whole sections; here is the list of them."""
    assert len(commands()) > 30
    assert {command.section for command in commands() if command.runs_here} == RUN_BELOW
    for begin in NOT_HERE:
        assert any(command.text.startswith(begin) for command in commands()), (
            f"{begin!r} is not in the runbook any more"
        )


def test_commands_that_cannot_run_here_name_what_exists() -> None:
    compose = (DEPLOY / "compose.yaml").read_text()
    services = set(re.findall(r"^  ([a-z0-9-]+):$", compose, re.MULTILINE))
    units = ("redis-server", "nginx")
    for _, text in commands():
        if text.startswith("docker "):
            assert text.startswith("docker compose -f deploy/compose.yaml "), text
            assert set(re.findall(r" (worker-\d+|proxy|redis)\b", text)) <= services, text
        for unit in re.findall(r"(?:systemctl|--unit) [^|;\n]*", text):
            names = [word for word in shlex.split(unit)[1:] if not word.startswith("-")]
            unknown = [name for name in names if not name.startswith("sanfrancisco@") and name not in units]
            assert set(unknown) <= {"stop", "start", "restart", "enable", "daemon-reload", "cat"}, text
    assert (DEPLOY / "sanfrancisco@.service").is_file()


def test_nginx_takes_the_directives_for_another_proxy(tmp_path: Path) -> None:
    directives = [text for _, text in commands("Behind another proxy")]
    assert len(directives) == 3
    nginx = Nginx(tmp_path)
    nginx.port, nginx.tls_port = free_port(), free_port()
    shutil.copy(DEPLOY / "workers.conf", tmp_path)
    written = nginx._configuration().replace("http {\n", "http {\n" + "\n".join(directives) + "\n", 1)
    (tmp_path / "nginx.conf").write_text(written)
    said = subprocess.run(
        [*nginx._command(), "-t"], capture_output=True, text=True, check=False, timeout=TIMEOUT_SECONDS
    )
    assert said.returncode == 0, said.stderr


RUN_BELOW = {
    "Start",
    "Back up",
    "Restore everything",
    "The index of finished games",
    "Tables",
    "Read a log",
    "Restore a table",
    "What `/metrics` says",
}


def test_an_operator_starts_backs_up_restores_and_takes_a_table_out_of_a_backup(
    redis: RedisServer, tmp_path: Path
) -> None:
    here = Installation(tmp_path, redis)
    shell, nginx = here.shell, Nginx(tmp_path)
    try:
        nginx.start([here.worker])
        # Start: the files of an installation, and the health of a worker and of the whole.
        shell.replaced |= {":8001/": f":{here.file_server.port}/", "//127.0.0.1/": f"//127.0.0.1:{nginx.port}/"}
        # Only root may change the owner of a file, and only if there is such a group.
        shell.replaced["-g redis "] = ""
        healths = [shell.run(each) for each in commands("Start")[1:] if each.runs_here]
        assert [json.loads(text)["ok"] for text in healths[-2:]] == [True, True]
        shell.replaced[":9000/"] = f":{here.worker.operator_port}/"
        assert "sanfrancisco_connections " in shell.run_section("What `/metrics` says")
        fields = section_names("What `/healthz` says")
        assert set(json.loads(healths[-1])) < fields
        assert set(health(here.worker.operator_http)) == fields
        installed = {path.name for path in (tmp_path / "etc").rglob("*") if path.is_file()}
        assert {"sanfrancisco@.service", "sanfrancisco.env", "nginx.conf", "workers.conf", "redis.conf"} <= installed

        table, token = asyncio.run(begin_game(here.worker.http))
        of_file, file_token = asyncio.run(begin_game(here.file_server.http))
        asyncio.run(said_at(here.worker.http, token, table, "before"))
        asyncio.run(said_at(here.file_server.http, file_token, of_file, "before"))
        said = shell.run_section("Back up")
        assert said.count("Wrote ") == 2
        assert "1 table with " in said
        said = shell.run_section("The index of finished games")
        assert said.count("Built the index again: 0 finished games") == 2
        asyncio.run(said_at(here.worker.http, token, table, "after"))
        asyncio.run(said_at(here.file_server.http, file_token, of_file, "after"))

        # Tables and reading a log: the Redis may be in use; the import goes into a new file.
        shell.replaced["TABLE"] = table
        shell.environment["SANFRANCISCO_REDIS"] = redis.url
        listing, export, show, imported = commands("Tables")
        assert table in shell.run(listing)
        shell.run(export)
        assert "after" in (tmp_path / "table.log").read_text()
        assert "investors" in shell.run(show).lower()
        shell.environment = {"SANFRANCISCO_DATABASE": str(tmp_path / "elsewhere.db")}
        assert f"Imported table {table}" in shell.run(imported)
        assert shell.run_section("Read a log").count("said") >= 1

        # One table out of the backup, while everything else goes on.
        (tmp_path / "table.log").unlink()
        shell.environment = {}
        shell.run_section("Restore a table")
        assert asyncio.run(said_at(here.worker.http, token, table, "again")) == ["before", "again"]

        # Everything; not while servers run.
        restores = [command for command in commands("Restore everything") if command.runs_here]
        refusals = [shell.refusal(command) for command in restores]
        assert "is already in use by process" in refusals[0]
        assert "Workers use this Redis; stop them first." in refusals[1]
        here.stop()
        restored = shell.run_section("Restore everything")
        assert "The old one is " in restored
        assert "Restored 1 table into the Redis." in restored
        here.restart()
        assert asyncio.run(said_at(here.worker.http, token, table)) == ["before"]
        assert asyncio.run(said_at(here.file_server.http, file_token, of_file)) == ["before"]
        assert {command for command in commands() if command.runs_here} == set(shell.ran)
    finally:
        nginx.end()
        here.end()


def test_a_table_is_removed_with_all_its_keys() -> None:
    source = (ROOT / "server/store/redis.py").read_text()
    services = {"table", *re.findall(r'_key\(table, "(\w+)"\)', source)}
    (line,) = [text for _, text in commands("Restore a table") if " DEL " in text]
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
