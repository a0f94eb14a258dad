"""Plays moves at tables in memory, without sockets: `move_cost_worker.py GAME SPECTATORS TABLES MOVES`, in any tree.

For each line of its input it plays the same moves of the same games, and writes their number and their CPU seconds:
from the bytes of a request until the frames of all viewers are handed to their transports. Only names that earlier
versions have too are used, so that trees can be compared.
"""

from __future__ import annotations

import asyncio
import gc
import json
import random
import sys
import time
from collections.abc import Callable
from typing import Any

import uvloop

import server  # noqa: F401 - before `protocol`, so that the whole build is used
from protocol.codec import Encoding, encode
from server.games.engine.serialization import to_json
from server.games.registry import GAMES
from server.gateway.connections import ConnectionRegistry
from server.gateway.limits import Limits
from server.gateway.services import Services
from server.gateway.websocket.connection import Connection
from server.lobby.directory import TableDirectory
from server.lobby.identity import Identity
from server.lobby.lobby import Lobby
from server.model import User
from server.rate_limit import Rate
from server.store.memory import MemoryStore
from server.tables import seating
from server.tables.registry import TableRegistry
from tests.bench.trivial_game import MARKS

SEATS = 4
UNLIMITED = Rate(1_000_000, 1, 1_000_000)

Move = tuple[int, int, int, dict[str, Any]]
"""The place of the table, the seat, the number of the decision, and the command."""


class FakeBots:
    """No bot plays; every seat has a person."""

    def strengths(self, game: str) -> tuple[str, ...]:
        return ("random",)

    def think(self, strength: str, style: str | None, view: dict[str, Any], on_decided: Callable[[Any], None]) -> None:
        raise AssertionError("no bot plays here")

    def advise(self, strength: str, view: dict[str, Any], on_advised: Callable[[Any], None]) -> None:
        raise AssertionError("nobody asks for advice here")

    def pause(self, kind: str, is_sealed: bool, rng: random.Random) -> float:
        raise AssertionError("nobody gives orders here")


SEED = random.Random(1).randbytes(32)
"""The seed of every game, in every version, so that the same moves are legal."""

if hasattr(seating, "seed_of_game"):
    # The seed would depend on the id of the table, which is random.
    seating.seed_of_game = lambda state, exchange: SEED


class CountingTransport:
    """A transport that takes every frame and counts them."""

    def __init__(self) -> None:
        self.frames = 0
        self.bytes = 0
        self.on_write: asyncio.Future[None] | None = None

    def write(self, frame: bytes, can_wait: bool = False) -> bool:
        self.frames += 1
        self.bytes += len(frame)
        if self.on_write is not None and not self.on_write.done():
            self.on_write.set_result(None)
        return True

    def close(self, code: object) -> None:
        raise AssertionError(code)

    def abort(self) -> None:
        raise AssertionError("aborted")


class Player:
    """A connection of a user, and its requests."""

    def __init__(self, connections: ConnectionRegistry, name: str) -> None:
        self.transport = CountingTransport()
        user = User(name, name, has_played=True)
        self.connection = Connection(connections, self.transport, user, name, "127.0.0.1", Encoding.MSGPACK)
        self._count = 0

    def write(self, kind: str, **fields: Any) -> bytes:
        self._count += 1
        return encode({"type": kind, "id": f"{self.connection.user.id}-{self._count}", **fields}, Encoding.MSGPACK)

    async def send(self, data: bytes) -> None:
        """Hand in a request, and wait until it is answered."""
        self.transport.on_write = asyncio.get_running_loop().create_future()
        self.connection.on_message(data)
        await self.transport.on_write

    async def ask(self, kind: str, **fields: Any) -> None:
        await self.send(self.write(kind, **fields))


class Tables:
    """Some tables with running games, whose dice are the same in every run."""

    def __init__(self, game: str, spectators: int) -> None:
        self._game = game
        self._spectators = spectators
        self._store = MemoryStore()
        self._directory = TableDirectory()
        self._registry = TableRegistry(self._store, self._directory, FakeBots(), entropy=lambda: SEED)
        self._open: list[tuple[str, list[Player]]] = []

    async def open(self, tables: int) -> None:
        identity = Identity(self._store.key_values)
        lobby = await Lobby.open(self._store.key_values, self._directory, self._registry, 1_000_000)
        services = Services(identity, lobby, self._registry, [])
        limits = Limits(requests=UNLIMITED, creations=UNLIMITED)
        connections = ConnectionRegistry(services, limits, time.monotonic)
        for number in range(tables):
            self._open.append(await self._opened(connections, number))

    async def close(self) -> None:
        await self._registry.close()

    async def _opened(self, connections: ConnectionRegistry, number: int) -> tuple[str, list[Player]]:
        people = [Player(connections, f"u{number}x{seat}") for seat in range(SEATS + self._spectators)]
        settings = {"game": self._game, "seats": SEATS, "clock": {"kind": "decision", "seconds": 60}}
        before = set(self._registry._actors)
        await people[0].ask("create_table", settings=settings)
        (table,) = set(self._registry._actors) - before
        for player in people[1:SEATS]:
            await player.ask("take_seat", table=table)
            await player.ask("ready", table=table, ready=True)
        for player in people:
            await player.ask("watch", table=table)
        await people[0].ask("start", table=table)
        return table, people

    async def choose(self, moves: int) -> list[Move]:
        """Play random moves at all tables by turns, and return them."""
        rng = random.Random(2)
        chosen: list[Move] = []
        for number in range(moves):
            place = number % len(self._open)
            table, people = self._open[place]
            loaded = self._registry._actors[table]._loaded
            assert loaded is not None
            play = loaded.core.state.play
            assert play is not None
            if play.decision is None:
                continue
            seat = play.awaited[0]
            command = to_json(play.decision.prompts[seat].sample(rng))
            chosen.append((place, seat, play.number, command))
            await people[seat].ask("decide", table=table, decision=play.number, command=command)
        return chosen

    async def play(self, moves: list[Move]) -> float:
        """Play these moves; return the CPU seconds that they took."""
        requests = []
        for place, seat, number, command in moves:
            table, people = self._open[place]
            data = people[seat].write("decide", table=table, decision=number, command=command)
            requests.append((people[seat], data))
        start = time.process_time()
        for player, data in requests:
            await player.send(data)
        return time.process_time() - start


async def main(game: str, spectators: int, tables: int, moves: int) -> None:
    choosing = Tables(game, spectators)
    await choosing.open(tables)
    chosen = await choosing.choose(moves)
    await choosing.close()
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    loop = asyncio.get_running_loop()
    while await loop.run_in_executor(None, sys.stdin.readline):
        playing = Tables(game, spectators)
        await playing.open(tables)
        print(json.dumps([len(chosen), await playing.play(chosen)]), flush=True)
        await playing.close()


if __name__ == "__main__":
    GAMES[MARKS.name] = MARKS
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main(sys.argv[1], *map(int, sys.argv[2:])))
