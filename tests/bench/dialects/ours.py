"""The dialect of our own server in msgpack: for the trivial game, whose moves are known, and for real games."""

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
"""The first bytes of messages, after the byte that counts their fields."""

Answer = dict[str, Any]


async def guests(port: int, number: int) -> list[str]:
    """Create so many guests and return their tokens."""
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

    def on_message(self, payload: bytes) -> None:
        if payload.startswith(_VIEW, 1):
            self.on_view(len(payload))
        elif payload.startswith(_REFUSED, 1):
            self.table.fail(f"The server refused: {msgpack.unpackb(payload)['sentence']}")


class OurMover(Mover, OurViewer):
    """A player who sends requests, and knows the moves of the trivial game without decoding updates."""

    def __init__(self, table: LoadTable, seat: int) -> None:
        super().__init__(table, seat)
        # A user who reconnects must not reuse an id.
        first = secrets.token_hex(4)
        self._ids = (f"{first}.{number}" for number in count(1))
        self._waiting: dict[str, Callable[[Answer], None]] = {}

    def ask(self, then: Callable[[Answer], None], kind: str, **fields: Any) -> None:
        """Send a request; `then` receives the reply."""
        request_id = next(self._ids)
        self._waiting[request_id] = then
        self.send(msgpack.packb({"type": kind, "id": request_id, **fields}))

    async def request(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Send a request and return its result; raise `LoadFailed` if it is refused."""
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
                self.table.stats.to_answer.append(time.perf_counter() - sent_at)
            else:
                self.table.fail(f"The server refused: {answer['sentence']}")

        self.ask(answered, "decide", table=self.table.id, decision=number, command=command)

    def move(self, number: int) -> None:
        self.decide(number, {"do": "put_mark", "place": number % PLACES})

    def on_message(self, payload: bytes) -> None:
        if payload.startswith(_VIEW, 1):
            self.on_view(len(payload))
            return
        message = msgpack.unpackb(payload)
        if message["type"] in ("done", "refused"):
            then = self._waiting.pop(message["id"], None)
            if then is not None:
                then(message)


class Decider(OurMover):
    """A player who keeps the view up to date and answers its prompts at random."""

    def __init__(self, table: LoadTable, seat: int, rng: random.Random) -> None:
        super().__init__(table, seat)
        self.view: dict[str, Any] = {}
        self._rng = rng

    @property
    def prompt(self) -> tuple[int, dict[str, Any]] | None:
        """Return the number and the prompt of the open decision, or None if this seat is not awaited."""
        decision = self.view["play"]["decision"]
        if decision is None or self.view["mine"] not in decision["awaited"]:
            return None
        return decision["number"], decision["prompt"]

    def data_received(self, data: bytes) -> None:
        # Every update is decoded: it contains the next prompt.
        Connection.data_received(self, data)

    def on_payload(self, payload: bytes) -> None:
        if payload.startswith(_UPDATE, 1):
            self.view = patched(self.view, msgpack.unpackb(payload)["patch"])
            if self.view["table"]["phase"] == "over":
                self.table.over.set()
            self.updated(4 + len(payload))
        else:
            if payload.startswith(_VIEW, 1):
                self.view = msgpack.unpackb(payload)["view"]
            self.on_message(payload)

    def is_to_move(self) -> bool:
        return self.prompt is not None

    def move(self, number: int) -> None:
        assert self.prompt is not None
        decision, prompt = self.prompt
        self.decide(decision, any_command(self._rng, prompt))


class OurDialect:
    """The dialect of our own server. Every viewer is a separate user, who reconnects with the same token."""

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

    async def prepare_spectators(self, spectators: int) -> None:
        async with self._inviting:
            self._spectators += await guests(self._port, max(0, spectators - len(self._spectators)))

    async def connect_movers(self, table: LoadTable, tokens: Sequence[str] = ()) -> None:
        """Connect the movers of a table, as the users of these tokens or as new guests."""
        tokens = tokens or await guests(self._port, len(table.movers))
        for mover, token in zip(table.movers, tokens, strict=True):
            mover.token = token
            await connect(mover, self._port, token)

    async def create_table(self, table: LoadTable) -> None:
        if not table.movers[0].is_connected:
            await self.connect_movers(table)
        host, *others = table.movers
        settings = {"game": self._game, "seats": len(table.movers), "absence_seconds": None}
        table.id = (await host.request("create_table", settings=settings))["table"]
        for other in others:
            await other.request("take_seat", table=table.id)
            await other.request("ready", table=table.id, ready=True)
        await host.request("start", table=table.id)

    async def join(self, viewer: Viewer) -> None:
        assert isinstance(viewer, OurViewer)
        shown = viewer.expect_view()
        if not viewer.is_connected:
            viewer.token = viewer.token or await self._spectator(viewer.table)
            await connect(viewer, self._port, viewer.token)
        viewer.watch()
        await shown

    async def _spectator(self, table: LoadTable) -> str:
        """Return the token of a spectator who is not at this table yet; spectators may watch several tables."""
        number = self._taken[table.id]
        self._taken[table.id] += 1
        await self.prepare_spectators(number + 1)
        return self._spectators[number]
