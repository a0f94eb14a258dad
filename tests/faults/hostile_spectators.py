"""Measure how long players wait for their decisions, alone and beside spectators who do their worst.

`make vandals` runs this against a real server with its default limits. Three people play a public game; spectators in
another process, from one address and from many, then ask for everything that a non-player may ask for, as fast as
the limits allow and a little faster. One row of the printed table is one game under one kind of attack. This is a
measurement and not a test: it asserts nothing, since the figures depend on the machine.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, Final

import uvloop
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.typing import Subprotocol

from protocol.client import Client, RequestRefused, socket_url
from tests.bench.measurement import percentile
from tests.gateway.process import ServerProcess
from tests.scenarios.people import UNLIMITED, any_command, choose_by_number, guest_token, open_table, play_to_the_end
from tests.store.redis_server import RedisServer

GAME: Final = "builders"
OTHER_TABLES: Final = 200
REQUEST_SECONDS: Final = 0.34
"""The time between two requests of one user that the default limits allow for ever."""

THINKING_SECONDS: Final = 0.06
"""The time that a player takes for a decision, unless the limits make the player wait."""

Message = dict[str, Any]


# -- the attack -----------------------------------------------------------------------------------------------


@dataclass
class Target:
    """The table under attack, a finished one, and many that are not in memory."""

    table: str
    finished: str
    others: list[str]
    rng: random.Random = field(default_factory=lambda: random.Random(1))

    def watch(self) -> list[Message]:
        return [{"type": "watch", "table": self.table, "have": 0}]

    def come_and_go(self) -> list[Message]:
        return [{"type": "unwatch", "table": self.table}, {"type": "watch", "table": self.table, "have": 0}]

    def read_log(self) -> list[Message]:
        return [{"type": "read_log", "table": self.table, "before": 101}]

    def read_any(self) -> list[Message]:
        return [{"type": "read_log", "table": self.table, "before": self.rng.randint(2, 4_000)}]

    def look_back(self) -> list[Message]:
        return [
            {"type": "watch", "table": self.finished},
            {"type": "look_back", "table": self.finished, "step": self.rng.randint(0, 200)},
        ]

    def step_back(self) -> list[Message]:
        return [
            {"type": "look_back", "table": self.table, "step": self.rng.randint(0, 20)},
            {"type": "get_timeline", "table": self.table, "log_from": 0},
        ]

    def say(self) -> list[Message]:
        return [{"type": "say", "table": self.table, "text": "look at me " * 27}]

    def predict(self) -> list[Message]:
        return [{"type": "predict", "table": self.table, "winner": self.rng.randint(0, 3)}]

    def ask_who_watches(self) -> list[Message]:
        return [
            {"type": "watch", "table": self.table, "named": True},
            {"type": "get_watching", "table": self.table},
        ]

    def decide(self) -> list[Message]:
        return [{"type": "decide", "table": self.table, "decision": 1, "command": {"do": "nothing"}}]

    def load_tables(self) -> list[Message]:
        return [{"type": "read_log", "table": self.rng.choice(self.others)}]

    def guess_tables(self) -> list[Message]:
        return [{"type": "watch", "table": f"{self.rng.randrange(10**6)}"}]

    def malformed(self) -> list[Message]:
        return [{"type": "watch", "table": self.table, "have": -1}]


ATTACKS: Final[dict[str, list[Callable[[Target], list[Message]]]]] = {
    "watch from 0": [Target.watch],
    "come and go": [Target.come_and_go],
    "read the log": [Target.read_log, Target.read_any],
    "look back": [Target.look_back],
    "step back": [Target.step_back],
    "load tables": [Target.load_tables],
    "predict": [Target.predict, Target.ask_who_watches],
    "everything": [
        *(Target.watch, Target.come_and_go, Target.read_log, Target.read_any, Target.look_back),
        *(Target.step_back, Target.say, Target.decide, Target.load_tables, Target.guess_tables),
        *(Target.predict, Target.ask_who_watches),
        Target.malformed,
    ],
}


class Vandal:
    """One hostile spectator, who connects again when the server has closed the connection."""

    def __init__(self, url: str, token: str, address: str, tempo: float) -> None:
        self._url = url
        self._token = token
        self._address = address
        self._interval = REQUEST_SECONDS / tempo
        self._ids = count(1)
        self.replies: Counter[str] = Counter()

    async def attack(self, target: Target, kinds: Sequence[Callable[[Target], list[Message]]]) -> None:
        """Send requests for ever."""
        while True:
            with suppress(OSError, ConnectionClosed, InvalidHandshake, TimeoutError):
                async with connect(
                    self._url,
                    subprotocols=[Subprotocol("sanfrancisco.1.json")],
                    additional_headers={"Authorization": f"Bearer {self._token}"},
                    compression=None,
                    local_addr=(self._address, 0),
                ) as connection:
                    self.replies["connections"] += 1
                    reading = asyncio.create_task(self._read(connection))
                    try:
                        await connection.send(json.dumps(self._numbered({"type": "watch", "table": target.table})))
                        while True:
                            for message in target.rng.choice(kinds)(target):
                                await connection.send(json.dumps(self._numbered(message)))
                                await asyncio.sleep(self._interval)
                    finally:
                        reading.cancel()
            await asyncio.sleep(1)

    def _numbered(self, message: Message) -> Message:
        return {**message, "id": f"{self._token[-6:]}-{time.time_ns()}-{next(self._ids)}"}

    async def _read(self, connection: Any) -> None:
        with suppress(ConnectionClosed):
            async for data in connection:
                message = json.loads(data)
                self.replies[message["code"] if message["type"] == "refused" else message["type"]] += 1


async def attack_until_killed(orders: Message) -> None:
    """Let all vandals attack, and print what they got for each line of the standard input."""
    target = Target(orders["table"], orders["finished"], orders["others"])
    vandals = [
        # Half of them share an address; the others have one each.
        Vandal(orders["url"], token, f"127.0.0.{2 if number % 2 else 10 + number}", orders["tempo"])
        for number, token in enumerate(orders["tokens"])
    ]
    tasks = [asyncio.create_task(vandal.attack(target, ATTACKS[orders["attack"]])) for vandal in vandals]
    await asyncio.to_thread(sys.stdin.readline)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    print(json.dumps(sum((vandal.replies for vandal in vandals), Counter())), flush=True)


@contextmanager
def vandals(orders: Message, replies: Counter[str]) -> Iterator[None]:
    """Run the attack in another process, so that it takes no time from the players."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.faults.hostile_spectators", "--attack", json.dumps(orders)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield
        output, _ = process.communicate("\n", timeout=60)
        replies.update(json.loads(output))
    finally:
        process.kill()
        process.wait()


