"""Named points at which a server process kills itself, and the rule by which its bots answer.

A point is a place in the way of a request: before its entry is appended, in the transaction, after it is durable but
before anybody was told, and so on. The process is as dead as after any SIGKILL: nothing is flushed or closed.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sqlite3
from collections.abc import Awaitable, Callable
from hashlib import sha256
from itertools import count
from typing import Any, Final

from server.bots.question import read_prompt
from server.bots.service import BotService
from server.games.engine.prompts import Command
from server.games.engine.serialization import to_json
from server.redis_pipeline import RedisPipeline
from server.store import group_commit
from server.store.redis import RedisStore
from server.store.redis_games import RedisGameIndex
from server.store.sqlite import SqliteStore
from server.store.sqlite_games import SqliteGameIndex
from server.tables.log import TableLog

SOON_SECONDS = 0.002
"""After this time the reply has left the process, and often the updates too."""

Hit = Callable[[], bool]
"""Counts the times that a point is passed; returns True at the time at which the process must die."""


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def die_soon() -> None:
    asyncio.get_running_loop().call_later(SOON_SECONDS, die)


def arm(point: str, passing: int) -> None:
    """Let this process kill itself when it passes a point for the given time."""
    passings = count(1)
    POINTS[point](lambda: next(passings) == passing)


def _wrap(owner: type, name: str, before: Callable[[], None], after: Callable[[], None]) -> None:
    original: Callable[..., Awaitable[Any]] = getattr(owner, name)

    async def wrapped(*args: Any, **kwargs: Any) -> Any:
        before()
        result = await original(*args, **kwargs)
        after()
        return result

    setattr(owner, name, wrapped)


def _around(methods: tuple[tuple[type, str], ...], before: bool = False, then: Callable[[], None] = die) -> Any:
    """Return what arms a point before or after methods."""

    def arm_point(hit: Hit) -> None:
        def check() -> None:
            if hit():
                then()

        for owner, name in methods:
            _wrap(owner, name, *((check, _nothing) if before else (_nothing, check)))

    return arm_point


def _nothing() -> None:
    pass


class _Database:
    """A connection to SQLite that may die before or after a commit."""

    def __init__(self, db: sqlite3.Connection, on_commit: Callable[[bool], None]) -> None:
        self._db = db
        self._on_commit = on_commit

    def execute(self, statement: str, *args: Any) -> Any:
        if statement != "COMMIT":
            return self._db.execute(statement, *args)
        self._on_commit(True)
        result = self._db.execute(statement, *args)
        self._on_commit(False)
        return result

    def __getattr__(self, name: str) -> Any:
        return getattr(self._db, name)


def _commit(*, before: bool) -> Any:
    def arm_point(hit: Hit) -> None:
        original = group_commit._run_batch

        def on_commit(is_before: bool) -> None:
            if is_before is before and hit():
                die()

        def run_batch(db: Any, batch: Any) -> None:
            original(_Database(db, on_commit), batch)  # type: ignore[arg-type]

        group_commit._run_batch = run_batch

    return arm_point


def _while_sending(hit: Hit) -> None:
    """Die while commands are on their way to Redis, or their replies on the way back."""
    _wrap(RedisPipeline, "_execute", lambda: die_very_soon() if hit() else None, _nothing)


def die_very_soon() -> None:
    asyncio.get_running_loop().call_later(random.uniform(0, SOON_SECONDS), die)


_APPENDS: Final = ((SqliteStore, "append"), (RedisStore, "append"))
_INDEX_COMMITS: Final = ((SqliteGameIndex, "commit"), (RedisGameIndex, "commit"))
_CLAIMS: Final = ((SqliteStore, "claim"), (RedisStore, "claim"))

POINTS: Final[dict[str, Callable[[Hit], None]]] = {
    "before append": _around(_APPENDS, before=True),
    "before commit": _commit(before=True),
    "after commit": _commit(before=False),
    "while sending": _while_sending,
    "before reply": _around(_APPENDS),
    "after reply": _around(_APPENDS, then=die_soon),
    "after claim": _around(_CLAIMS),
    "after replay": _around(((TableLog, "replay"),)),
    "before index commit": _around(_INDEX_COMMITS, before=True),
    "after index commit": _around(_INDEX_COMMITS),
}
"""By name: what arms the point."""

INDEX_POINTS: Final = ("before index commit", "after index commit")
"""Points that are passed when a game ends."""

FILE_POINTS: Final = tuple(name for name in POINTS if name not in ("while sending", *INDEX_POINTS))
REDIS_POINTS: Final = tuple(name for name in POINTS if not name.endswith("commit"))


def answer_by_rule(game: str, prompt: dict[str, Any]) -> Command:
    """Return the answer of a bot, which follows from the prompt alone."""
    digest = sha256(repr(prompt).encode()).hexdigest()
    return read_prompt(game, prompt).sample(random.Random(digest))


def let_bots_answer_by_rule() -> None:
    """Let the bots of this process answer by the rule, whatever their strength."""

    async def answer(self: BotService, strength: str, question: dict[str, Any]) -> dict[str, Any]:
        return {"command": to_json(answer_by_rule(question["game"], question["prompt"])), "reason": None}

    BotService._answer = answer  # type: ignore[assignment, method-assign]
