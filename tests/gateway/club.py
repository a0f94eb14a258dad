"""Measure how soon a club is back after a restart: `python -m tests.gateway.club`. Not a test, since machines differ.

Many people behind one address sit at tables. The server is killed and started again with its default limits, and each
person comes back as the page does: `POST /api/session`, then the websocket, with the backoff of `web/src/socket.js`.
`--newcomers` measures how soon as many people get their first session instead, and `--vandal` how many tables so many
new guests of one person open, each as many as one user may.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import random
import signal
import statistics
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import msgpack
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from protocol.codec import Encoding, encode
from tests.gateway.gateway_server import MSGPACK
from tests.gateway.process import ServerProcess

SEATS = 4
ROUNDS = 3
GIVE_UP_SECONDS = 240.0
UNLIMITED = "1000000/1/1000000"
WITHOUT_LIMITS = (
    *("--connections-per-address", "100000", "--handshake-rate", UNLIMITED, "--session-rate", UNLIMITED),
    *(
        "--creation-rate",
        UNLIMITED,
        "--new-creation-rate",
        UNLIMITED,
        "--new-handshake-rate",
        UNLIMITED,
        "--log-level",
        "warning",
    ),
)


@dataclass
class Person:
    """One person with the page open."""

    token: str
    table: str = ""
    back_at: float | None = None
    refusals: Counter[int] = field(default_factory=Counter)
    attempts: int = 0

    def delay(self) -> float:
        """Return the seconds to wait before the next attempt, as `reconnectDelay` of the page does."""
        wait = min(8.0, 0.5 * 1.5**self.attempts) * (0.5 + random.random() / 2)
        self.attempts += 1
        return wait

    async def come_back(self, http: str, web: httpx.AsyncClient, stay: asyncio.Event) -> None:
        """Connect until the view of the table arrives, and stay connected until `stay` is set."""
        while True:
            await asyncio.sleep(self.delay())
            headers = {"Cookie": f"sid={self.token}", "Origin": http}
            with contextlib.suppress(OSError, TimeoutError, InvalidHandshake, ConnectionClosed, httpx.HTTPError):
                answer = await post_session(web, http, headers)
                if answer.status_code != 200:
                    self.refusals[answer.status_code] += 1
                    continue
                try:
                    connection = await connected(http, headers)
                except InvalidStatus as refused:
                    self.refusals[refused.response.status_code] += 1
                    continue
                async with connection:
                    await ask(connection, type="watch", id="w", table=self.table)
                    while (await received(connection))["type"] != "view":
                        pass
                    self.back_at = time.perf_counter()
                    await stay.wait()
                return


async def post_session(web: httpx.AsyncClient, http: str, headers: dict[str, str]) -> httpx.Response:
    """Begin a session as one of many browsers, none of which has the cookies of another."""
    web.cookies.clear()
    return await web.post(f"{http}/api/session", headers=headers)


async def connected(http: str, headers: dict[str, str]) -> ClientConnection:
    names: Any = [MSGPACK]
    return await connect(
        f"ws{http.removeprefix('http')}/socket",
        additional_headers=headers,
        subprotocols=names,
        proxy=None,
        compression=None,
        ping_interval=None,
    )


async def ask(connection: ClientConnection, **request: Any) -> None:
    await connection.send(encode(request, Encoding.MSGPACK))


async def received(connection: ClientConnection) -> dict[str, Any]:
    message: dict[str, Any] = msgpack.unpackb(await connection.recv())
    return message


async def replied(connection: ClientConnection, request_id: str) -> dict[str, Any]:
    while (message := await received(connection)).get("id") != request_id:
        pass
    assert message["type"] == "done", message
    return dict(message["result"])


async def gather(http: str, people: int, tables: int) -> list[Person]:
    """Create the people and their tables on a server without limits."""
    async with httpx.AsyncClient(trust_env=False) as web:
        club = [Person((await post_session(web, http, {})).json()["token"]) for _ in range(people)]
    for first in range(tables):
        players = club[first * SEATS : (first + 1) * SEATS]
        async with contextlib.AsyncExitStack() as held:
            connections = []
            for person in players:
                headers = {"Authorization": f"Bearer {person.token}"}
                connections.append(await held.enter_async_context(await connected(http, headers)))
            settings = {"game": "investors", "seats": SEATS}
            await ask(connections[0], type="create_table", id="c", settings=settings)
            table = (await replied(connections[0], "c"))["table"]
            for seat, connection in enumerate(connections):
                if seat:
                    await ask(connection, type="take_seat", id="t", table=table)
                    await replied(connection, "t")
                await ask(connection, type="ready", id="r", table=table, ready=True)
                await replied(connection, "r")
            await ask(connections[0], type="start", id="s", table=table)
            await replied(connections[0], "s")
        for person in players:
            person.table = table
    for person in club:
        person.table = person.table or club[0].table
    return club


async def measure_restart(people: int, tables: int, *limits: str) -> dict[str, float]:
    """Return the seconds from the kill until everybody has a view, and what was refused meanwhile."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        server = ServerProcess(Path(folder), *WITHOUT_LIMITS)
        try:
            club = await gather(server.http, people, tables)
            server.tell(signal.SIGKILL)
            server.end()
            killed_at = time.perf_counter()
            stay = asyncio.Event()
            # Each browser has connections of its own.
            pool = httpx.Limits(max_connections=people, max_keepalive_connections=0)
            async with httpx.AsyncClient(limits=pool, trust_env=False, timeout=20) as web:
                coming = [asyncio.create_task(person.come_back(server.http, web, stay)) for person in club]
                port = str(server.port)
                server = await asyncio.to_thread(ServerProcess, Path(folder), "--port", port, *limits)
                up_at = time.perf_counter()
                while any(person.back_at is None for person in club):
                    if time.perf_counter() - killed_at > GIVE_UP_SECONDS:
                        break
                    await asyncio.sleep(0.05)
                stay.set()
                for task in coming:
                    task.cancel()
                await asyncio.gather(*coming, return_exceptions=True)
        finally:
            server.end()
    back = sorted(person.back_at - killed_at for person in club if person.back_at is not None)
    refusals = sum((person.refusals for person in club), Counter[int]())
    return {
        "up": up_at - killed_at,
        "median": statistics.median(back),
        "last": back[-1],
        "missing": people - len(back),
        "refused": sum(refusals.values()),
    }


