"""Nothing that can be read without credentials depends on whether a sealed answer was given or changed."""

from __future__ import annotations

import asyncio
import random
from contextlib import AsyncExitStack
from pathlib import Path

import httpx

from tests.deploy.deployment import make_pages
from tests.gateway.process import ServerProcess, server_process
from tests.scenarios.people import UNLIMITED, any_command, open_table, person, play_until

PATHS = (
    "/", "/watch", "/t/{table}", "/t/nowhere1", "/healthz", "/metrics", "/api", "/api/session", "/api/tables",
    "/api/tables/{table}", "/socket", "/nothing.js", "/assets/main-aaaaaaaa.js", "/favicon.svg",
)  # fmt: skip


async def everything(server: ServerProcess, table: str) -> list[tuple[str, str, int, list[tuple[str, str]], bytes]]:
    """Return what a stranger gets from every address, by every method that changes nothing."""
    found = []
    async with httpx.AsyncClient(base_url=server.http, trust_env=False, timeout=60) as stranger:
        for path in (each.format(table=table) for each in PATHS):
            for method in ("GET", "HEAD", "OPTIONS"):
                answer = await stranger.request(method, path)
                headers = [(name, value) for name, value in answer.headers.multi_items() if name != "date"]
                found.append((method, path, answer.status_code, headers, answer.content))
    return found


async def test_no_public_address_tells_that_a_sealed_answer_was_given_or_changed(tmp_path: Path) -> None:
    rng = random.Random(5)
    web = make_pages(tmp_path / "web", "a")
    with server_process(tmp_path, *UNLIMITED, "--web", str(web)) as server:
        async with asyncio.timeout(300), AsyncExitStack() as stack:
            people = [await stack.enter_async_context(person(server.http)) for _ in range(2)]
            table = await open_table(people, "investors", seats=3, show_decided=False)
            watched = [await each.watch(table) for each in people]

            def is_sealed() -> bool:
                decision = watched[0].view["play"]["decision"]
                return bool(decision["sealed"]) and {0, 1} <= set(decision["awaited"])

            await play_until(people, watched, is_sealed)
            prompted = watched[0].prompt
            assert prompted is not None
            number, prompt = prompted
            before = await everything(server, table)
            for _ in range(2):
                command = any_command(rng, prompt)
                await people[0].request("decide", table=table, decision=number, command=command)
                assert await everything(server, table) == before
    statuses = {path: status for method, path, status, _, _ in before if method == "GET"}
    assert (statuses["/"], statuses["/healthz"], statuses["/metrics"]) == (200, 200, 404)
