"""Numbered envelopes between workers, so that a gap is noticed, and heartbeats, so that a silent worker is.

Envelopes from one worker to another arrive in the order in which they were sent, each at most once. After a gap the
listener is told before it gets the next envelope, and must discard the state that it shared with the sender. A
heartbeat carries the last numbers, so a gap before a silence is noticed too. Nothing is acknowledged or sent again.
`server/cluster/probes.py` finds out whether a silent worker is dead.
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
from server.cluster.probes import PeerProbes

log = logging.getLogger(__name__)

HEARTBEAT_SECONDS = 0.5
PEER_TIMEOUT_SECONDS = 2.0
"""A worker without a heartbeat for so long gets no more requests. It may come back."""

SUSPECT_SECONDS = 0.75
"""A worker without a heartbeat for so long is probed."""

BROADCAST = ""
"""The addressee of envelopes to all workers."""


class PeerListener(Protocol):
    """Callbacks for everything that arrives from other workers."""

    def on_peer_joined(self, peer: str) -> None:
        """Take note of a worker that was not known."""
        ...

    def on_message(self, peer: str, kind: str, content: list[Any]) -> None:
        """Handle an envelope from another worker."""
        ...

    def on_gap(self, peer: str) -> None:
        """Handle the loss of envelopes from this worker to us."""
        ...

    def on_broadcast_gap(self, peer: str) -> None:
        """Handle the loss of envelopes from this worker to all."""
        ...

    def on_peer_left(self, peer: str) -> None:
        """Forget a worker that has ended or is taken for dead."""
        ...


@dataclass(slots=True)
class _Peer:
    alive_at: float
    received: dict[str, int] = field(default_factory=dict)
    """By addressee, us or all: the number of the last envelope."""


class PeerChannels:
    """This worker's channels to all others. `start` calls `tick` periodically."""

    def __init__(self, worker: str, bus: Bus, clock: Callable[[], float] | None = None) -> None:
        self.worker = worker
        self._bus = bus
        self._clock = clock or asyncio.get_running_loop().time
        self._listener: PeerListener | None = None
        self._sent: dict[str, int] = {BROADCAST: 0}
        """By addressee: the number of the last envelope."""

        self._peers: dict[str, _Peer] = {}
        self._received_at = float("-inf")
        """When an envelope of this worker itself last arrived."""

        self._probes = PeerProbes(worker, bus, self._clock, self._heard_at, self._heartbeat, self._remove)
        self._ticking: asyncio.Task[None] | None = None

    @property
    def peers(self) -> list[str]:
        """Return the other workers that are alive."""
        return list(self._peers)

    async def start(self, listener: PeerListener) -> None:
        """Start to receive envelopes and to send heartbeats."""
        self._listener = listener
        await self._bus.join(self.worker, self._on_envelope)
        self.tick()
        self._ticking = asyncio.create_task(self._tick_periodically())

    async def close(self) -> None:
        """Announce to the other workers that this one has ended, and close the bus."""
        if self._ticking is not None:
            self._ticking.cancel()
        self._probes.close()
        self._bus.send_all(pack([self.worker, 0, "bye", []]))
        await self._bus.close()

    def send(self, peer: str, kind: str, content: list[Any]) -> None:
        """Send an envelope to one worker."""
        number = self._sent[peer] = self._sent.get(peer, 0) + 1
        self._bus.send(peer, pack([self.worker, number, kind, content]))

    def broadcast(self, kind: str, content: list[Any]) -> None:
        """Send an envelope to all other workers."""
        self._sent[BROADCAST] += 1
        self._bus.send_all(pack([self.worker, -self._sent[BROADCAST], kind, content]))

    def suspect(self, worker: str) -> None:
        """Find out whether a worker that does not reply, or that nobody knows, is dead."""
        self._probes.suspect(worker)

    def is_dead(self, worker: str) -> bool:
        """Return whether a worker is taken for dead, so that its leases may be taken at once."""
        return self._probes.is_dead(worker)

    def tick(self) -> None:
        """Send a heartbeat with the numbers of the last envelopes; probe workers that send none, and remove them."""
        self._bus.send_all(self._heartbeat())
        now = self._clock()
        for name, peer in list(self._peers.items()):
            if now - peer.alive_at > PEER_TIMEOUT_SECONDS:
                self._remove(name)
            elif now - peer.alive_at > SUSPECT_SECONDS:
                self._probes.suspect(name)

    def _heartbeat(self) -> bytes:
        return pack([self.worker, 0, "alive", [self._sent]])

    def _heard_at(self, worker: str) -> float:
        if worker == self.worker:
            return self._received_at
        peer = self._peers.get(worker)
        return float("-inf") if peer is None else peer.alive_at

    def _on_envelope(self, envelope: bytes) -> None:
        try:
            peer, number, kind, content = msgpack.unpackb(envelope)
            if peer == self.worker:
                self._received_at = self._clock()
            else:
                self._receive(peer, number, kind, content)
        except Exception:
            # An envelope that fails must not stop the ones behind it.
            log.exception("envelope failed")

    def _receive(self, name: str, number: int, kind: str, content: list[Any]) -> None:
        assert self._listener is not None
        if kind == "bye":
            self._remove(name)
            return
        if self._probes.on_alive(name):
            log.warning("worker was not dead", extra={"worker": name})
        peer = self._peers.get(name)
        if peer is None:
            # Envelopes that it sent before we joined are lost; requests among them are repeated by their senders.
            peer = self._peers[name] = _Peer(self._clock())
            self._listener.on_peer_joined(name)
        peer.alive_at = self._clock()
        if kind == "alive":
            for addressee, last in content[0].items():
                if addressee in (self.worker, BROADCAST):
                    self._check_number(name, peer, addressee, last, is_next=False)
            return
        self._check_number(name, peer, self.worker if number > 0 else BROADCAST, abs(number), is_next=True)
        self._listener.on_message(name, kind, content)

    def _check_number(self, name: str, peer: _Peer, addressee: str, number: int, *, is_next: bool) -> None:
        """Compare a number with the last one received; `is_next` is False for the numbers in a heartbeat."""
        assert self._listener is not None
        before = peer.received.get(addressee)
        peer.received[addressee] = number
        if before is None or number == before + is_next:
            return
        log.warning("envelopes lost", extra={"worker": name, "count": number - before - is_next})
        if addressee == BROADCAST:
            self._listener.on_broadcast_gap(name)
        else:
            self._listener.on_gap(name)

    def _remove(self, name: str) -> None:
        assert self._listener is not None
        if self._peers.pop(name, None) is not None:
            # The worker may be alive and never have missed us. The skipped number tells it that we forgot it.
            self._sent[name] = self._sent.get(name, 0) + 1
            self._listener.on_peer_left(name)

    async def _tick_periodically(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            self.tick()
