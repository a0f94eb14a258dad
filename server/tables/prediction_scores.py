"""How often people with an account predicted the winner of a game that they watched.

The score of a person is one value. It names the last games that were counted, each with its result, so that counting a
game again changes nothing, and a game whose log was rolled back and that ended otherwise is corrected.
"""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

from server.store.api import KeyValueStore

PREDICTION_SCORE: Final = "prediction_score"
"""The kind of the stored values; a key is the id of the user."""

KEPT_GAMES: Final = 50
"""The last games of a person that are kept by name; of those before, only the numbers."""

MAX_CACHED: Final = 500
"""Scores in memory; the oldest one is evicted."""

FRESH_SECONDS: Final = 30.0
"""The time for which a score is shown without reading it again: another table may have counted meanwhile."""


class Score(NamedTuple):
    """How many winners a person has predicted, in how many games."""

    right: int
    games: int

    def shown(self) -> dict[str, int]:
        return {"right": self.right, "games": self.games}


NO_SCORE: Final = Score(0, 0)


class PredictionScores:
    """The scores of all people, as one table knows them. `clock` returns seconds that never go back."""

    def __init__(self, key_values: KeyValueStore, clock: Callable[[], float]) -> None:
        self._key_values = key_values
        self._clock = clock
        self._cache: OrderedDict[str, tuple[float, Score]] = OrderedDict()

    async def of(self, users: Iterable[str]) -> dict[str, Score]:
        """Return the scores of these users."""
        wanted = list(users)
        scores = await asyncio.gather(*map(self._of, wanted))
        return dict(zip(wanted, scores, strict=True))

    async def _of(self, user: str) -> Score:
        cached = self._cache.get(user)
        if cached is not None and self._clock() - cached[0] < FRESH_SECONDS:
            return cached[1]
        score = score_of(_read(await self._key_values.get(PREDICTION_SCORE, user)))
        self._cache.pop(user, None)
        self._cache[user] = self._clock(), score
        if len(self._cache) > MAX_CACHED:
            self._cache.popitem(last=False)
        return score

    async def note(self, user: str, table: str, *, is_right: bool) -> None:
        """Count a game of a user once, however often this is called for it."""
        while True:
            before = await self._key_values.get(PREDICTION_SCORE, user)
            stored = _read(before)
            after = counted(stored, table, is_right=is_right)
            if after == stored:
                return
            value = json.dumps(after, separators=(",", ":")).encode()
            self._cache.pop(user, None)
            if await self._replaced(user, before, value):
                return

    async def _replaced(self, user: str, before: bytes | None, value: bytes) -> bool:
        if before is None:
            return await self._key_values.put_if_absent(PREDICTION_SCORE, user, value)
        return await self._key_values.replace(PREDICTION_SCORE, user, before, value)


async def stored_score(key_values: KeyValueStore, user: str) -> dict[str, Any]:
    """Return what is stored about a user, for the download."""
    return _read(await key_values.get(PREDICTION_SCORE, user))


def counted(stored: dict[str, Any], table: str, *, is_right: bool) -> dict[str, Any]:
    """Return a stored score after a game; it is equal to the one before if the game was counted so already."""
    if stored["last"].get(table) is is_right:
        return stored
    last = {**stored["last"], table: is_right}
    right, games = stored["right"], stored["games"]
    while len(last) > KEPT_GAMES:
        oldest = next(iter(last))
        right, games = right + last.pop(oldest), games + 1
    return {"right": right, "games": games, "last": last}


def score_of(stored: dict[str, Any]) -> Score:
    """Return a stored score with the last games counted."""
    last = stored["last"]
    return Score(stored["right"] + sum(last.values()), stored["games"] + len(last))


def _read(value: bytes | None) -> dict[str, Any]:
    """Return a stored score: the numbers of earlier games, and the last games by table with whether it was right."""
    if value is None:
        return {"right": 0, "games": 0, "last": {}}
    stored: dict[str, Any] = json.loads(value)
    return stored
