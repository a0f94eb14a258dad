"""How many human-paced tables one core carries: at most 70 % of it, with 99 of 100 moves shown within 50 ms.

Sizes are tried, larger ones until one is not carried, then between the largest that was and the smallest that was not.
Where a process may not open the files of so many tables, those that it may open make as many moves as all would.
"""

from __future__ import annotations

import resource
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from typing import Any

from tests.bench.human_pace import Entrant, Rounds
from tests.bench.load import LoadFailed
from tests.bench.workload import SEATS

MAX_SHARE = 0.7
MAX_P99 = 50.0
BUSY_LOAD = 0.9
GROWTH = 1.4
CLOSENESS = 0.08
"""The search ends when the smallest size that is not carried is at most this much larger than the one that is."""

TRIES = 2
"""A size whose waits alone are too long is tried once more: other programs of the machine lengthen waits, not CPU."""

WARM_UP_SECONDS = 3.0
_SPARE_FILES = 120
"""Files of a process that are not sockets of viewers: its own, and those of short requests while tables are opened."""


@dataclass(frozen=True, slots=True)
class Try:
    """One size that was tried."""

    tables: int
    """The tables whose moves were made, ..."""

    open_tables: int
    """... and those that were open; fewer if a process may not open more."""

    is_carried: bool
    share: float
    load_share: float
    microseconds_per_move: float
    p50: float
    p99: float


@dataclass(slots=True)
class Limit:
    """The most tables that were carried, and why there are not more."""

    tables: int
    why: str
    tries: list[Try]

    @property
    def best(self) -> Try | None:
        """Return the try that was carried, or None if not even the smallest size was."""
        return next((one for one in self.tries if one.tables == self.tables and one.is_carried), None)

    def to_json(self) -> dict[str, Any]:
        tries = [asdict(one) for one in self.tries]
        return {"tables": self.tables, "open": self.best and self.best.open_tables, "why": self.why, "tries": tries}


def most_tables() -> int:
    """Return the number of tables of four whose sockets one process of this machine may open."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return (files - _SPARE_FILES) // SEATS


async def largest(is_carried: Callable[[int], Awaitable[bool]], first: int, sizes: int) -> int:
    """Return the largest size that is carried, of at most so many sizes, beginning with a guess."""
    carried, refused, size = 0, None, first
    for _ in range(sizes):
        if await is_carried(size):
            carried = size
        else:
            refused = size
        size = int(carried * GROWTH) if refused is None else (carried + refused) // 2
        if refused is not None and size <= carried * (1 + CLOSENESS / 2):
            break
    return carried


async def find_limit(entrant: Entrant, guess: int, most_open: int, seconds: float, sizes: int) -> Limit:
    """Find the most tables that this server carries; `guess` comes from its cost at fewer tables."""
    tries: list[Try] = []

    async def is_carried(tables: int) -> bool:
        await entrant.resize(min(tables, most_open))
        for _ in range(TRIES):
            tries.append(await _try(entrant, tables, seconds))
            if tries[-1].is_carried or tries[-1].share > MAX_SHARE:
                break
        return tries[-1].is_carried

    tables = await largest(is_carried, guess, sizes)
    return Limit(tables, _why(tables, tries), tries)


async def _try(entrant: Entrant, tables: int, seconds: float) -> Try:
    rounds, open_tables = Rounds(), len(entrant.tables)
    try:
        await entrant.warm_up(WARM_UP_SECONDS, tables / open_tables)
        rounds.add(0, await entrant.play(seconds, tables / open_tables))
    except LoadFailed:
        return Try(tables, open_tables, False, 0.0, 0.0, 0.0, 0.0, 0.0)
    share, p99 = rounds.share[0], rounds.p99[0]
    is_carried = share <= MAX_SHARE and p99 <= MAX_P99
    waits = (rounds.p50[0], p99)
    return Try(tables, open_tables, is_carried, share, rounds.load_share[0], rounds.microseconds_per_move[0], *waits)


def _why(tables: int, tries: list[Try]) -> str:
    """Return why more tables are not carried."""
    refused = min((one for one in tries if one.tables > tables), key=lambda one: one.tables, default=None)
    if refused is None:
        return "more were not tried"
    if refused.share == 0.0:
        return "moves failed"
    if refused.load_share > BUSY_LOAD:
        return "the load generator is at its limit"
    return f"the server takes {refused.share:.0%} of its core, p99 is {refused.p99:,.0f} ms, at {refused.tables:,}"
