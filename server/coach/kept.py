"""Analyses that are done, kept as key-value pairs beside the logs, so that every worker and the next start have them.

They hold seats and no people. They expire, since an analysis can be made again at any time.
"""

from __future__ import annotations

import json
import time
import zlib
from collections.abc import Callable
from typing import Any, Final

from server.coach.analysis import VERSION
from server.store.api import KeyValueStore

ANALYSIS: Final = "analysis"
"""The kind of the key-value pairs; a key is the id of the table and the version of the method."""

KEPT_SECONDS: Final = 180 * 86_400


class KeptAnalyses:
    """The findings of finished games. `now` returns seconds since 1970."""

    def __init__(self, key_values: KeyValueStore, now: Callable[[], float] = time.time) -> None:
        self._key_values = key_values
        self._now = now

    async def get(self, table: str) -> dict[str, Any] | None:
        """Return the findings about the game at a table, or None."""
        value = await self._key_values.get(ANALYSIS, _key(table))
        if value is None:
            return None
        findings: dict[str, Any] = json.loads(zlib.decompress(value))
        return findings

    async def keep(self, table: str, findings: dict[str, Any]) -> None:
        """Store the findings about a game."""
        value = zlib.compress(json.dumps(findings, separators=(",", ":")).encode())
        await self._key_values.put(ANALYSIS, _key(table), value, self._now() + KEPT_SECONDS)


def _key(table: str) -> str:
    return f"{table}.{VERSION}"
