"""A process in a test: a table registry on a store, with people who send requests and connections that record frames.

Users are identified by their names. A `Screen` does what a client does: it applies patches, and asserts that the update
numbers have no gap.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any, cast

import msgpack

from protocol.codec import Encoding, Frame
from protocol.messages import REPLIES, REQUESTS, CreateTable, TableRequest, TableSettings, Watch
from protocol.patch import patched
from server.bots.question import question_from_view, read_question
from server.games.engine.game import Game
from server.games.engine.prompts import Command
from server.games.engine.serialization import Json, to_json
from server.games.registry import GAMES
from server.model import Done, Refused, Reply, User
from server.store.api import TableStore
from server.store.memory import MemoryStore
from server.tables import events
from server.tables.api import Summary, TableStatus
from server.tables.entries import read_entry
from server.tables.loaded_table import LoadedTable
from server.tables.people import NO_ACCOUNTS, TablePeople
from server.tables.registry import Clocks, TableRegistry
from server.tables.summary import summary_of
from tests.games.toys import TOYS
from tests.tables.store_link import StoreLink


@contextmanager
def toys() -> Iterator[None]:
    """Register the toy games."""
    before = dict(GAMES)
    GAMES.update(cast("dict[str, Game[Any]]", TOYS))
    try:
        yield
    finally:
        GAMES.clear()
        GAMES.update(before)


def now_milliseconds() -> int:
    """Return the time of the running event loop."""
    return round(asyncio.get_running_loop().time() * 1000)


def person(name: str) -> User:
    """Return the user of this name: a guest, or with an `@` before the name somebody with that handle."""
    handle = name.removeprefix("@")
    return User(handle, handle.capitalize(), handle=None if handle == name else handle)


@dataclass
class Lists:
    """A directory that records all calls."""

    updates: list[tuple[Summary, bool]] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    statuses: dict[str, list[TableStatus]] = field(default_factory=dict)

    def update(self, summary: Summary, private: bool) -> None:
        self.updates.append((summary, private))

    def update_status(self, table: str, status: TableStatus) -> None:
        self.statuses.setdefault(table, []).append(status)

    def remove(self, table: str) -> None:
        self.removed.append(table)

    def of(self, table: str) -> Summary:
        """Return the last summary of a table."""
        return next(summary for summary, _ in reversed(self.updates) if summary["table"] == table)


@dataclass
class PatientBots:
    """Bots that decide after `pause_seconds`; with None, when the test calls `decide`."""

    pause_seconds: float | None = None
    asked: list[tuple[dict[str, Any], Callable[[Json], None]]] = field(default_factory=list)
    rng: random.Random = field(default_factory=lambda: random.Random(7))
    thoughts: int = 0
    strengths_offered: tuple[str, ...] = ("random",)
    strengths_asked: list[str] = field(default_factory=list)
    styles_asked: list[str | None] = field(default_factory=list)
    advice: dict[str, Any] | None = field(default_factory=lambda: {"command": {}, "reason": None})
    advised: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    order_pause_seconds: float = 2.0
    paused_for: list[tuple[str, bool]] = field(default_factory=list)

    def strengths(self, game: str) -> tuple[str, ...]:
        return self.strengths_offered

    def think(self, strength: str, style: str | None, view: dict[str, Any], accepted: Callable[[Json], None]) -> None:
        self.strengths_asked.append(strength)
        self.styles_asked.append(style)
        self.thoughts += 1
        if self.pause_seconds is None:
            self.asked.append((view, accepted))
        else:
            asyncio.get_running_loop().call_later(self.pause_seconds, lambda: accepted(self.sample(view)))

    def advise(self, strength: str, view: dict[str, Any], advised: Callable[[dict[str, Any] | None], None]) -> None:
        self.advised.append((strength, view))
        asyncio.get_running_loop().call_soon(advised, self.advice)

    def pause(self, kind: str, is_sealed: bool, rng: random.Random) -> float:
        self.paused_for.append((kind, is_sealed))
        return self.order_pause_seconds

    def decide(self) -> None:
        """Let all bots that were asked decide."""
        asked, self.asked = self.asked, []
        for view, accepted in asked:
            accepted(self.sample(view))

    def sample(self, view: dict[str, Any]) -> Json:
        """Return a random legal answer to the prompt in a view."""
        return to_json(read_question(question_from_view(view)).prompt.sample(self.rng))


PROOFS = (events.ServerSeedDrawn, events.AnswerSealed, events.AnswersOpened, events.CommandGiven)
"""Events that only verifiers need (`docs/fairness.md`); `test_fairness.py` tests them."""


class Screen:
    """A connection, and the view of its client."""

    encoding = Encoding.MSGPACK

    def __init__(self, user: User) -> None:
        self.user = user
        self.messages: list[dict[str, Any]] = []
        self.sizes: list[int] = []
        self.can_wait: list[bool] = []
        self.view: dict[str, Any] | None = None
        self.number = 0
        self.stamp: str | None = None
        self.missed: list[dict[str, Any]] | None = None
        self.events: list[dict[str, Any]] = []
        self.presence: dict[str, Any] | None = None
        self.chat: list[dict[str, Any]] = []
        self.is_full = False
        self.is_broken = False

    def send(self, frame: Frame) -> bool:
        if self.is_broken:
            raise ConnectionError("this connection is broken")
        if self.is_full:
            return False
        framed = frame.framed(self.encoding)
        # Keep a copy, since the table may change its own objects.
        message = msgpack.unpackb(msgpack.packb(frame.message))
        REPLIES.validate_python(message)
        self.messages.append(message)
        self.sizes.append(len(framed))
        self.can_wait.append(frame.can_wait)
        if message["type"] == "view":
            self.view, self.number, self.missed = message["view"], message["number"], message["missed"]
            self.stamp, self.chat = message["stamp"], message["chat"]
        elif message["type"] == "update":
            assert message["number"] == self.number + 1, "the numbers of updates go up by one"
            self.view, self.number = patched(self.view, message["patch"]), message["number"]
            self.stamp = message["stamp"]
            self.events += message["events"]
        elif message["type"] == "presence":
            self.presence = message
        elif message["type"] == "chat":
            self.chat = self.chat + message["lines"]
        return True

    def drain(self) -> list[dict[str, Any]]:
        """Return the messages since the last call."""
        messages, self.messages = self.messages, []
        return messages

    @property
    def decision(self) -> dict[str, Any]:
        assert self.view is not None
        return cast("dict[str, Any]", self.view["play"]["decision"])


class TableServer:
    """One process, alone or as a worker of this name. Users are identified by name, and tables by id."""

    def __init__(
        self,
        store: TableStore | None = None,
        bots: PatientBots | None = None,
        worker: str | None = None,
        people: TablePeople = NO_ACCOUNTS,
    ) -> None:
        self._worker = worker
        self.clock_step = 0.0
        """By how many seconds the wall clock was set forward."""
        self.store: TableStore = store or MemoryStore(asyncio.get_running_loop().time, self.wall)
        self.people = people
        self.lists = Lists()
        self.bots = bots or PatientBots()
        self._ids = count(1)
        self.registry = self.new_registry()

    def new_registry(self) -> TableRegistry:
        """Return another registry on the same store, as after a restart."""
        self._link = StoreLink(self.store)
        clocks = Clocks(now_milliseconds, lambda: round(self.wall() * 1000))
        seeds = random.Random(3)
        entropy = lambda: seeds.randbytes(32)  # noqa: E731
        return TableRegistry(
            self._link.as_store, self.lists, self.bots, clocks, entropy, self._worker, people=self.people
        )

    def wall(self) -> float:
        return wall() + self.clock_step

    async def restart(self) -> None:
        """End the process in good order, and start another."""
        await self.registry.close()
        self.registry = self.new_registry()

    async def crash(self) -> None:
        """End the process as if it had been killed, and start another. Its leases expire at once."""
        self._link.cut()
        await self.registry.close()
        self.registry = self.new_registry()
        if isinstance(self.store, MemoryStore):
            for row in self.store._tables.values():
                row.leased_until = 0.0

    # -- requests ---------------------------------------------------------------------------------------------

    def send(self, name: str, kind: str, table: str, **fields: Any) -> asyncio.Future[Reply]:
        """Send a request to a table; return the future reply. Pass `id` to repeat a request."""
        request = REQUESTS.validate_python({"id": f"r{next(self._ids)}", **fields, "type": kind, "table": table})
        assert isinstance(request, TableRequest)
        answer: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self.registry.ask(person(name), request, answer.set_result)
        return answer

    async def ask(self, name: str, kind: str, table: str, **fields: Any) -> Reply:
        """Send a request to a table; return the reply."""
        return await asyncio.wait_for(self.send(name, kind, table, **fields), 60)

    async def do(self, name: str, kind: str, table: str, **fields: Any) -> dict[str, Any]:
        """Send a request that must be accepted; return its result."""
        answer = await self.ask(name, kind, table, **fields)
        assert isinstance(answer, Done), f"{name} may not {kind}: {answer}"
        return dict(answer.result)

    async def refusal(self, name: str, kind: str, table: str, **fields: Any) -> str:
        """Send a request that must be refused; return the code."""
        answer = await self.ask(name, kind, table, **fields)
        assert isinstance(answer, Refused), f"{name} may {kind}: {answer}"
        return answer.code

    async def create(self, host: str, table: str = "table1", **settings: Any) -> str:
        """Open a table; return its id."""
        answer = await self.try_create(host, table, **settings)
        assert isinstance(answer, Done), answer
        return table

    async def try_create(self, host: str, table: str, request_id: str = "create", **settings: Any) -> Reply:
        chosen = TableSettings.model_validate({"game": "auction", "seats": 2, **settings})
        request = CreateTable(type="create_table", id=request_id, settings=chosen)
        answer: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self.registry.create(person(host), request, table, answer.set_result)
        return await asyncio.wait_for(answer, 60)

    async def begin(self, *names: str, bots: int = 0, table: str = "table1", **settings: Any) -> str:
        """Open a table, seat people and then bots, and start the game."""
        host, *others = names
        await self.create(host, table, seats=len(names) + bots, **settings)
        await self.seat(table, *others)
        for _ in range(bots):
            await self.do(host, "add_bot", table)
        await self.do(host, "start", table)
        return table

    async def seat(self, table: str, *names: str) -> None:
        """Seat people and make them ready."""
        key = self.key(table)
        for name in names:
            await self.do(name, "take_seat", table, key=key)
            await self.do(name, "ready", table, ready=True)

    # -- subscriptions ----------------------------------------------------------------------------------------

    async def watch(self, name: str, table: str, screen: Screen | None = None, **fields: Any) -> Screen:
        """Subscribe a user to a table, with a new connection or this one."""
        screen = screen or Screen(person(name))
        answer = await self.try_watch(screen, table, **fields)
        assert isinstance(answer, Done), answer
        return screen

    async def try_watch(self, screen: Screen, table: str, **fields: Any) -> Reply:
        request = Watch(type="watch", id=f"w{next(self._ids)}", table=table, **fields)
        answer: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self.registry.subscribe(screen.user, request, screen, answer.set_result)
        return await asyncio.wait_for(answer, 60)

    # -- looking inside ---------------------------------------------------------------------------------------

    def loaded(self, table: str) -> LoadedTable:
        """Return a table in memory."""
        loaded = self.registry._actors[table]._loaded
        assert loaded is not None
        return loaded

    def core(self, table: str) -> Any:
        """Return the core of a loaded table."""
        return self.loaded(table).core

    def state(self, table: str) -> Any:
        return self.core(table).state

    def key(self, table: str) -> str:
        return cast("str", self.state(table).key)

    def summary(self, table: str) -> Summary:
        """Return the summary of a table without spectators."""
        return summary_of(self.state(table), 0)

    async def log(self, table: str) -> list[str]:
        """Return the names of the events in the log of a table, joined for each entry, without those of proofs."""
        return [
            "+".join(event.name for event in new_events if not isinstance(event, PROOFS))
            for new_events in await self.entries(table)
        ]

    async def entries(self, table: str) -> list[Any]:
        game = self.state(table).settings.game if table in self.registry._actors else "auction"
        return [read_entry(entry.payload, game) for entry in await self.store.read(table)]

    def bid(self, name: str, table: str, card: int | None) -> asyncio.Future[Reply]:
        """Bid a card, the first of the hand with -1, or stay out with None."""
        state = self.state(table)
        seat = state.seat_of(name)
        if card == -1:
            card = state.play.state.hands[seat][0]
        command = {"do": "sit"} if card is None else {"do": "bid", "card": card}
        return self.send(name, "decide", table, decision=state.play.number, command=command)

    async def play_on(self, table: str, name: str, rng: random.Random) -> Reply:
        """Answer the open decision of a person at random."""
        state = self.state(table)
        prompt = state.play.decision.prompts[state.seat_of(name)]
        command = wire_command(prompt.sample(rng))
        return await self.ask(name, "decide", table, decision=state.play.number, command=command)


def wire_command(command: Command) -> dict[str, Any]:
    """Return a command as a client sends it."""
    return cast("dict[str, Any]", to_json(command))


def wall() -> float:
    return 1_700_000_000 + asyncio.get_running_loop().time()


async def pass_time(seconds: float) -> None:
    """Wait, in virtual time."""
    await asyncio.sleep(seconds)


async def settle() -> None:
    """Let all tasks run that do not wait for time."""
    for _ in range(50):
        await asyncio.sleep(0)
