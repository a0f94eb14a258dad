"""When and how servers are killed: a sequence that follows from a seed alone."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from tests.faults.kill_points import FILE_POINTS, REDIS_POINTS

Backend = Literal["file", "redis"]

MOMENT: Final = "any moment"
START: Final = "while starting"
REDIS: Final = "redis-server"
POINTS: Final[dict[Backend, tuple[str, ...]]] = {"file": FILE_POINTS, "redis": REDIS_POINTS}

POINT_SHARE: Final = 0.5
START_SHARE: Final = 0.06
REDIS_SHARE: Final = 0.03
MAX_PASSING: Final = 6
MAX_DELAY_SECONDS: Final = 0.2
MAX_START_SECONDS: Final = 0.03
"""A process listens about 20 ms after it was forked."""


@dataclass(frozen=True)
class Kill:
    """How the next server is killed."""

    kind: str
    delay_seconds: float
    passing: int
    """For a point: at which time of passing it the process dies."""

    worker: int


def schedule(backend: Backend, workers: int, seed: str) -> Iterator[Kill]:
    """Yield kills without end."""
    rng = random.Random(f"{backend}/{seed}")
    while True:
        draw, delay = rng.random(), rng.uniform(0, MAX_DELAY_SECONDS)
        point, passing, worker = rng.choice(POINTS[backend]), rng.randint(1, MAX_PASSING), rng.randrange(workers)
        kind = MOMENT
        if draw < POINT_SHARE:
            kind = point
            if point in ("after claim", "after replay"):
                # There are as many of these as tables are loaded.
                passing = 1 + passing % 3
        elif draw < POINT_SHARE + START_SHARE:
            kind, delay = START, delay * MAX_START_SECONDS / MAX_DELAY_SECONDS
        elif backend == "redis" and draw < POINT_SHARE + START_SHARE + REDIS_SHARE:
            kind = REDIS
        yield Kill(kind, delay, passing, worker)
