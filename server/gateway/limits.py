"""The limits of the gateway: what one user, one address and one connection may ask for.

A user who is established counts on limits of their own alone, so that a club behind one address is not one person. New
users share the limits of their address as well, since anybody can be as many new users as they like.
"""

from __future__ import annotations

import ipaddress
import math
from collections import Counter
from dataclasses import dataclass
from typing import Final

from server.model import Refused, User
from server.rate_limit import FREE, Clock, LimiterSource, LocalLimits, Rate, Throttle

DAY: Final = 86_400


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

    analyses: Rate = Rate(10, 3_600, burst=10)
    """Analyses of finished games that one user starts; one takes a minute or two of a processor."""

    accounts: Rate = Rate(10, 60, burst=20)
    """Changes of an account that one user requests; a handle that is tried counts as one."""

    invitations: Rate = Rate(20, 3_600, burst=20)
    """Invitations that one user sends."""

    reads: Rate = Rate(20, 1, burst=200)
    """Reads of finished games without a session, from one address."""

    downloads: Rate = Rate(1, 5, burst=20)
    """Logs of finished games that are downloaded to one address."""

    handshakes: Rate = Rate(60, 60, burst=60)
    """Websocket handshakes and session requests of one user."""

    failures: Rate = Rate(20, 60, burst=40)
    """Handshakes and session requests without a valid session, from one address."""

    lookups: Rate = Rate(20, 1, burst=20)
    """Sessions that are looked up in the store for an address beyond its failures."""

    sessions: Rate = Rate(10, 60, burst=240)
    """New guests from one address. The burst is a club that comes for the first time."""

    codes: Rate = Rate(10, 60, burst=20)
    """Wrong one-time codes, recovery codes and passkeys from one address."""

    sign_ins: Rate = Rate(1, 1, burst=120)
    """Sign-ins with a passkey that are begun from one address. The burst is a club."""

    new_handshakes: Rate = Rate(20, 1, burst=1_000)
    """Handshakes and session requests of all new users at one address. The burst is a club after two restarts."""

    new_creations: Rate = Rate(30, 3_600, burst=60)
    """Tables that new users at one address create together, by quick match too: a club opens 50 in an evening."""

    new_matches: Rate = Rate(240, 3_600, burst=240)
    """Quick matches that new users at one address request together."""

    new_chat: Rate = Rate(10, 1, burst=120)
    """Chat messages of all new users at one address."""

    new_hints: Rate = Rate(5, 1, burst=60)
    """Hints that new users at one address request together."""

    new_analyses: Rate = Rate(20, 3_600, burst=20)
    """Analyses that new users at one address start together."""

    new_accounts: Rate = Rate(1, 3, burst=240)
    """Changes of accounts that new users at one address request together."""

    refusals: Rate = Rate(1, 2, burst=30)
    """Refusals of one user's requests beyond the rate; one more closes the connection."""

    connections_per_user: int = 8
    connections_per_address: int = 512
    """Connections from one address; new users hold at most half of them."""

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


SHARED: Final = ("creations", "matches", "failures", "sessions", "codes", "new_creations", "new_matches")
"""The rates that are one limit over all workers and survive a restart.

They concern what is rare, and what a second burst at another worker or after a restart would give away. The others are
asked too often for a round trip to Redis, and guard the processor time of one worker: with N workers a user who
connects to each of them gets N times as much, from N times the processors.
"""


class Throttles:
    """The throttles of all rates in `Limits`, by the same names. Those in `SHARED` come from `source`."""

    def __init__(self, limits: Limits, clock: Clock, source: LimiterSource | None = None) -> None:
        source = source or LocalLimits(clock)
        self.requests = Throttle(limits.requests, clock)
        self.chat = Throttle(limits.chat, clock)
        self.lists = Throttle(limits.lists, clock)
        self.hints = Throttle(limits.hints, clock)
        self.analyses = Throttle(limits.analyses, clock)
        self.new_analyses = Throttle(limits.new_analyses, clock)
        self.accounts = Throttle(limits.accounts, clock)
        self.new_accounts = Throttle(limits.new_accounts, clock)
        self.invitations = Throttle(limits.invitations, clock)
        self.sign_ins = Throttle(limits.sign_ins, clock)
        self.reads = Throttle(limits.reads, clock)
        self.downloads = Throttle(limits.downloads, clock)
        self.handshakes = Throttle(limits.handshakes, clock)
        self.lookups = Throttle(limits.lookups, clock)
        self.new_handshakes = Throttle(limits.new_handshakes, clock)
        self.new_chat = Throttle(limits.new_chat, clock)
        self.new_hints = Throttle(limits.new_hints, clock)
        self.refusals = Throttle(limits.refusals, clock)
        self.creations = source.limiter("creations", limits.creations)
        self.matches = source.limiter("matches", limits.matches)
        self.failures = source.limiter("failures", limits.failures)
        self.sessions = source.limiter("sessions", limits.sessions)
        self.codes = source.limiter("codes", limits.codes)
        self.new_creations = source.limiter("new_creations", limits.new_creations)
        self.new_matches = source.limiter("new_matches", limits.new_matches)

    def take_handshake(self, user_id: str, new_at: str | None) -> tuple[str, float]:
        """Take a handshake of a user, like `take_creation`."""
        limit, wait = "handshakes", self.handshakes.take(user_id)
        if wait == FREE and new_at is not None:
            limit, wait = "new_handshakes", self.new_handshakes.take(new_at)
        return limit, wait

    async def take_creation(self, user_id: str, new_at: str | None) -> tuple[str, float]:
        """Take a new table for a user; return the limit that decided and the seconds to wait.

        `new_at` is the address of a user who is new, and None for others.
        """
        if new_at is not None and (wait := self.new_creations.wait(new_at)) != FREE:
            # First, so that waiting for the address does not use up the user's own tables.
            return "new_creations", wait
        limit, wait = "creations", await self.creations.take(user_id)
        if wait == FREE and new_at is not None:
            limit, wait = "new_creations", await self.new_creations.take(new_at)
        return limit, wait

    async def take_match(self, user_id: str, new_at: str | None) -> tuple[str, float]:
        """Take a quick match for a user, like `take_creation`. A table that it opens is counted afterwards."""
        if new_at is not None and (wait := self.new_creations.wait(new_at)) != FREE:
            return "new_creations", wait
        limit, wait = "matches", await self.matches.take(user_id)
        if wait == FREE and new_at is not None:
            limit, wait = "new_matches", await self.new_matches.take(new_at)
        return limit, wait

    async def count_creation(self, new_at: str) -> None:
        """Count a table that a quick match has opened for a new user at this address."""
        await self.new_creations.take(new_at)


def is_established(user: User, now: float) -> bool:
    """Return whether a user has played and is older than a day. `now` is in seconds since 1970."""
    return user.has_played and now - user.created >= DAY


def refused_for(seconds: float, code: str = "too_fast") -> Refused:
    """Return the refusal that asks a user to wait, in seconds or in minutes."""
    whole = max(1, math.ceil(seconds))
    if whole < 120:
        unit = "second" if whole == 1 else "seconds"
        return Refused(code, f"That was too much at once. Please wait {whole} {unit}.", "seconds", {"count": whole})
    minutes = math.ceil(seconds / 60)
    return Refused(code, f"That was too much at once. Please wait {minutes} minutes.", "minutes", {"count": minutes})


def address_key(host: str) -> str:
    """Return the key under which an address is counted: for IPv6 the /64 network, since one customer has all of it."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host[:64]
    if isinstance(address, ipaddress.IPv4Address):
        return host
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((int(address), 64), strict=False).network_address)
