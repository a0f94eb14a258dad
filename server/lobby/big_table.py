"""The big table: the most interesting running table that everybody may watch, which the home page shows.

A table is judged by what everybody may know of it: who sits there, how many watch, how close the game is by the points
that spectators see, and how long nobody has decided. The service looks at a few tables as an ordinary spectator does,
so that nothing else can come in.

The choice stays for `STABLE_SECONDS`, or until its game is over, and then the shown table must be beaten clearly. It is
a value in the store, which workers replace by compare-and-swap, so that all of them show the same table.
"""

from __future__ import annotations

import asyncio
import heapq
import json
import math
import secrets
import time
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from typing import Any, Final, NamedTuple

from protocol.codec import Encoding, Frame
from protocol.messages import Watch
from server.games.registry import game_named
from server.lobby.directory import TableDirectory
from server.lobby.table_index import IndexedTable
from server.model import Done, Reply, User
from server.store.api import KeyValueStore
from server.tables.api import Tables

STABLE_SECONDS: Final = 180.0
"""The time for which a choice stays, unless its game ends."""

FRESH_SECONDS: Final = 10.0
"""The time for which a worker does not look for another choice."""

KEPT_SECONDS: Final = 3_600.0
MAX_CANDIDATES: Final = 12
"""Tables that are looked at; the others come later in the list of running tables."""

MAX_RANKED: Final = 6
MAX_SHOWN: Final = 3
"""Tables in a reply: the big table, and those that follow it."""

LOOK_SECONDS: Final = 3.0
"""The time for a table to show itself."""

SHOWN_BONUS: Final = 1.0
"""What another table must be more interesting by to take the place of the shown one."""

BIG_TABLE: Final = "big_table"
"""Kind of the stored choice."""

_CHOICE: Final = "choice"
_SPECTATOR: Final = User("bigtable", "San Francisco Tables")
"""As whom the service looks at tables: it sits nowhere."""

RatingsOf = Callable[[str, Collection[str]], Awaitable[Sequence[int] | None]]
"""Returns the ratings of those of these people who have one in a game; None if one of them hides their profile."""


class Candidate(NamedTuple):
    """What everybody may know of a running table."""

    table: str
    people: int
    """People at the table who are there, and play at no other one."""

    spectators: int
    ratings: Sequence[int]
    points: Sequence[int]
    """The points of each seat that spectators see; empty if they see none."""

    idle_seconds: float
    """How long the open decision has been waited for."""


def interest(candidate: Candidate) -> float:
    """Return how interesting a table is. Each part is between 0 and its weight."""
    _, people, spectators, ratings, points, idle = candidate
    company = min(people, 4) / 4
    crowd = min(1.0, math.log2(1 + spectators) / 6)
    # From a beginner's rating to that of the best.
    strength = min(1.0, max(0.0, (sum(ratings) / len(ratings) - 1_300) / 600)) if ratings else 0.0
    recency = 1 / (1 + idle / 60)
    return 2 * company + 2 * crowd + 1.5 * strength + closeness(points) + 2 * recency


def closeness(points: Sequence[int]) -> float:
    """Return how close a game is: 1 if the first two have equal points, 0 if the second has none."""
    if len(points) < 2:
        return 0.0
    first, second = heapq.nlargest(2, points)
    return 0.5 if first <= 0 else max(0.0, second / first)


def ranked(candidates: Iterable[Candidate], shown: str | None) -> list[str]:
    """Return the tables, the most interesting first. `shown` is the one that the home page shows now."""

    def key(candidate: Candidate) -> tuple[float, str]:
        return -interest(candidate) - (SHOWN_BONUS if candidate.table == shown else 0.0), candidate.table

    return [candidate.table for candidate in sorted(candidates, key=key)[:MAX_RANKED]]


class _Choice(NamedTuple):
    """A stored choice: the tables in their order, and when they were chosen, in seconds since 1970."""

    tables: list[str]
    chosen: float


class _Look:
    """A subscriber that takes one view."""

    encoding = Encoding.MSGPACK

    def __init__(self, on_view: Callable[[dict[str, Any]], None]) -> None:
        self.user = _SPECTATOR
        self._on_view = on_view

    def send(self, frame: Frame) -> bool:
        if frame.message["type"] == "view":
            self._on_view(frame.message)
        return True


