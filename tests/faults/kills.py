"""Games during which the server is killed repeatedly, and the same games without a server for comparison.

Answers depend only on the seat and the number of the decision, so the same game can be played again from the seed in
its log, without server, network or kills: both must end in the same state.
"""

from __future__ import annotations

import asyncio
import random
import signal
import socket
from collections import Counter
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from protocol.client import Client
from server.games.engine.dice import Dice
from server.games.engine.options import read_options
from server.games.engine.play import Play, begin
from server.games.engine.prompts import Command
from server.store.sqlite import SqliteStore
from server.tables.entries import open_entry, read_entry
from server.tables.state import TableState
from tests.gateway.process import ServerProcess
from tests.scenarios.people import (
    UNLIMITED,
    Choose,
    choose_by_number,
    guest_token,
    open_table,
    play_to_the_end,
    socket_url,
)


@dataclass
class Report:
    """The statistics of a run."""

    kills: int = 0
    reconnects: int = 0
    accepted: Counter[str] = field(default_factory=Counter)
    """The number of accepted decisions by table."""


async def counted_play(client: Client, table: str, choose: Choose, report: Report) -> None:
    """Play to the end, and count the decisions."""

    def counted(seat: int, number: int, prompt: dict[str, Any]) -> dict[str, Any]:
        # Called once for each decision; a refusal would end the run.
        report.accepted[table] += 1
        return choose(seat, number, prompt)

    await play_to_the_end(client, table, counted)


async def play_while_killing(
    folder: Path, tables: int, kills: int, seed: int
) -> tuple[Report, list[tuple[TableState, int]]]:
    """Play games of three people each and kill the server at random; return the statistics and the tables."""
    report, rng = Report(), random.Random(seed)
    arguments = (*UNLIMITED, f"--port={free_port()}")
    server = ServerProcess(folder, *arguments)
    try:
        async with AsyncExitStack() as stack:
            url = socket_url(server.http)
            groups = [
                [
                    await stack.enter_async_context(Client(url, guest_token(server.http), max_backoff_seconds=0.3))
                    for _ in range(3)
                ]
                for _ in range(tables)
            ]
            ids = [await open_table(group, "investors", seats=3) for group in groups]
            games = [
                asyncio.create_task(counted_play(client, table, choose_by_number(number), report))
                for number, (group, table) in enumerate(zip(groups, ids, strict=True))
                for client in group
            ]
            while report.kills < kills and not all(game.done() for game in games):
                await asyncio.sleep(rng.uniform(0.02, 0.6))
                server.tell(signal.SIGKILL)
                server.end()
                report.kills += 1
                server = await asyncio.to_thread(ServerProcess, folder, *arguments)
            await asyncio.gather(*games)
            report.reconnects = sum(client.reconnects for group in groups for client in group)
    finally:
        server.end()
    return report, [await stored_table(folder, table) for table in ids]


async def stored_table(folder: Path, table: str) -> tuple[TableState, int]:
    """Return a table from the file and the number of its steps; reading checks the hash chain."""
    store = await SqliteStore.open(folder / "tables.db")
    try:
        first, *rest = await store.read(table, 0, 1_000_000)
        state, steps = open_entry(first.payload), 0
        for entry in rest:
            before = state.play
            state.apply(read_entry(entry.payload, state.settings.game))
            steps += before is not None and state.play is not before
        return state, steps
    finally:
        await store.close()


def replay_without_server(state: TableState, choose: Choose) -> Play:
    """Return the same game played without a server: same seed, same answers, no kills."""
    assert state.seed is not None
    dice = Dice(bytes.fromhex(state.seed))
    options = read_options(state.game.options, state.settings.options)
    play, _ = begin(state.game, len(state.chairs), options, dice)
    while play.decision is not None:
        for seat in play.awaited:
            prompt: Any = play.decision.prompts[seat].to_json()
            command = play.read(seat, play.number, choose(seat, play.number, prompt))
            assert isinstance(command, Command), command
            answered = play.answer(seat, play.number, command, dice)
            assert isinstance(answered, tuple), answered
            play, _ = answered
    return play


def free_port() -> int:
    """Return a free port, for a server that restarts on the same port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
