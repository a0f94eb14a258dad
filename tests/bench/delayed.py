"""Measure what delayed views cost a server with many spectators: `python -m tests.bench.delayed`.

One server on the loopback has three tables of the same game, each watched by the same crowd: by spectators alone; by
spectators and a few commentators; and by spectators who are all delayed, and the commentators. The players of the
tables decide in turns, so that whatever else the machine does falls on all of them alike. What is compared is the
processor time of the server for each decision. This is a measurement and not a test: it asserts nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import resource
import statistics
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, Final

import uvloop
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from protocol.client import Client, WatchedTable, socket_url
from protocol.codec import Encoding, encode
from tests.gateway.process import ServerProcess
from tests.scenarios.people import UNLIMITED, any_command, guest_token, open_table, person, until_answered

GAME: Final = "planners"
DELAY: Final = {"kind": "decisions", "decisions": 1}
SETTINGS: Final[dict[str, dict[str, Any]]] = {
    "spectators": {},
    "and commentators": {"delayed_view": DELAY},
    "all delayed": {"delayed_view": DELAY, "spectators_delayed": True},
}
COMMENTATORS: Final = 20
QUIET_SECONDS: Final = 0.3
"""The time without a frame after which all frames of a decision have arrived."""


class Crowd:
    """Connections that watch all tables and count the frames that come."""

    def __init__(self) -> None:
        self.frames = 0
        self._tasks: list[asyncio.Task[None]] = []
        self._stack = AsyncExitStack()

    async def join(self, http: str, token: str, watches: list[dict[str, Any]]) -> None:
        """Connect once more, and send these requests to watch."""
        connection = await self._stack.enter_async_context(
            connect(
                socket_url(http),
                subprotocols=[Subprotocol("sanfrancisco.1.msgpack")],
                additional_headers={"Authorization": f"Bearer {token}"},
                compression=None,
                max_size=None,
            )
        )
        self._tasks.append(asyncio.create_task(self._read(connection)))
        for number, watch in enumerate(watches):
            await connection.send(encode({"type": "watch", "id": f"w{number}", **watch}, Encoding.MSGPACK))

    async def _read(self, connection: ClientConnection) -> None:
        async for _ in connection:
            self.frames += 1

    async def settle(self) -> None:
        """Wait until no more frames come."""
        before = -1
        while before != self.frames:
            before = self.frames
            await asyncio.sleep(QUIET_SECONDS)

    async def leave(self) -> None:
        for task in self._tasks:
            task.cancel()
        await self._stack.aclose()


def processor_seconds(pid: int) -> float:
    """Return the time for which the threads of a process have run; `stat` counts it in ticks, which are too long."""
    threads = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e9


async def decide(players: list[Client], watched: list[WatchedTable], rng: random.Random) -> None:
    """Let a player whom the game waits for decide."""
    while True:
        for client, each in zip(players, watched, strict=True):
            if each.prompt is not None:
                number, prompt = each.prompt
                command = any_command(rng, prompt)
                await client.request("decide", table=each.table, decision=number, command=command)
                await until_answered(each, number)
                return
        await asyncio.sleep(0.005)


async def measure(http: str, pid: int, people: int, rounds: int, batch: int) -> dict[str, list[float]]:
    """Return by table the milliseconds of processor time for each decision, batch by batch."""
    crowd, rng = Crowd(), random.Random(3)
    async with AsyncExitStack() as stack:
        players = [await stack.enter_async_context(person(http)) for _ in range(2)]
        tables: dict[str, list[WatchedTable]] = {}
        watches, delayed = [], []
        for name, settings in SETTINGS.items():
            table = await open_table(players, GAME, 2, absence_seconds=None, **settings)
            tables[name] = [await client.watch(table) for client in players]
            watches.append({"table": table})
            if settings:
                key = (await players[0].request("commentary_key", table=table))["key"]
                delayed.append({"table": table, "key": key, "delayed": True})
        token = guest_token(http)
        for _ in range(people):
            await crowd.join(http, token, watches)
        for _ in range(COMMENTATORS):
            await crowd.join(http, token, delayed)
        await crowd.settle()
        spent: dict[str, list[float]] = {name: [] for name in tables}
        for number in range(rounds + 1):
            for name in rng.sample(sorted(tables), len(tables)):
                before = processor_seconds(pid)
                for _ in range(batch):
                    await decide(players, tables[name], rng)
                await crowd.settle()
                if number:
                    spent[name].append(1000 * (processor_seconds(pid) - before) / batch)
        await crowd.leave()
    return spent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=2_000, help="spectators who watch every table")
    parser.add_argument("--rounds", type=int, default=10, help="batches of decisions at each table")
    parser.add_argument("--batch", type=int, default=5, help="decisions in a batch")
    args = parser.parse_args()
    files, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(files, min(most, args.people * 2 + 1_000)), most))
    with tempfile.TemporaryDirectory() as folder:
        server = ServerProcess(Path(folder), *UNLIMITED, "--connections-per-user=100000")
        try:
            measured = measure(server.http, server.process.pid, args.people, args.rounds, args.batch)
            spent = uvloop.run(measured)
        finally:
            server.end()
    alone = statistics.median(spent["spectators"])
    for name, each in spent.items():
        median = statistics.median(each)
        print(f"{name:>18}: {median:7.2f} ms of the server for a decision, {median / alone:.2f} times")


if __name__ == "__main__":
    main()