class BigTable:
    """Answers `get_big_table`."""

    def __init__(
        self,
        directory: TableDirectory,
        tables: Tables,
        key_values: KeyValueStore,
        ratings_of: RatingsOf,
        wall: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._directory = directory
        self._tables = tables
        self._key_values = key_values
        self._ratings_of = ratings_of
        self._wall = wall
        self._monotonic = monotonic
        self._lock = asyncio.Lock()
        """One caller looks, and the others wait for that."""

        self._ranking: list[str] = []
        self._fresh_until = float("-inf")

    async def answer(self, user: User) -> Reply:
        """Return the reply to a request of a user: tables at which the user does not sit."""
        async with self._lock:
            if self._monotonic() >= self._fresh_until:
                self._ranking = await self._current()
                self._fresh_until = self._monotonic() + FRESH_SECONDS
        rows = [row for table in self._ranking if (row := self._watchable(table)) is not None]
        shown = [row.summary for row in rows if all(seat["user"] != user.id for seat in row.summary["seats"])]
        return Done({"tables": shown[:MAX_SHOWN]})

    def _watchable(self, table: str) -> IndexedTable | None:
        """Return a public table whose game runs, and that allows spectators."""
        row = self._directory.listed_table(table)
        return row if row is not None and row.phase == "running" and row.allows_spectators else None

    async def _current(self) -> list[str]:
        """Return the tables of the stored choice, or choose anew; of several workers that do so, one prevails."""
        stored = await self._key_values.get(BIG_TABLE, _CHOICE)
        before = _read(stored)
        if self._is_current(before):
            return before.tables
        ranking = await self._rank(before.tables[0] if before.tables else None)
        if not ranking:
            return []
        now = self._wall()
        value, expires_at = json.dumps([ranking, now]).encode(), now + KEPT_SECONDS
        if stored is None:
            is_stored = await self._key_values.put_if_absent(BIG_TABLE, _CHOICE, value, expires_at)
        else:
            is_stored = await self._key_values.replace(BIG_TABLE, _CHOICE, stored, value, expires_at)
        if is_stored:
            return ranking
        other = _read(await self._key_values.get(BIG_TABLE, _CHOICE))
        return other.tables or ranking

    def _is_current(self, choice: _Choice) -> bool:
        # A wall clock that was set back must not keep a choice for ever.
        is_stable = abs(self._wall() - choice.chosen) < STABLE_SECONDS
        return is_stable and bool(choice.tables) and self._watchable(choice.tables[0]) is not None

    async def _rank(self, shown: str | None) -> list[str]:
        running = [row for row in self._directory.running_tables() if row.allows_spectators and row.present]
        rows = heapq.nsmallest(MAX_CANDIDATES, running, key=lambda row: row.key)
        candidates = await asyncio.gather(*map(self._candidate, rows))
        return ranked([candidate for candidate in candidates if candidate is not None], shown)

    async def _candidate(self, row: IndexedTable) -> Candidate | None:
        """Return what everybody may know of a table; None if it is not to be shown on the home page."""
        people = [seat["user"] for seat in row.summary["seats"] if seat["user"] is not None]
        ratings = await self._ratings_of(row.game, people)
        message = None if ratings is None else await self._look(row.table)
        if ratings is None or message is None:
            return None
        view, elapsed = message["view"], message["elapsed"]
        if view["table"]["phase"] != "running" or view["table"]["paused"] or view["play"] is None:
            return None
        points = game_named(row.game).points_shown(view["play"]["game"])
        return Candidate(row.table, row.people, row.summary["spectators"], ratings, points, elapsed / 1000)

    async def _look(self, table: str) -> dict[str, Any] | None:
        """Return the view of a table as a spectator gets it; None if there is none in time."""
        loop = asyncio.get_running_loop()
        seen: asyncio.Future[dict[str, Any] | None] = loop.create_future()

        def note(message: dict[str, Any] | None) -> None:
            if not seen.done():
                seen.set_result(message)

        def on_reply(reply: Reply) -> None:
            if not isinstance(reply, Done):
                note(None)

        look = _Look(note)
        request = Watch(type="watch", id=f"big.{secrets.token_hex(8)}", table=table)
        self._tables.subscribe(_SPECTATOR, request, look, on_reply)
        try:
            async with asyncio.timeout(LOOK_SECONDS):
                return await seen
        except TimeoutError:
            return None
        finally:
            self._tables.unsubscribe(table, look)


def _read(stored: bytes | None) -> _Choice:
    if stored is None:
        return _Choice([], float("-inf"))
    tables, chosen = json.loads(stored)
    return _Choice(tables, chosen)
