"""The limits of the gateway: what one user, one address and one connection may ask for."""

from __future__ import annotations

import ipaddress
import math
from collections import Counter
from dataclasses import dataclass
from typing import Final

from server.rate_limit import Clock, Rate, Throttle


class ConcurrencyLimit:
    """A limit on how many of something each key holds at the same time."""

    def __init__(self, maximum: int) -> None:
        self._maximum = maximum
        self._held: Counter[str] = Counter()

    def acquire(self, key: str) -> bool:
        """Count one more for this key and return True; return False if the key already holds the maximum."""
        if self._held[key] >= self._maximum:
            return False
        self._held[key] += 1
        return True

    def release(self, key: str) -> None:
        """Count one less for this key."""
        self._held[key] -= 1
        if self._held[key] <= 0:
            del self._held[key]

    def __len__(self) -> int:
        return len(self._held)


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of the gateway as a whole."""

    requests: Rate = Rate(60, 20, burst=20)
    """Requests of one user, over all connections."""

    chat: Rate = Rate(1, 0.6, burst=6)
    """Chat messages of one user."""

    creations: Rate = Rate(10, 3_600, burst=10)
    """Tables that one user creates."""

    matches: Rate = Rate(1, 30, burst=20)
    """Quick matches that one user requests."""

    lists: Rate = Rate(1, 1, burst=20)
    """Lists of tables that one user requests; each may have a query of its own."""

    hints: Rate = Rate(1, 3, burst=5)
    """Hints that one user requests."""

    handshakes: Rate = Rate(20, 60, burst=40)
    """Websocket handshakes from one address."""

    sessions: Rate = Rate(10, 60, burst=20)
    """New guests and attempts to redeem a code, from one address."""

    refusals: Rate = Rate(1, 2, burst=30)
    """Refusals of one user's requests beyond the rate; one more closes the connection."""

    connections_per_user: int = 8
    connections_per_address: int = 64
    connections: int = 5_000
    """Connections of the whole process."""

    tables_per_connection: int = 16
    """Tables that one connection watches at the same time."""

    malformed_messages: int = 10
    """Malformed messages after which a connection is closed."""


@dataclass(frozen=True, slots=True)
class TransportLimits:
    """The limits of one websocket."""

    write_buffer: int = 64 * 1024
    """Bytes that may be pending for a slow reader; further frames are dropped."""

    resume_timeout: float = 10.0
    """Seconds for a slow reader to catch up before its connection is aborted."""

    close_timeout: float = 2.0
    """Seconds for the peer to close its side after our close frame."""

    frames: Rate = Rate(20, 1, burst=200)
    """Received frames, with pings and fragments: even a frame that is refused has to be parsed."""

    fragments: int = 32
    """Fragments of one message; empty ones would add up without end."""


DEFAULT_TRANSPORT_LIMITS: Final = TransportLimits()


class Throttles:
    """The throttles of all rates in `Limits`, by the same names."""

    def __init__(self, limits: Limits, clock: Clock) -> None:
        self.requests = Throttle(limits.requests, clock)
        self.chat = Throttle(limits.chat, clock)
        self.creations = Throttle(limits.creations, clock)
        self.matches = Throttle(limits.matches, clock)
        self.lists = Throttle(limits.lists, clock)
        self.hints = Throttle(limits.hints, clock)
        self.handshakes = Throttle(limits.handshakes, clock)
        self.sessions = Throttle(limits.sessions, clock)
        self.refusals = Throttle(limits.refusals, clock)


def waiting_sentence(seconds: float) -> str:
    """Return the sentence that asks a user to wait, in seconds or in minutes."""
    whole = max(1, math.ceil(seconds))
    if whole < 120:
        return f"That was too much at once. Please wait {whole} {'second' if whole == 1 else 'seconds'}."
    return f"That was too much at once. Please wait {math.ceil(seconds / 60)} minutes."


def address_key(host: str) -> str:
    """Return the key under which an address is counted: for IPv6 the /64 network, since one customer has all of it."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return host
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((int(address), 64), strict=False).network_address)
