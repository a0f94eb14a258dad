"""The soak test: many tables with bots and spectators who come and go, for hours; `make soak` runs it.

At every table a person plays against bots, and opens a new table when the game is over. Spectators watch a table for a
minute or so, disconnect, and watch another one. Meanwhile the memory, the descriptors, the threads and the tasks of the
server are sampled. At the end the slopes are printed, then what grew in the memory since the warm-up, by parts, caches
and containers; and the log of the server is searched for warnings and errors. The exit code is 1 if something leaks or
the log has errors.

With `--bot-seconds 0 0` thousands of games end in an hour, so that caches fill that many games fill.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from protocol.client import Client, socket_url
from tests.bench.load import Connection
from tests.gateway.process import ServerProcess
from tests.scenarios.people import UNLIMITED, choose_by_number, guest_token, play_to_the_end
from tests.soak.growth import MODULE, Memory, growth_of
from tests.soak.report import WARM_UP, Samples, print_report
from tests.soak.server_sample import sample_of

GAMES = (("investors", 4), ("planners", 3), ("builders", 3))
SAMPLE_SECONDS = 5.0
WATCH_SECONDS = (20.0, 120.0)
USERS = 200
"""Spectators share so many users, since a new user for each visit would measure the table of users instead."""

BOT_SECONDS = (4.0, 8.0)
LIMITS = (*(option for option in UNLIMITED if not option.startswith("--bot")), "--connections-per-user=1000")


class Soak:
    """The load of one run."""

    def __init__(self, server: ServerProcess, seed: int) -> None:
        self._server = server
        self._rng = random.Random(seed)
        self.tables: list[str] = []
        """The tables that are being played."""

        self.counts: Counter[str] = Counter()
        self.spectators = 0

    async def play(self, number: int, token: str) -> None:
        """Play one game against bots after the other, at one table at a time."""
        game, seats = GAMES[number % len(GAMES)]
        while True:
            async with Client(socket_url(self._server.http), token) as client:
                settings = {"game": game, "seats": seats, "absence_seconds": None}
                opened = await client.request("create_table", settings=settings)
                table = opened["table"]
                await client.request("fill_with_bots", table=table)
                await client.request("start", table=table)
                self.tables.append(table)
                try:
                    await play_to_the_end(client, table, choose_by_number(number))
                finally:
                    self.tables.remove(table)
                self.counts["games"] += 1

    async def watch(self, token: str) -> None:
        """Watch one table after the other, each over a connection of its own."""
        while True:
            connection = Connection()
            await asyncio.sleep(self._rng.uniform(0, 5))
            try:
                await connection.connect(
                    self._server.port,
                    "/socket",
                    f"Authorization: Bearer {token}",
                    "Sec-WebSocket-Protocol: sanfrancisco.1.json",
                )
            except OSError:
                self.counts["refused connections"] += 1
                continue
            connection.opcode = 1  # type: ignore[misc]
            table = self._rng.choice(self.tables)
            connection.send(b'{"type":"watch","id":"1","table":"%s"}' % table.encode())
            self.spectators += 1
            self.counts["visits"] += 1
            await asyncio.sleep(self._rng.uniform(*WATCH_SECONDS))
            self.spectators -= 1
            connection.close()


async def run(arguments: argparse.Namespace) -> int:
    low, high = arguments.bot_seconds
    pace = (f"--bot-min-seconds={low}", f"--bot-max-seconds={high}")
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        memory = Path(folder) / "memory.json"
        server = ServerProcess(Path(folder), *LIMITS, *pace, module=(*MODULE, str(memory)))
        try:
            samples, counts, growth = await _soak(server, memory, arguments)
            log = server.log()
        finally:
            server.end()
    code = print_report(samples, counts, log)
    print("\nMemory, and its growth after warm-up:", *growth, sep="\n")
    return code


async def _soak(
    server: ServerProcess, memory: Path, arguments: argparse.Namespace
) -> tuple[Samples, Counter[str], list[str]]:
    """Return the samples, what happened, and what grew after the warm-up."""
    soak, samples = Soak(server, arguments.seed), Samples(arguments.warm_up)
    metrics_url = f"{server.operator_http}/metrics"
    tokens = [await asyncio.to_thread(guest_token, server.http) for _ in range(arguments.tables + USERS)]
    players, watchers = tokens[: arguments.tables], tokens[arguments.tables :]
    async with asyncio.TaskGroup() as group:
        tasks = []
        for number, token in enumerate(players):
            tasks.append(group.create_task(soak.play(number, token)))
            await asyncio.sleep(0.02)
        while len(soak.tables) < arguments.tables:  # noqa: ASYNC110 - only at the start
            await asyncio.sleep(0.1)
        tasks += [group.create_task(soak.watch(watchers[each % USERS])) for each in range(arguments.spectators)]
        end = time.monotonic() + arguments.minutes * 60
        warm = end - arguments.minutes * 60 * (1 - arguments.warm_up)
        before: Memory | None = None
        while time.monotonic() < end:
            await asyncio.sleep(SAMPLE_SECONDS)
            if before is None and time.monotonic() >= warm:
                before = await asyncio.to_thread(Memory.of, server, memory)
            sample = await asyncio.to_thread(sample_of, server, metrics_url)
            samples.add(sample)
            if sys.stderr.isatty() or len(samples) % 60 == 0:
                minutes = (end - time.monotonic()) / 60
                print(
                    f"{sample}; {soak.spectators} spectators, {dict(soak.counts)}; {minutes:.0f} minutes left",
                    file=sys.stderr,
                )
        after = await asyncio.to_thread(Memory.of, server, memory)
        for task in tasks:
            task.cancel()
    return samples, soak.counts, [*growth_of(before or after, after)]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__.partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=120.0)
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--spectators", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bot-seconds", type=float, nargs=2, default=BOT_SECONDS, metavar=("MIN", "MAX"))
    parser.add_argument("--warm-up", type=float, default=WARM_UP, help="the part of the time that does not count")
    with contextlib.suppress(KeyboardInterrupt):
        return asyncio.run(run(parser.parse_args()))
    return 1


if __name__ == "__main__":
    sys.exit(main())
