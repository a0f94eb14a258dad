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


class RestartableServer:
    """A server with the web client that can be killed and restarted on the same port."""

    def __init__(self, folder: Path, web: Path, *arguments: str, module: str = "server") -> None:
        self._folder = folder
        self._module = (module,)
        self._arguments = (*UNLIMITED, "--web", str(web), "--connections-per-user=100", *arguments)
        self.process = ServerProcess(folder, *self._arguments, module=self._module)
        self.http = self.process.http

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

    def start_again(self) -> None:
        arguments = (*self._arguments, "--port", str(self.process.port))
        self.process = ServerProcess(self._folder, *arguments, module=self._module)


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


@pytest.fixture(scope="module")
def server(built: tuple[Path, float], tmp_path_factory: pytest.TempPathFactory) -> Iterator[RestartableServer]:
    server = RestartableServer(tmp_path_factory.mktemp("server"), built[0])
    yield server
    server.kill()


def find_browser() -> str:
    # The headless shell is the same engine without the windows of a browser, which cost a third of the time.
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None:
        run = subprocess.run([ROOT / ".make" / "chromium"], capture_output=True, text=True, check=False, timeout=600)
        assert run.returncode == 0, run.stderr
        found = run.stdout.strip()
    return found


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=find_browser(), headless=True, chromium_sandbox=False, args=FLAGS
        )
        yield browser
        await browser.close()


Arrive = Callable[..., Awaitable[Visitor]]


@pytest_asyncio.fixture(loop_scope="module")
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