async def measure_newcomers(people: int) -> dict[str, float]:
    """Return the seconds until so many people who were never here have a session, on a server with default limits."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        server = ServerProcess(Path(folder))
        times: list[float] = []
        refused = 0

        async def begin(web: httpx.AsyncClient) -> None:
            nonlocal refused
            person = Person("")
            while (await post_session(web, server.http, {"Origin": server.http})).status_code != 200:
                refused += 1
                await asyncio.sleep(person.delay())
            times.append(time.perf_counter() - begun_at)

        try:
            pool = httpx.Limits(max_connections=people, max_keepalive_connections=0)
            async with httpx.AsyncClient(limits=pool, trust_env=False, timeout=20) as web:
                begun_at = time.perf_counter()
                waiting = [asyncio.create_task(begin(web)) for _ in range(people)]
                await asyncio.wait(waiting, timeout=GIVE_UP_SECONDS)
                for task in waiting:
                    task.cancel()
                await asyncio.gather(*waiting, return_exceptions=True)
        finally:
            server.end()
    return {
        "up": 0.0,
        "median": statistics.median(times),
        "last": max(times),
        "missing": people - len(times),
        "refused": refused,
    }


async def count_tables(guests: int) -> tuple[int, float]:
    """Return how many tables new guests behind one address open on a server with default limits, and the seconds."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        server = ServerProcess(Path(folder))
        opened = 0
        try:
            begun_at = time.perf_counter()
            async with httpx.AsyncClient(trust_env=False, timeout=20) as web:
                for _ in range(guests):
                    answer = await post_session(web, server.http, {})
                    if answer.status_code != 200:
                        break
                    token = answer.json()["token"]
                    async with await connected(server.http, {"Authorization": f"Bearer {token}"}) as connection:
                        for number in range(10):
                            settings = {"game": "investors", "seats": SEATS}
                            await ask(connection, type="create_table", id=f"c{number}", settings=settings)
                            while (message := await received(connection)).get("id") != f"c{number}":
                                pass
                            opened += message["type"] == "done"
            return opened, time.perf_counter() - begun_at
        finally:
            server.end()


def show(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--tables", type=int, default=None, help="tables with four players; others watch the first")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--newcomers", action="store_true")
    parser.add_argument("--vandal", action="store_true")
    args = parser.parse_args()
    if args.vandal:
        opened, seconds = await count_tables(args.people)
        show(f"{args.people} new guests behind one address opened {opened} tables in {seconds:.0f} s")
        return
    tables = max(1, args.people // SEATS if args.tables is None else args.tables)
    what = "without a session" if args.newcomers else f"at {tables} tables"
    show(f"{args.people} people behind one address, {what}; seconds; load {os.getloadavg()[0]:.1f}")
    show(f"{'round':>5} {'server up':>10} {'median':>8} {'last':>8} {'since up':>9} {'missing':>8} {'refused':>8}")
    for number in range(args.rounds):
        found = await (measure_newcomers(args.people) if args.newcomers else measure_restart(args.people, tables))
        show(
            f"{number + 1:>5} {found['up']:>10.2f} {found['median']:>8.2f} {found['last']:>8.2f}"
            f" {found['last'] - found['up']:>9.2f} {found['missing']:>8.0f} {found['refused']:>8.0f}"
        )


if __name__ == "__main__":
    asyncio.run(main())
