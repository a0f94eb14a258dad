"""How much of everything one user, or one address, may ask for.

A throttle keeps one number for each key: the moment at which that key will have paid for all it has had. It needs no
timer, and a key that has paid is as good as unknown, so memory is bounded by forgetting those. The clock is given, so
tests need not wait.
"""

from __future__ import annotations

import ipaddress
import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

Monotonic = Callable[[], float]

FREE: Final = 0.0
"""The waiting time of what is allowed now."""


@dataclass(frozen=True, slots=True)
class Rate:
    """So many in so many seconds on average, and at most `burst` at once."""

    count: int
    seconds: float
    burst: int

    def __post_init__(self) -> None:
        if self.count < 1 or self.seconds <= 0 or self.burst < 1:
            raise ValueError("a rate allows something, in some time, at once or one by one")

    @property
    def interval(self) -> float:
        """Seconds that one of them costs."""
        return self.seconds / self.count


class Throttle:
    """Holds every key to the same rate."""

    def __init__(self, rate: Rate, clock: Monotonic, most_keys: int = 50_000) -> None:
        self.rate = rate
        self._interval = rate.interval
        self._credit = rate.interval * rate.burst
        self._clock = clock
        self._most_keys = most_keys
        self._paid_at: dict[str, float] = {}

    def __len__(self) -> int:
        return len(self._paid_at)

    def take(self, key: str) -> float:
        """Take one for this key. Gives `FREE`, or, without taking any, the seconds until there will be one."""
        now = self._clock()
        paid_at = max(self._paid_at.get(key, now), now) + self._interval
        wait = paid_at - now - self._credit
        # Sums of intervals are not exact; a nanosecond is nobody's gain.
        if wait > 1e-9:
            return wait
        if key not in self._paid_at and len(self._paid_at) >= self._most_keys:
            self._forget(now)
        self._paid_at[key] = paid_at
        return FREE

    def _forget(self, now: float) -> None:
        self._paid_at = {key: paid_at for key, paid_at in self._paid_at.items() if paid_at > now}
        # Very many at once: it is better to be too kind to the oldest than to grow, or to refuse the new.
        for key in list(self._paid_at)[: max(0, len(self._paid_at) - self._most_keys // 2)]:
            del self._paid_at[key]


class ConcurrencyLimit:
    """Counts how many of something each key holds, up to a bound."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held: Counter[str] = Counter()

    def take(self, key: str) -> bool:
        """Take one more for this key; False, without taking it, if the key holds as many as it may."""
        if self._held[key] >= self._most:
            return False
        self._held[key] += 1
        return True

    def give_back(self, key: str) -> None:
        """Give back one that was taken."""
        self._held[key] -= 1
        if self._held[key] <= 0:
            del self._held[key]

    def __len__(self) -> int:
        return len(self._held)


@dataclass(frozen=True, slots=True)
class Limits:
    """All limits of the gateway."""

    requests: Rate = Rate(60, 20, burst=20)
    """Requests of one user, over all connections."""

    chat: Rate = Rate(1, 0.6, burst=6)
    """Lines that one user says."""

    creations: Rate = Rate(10, 3_600, burst=10)
    """Tables that one user opens."""

    matches: Rate = Rate(1, 30, burst=20)
    """Quick matches that one user asks for."""

    hints: Rate = Rate(1, 3, burst=5)
    """Hints that one user asks for."""

    handshakes: Rate = Rate(20, 60, burst=40)
    """Websockets that are begun from one address."""

    sessions: Rate = Rate(10, 60, burst=20)
    """Guests, and tries to redeem a code, from one address."""

    patience: Rate = Rate(1, 2, burst=30)
    """Requests beyond a limit that still get an answer; one more closes the connection."""

    connections_per_user: int = 8
    connections_per_address: int = 64
    connections: int = 5_000
    """Connections of the whole process."""

    tables_per_connection: int = 16
    """Tables that one connection follows at the same time."""

    malformed_messages: int = 10
    """Messages without sense after which a connection is closed."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """What one wire bears."""

    write_buffer: int = 64 * 1024
    """Bytes that may wait for a slow reader; beyond them, frames are dropped."""

    resume_within: float = 10.0
    """Seconds for a slow reader to catch up before it is cut off."""

    close_within: float = 2.0
    """Seconds for the peer to let go after our goodbye."""

    frames: Rate = Rate(20, 1, burst=200)
    """Frames that come in, pings and fragments too: even a frame that is refused must be parsed."""

    fragments: int = 32
    """Services that one message may come in; empty ones would add up without end."""


DEFAULT_BOUNDS: Final = Bounds()


class Throttles:
    """The throttles of all rates in `Limits`, by the same names."""

    def __init__(self, limits: Limits, clock: Monotonic) -> None:
        self.requests = Throttle(limits.requests, clock)
        self.chat = Throttle(limits.chat, clock)
        self.creations = Throttle(limits.creations, clock)
        self.matches = Throttle(limits.matches, clock)
        self.hints = Throttle(limits.hints, clock)
        self.handshakes = Throttle(limits.handshakes, clock)
        self.sessions = Throttle(limits.sessions, clock)
        self.patience = Throttle(limits.patience, clock)


def waiting_sentence(seconds: float) -> str:
    """Say how long to wait, in a unit that suits."""
    whole = max(1, math.ceil(seconds))
    if whole < 120:
        return f"That was too much at once. Please wait {whole} {'second' if whole == 1 else 'seconds'}."
    return f"That was too much at once. Please wait {math.ceil(seconds / 60)} minutes."


def address_key(host: str) -> str:
    """Give the key under which an address is counted: in IPv6 one customer has a whole network of them."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return host
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((int(address), 64), strict=False).network_address)
