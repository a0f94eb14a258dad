"""A whole server within a test, down to the bytes of its connections; only sockets and clocks are fake.

Two servers on one virtual clock can be given the same requests, so that their frames can be compared byte by byte and
moment by moment.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any
from unittest.mock import patch

from protocol.codec import Encoding, encode
from protocol.codes import Close
from protocol.commitments import canonical_json, digest
from protocol.messages import TableSettings
from server.app import gauges_of
from server.games.engine.dice import Dice
from server.games.engine.events import Event, Viewer
from server.games.engine.play import Play
from server.games.engine.prompts import Command
from server.games.engine.serialization import to_json
from server.games.registry import game_named, games_described
from server.gateway.connections import ConnectionRegistry
from server.gateway.limits import Limits
from server.gateway.metrics import Counters, Metrics
from server.gateway.services import Services
from server.gateway.websocket.connection import Connection
from server.lobby.directory import TableDirectory
from server.lobby.lobby import Lobby
from server.model import User
from server.rate_limit import Rate
from server.store.memory import MemoryStore
from server.tables import events, sealing
from server.tables.chairs import Seal
from server.tables.entries import read_entry, write_entry
from server.tables.events import GameStarted, SeatReady, SeatTaken, ServerSeedDrawn, TableOpened
from server.tables.registry import Clocks, TableRegistry
from server.tables.state import TableState, opened
from server.tables.summary import StoredSummary, pack_summary, status_of
from tests.gateway.fakes import FakeIdentity
from tests.tables.table_server import PatientBots, now_milliseconds, wall

TABLE = "k3xq7m2p"
DIGEST = "d1" * 32
"""The published digest of the seed. It must be the same in both servers, although their seeds differ."""

PLENTY = Rate(1_000_000, 1, burst=1_000_000)
UNLIMITED_RATES = Limits(requests=PLENTY, chat=PLENTY, new_chat=PLENTY)


@dataclass
class RecordingTransport:
    """A transport that records every frame with its time."""

    frames: list[tuple[float, bytes]] = field(default_factory=list)
    has_room: bool = True
    closed: Close | None = None

    def write(self, frame: bytes, can_wait: bool = False) -> bool:
        if self.has_room and self.closed is None:
            self.frames.append((asyncio.get_running_loop().time(), frame))
            return True
        return False

    def close(self, code: Close) -> None:
        self.closed = self.closed or code

    def abort(self) -> None:
        self.closed = Close.TOO_SLOW


@dataclass
class RecordedConnection:
    """A connection and its recording transport."""

    connection: Connection
    transport: RecordingTransport

    def send(self, kind: str, **fields: Any) -> None:
        """Send a request as the bytes that a client sends."""
        self.connection.on_message(encode({"type": kind, **fields}, self.connection.encoding))

    def disconnect(self) -> None:
        self.connection.on_disconnect(1000)


def person(seat: Viewer) -> User:
    """Return the user in a seat, or a spectator."""
    return User("watcher", "Watcher") if seat is None else User(f"user{seat}", f"User {seat}")


class NeverSampled(random.Random):
    """A random source that leaves out every request that is sampled, but none that is counted exactly."""

    def random(self) -> float:
        return 0.5


class ServerUnderTest:
    """One server with one table and a running game. `open_server` creates it."""

    def __init__(self, store: MemoryStore, settings: TableSettings, observer: User) -> None:
        self.settings = settings
        self.observer = observer
        self.between: RecordingTransport | None = None
        """The frames to the process that the observer is connected to, where that is another one."""
        self._store = store
        self._ids = count(1)
        self._seq = 0

    async def start(self) -> None:
        """Start to serve the tables in the store."""
        # Slices by the virtual clock: how fast this machine is must not decide the order of replies.
        clocks = Clocks(now_milliseconds, lambda: round(wall() * 1000), asyncio.get_running_loop().time)
        self.directory = TableDirectory()
        self.registry = TableRegistry(self._store, self.directory, PatientBots(), clocks, lambda: bytes(32))
        lobby = Lobby(self.directory, self.registry, bytes(32))
        services = Services(FakeIdentity(), lobby, self.registry, games_described())
        self.connections = ConnectionRegistry(services, UNLIMITED_RATES, asyncio.get_running_loop().time)
        self.start_metrics()
        self.directory.load(await self._store.tables("running"))

    def start_metrics(self) -> None:
        """Make the metrics of the process that has the table, from its first request on."""
        self.connections.counters = Counters(NeverSampled())
        gauges = gauges_of(self.connections, self.registry, self.directory)
        self.metrics = Metrics(self.connections.counters, gauges, asyncio.get_running_loop().time)

    def registry_for(self, user: User) -> ConnectionRegistry:
        """Return the registry that a user connects to."""
        return self.connections

    async def restart(self) -> None:
        """Stop gracefully and start again; all connections are lost."""
        for connection in self._connections():
            connection.on_disconnect(int(Close.RESTART))
        await self.close()
        await self.start()

    async def close(self) -> None:
        self.directory.close()
        await self.registry.close()

    def _connections(self) -> list[Connection]:
        return list(self.connections)

    def connect(self, user: User, encoding: Encoding = Encoding.MSGPACK) -> RecordedConnection:
        """Return a new connection of a user, after the greeting."""
        transport = RecordingTransport()
        connections = self.registry_for(user)
        connection = Connection(connections, transport, user, "token", "here", encoding)
        connections.admit(connection)
        connection.greet()
        return RecordedConnection(connection, transport)

    def next_id(self) -> str:
        return f"r{next(self._ids)}"

    # -- access to internals ---------------------------------------------------------------------------------------

    @property
    def state(self) -> TableState:
        actor = self.registry._actors[TABLE]
        assert not actor._failures._times, "the server had an internal error"
        assert actor._loaded is not None
        return actor._loaded.core.state

    @property
    def play(self) -> Play:
        assert self.state.play is not None
        return self.state.play

    def put(self, play: Play, dice: Dice, seed: bytes) -> None:
        """Replace the position of the table, which must not have subscribers yet."""
        self.state.play, self.state.dice, self.state.seed = play, dice, seed.hex()
        self.state.seals = {seat: Seal(0, HIDDEN_COMMITMENT, "00" * 16, True) for seat in play.answers}
        actor, now = self.registry._actors[TABLE], now_milliseconds()
        loaded = actor._loaded
        assert loaded is not None
        # Otherwise the next log entry, which may be secret, would seem to have opened the decision.
        loaded.history._decision = play.number
        if self.state.day_clocks is not None:
            opened = self.state.day_clocks.opened(self.state.rhythms_of_seats())
            self.state.day_clocks = opened.going_on(self.state.thinkers(), self.state.timed(), loaded.entry_time())
        status = status_of(self.state, play, loaded.history.decision_opened_at)
        loaded._stored_summary = StoredSummary("running", status)
        loaded.publish_status()
        loaded.core.stopwatch.restart(now)
        loaded.core._run_stopwatch(now)
        actor._schedule()

    async def new_entries(self) -> list[list[Event]]:
        """Return the events of each log entry since the last call."""
        entries = await self._store.read(TABLE, self._seq)
        self._seq += len(entries)
        return [read_entry(entry.payload, self.settings.game) for entry in entries]


HIDDEN_COMMITMENT = "A" * 43


def salt_of(command: Any) -> str:
    """Return a salt that depends on an answer, so that one that is shown too early is found."""
    return digest("ideal", canonical_json(command)).hex()[:32]


@contextmanager
def ideal_commitments() -> Iterator[None]:
    """Replace commitments by constants of the same size: an ideal commitment tells nothing.

    So two servers whose sealed answers differ publish the same bytes, unless something else depends on the answers.
    Salts depend on the answers (`salt_of`).
    """

    def sealed(
        state: TableState, decision: int, seat: int, attempt: int, command: Command, *_: object
    ) -> events.AnswerSealed:
        salt = salt_of(to_json(command))
        commitment = sealing._commitment(state, decision, seat, attempt, command, salt)
        return events.AnswerSealed(seat, decision, attempt, commitment, salt, by_server=True)

    with (
        patch.object(sealing, "answer_commitment", lambda *parts: HIDDEN_COMMITMENT),
        patch.object(sealing, "_sealed", sealed),
    ):
        yield


async def open_server(
    settings: TableSettings, step: Sequence[Event], seed: bytes, key: str, observer: User, make: type[ServerUnderTest]
) -> ServerUnderTest:
    """Return a server with a table whose game began with this step; every seat is a person's."""
    loop = asyncio.get_running_loop()
    started_at = round(wall() * 1000)
    first = TableOpened(
        table=TABLE,
        rules_version=game_named(settings.game).rules_version,
        settings=settings.model_dump_json(),
        host=person(0).id,
        key=key,
        created=started_at,
        # The same in both servers, so that proofs do not differ.
        secret="secret",
    )
    seated: list[Event] = [first, ServerSeedDrawn(1, "00" * 32, "11" * 32, expects_seats=False)]
    for seat in range(settings.seats):
        user = person(seat)
        seated += [SeatTaken(seat, user.id, user.name), SeatReady(seat, True)]
    started: list[Event] = [GameStarted(seed.hex(), DIGEST), *step]
    state = opened(first)
    state.apply(seated[1:])
    state.apply(started)
    store = MemoryStore(loop.time, wall)
    entries = [write_entry(new_events, started_at) for new_events in (seated, started)]
    await store.create(TABLE, "running", pack_summary(state, started_at), entries)
    server = make(store, settings, observer)
    await server.start()
    return server
