"""Rate limits by the generic cell rate algorithm (GCRA), the leaky bucket of ATM networks.

GCRA keeps one number for each key: the theoretical arrival time, when the key will have paid for everything it was
granted. Each grant moves it forward by one interval; it may be ahead of the clock by a burst of intervals at most. That
needs no timer, and a key whose time has passed is as good as unknown, so forgetting such keys bounds the memory. The
caller gives the clock.

`Throttle` is for what happens all the time: it decides at once, in this process alone. A `Limiter` is for what is rare
and costly: it may ask a place that several processes share, or that survives a restart.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

Clock = Callable[[], float]

FREE: Final = 0.0
"""The seconds to wait for what is granted now."""

FIRST_EVICTION: Final = 1_000
"""Keys of a throttle at which those that have paid are evicted for the first time; then, whenever they have doubled."""

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

    @property
    def tolerance(self) -> float:
        """Return the seconds by which a key may be in debt: a whole burst."""
        return self.interval * self.burst


class RateLimiter:
    """A rate limit with a single key."""

    __slots__ = ("_arrival", "_clock", "_interval", "_tolerance")

    def __init__(self, rate: Rate, clock: Clock) -> None:
        self._clock = clock
        self._interval = rate.interval
        self._tolerance = rate.tolerance
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
        self._tolerance = rate.tolerance
        self._max_keys = max_keys
        self._next_eviction = min(FIRST_EVICTION, max_keys)
        self._arrivals: dict[str, float] = {}

    def __len__(self) -> int:
        return len(self._arrivals)

    def take(self, key: str) -> float:
        """Take one for this key and return `FREE`, or take none and return the seconds until there will be one."""
        now = self._clock()
        known = self._arrivals.get(key)
        wait, arrival = _gcra(now if known is None else known, now, self._interval, self._tolerance)
        if known is None and len(self._arrivals) >= self._next_eviction:
            self._evict(now)
        self._arrivals[key] = arrival
        return wait

    def wait(self, key: str) -> float:
        """Return the seconds until there will be one for this key, or `FREE`; take none."""
        now = self._clock()
        known = self._arrivals.get(key)
        if known is None:
            return FREE
        # As in `_gcra`, in case a wall clock was set back.
        arrival = self._arrivals[key] = min(known, now + self._tolerance)
        return _gcra(arrival, now, self._interval, self._tolerance)[0]

    def debt(self, key: str) -> float:
        """Return the seconds until the key will have paid for everything it was granted."""
        now = self._clock()
        return max(0.0, self._arrivals.get(key, now) - now)

    def set_debt(self, key: str, seconds: float) -> None:
        """Let a key be in debt as another place says: the one that all processes share, or one that was kept."""
        now = self._clock()
        if key not in self._arrivals and len(self._arrivals) >= self._next_eviction:
            self._evict(now)
        self._arrivals[key] = now + min(seconds, self._tolerance)

    def _evict(self, now: float) -> None:
        is_full = len(self._arrivals) >= self._max_keys
        self._arrivals = {key: arrival for key, arrival in self._arrivals.items() if arrival > now}
        if is_full:
            # Evict the oldest of very many keys; they regain their full burst.
            for key in list(self._arrivals)[: max(0, len(self._arrivals) - self._max_keys // 2)]:
                del self._arrivals[key]
        self._next_eviction = min(self._max_keys, max(FIRST_EVICTION, 2 * len(self._arrivals)))


class Limiter(Protocol):
    """A rate limit for each of many keys, in this process or in a place that several processes share."""

    @property
    def rate(self) -> Rate: ...

    def wait(self, key: str) -> float:
        """Return the seconds until there will be one for this key by what this process knows; take none."""
        ...

    async def take(self, key: str) -> float:
        """Take one for this key and return `FREE`, or take none and return the seconds until there will be one.

        It never fails: without the shared place, this process decides by what it has granted itself.
        """
        ...


class LimiterSource(Protocol):
    """The place that keeps the limits."""

    def limiter(self, name: str, rate: Rate) -> Limiter:
        """Return the limiter of this name. Limiters of the same name, in any process, are one limit."""
        ...


class LocalLimiter:
    """A limiter that this process keeps for itself."""

    def __init__(self, throttle: Throttle) -> None:
        self.throttle = throttle

    @property
    def rate(self) -> Rate:
        return self.throttle.rate

    def wait(self, key: str) -> float:
        return self.throttle.wait(key)

    async def take(self, key: str) -> float:
        return self.throttle.take(key)


class LocalLimits:
    """A source of limiters that this process keeps for itself, and forgets at its end."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._throttles: dict[str, Throttle] = {}

    def limiter(self, name: str, rate: Rate) -> LocalLimiter:
        return LocalLimiter(self._throttles.setdefault(name, Throttle(rate, self._clock)))


def _gcra(arrival: float, now: float, interval: float, tolerance: float) -> tuple[float, float]:
    """Return the seconds to wait, and the new theoretical arrival time, which only a grant moves forward."""
    # The upper bound changes nothing unless a wall clock was set back.
    arrival = min(max(arrival, now), now + tolerance)
    wait = arrival + interval - now - tolerance
    return (wait, arrival) if wait > _ROUNDING_SECONDS else (FREE, arrival + interval)
