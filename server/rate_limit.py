"""Rate limits by the generic cell rate algorithm (GCRA), the leaky bucket of ATM networks.

GCRA keeps one number for each key: the theoretical arrival time, when the key will have paid for everything it was
granted. Each grant moves it forward by one interval; it may be ahead of the clock by a burst of intervals at most. That
needs no timer, and a key whose time has passed is as good as unknown, so forgetting such keys bounds the memory. The
caller gives the clock.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

Clock = Callable[[], float]

FREE: Final = 0.0
"""The seconds to wait for what is granted now."""

# Sums of intervals are not exact.
_ROUNDING_SECONDS: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Rate:
    """`count` in `seconds` on average, and at most `burst` at once."""

    count: int
    seconds: float
    burst: int

    def __post_init__(self) -> None:
        if self.count < 1 or self.seconds <= 0 or self.burst < 1:
            raise ValueError("count, seconds and burst of a rate must be positive")

    @property
    def interval(self) -> float:
        """Return the seconds between two grants on average."""
        return self.seconds / self.count


class RateLimiter:
    """A rate limit with a single key."""

    __slots__ = ("_arrival", "_clock", "_interval", "_tolerance")

    def __init__(self, rate: Rate, clock: Clock) -> None:
        self._clock = clock
        self._interval = rate.interval
        self._tolerance = rate.interval * rate.burst
        self._arrival = clock()

    def take(self) -> float:
        """Take one and return `FREE`, or take none and return the seconds until there will be one."""
        wait, self._arrival = _gcra(self._arrival, self._clock(), self._interval, self._tolerance)
        return wait


class Throttle:
    """A rate limit that holds for each of many keys."""

    def __init__(self, rate: Rate, clock: Clock, max_keys: int = 50_000) -> None:
        self.rate = rate
        self._clock = clock
        self._interval = rate.interval
        self._tolerance = rate.interval * rate.burst
        self._max_keys = max_keys
        self._arrivals: dict[str, float] = {}

    def __len__(self) -> int:
        return len(self._arrivals)

    def take(self, key: str) -> float:
        """Take one for this key and return `FREE`, or take none and return the seconds until there will be one."""
        now = self._clock()
        known = self._arrivals.get(key)
        wait, arrival = _gcra(now if known is None else known, now, self._interval, self._tolerance)
        if known is None and len(self._arrivals) >= self._max_keys:
            self._evict(now)
        self._arrivals[key] = arrival
        return wait

    def _evict(self, now: float) -> None:
        self._arrivals = {key: arrival for key, arrival in self._arrivals.items() if arrival > now}
        # Evict the oldest of very many keys; they regain their full burst.
        for key in list(self._arrivals)[: max(0, len(self._arrivals) - self._max_keys // 2)]:
            del self._arrivals[key]


def _gcra(arrival: float, now: float, interval: float, tolerance: float) -> tuple[float, float]:
    """Return the seconds to wait, and the new theoretical arrival time, which only a grant moves forward."""
    # The upper bound changes nothing unless a wall clock was set back.
    arrival = min(max(arrival, now), now + tolerance)
    wait = arrival + interval - now - tolerance
    return (wait, arrival) if wait > _ROUNDING_SECONDS else (FREE, arrival + interval)
