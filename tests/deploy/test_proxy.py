"""deploy/nginx.conf in front of real workers and a real Redis with deploy/redis.conf."""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import signal
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import httpx
import pytest
import redis
from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from protocol.client import Client, WatchedTable, socket_url
from tests.deploy.deployment import DEPLOY, TIMEOUT_SECONDS, Deployment, Nginx, health, make_pages, need
from tests.gateway.process import ServerProcess
from tests.scenarios.people import any_command, guest_token, open_table

WHOLE_TEST_SECONDS = 120
OLD, NEW = "/assets/main-aaaaaaaa.js", "/assets/main-bbbbbbbb.js"


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return the folders of two versions of the web client."""
    folder = tmp_path_factory.mktemp("pages")
    return make_pages(folder / "old", "a"), make_pages(folder / "new", "b")


@pytest.fixture(scope="module")
def deployment(pages: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    """Yield an installation that no test damages."""
    with Deployment(tmp_path_factory.mktemp("deployment")) as deployment:
        deployment.nginx.start(deployment.add_workers(pages[0], 2))
        yield deployment


def get(deployment: Deployment, path: str, **more: str) -> httpx.Response:
    return httpx.get(deployment.nginx.http + path, headers=more, trust_env=False, timeout=TIMEOUT_SECONDS)


def test_pages_are_asked_for_anew_and_scripts_are_kept_for_ever(deployment: Deployment) -> None:
    page = get(deployment, "/t/anything")
    assert page.headers["cache-control"] == "no-cache"
    assert OLD in page.text
    assert get(deployment, "/t/another", **{"If-None-Match": page.headers["etag"]}).status_code == 304
    first, second = get(deployment, OLD), get(deployment, OLD)
    assert first.text == second.text == "// a\n" * 1000
    for script in (first, second):
        assert script.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert script.headers["content-encoding"] == "gzip"
        assert script.headers["x-content-type-options"] == "nosniff"
    assert (first.headers["x-cache"], second.headers["x-cache"]) == ("MISS", "HIT")
    assert get(deployment, "/assets/main-zzzzzzzz.js").status_code == 404


def test_the_page_may_open_a_websocket_to_where_it_came_from(deployment: Deployment) -> None:
    policy = get(deployment, "/").headers["content-security-policy"]
    assert f"ws://127.0.0.1:{deployment.nginx.port};" in policy


def test_health_is_passed_on_and_figures_are_not(deployment: Deployment) -> None:
    state = health(deployment.nginx.http)
    assert (state["ok"], state["durability"]) == (True, "always")
    assert get(deployment, "/metrics").status_code == 404


def test_what_a_client_says_about_itself_is_not_believed(deployment: Deployment) -> None:
    forged = {"X-Forwarded-For": "203.0.113.7", "X-Forwarded-Proto": "https"}
    transport = httpx.HTTPTransport(local_address="127.0.0.9")
    with httpx.Client(transport=transport, headers=forged) as client:
        answer = client.post(f"{deployment.nginx.http}/api/session", headers={"Origin": deployment.nginx.http})
        assert answer.status_code == 200
        assert "sid" in answer.cookies
        upgrade = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}
        key = {"Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Origin": deployment.nginx.http, "Cookie": "sid=nobody"}
        assert client.get(f"{deployment.nginx.http}/socket", headers=upgrade | key).status_code == 401
    logs = "".join(worker.log() for worker in deployment.workers)
    assert '"address": "127.0.0.9"' in logs
    assert "203.0.113.7" not in logs


def test_a_request_that_is_too_large_is_refused_by_the_proxy(deployment: Deployment) -> None:
    answer = httpx.post(f"{deployment.nginx.http}/api/session", content=b" " * 20_000, trust_env=False)
    assert (answer.status_code, answer.headers["server"]) == (413, "nginx")


def test_the_health_check_of_the_image_tells_a_worker_that_is_well(deployment: Deployment) -> None:
    found = re.search(r"^    CMD (\[.*\])$", (DEPLOY / "Dockerfile").read_text(), re.MULTILINE)
    assert found is not None
    _, *arguments = json.loads(found[1])

    def check(port: int) -> int:
        environment = os.environ | {"SANFRANCISCO_PORT": str(port)}
        command = [sys.executable, *arguments]
        return subprocess.run(command, env=environment, capture_output=True, check=False, timeout=20).returncode

    assert (check(deployment.workers[0].port), check(port=1)) == (0, 1)


async def begin(deployment: Deployment, stack: AsyncExitStack) -> tuple[list[Client], list[WatchedTable]]:
    """Connect two people through the proxy, each to another worker, and start a game with a bot."""
    people: list[Client] = []
    for _ in range(2):
        token = await asyncio.to_thread(guest_token, deployment.nginx.http)
        people.append(await stack.enter_async_context(Client(socket_url(deployment.nginx.http), token)))
        await people[-1].welcomed.wait()
    states = [await asyncio.to_thread(health, worker.operator_http) for worker in deployment.workers]
    assert [state["connections"] for state in states] == [1, 1]
    assert [state["workers"] for state in states] == [2, 2]
    table = await open_table(people, "investors", seats=3)
    return people, [await person.watch(table) for person in people]


async def play_on(people: list[Client], watched: list[WatchedTable], decisions: int = 5) -> None:
    """Let all players answer their prompts, until all have seen some more decisions."""
    enough = number_of(watched[0]) + decisions
    await asyncio.gather(*(answer(person, each, enough) for person, each in zip(people, watched, strict=True)))


async def answer(person: Client, watched: WatchedTable, enough: int) -> None:
    rng = random.Random(5)
    answered = 0
    while number_of(watched) < enough:
        asked = watched.prompt
        if asked is None or asked[0] == answered:
            watched.changed.clear()
            await watched.changed.wait()
            continue
        answered, prompt = asked
        command = any_command(rng, prompt)
        await person.request("decide", table=watched.table, decision=answered, command=command)


def number_of(watched: WatchedTable) -> int:
    number: int = watched.view["play"]["decision"]["number"]
    return number


def owner_of(deployment: Deployment, table: str) -> ServerProcess:
    """Return the worker that owns a table."""
    with redis.Redis.from_url(deployment.redis.url) as client:
        owner = client.hget(f"sf:{{{table}}}:table", "worker")
    (worker,) = [each for each in deployment.workers if f":{each.process.pid}:".encode() in owner]
    return worker


async def test_a_move_reaches_a_player_at_the_other_worker(deployment: Deployment) -> None:
    async with asyncio.timeout(WHOLE_TEST_SECONDS), AsyncExitStack() as stack:
        people, watched = await begin(deployment, stack)
        await play_on(people, watched)
        assert [person.reconnects for person in people] == [0, 0]


def wait_for_all(deployment: Deployment, path: str) -> None:
    """Wait until every worker serves a path."""
    while {get(deployment, path).status_code for _ in range(4)} != {200}:
        time.sleep(0.1)


async def test_a_game_goes_on_through_a_new_version_and_a_killed_worker(
    pages: tuple[Path, Path], tmp_path: Path
) -> None:
    with Deployment(tmp_path) as deployment:
        old = deployment.add_workers(pages[0], 2)
        deployment.nginx.start(old)
        async with asyncio.timeout(WHOLE_TEST_SECONDS), AsyncExitStack() as stack:
            people, watched = await begin(deployment, stack)
            await play_on(people, watched)
            assert get(deployment, OLD).status_code == 200
            new = await asyncio.to_thread(deployment.add_workers, pages[1], 2)
            for retired, serving in zip(old, ([old[1], new[0]], new), strict=True):
                deployment.nginx.reload(serving)
                # Every worker serves the scripts of both versions. Old processes of nginx may still answer for a moment
                # after the reload.
                await asyncio.to_thread(wait_for_all, deployment, NEW)
                retired.tell(signal.SIGTERM)
                assert await asyncio.to_thread(retired.exit_code) == 0
                await play_on(people, watched)
            # No worker has this file any more, but clients of the old page may still need it.
            assert (get(deployment, OLD).status_code, get(deployment, OLD).headers["x-cache"]) == (200, "HIT")
            assert NEW in get(deployment, "/").text
            owner_of(deployment, watched[0].table).tell(signal.SIGKILL)
            assert {get(deployment, "/healthz").status_code for _ in range(6)} == {200}
            await play_on(people, watched)


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """Return a self-signed certificate, with its key beside it."""
    need("openssl", "openssl")
    path = tmp_path / "certificate.pem"
    key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", str(tmp_path / "key.pem"))
    name = ("-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-out", str(path))
    subprocess.run(["openssl", "req", "-x509", "-days", "2", *key, *name], check=True, capture_output=True, timeout=20)
    return path


@pytest.fixture
def secured(deployment: Deployment, certificate: Path, tmp_path: Path) -> Iterator[Nginx]:
    """Yield another nginx in front of the same workers, with TLS."""
    nginx = Nginx(tmp_path, certificate)
    try:
        nginx.start(deployment.workers)
        yield nginx
    finally:
        nginx.end()


async def test_with_tls_everybody_is_sent_there_and_sessions_are_secure(secured: Nginx, certificate: Path) -> None:
    trusted = ssl.create_default_context(cafile=certificate)
    https = secured.https
    async with httpx.AsyncClient(verify=trusted, trust_env=False) as browser:
        away = await browser.get(f"{secured.http}/t/abc?x=1")
        assert (away.status_code, away.headers["location"]) == (301, "https://127.0.0.1/t/abc?x=1")
        assert (await browser.get(https)).headers["strict-transport-security"] == "max-age=31536000"
        answer = await browser.post(f"{https}/api/session", headers={"Origin": https})
        cookie = answer.headers["set-cookie"]
        assert cookie.startswith("__Host-sid=")
        assert "; secure" in cookie.lower()
    async with connect(
        f"wss{https.removeprefix('https')}/socket",
        ssl=trusted,
        subprotocols=[Subprotocol("sanfrancisco.1.json")],
        additional_headers={"Cookie": cookie.partition(";")[0], "Origin": https},
        proxy=None,
    ) as connection:
        assert '"welcome"' in str(await asyncio.wait_for(connection.recv(), TIMEOUT_SECONDS))
