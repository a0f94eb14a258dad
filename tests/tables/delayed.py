"""Commentators at tables of the toy auction, and the rule that nothing may reach them early."""

from __future__ import annotations

import asyncio
from typing import Any

from protocol.codec import Frame
from server.model import User
from server.tables.proofs import time_of_proof
from tests.tables.table_server import Screen, TableServer, person

MINUTES = {"kind": "minutes", "minutes": 10}
DELAY = 600.0
"""The seconds of that delay."""

DECISIONS = {"kind": "decisions", "decisions": 2}


class TimedScreen(Screen):
    """A screen that notes when each frame came, and its bytes."""

    def __init__(self, user: User) -> None:
        super().__init__(user)
        self.frames: list[tuple[float, bytes]] = []
        self.came: list[tuple[float, dict[str, Any]]] = []

    def send(self, frame: Frame) -> bool:
        now = round(asyncio.get_running_loop().time(), 3)
        is_sent = super().send(frame)
        if is_sent:
            self.frames.append((now, frame.framed(self.encoding)))
            self.came.append((now, self.messages[-1]))
        return is_sent


class Diary:
    """Notes, by the time that it was dated with, when each entry of a log was really written."""

    def __init__(self, server: TableServer, table: str) -> None:
        self._server = server
        self._table = table
        self.written: dict[int, float] = {}

    def note(self) -> None:
        """Note the entries that are new."""
        now = asyncio.get_running_loop().time()
        for at in self._server.loaded(self._table).history.times:
            self.written.setdefault(at, now)

    def check(self, screen: TimedScreen, seconds: float = DELAY) -> int:
        """Assert that every entry of the game came at least so much later, and return how many came."""
        secret, count = self._server.state(self._table).secret, 0
        for came, message in screen.came:
            stamp = message.get("stamp")
            if stamp is None or (message["type"] == "view" and message["view"]["play"] is None):
                continue
            at = time_of_proof(secret, stamp)
            assert at is not None
            assert came - self.written[at] >= seconds - 0.001, f"{came - self.written[at]} seconds later"
            count += 1
        return count


async def begin(server: TableServer, *names: str, **settings: Any) -> str:
    """Return a table whose game has begun, with a delay of ten minutes unless another one is given."""
    chosen = {"absence_seconds": None, "delayed_view": MINUTES, **settings}
    return await server.begin(*(names or ("ann", "ben")), **chosen)


async def key_of(server: TableServer, table: str, **fields: Any) -> str:
    """Return the commentators' key."""
    key: str = (await server.do("ann", "commentary_key", table, **fields))["key"]
    return key


async def commentate(server: TableServer, table: str, name: str = "cat", **fields: Any) -> TimedScreen:
    """Watch a table as a commentator."""
    screen = TimedScreen(person(name))
    await server.watch(name, table, screen, delayed=True, key=await key_of(server, table), **fields)
    return screen


def hands(server: TableServer, table: str) -> list[list[int]]:
    """Return the hands of all seats."""
    return [list(hand) for hand in server.state(table).play.state.hands]


def opened(screen: Screen) -> list[list[int]]:
    """Return the hands that a commentator sees."""
    assert screen.view is not None
    return [seat["game"]["hand"] for seat in screen.view["open"]]


def answers(screen: Screen) -> list[Any]:
    """Return the sealed answers that a commentator sees."""
    assert screen.view is not None
    return [seat["answer"] for seat in screen.view["open"]]
