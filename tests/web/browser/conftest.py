"""A real server, a real browser, and people who use them."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright, expect

from tests.gateway.process import ServerProcess
from tests.scenarios.people import FREELY
from tests.web.browser.visitor import PATIENCE, Visitor
from tests.web.node import ROOT, run_node

# What is expected comes with the same patience as all else.
expect.set_options(timeout=PATIENCE)

FLAGS = [
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


class RestartableServer:
    """A server with the web client, which can be killed and started again at the same address."""

    def __init__(self, folder: Path, web: Path, *arguments: str) -> None:
        self._folder = folder
        self._arguments = (*FREELY, "--web", str(web), "--connections-per-user=100", *arguments)
        self.process = ServerProcess(folder, *self._arguments)
        self.http = self.process.http

    def kill(self) -> None:
        self.process.end()

    def copy_database(self, to: Path) -> None:
        """Keep a copy of the database of a server that is down."""
        for file in self._folder.glob("tables.db*"):
            shutil.copy(file, to)

    def put_back(self, copied: Path) -> None:
        """Put a copy in the place of the database of a server that is down."""
        for file in self._folder.glob("tables.db*"):
            file.unlink()
        for file in copied.iterdir():
            shutil.copy(file, self._folder)

    def start_again(self) -> None:
        self.process = ServerProcess(self._folder, *self._arguments, "--port", str(self.process.port))


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, float]:
    """The client as its sources are now, and the kilobytes of the scripts that a game needs, compressed."""
    folder = tmp_path_factory.mktemp("web") / "dist"
    said = run_node("node", "build.mjs", f"--out={folder}")
    weight = re.search(r"([0-9.]+) KB", said)
    assert weight is not None
    return folder, float(weight[1])


@pytest.fixture(scope="module")
def server(built: tuple[Path, float], tmp_path_factory: pytest.TempPathFactory) -> Iterator[RestartableServer]:
    server = RestartableServer(tmp_path_factory.mktemp("server"), built[0])
    yield server
    server.kill()


def find_browser() -> str:
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None:
        # Says in one sentence what is missing.
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
    """Gives a new visitor at a path of the house. Whatever went wrong in a page fails the test at its end."""
    visitors: list[Visitor] = []

    async def arrive(path: str | None = "/", **options: object) -> Visitor:
        visitors.append(await Visitor.arrive(browser, server.http, path, **options))
        return visitors[-1]

    yield arrive
    troubles = [trouble for visitor in visitors for trouble in visitor.unforgiven()]
    for visitor in visitors:
        await visitor.leave()
    assert troubles == []