# -- the players ----------------------------------------------------------------------------------------------


async def play(client: Client, table: str, until: float, seconds: list[float], rng: random.Random) -> None:
    """Answer prompts until a time, and until one answer was accepted; note how long each reply took."""
    watched = await client.watch(table)
    earliest = 0.0

    def goes_on() -> bool:
        return time.monotonic() < until or not seconds

    while goes_on() and watched.view["table"]["phase"] != "over":
        prompted = watched.prompt
        if prompted is None:
            watched.changed.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(watched.changed.wait(), 1.0)
            continue
        await asyncio.sleep(max(THINKING_SECONDS, earliest - time.monotonic()))
        number, prompt = prompted
        sent = time.perf_counter()
        # A request beyond the player's own rate would measure the limit.
        earliest = time.monotonic() + REQUEST_SECONDS
        with suppress(RequestRefused):
            await client.request("decide", table=table, decision=number, command=any_command(rng, prompt))
            seconds.append(time.perf_counter() - sent)
        while watched.prompt is not None and watched.prompt[0] == number and goes_on():
            watched.changed.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(watched.changed.wait(), 1.0)


async def measure(players: list[Client], table: str, length: float) -> list[float]:
    seconds: list[float] = []
    until = time.monotonic() + length
    await asyncio.gather(
        *(play(client, table, until, seconds, random.Random(seat)) for seat, client in enumerate(players))
    )
    return seconds


# -- the whole measurement ------------------------------------------------------------------------------------


@dataclass
class Prepared:
    """A database with players, spectators, a finished table, others, and one for each row, whose chat is long."""

    players: list[str]
    spectators: list[str]
    finished: str
    others: list[str]
    tables: list[str]


