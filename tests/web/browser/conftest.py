"""Fixtures: a server with the built client, a browser, and visitors."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright, expect

from tests.faults.kills import free_port
from tests.gateway.process import ServerProcess
from tests.scenarios.people import UNLIMITED
from tests.web.browser.visitor import TIMEOUT, Visitor
from tests.web.node import ROOT, run_node

expect.set_options(timeout=TIMEOUT)

FLAGS = [
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


OWN = "own"
"""For tests that need an empty server, or kill theirs."""

FIXED_DEALS = "tests.web.browser.seeded_server"
"""The server for tests that must meet the same games in every run."""


class RestartableServer:
    """A server with the web client that can be killed and restarted on the same port."""

    def __init__(self, folder: Path, web: Path, *arguments: str, module: str = "server") -> None:
        self._folder = folder
        self._module = (module,)
        self._arguments = (*UNLIMITED, "--connections-per-user=100", f"--port={free_port()}", *arguments)
        self._web = web
        self.start_again()
        self.http = self.process.http
        self.finished: dict[str, tuple[str, str]] = {}
        """By game: a finished table that tests only look at, and the token of a person who played there."""

    def kill(self) -> None:
        self.process.end()

    def copy_database(self, to: Path) -> None:
        """Copy the database of a stopped server."""
        for file in self._folder.glob("tables.db*"):
            if file.is_file():
                shutil.copy(file, to)

    def put_back(self, copied: Path) -> None:
        """Replace the database of a stopped server with a copy."""
        for file in self._folder.glob("tables.db*"):
            file.unlink()
        for file in copied.iterdir():
            shutil.copy(file, self._folder)

    def serve_client(self, web: Path) -> None:
        """Serve another build of the client from the next start on."""
        self._web = web

    def start_again(self) -> None:
        self.process = ServerProcess(self._folder, f"--web={self._web}", *self._arguments, module=self._module)


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, float]:
    """Build the client; return its folder and the gzipped kilobytes of the scripts that a game needs.

    The worker processes of a run share one build: the first one makes it, and the others wait.
    """
    is_worker = "PYTEST_XDIST_WORKER" in os.environ
    shared = tmp_path_factory.getbasetemp().parent if is_worker else tmp_path_factory.getbasetemp()
    folder, output = shared / "web-dist", shared / "web-build.txt"
    with (shared / "web-build.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not output.exists():
            output.write_text(run_node("node", "build.mjs", f"--out={folder}"))
    weight = re.search(r"([0-9.]+) KB", output.read_text())
    assert weight is not None
    return folder, float(weight[1])


@pytest.fixture(scope="session")
def shared_server(
    built: tuple[Path, float], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[str], RestartableServer]]:
    """Yield a function that returns the server of a Python module, which is started when it is first needed."""
    servers: dict[str, RestartableServer] = {}

    def start(module: str) -> RestartableServer:
        if module not in servers:
            servers[module] = RestartableServer(tmp_path_factory.mktemp("server"), built[0], module=module)
        return servers[module]

    yield start
    for server in servers.values():
        server.kill()


@pytest.fixture(scope="module")
def own_server(built: tuple[Path, float], tmp_path_factory: pytest.TempPathFactory) -> Iterator[RestartableServer]:
    """Start a server on which there is nothing of other modules, and which may be killed."""
    server = RestartableServer(tmp_path_factory.mktemp("server"), built[0])
    yield server
    server.kill()


@pytest.fixture(scope="module")
def server(request: pytest.FixtureRequest) -> RestartableServer:
    """Return the server of a module: one that modules share, another one that is named in `SERVER`, or its own."""
    module = getattr(request.module, "SERVER", "server")
    server: RestartableServer
    if module == OWN:
        server = request.getfixturevalue("own_server")
    else:
        server = request.getfixturevalue("shared_server")(module)
    return server


def find_browser() -> str:
    # The headless shell is the same engine without the windows of a browser, which cost a third of the time.
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None:
        run = subprocess.run([ROOT / ".make" / "chromium"], capture_output=True, text=True, check=False, timeout=600)
        assert run.returncode == 0, run.stderr
        found = run.stdout.strip()
    return found


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=find_browser(), headless=True, chromium_sandbox=False, args=FLAGS
        )
        yield browser
        await browser.close()


Arrive = Callable[..., Awaitable[Visitor]]


@pytest_asyncio.fixture(loop_scope="session")
async def arrive(browser: Browser, server: RestartableServer) -> AsyncIterator[Arrive]:
    """Yield a function that opens a path of the server as a new visitor. Errors in a page fail the test at its end."""
    visitors: list[Visitor] = []

    async def arrive(path: str | None = "/", **options: Any) -> Visitor:
        visitors.append(await Visitor.arrive(browser, server.http, path, **options))
        return visitors[-1]

    yield arrive
    errors = [error for visitor in visitors for error in visitor.unexpected_errors()]
    for visitor in visitors:
        await visitor.leave()
    assert errors == []
