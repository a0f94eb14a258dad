"""Numbered envelopes between workers, so that a lost one is noticed, and signs of life, so that a lost worker is.

Envelopes from one worker to another come in the order in which they were sent, each at most once. When one is missing,
the receiver is told before it hears the next, and forgets what it thought it shared with the sender. The last envelope
before a silence is missed at the next sign of life.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

import msgpack

from protocol.codec import pack
from server.cluster.bus.api import Bus

log = logging.getLogger(__name__)

HEARTBEAT_SECONDS = 0.5
GONE_SECONDS = 2.0
"""A worker that gives no sign of life for so long is taken for dead. It may come back."""

TO_ALL = ""


class Receiver(Protocol):
    """What happens between this worker and another."""

    def met(self, peer: str) -> None:
        """Note that there is a worker that we did not know of."""
        ...

    def heard(self, peer: str, kind: str, content: list[Any]) -> None:
        """Take an envelope from a worker, this one among them if it went to all."""
        ...

    def lost(self, peer: str) -> None:
        """Note that envelopes from this worker to us got lost."""
        ...

    def lost_broadcast(self, peer: str) -> None:
        """Note that envelopes from this worker to all got lost."""
        ...

    def gone(self, peer: str) -> None:
        """Note that a worker is dead, or says so of itself."""
        ...


@dataclass(slots=True)
class _Peer:
    alive_at: float
    heard: dict[str, int] = field(default_factory=dict)
    """The number of the last envelope to us, and of the last to all."""


class PeerChannels:
    """This worker's links to all others. `tick` must be called now and then; `start` does so."""

    def __init__(self, worker: str, bus: Bus, clock: Callable[[], float] | None = None) -> None:
        self.worker = worker
        self._bus = bus
        self._clock = clock or asyncio.get_running_loop().time
        self._receiver: Receiver | None = None
        self._sent: dict[str, int] = {TO_ALL: 0}
        self._peers: dict[str, _Peer] = {}
        self._ticking: asyncio.Task[None] | None = None

    @property
    def peers(self) -> list[str]:
        """Give the other workers that live."""
        return list(self._peers)

    async def start(self, receiver: Receiver) -> None:
        """Begin to hear and to give signs of life."""
        self._receiver = receiver
        await self._bus.join(self.worker, self._hear)
        self.tick()
        self._ticking = asyncio.create_task(self._tick_for_ever())

    async def close(self) -> None:
        """Say goodbye."""
        if self._ticking is not None:
            self._ticking.cancel()
        self._bus.send_all(pack([self.worker, 0, "bye", []]))
        await self._bus.close()

    def send(self, peer: str, kind: str, content: list[Any]) -> None:
        """Send an envelope to one worker."""
        number = self._sent[peer] = self._sent.get(peer, 0) + 1
        self._bus.send(peer, pack([self.worker, number, kind, content]))

    def tell_all(self, kind: str, content: list[Any]) -> None:
        """Send an envelope to all other workers."""
        self._sent[TO_ALL] += 1
        self._bus.send_all(pack([self.worker, -self._sent[TO_ALL], kind, content]))

    def tick(self) -> None:
        """Give a sign of life, with the numbers of the last envelopes, and look who else gave one."""
        self._bus.send_all(pack([self.worker, 0, "alive", [self._sent]]))
        now = self._clock()
        for name, peer in list(self._peers.items()):
            if now - peer.alive_at > GONE_SECONDS:
                self._bury(name)

    def _hear(self, envelope: bytes) -> None:
        try:
            peer, number, kind, content = msgpack.unpackb(envelope)
            if peer != self.worker:
                self._take(peer, number, kind, content)
        except Exception:
            # Whatever one envelope does, the next must still be heard.
            log.exception("envelope not understood")

    def _take(self, name: str, number: int, kind: str, content: list[Any]) -> None:
        assert self._receiver is not None
        if kind == "bye":
            self._bury(name)
            return
        peer = self._peers.get(name)
        if peer is None:
            # It may have sent us envelopes before we could hear; they are missed by those who wait for an answer.
            peer = self._peers[name] = _Peer(self._clock())
            self._receiver.met(name)
        peer.alive_at = self._clock()
        if kind == "alive":
            for to, last in content[0].items():
                if to in (self.worker, TO_ALL):
                    self._note(name, peer, to, last, is_next=False)
            return
        self._note(name, peer, self.worker if number > 0 else TO_ALL, abs(number), is_next=True)
        self._receiver.heard(name, kind, content)

    def _note(self, name: str, peer: _Peer, to: str, number: int, *, is_next: bool) -> None:
        """Compare the number of an envelope, or of the last one sent, with what was heard."""
        assert self._receiver is not None
        before = peer.heard.get(to)
        peer.heard[to] = number
        if before is None or number == before + is_next:
            return
        log.warning("envelopes lost", extra={"worker": name, "count": number - before - is_next})
        if to == TO_ALL:
            self._receiver.lost_broadcast(name)
        else:
            self._receiver.lost(name)

    def _bury(self, name: str) -> None:
        assert self._receiver is not None
        if self._peers.pop(name, None) is not None:
            self._receiver.gone(name)

    async def _tick_for_ever(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            self.tick()
