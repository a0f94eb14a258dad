"""Our own protocol, in msgpack: for the trivial game, whose moves are known beforehand, and for real ones."""

from __future__ import annotations

import asyncio
import random
import secrets
import time
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

import msgpack

from protocol.patch import patched
from tests.bench.http_client import post
from tests.bench.load import Connection, LoadFailed, LoadTable, Mover, Viewer
from tests.bench.trivial_game import NAME, PLACES
from tests.scenarios.people import any_command

SUBPROTOCOL = "sanfrancisco.1.msgpack"
_UPDATE, _VIEW, _REFUSED = b"\xa4type\xa6update", b"\xa4type\xa4view", b"\xa4type\xa7refused"
"""How messages begin, behind the byte that counts their fields."""

Answer = dict[str, Any]


async def guests(port: int, number: int) -> list[str]:
    """Become so many guests and give their tokens."""
    tokens: list[str] = []
    left = iter(range(number))

    async def ask() -> None:
        for _ in left:
            session = await post(port, "/api/session")
            tokens.append(session["token"])

    await asyncio.gather(*(ask() for _ in range(32)))
    return tokens


async def connect(connection: Connection, port: int, token: str) -> None:
    """Open a connection as the user of a token."""
    await connection.connect(
        port, "/socket", f"Sec-WebSocket-Protocol: {SUBPROTOCOL}", f"Authorization: Bearer {token}"
    )


class OurViewer(Viewer):
    """A spectator."""

    mark, mark_at = _UPDATE, 1

    def __init__(self, table: LoadTable, seat: int | None = None) -> None:
        super().__init__(table, seat)
        self.token = ""

    def watch(self) -> None:
        self.send(msgpack.packb({"type": "watch", "id": "watch", "table": self.table.id}))

    def told(self, payload: bytes) -> None:
        if payload.startswith(_VIEW, 1):
            self.shown_whole(len(payload))
        elif payload.startswith(_REFUSED, 1):
            self.table.fail(f"The server refused: {msgpack.unpackb(payload)['sentence']}")


class OurMover(Mover, OurViewer):
    """Somebody on a seat who can ask for things. They know without looking how the trivial game goes on."""

    def __init__(self, table: LoadTable, seat: int) -> None:
        super().__init__(table, seat)
        # A user who comes back must not use an id again.
        first = secrets.token_hex(4)
        self._ids = (f"{first}.{number}" for number in count(1))
        self._waiting: dict[str, Callable[[Answer], None]] = {}

    def ask(self, then: Callable[[Answer], None], kind: str, **fields: Any) -> None:
        """Send a request; `then` gets the answer."""
        request_id = next(self._ids)
        self._waiting[request_id] = then
        self.send(msgpack.packb({"type": kind, "id": request_id, **fields}))

    async def request(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Send a request that must be granted; gives its result."""
        answered: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self.ask(answered.set_result, kind, **fields)
        answer = await answered
        if answer["type"] != "done":
            raise LoadFailed(f"The server refused: {answer['sentence']}")
        result: dict[str, Any] = answer["result"]
        return result

    def decide(self, number: int, command: dict[str, Any]) -> None:
        """Answer the open decision of this number."""
        sent_at = time.perf_counter()

        def answered(answer: Answer) -> None:
            if answer["type"] == "done":
                self.table.tally.to_answer.append(time.perf_counter() - sent_at)
            else:
                self.table.fail(f"The server refused: {answer['sentence']}")

        self.ask(answered, "decide", table=self.table.id, decision=number, command=command)

    def move(self, number: int) -> None:
        self.decide(number, {"do": "put_mark", "place": number % PLACES})

    def told(self, payload: bytes) -> None:
        if payload.startswith(_VIEW, 1):
            self.shown_whole(len(payload))
            return
        message = msgpack.unpackb(payload)
        if message["type"] in ("done", "refused"):
            then = self._waiting.pop(message["id"], None)
            if then is not None:
                then(message)


class Decider(OurMover):
    """Somebody on a seat who keeps the view up to date and answers its prompts by chance."""

    def __init__(self, table: LoadTable, seat: int, rng: random.Random) -> None:
        super().__init__(table, seat)
        self.view: dict[str, Any] = {}
        self._rng = rng

    @property
    def prompt(self) -> tuple[int, dict[str, Any]] | None:
        """The number and the prompt of the open decision, if it is theirs."""
        decision = self.view["play"]["decision"]
        if decision is None or self.view["mine"] not in decision["awaited"]:
            return None
        return decision["number"], decision["prompt"]

    def data_received(self, data: bytes) -> None:
        # Nothing is skipped: what the next prompt is stands in the update.
        Connection.data_received(self, data)

    def heard(self, payload: bytes) -> None:
        if payload.startswith(_UPDATE, 1):
            self.view = patched(self.view, msgpack.unpackb(payload)["patch"])
            if self.view["table"]["phase"] == "over":
                self.table.over.set()
            self.updated(4 + len(payload))
        else:
            if payload.startswith(_VIEW, 1):
                self.view = msgpack.unpackb(payload)["view"]
            self.told(payload)

    def is_asked(self) -> bool:
        return self.prompt is not None

    def move(self, number: int) -> None:
        assert self.prompt is not None
        decision, prompt = self.prompt
        self.decide(decision, any_command(self._rng, prompt))


class OurDialect:
    """For our own server. Everybody at a table is a user of their own, who comes back with the same token."""

    def __init__(self, port: int, seed: int = 0, *, game: str = NAME) -> None:
        self._port = port
        self._game = game
        self._rng = random.Random(seed)
        self._spectators: list[str] = []
        self._inviting = asyncio.Lock()
        self._taken: Counter[str] = Counter()

    def mover(self, table: LoadTable, seat: int) -> OurMover:
        if self._game == NAME:
            return OurMover(table, seat)
        return Decider(table, seat, random.Random(self._rng.random()))

    def watcher(self, table: LoadTable) -> OurViewer:
        return OurViewer(table)

    async def invite(self, spectators: int) -> None:
        async with self._inviting:
            self._spectators += await guests(self._port, max(0, spectators - len(self._spectators)))

    async def connect_movers(self, table: LoadTable, tokens: Sequence[str] = ()) -> None:
        """Let everybody who will sit at a table come, as the users of these tokens or as new ones."""
        tokens = tokens or await guests(self._port, len(table.movers))
        for mover, token in zip(table.movers, tokens, strict=True):
            mover.token = token
            await connect(mover, self._port, token)

    async def found(self, table: LoadTable) -> None:
        if not table.movers[0].is_connected:
            await self.connect_movers(table)
        host, *others = table.movers
        settings = {"game": self._game, "seats": len(table.movers), "absence_seconds": None}
        table.id = (await host.request("create_table", settings=settings))["table"]
        for other in others:
            await other.request("take_seat", table=table.id)
            await other.request("ready", table=table.id, ready=True)
        await host.request("start", table=table.id)

    async def enter(self, viewer: Viewer) -> None:
        assert isinstance(viewer, OurViewer)
        shown = viewer.expect_view()
        if not viewer.is_connected:
            viewer.token = viewer.token or await self._spectator(viewer.table)
            await connect(viewer, self._port, viewer.token)
        viewer.watch()
        await shown

    async def _spectator(self, table: LoadTable) -> str:
        """Give the token of a spectator who is not at this table yet; they may watch several tables."""
        number = self._taken[table.id]
        self._taken[table.id] += 1
        await self.invite(number + 1)
        return self._spectators[number]
