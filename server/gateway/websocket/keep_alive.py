"""Finds peers that are gone: a peer that has been silent gets a ping, and one that stays silent is dropped.

One timer serves all websockets of an event loop. Time is counted in ticks, and each websocket is in the bucket of the
tick at which it has to be looked at (a timing wheel). A frame of the peer only notes the tick at which it came, so a
websocket that is in use sets no timer and gets no ping; one at rest costs a ping and a pong in each interval.
"""

from __future__ import annotations

import asyncio
from typing import Final, Protocol

TICKS: Final = 20
"""Ticks in an interval. A ping comes up to one tick before the interval has passed."""


class Peer(Protocol):
    """A websocket that may have lost its peer. `KeepAlive` uses all of this, and sets `asked_at` and `bucket`."""

    heard_at: int
    """The tick at which the peer sent its last frame."""

    asked_at: int
    """The tick at which the peer got its last ping."""

    bucket: int

    def ping(self) -> bool:
        """Send a ping without waiting; return False if nothing can be written now."""
        ...

    def keepalive_timeout(self) -> None:
        """Drop the connection: nothing came for an interval after a ping."""
        ...


class KeepAlive:
    """The websockets of one event loop. `interval` is the silence before a ping, and the time to answer it."""

    __slots__ = ("_buckets", "_count", "_loop", "_timer", "_wait", "tick")

    def __init__(self, loop: asyncio.AbstractEventLoop, interval: float) -> None:
        self._loop = loop
        self._wait = interval / TICKS
        self._buckets: list[set[Peer]] = [set() for _ in range(TICKS + 1)]
        self._count = 0
        self._timer: asyncio.TimerHandle | None = None
        self.tick = 0

    def __len__(self) -> int:
        return self._count

    def add(self, peer: Peer) -> None:
        """Watch over a peer, who has just been heard."""
        peer.heard_at = peer.asked_at = self.tick
        self._put(peer, self.tick + TICKS)
        self._count += 1
        if self._timer is None:
            self._timer = self._loop.call_later(self._wait, self._advance)

    def remove(self, peer: Peer) -> None:
        """Stop to watch over a peer; do nothing if it was removed before."""
        bucket = self._buckets[peer.bucket]
        if peer in bucket:
            bucket.remove(peer)
            self._count -= 1

    def _put(self, peer: Peer, tick: int) -> None:
        peer.bucket = tick % len(self._buckets)
        self._buckets[peer.bucket].add(peer)

    def _advance(self) -> None:
        # Ticks that were missed while the process was suspended are not made up for: its peers could not be heard.
        self._timer = self._loop.call_later(self._wait, self._advance) if self._count else None
        self.tick += 1
        # No peer is put into this bucket again before the next tick.
        due = self._buckets[self.tick % len(self._buckets)]
        while due:
            self._look_at(due.pop())

    def _look_at(self, peer: Peer) -> None:
        tick = self.tick
        if peer.heard_at < peer.asked_at:
            self._count -= 1
            peer.keepalive_timeout()
        elif peer.heard_at + TICKS > tick:
            self._put(peer, peer.heard_at + TICKS)
        elif peer.ping():
            peer.asked_at = tick
            self._put(peer, tick + TICKS)
        else:
            # The peer does not read, for which it is dropped soon, or is asked when it does.
            self._put(peer, tick + 1)