async def prepare(server: ServerProcess, rows: int, spectators: int, lines: int) -> Prepared:
    tokens = [guest_token(server.http) for _ in range(3 + spectators)]
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(Client(socket_url(server.http), token)) for token in tokens]
        players, crowd = clients[:3], clients[3:]
        finished = await open_table(players, GAME, seats=3, absence_seconds=None)
        await asyncio.gather(*(play_to_the_end(client, finished, choose_by_number(1)) for client in players))
        settings = {"game": GAME, "seats": 3}
        opened = [await players[0].request("create_table", settings=settings) for _ in range(OTHER_TABLES)]
        tables = [await open_table(players, GAME, seats=3, absence_seconds=None) for _ in range(rows)]
        for client in crowd:
            for table in tables:
                await client.watch(table)

        async def say(client: Client, table: str, number: int) -> None:
            for line in range(number):
                # A bounded chat refuses lines, which is as good as taking them.
                with suppress(RequestRefused):
                    await client.request("say", table=table, text=f"line {line} of very many")

        await asyncio.gather(*(say(client, table, lines // spectators) for table in tables for client in crowd))
    return Prepared(tokens[:3], tokens[3:], finished, [other["table"] for other in opened], tables)


def show(name: str, seconds: list[float], replies: Counter[str]) -> None:
    milliseconds = [1000 * each for each in seconds]
    p50, p99 = (percentile(milliseconds, part) if len(milliseconds) > 1 else milliseconds[0] for part in (50, 99))
    figures = "".join(f"{figure:10.1f}" for figure in (p50, p99, max(milliseconds)))
    answered = ", ".join(f"{count} {kind}" for kind, count in replies.most_common(6))
    print(f"{name:22}{len(seconds):9}{figures}   {answered}", flush=True)


async def run(arguments: argparse.Namespace, folder: Path, more: Sequence[str]) -> None:
    names = [None, *(arguments.only or ATTACKS)]
    server = ServerProcess(folder, *UNLIMITED, *more)
    try:
        prepared = await prepare(server, len(names), arguments.spectators, arguments.lines)
    finally:
        server.process.terminate()
        server.exit_code()
        server.end()
    server = ServerProcess(folder, *more)
    try:
        async with AsyncExitStack() as stack:
            url = socket_url(server.http)
            players = [await stack.enter_async_context(Client(url, token)) for token in prepared.players]
            print(
                f"{'attack':22}{'decisions':>9}{'p50 ms':>10}{'p99 ms':>10}{'max ms':>10}   replies to the spectators"
            )
            for name, table in zip(names, prepared.tables, strict=True):
                replies: Counter[str] = Counter()
                if name is None:
                    show("none", await measure(players, table, arguments.seconds), replies)
                    continue
                orders = {
                    "url": url,
                    "tokens": prepared.spectators,
                    "tempo": arguments.tempo,
                    "attack": name,
                    "table": table,
                    "finished": prepared.finished,
                    "others": prepared.others,
                }
                with vandals(orders, replies):
                    seconds = await measure(players, table, arguments.seconds)
                show(name, seconds, replies)
    finally:
        server.end()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.faults.hostile_spectators", description=__doc__)
    parser.add_argument("--seconds", type=float, default=30.0, help="length of each row")
    parser.add_argument("--spectators", type=int, default=14, help="number of hostile spectators")
    parser.add_argument("--lines", type=int, default=3_000, help="lines of chat that they have written before")
    parser.add_argument("--tempo", type=float, default=1.0, help="requests of each in relation to the default limit")
    parser.add_argument("--only", action="append", choices=list(ATTACKS), help="only this attack; may be repeated")
    parser.add_argument("--redis", action="store_true", help="store in a Redis instead of a file")
    parser.add_argument("--attack", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.attack:
        uvloop.run(attack_until_killed(json.loads(arguments.attack)))
        return
    with tempfile.TemporaryDirectory() as folder:
        redis = RedisServer() if arguments.redis else None
        try:
            if redis is not None:
                redis.start()
            uvloop.run(run(arguments, Path(folder), [] if redis is None else [f"--redis={redis.url}"]))
        finally:
            if redis is not None:
                redis.remove()


if __name__ == "__main__":
    main()
