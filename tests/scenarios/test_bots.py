"""Bots on the real server: its own, one over the network, and the example of the documents."""

from __future__ import annotations

import asyncio
import signal
import sys
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from protocol.client import Client
from server.bots.registry import strengths_of
from server.games.registry import GAMES
from tests.examples import first_bot
from tests.gateway.process import ROOT, ServerProcess, server_process
from tests.scenarios.people import UNLIMITED, person, until_over, wait_until

TIMEOUT_SECONDS = 120


async def opened(host: Client, game: str, **settings: Any) -> str:
    """Open a table with the minimum of seats, and return its id."""
    seats = GAMES[game].seats[0]
    created = await host.request("create_table", settings={"game": game, "seats": seats, **settings})
    table: str = created["table"]
    return table


def all_are_ready(view: dict[str, Any]) -> bool:
    return all(seat["ready"] or seat["user"] == view["table"]["host"] for seat in view["seats"])


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_bots_play_a_whole_game_when_the_only_person_has_gone(game: str, tmp_path: Path) -> None:
    """Bots of every strength in turn, and a stand-in for the host, who never comes back."""
    with server_process(tmp_path, *UNLIMITED) as server:
        async with AsyncExitStack() as stack:
            host = await stack.enter_async_context(person(server.http))
            watcher = await stack.enter_async_context(person(server.http))
            table = await opened(host, game, clock={"kind": "decision", "seconds": 5})
            quick = [strength for strength in strengths_of(game) if strength not in ("hard", "expert")]
            for number in range(GAMES[game].seats[0] - 1):
                await host.request("add_bot", table=table, strength=quick[number % len(quick)])
            await host.request("start", table=table)
            watched = await watcher.watch(table)
            async with asyncio.timeout(TIMEOUT_SECONDS):
                await until_over(watched)
            assert watched.view["play"]["outcome"] is not None
            assert watched.view["seats"][0]["stand_in"] == ("normal" if "normal" in quick else "random")
        # A slow machine may cost an answer, but there must be no exception.
        assert "Traceback" not in server.log(), server.log()


async def test_a_remote_bot_plays_to_the_end_at_a_private_table(tmp_path: Path) -> None:
    with server_process(tmp_path, *UNLIMITED) as server:
        async with AsyncExitStack() as stack:
            host = await stack.enter_async_context(person(server.http))
            table = await opened(host, "investors", private=True, clock={"kind": "decision", "seconds": 5})
            watched = await host.watch(table)
            link = f"{server.http}/t/{table}#k={watched.view['table']['key']}"
            bot = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "server", "bot", "--url", link, "--name", "Robin"),
                *("--strength", "easy", "--style", "greedy", "--pause", "0"),
                cwd=ROOT,
                stdout=asyncio.subprocess.PIPE,
            )
            try:
                async with asyncio.timeout(TIMEOUT_SECONDS):
                    await host.request("add_bot", table=table, seat=2, strength="easy")
                    await wait_until(watched, all_are_ready)
                    assert watched.view["seats"][1]["name"] == "Robin"
                    assert watched.view["seats"][1]["bot"] is None
                    await host.request("start", table=table)
                    await until_over(watched)
                    said, _ = await bot.communicate()
            finally:
                if bot.returncode is None:
                    bot.kill()
                    await bot.wait()
            place = watched.view["play"]["outcome"]["places"][1]
            assert said.decode().splitlines()[0] == "Playing on seat 1 as Robin."
            assert said.decode().splitlines()[1].startswith(f"Place {place} of 3 with ")
            assert bot.returncode == 0


async def test_the_example_in_the_documents_plays_to_the_end(tmp_path: Path) -> None:
    with server_process(tmp_path, *UNLIMITED) as server:
        async with person(server.http) as host:
            table = await opened(host, "investors", clock={"kind": "decision", "seconds": 5})
            watched = await host.watch(table)
            example = asyncio.create_task(first_bot.play(server.http, table))
            await wait_until(watched, lambda view: view["seats"][1]["user"] is not None)
            await host.request("fill_with_bots", table=table, strength="easy")
            await wait_until(watched, all_are_ready)
            await host.request("start", table=table)
            async with asyncio.timeout(TIMEOUT_SECONDS):
                view = await example
            assert view["play"]["outcome"] is not None
            assert view["seats"][1]["name"] == "First bot"


def test_the_example_in_the_documents_is_short() -> None:
    assert len(Path(first_bot.__file__).read_text("utf-8").splitlines()) <= 80


def workers_of(server: ServerProcess) -> list[int]:
    lists = Path(f"/proc/{server.process.pid}/task").glob("*/children")
    return [int(process) for children in lists for process in children.read_text().split()]


def wait_until_ended(processes: list[int]) -> None:
    until = time.monotonic() + TIMEOUT_SECONDS
    while any(Path(f"/proc/{process}").exists() for process in processes):
        assert time.monotonic() < until, "a worker process outlived its server"
        time.sleep(0.05)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGKILL])
async def test_worker_processes_end_with_the_server(sign: signal.Signals, tmp_path: Path) -> None:
    with server_process(tmp_path, *UNLIMITED) as server:
        async with person(server.http) as host:
            table = await opened(host, "investors")
            await host.request("fill_with_bots", table=table)
            await host.request("start", table=table)
            watched = await host.watch(table)
            await wait_until(watched, lambda _: watched.prompt is not None)
            assert (await host.request("hint", table=table, decision=watched.prompt[0]))["command"]["do"]
        workers = workers_of(server)
        server.tell(sign)
        assert server.exit_code() == (0 if sign is signal.SIGTERM else -sign)
        assert workers != []
        await asyncio.to_thread(wait_until_ended, workers)
