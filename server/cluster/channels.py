"""Numbered envelopes between workers, so that a gap is noticed, and heartbeats, so that a silent worker is.

All messages to a worker in one iteration of the event loop share an envelope, since an envelope costs Redis and both
workers more than a message does. Envelopes from one worker to another arrive in the order in which they were sent, each
at most once. After a gap the listener is told before it gets the next message, and must discard the state that it
shared with the sender. A heartbeat carries the last numbers, so a gap before a silence is noticed too. Nothing is
acknowledged or sent again. `server/cluster/probes.py` finds out whether a silent worker is dead.
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

FORGET_SECONDS = 60.0
"""The number of envelopes to a worker that has left is forgotten after so long; by then that worker has missed us."""

MAX_MESSAGES = 100
"""Messages in one envelope; more are sent in several."""

FORMAT = 2
"""The format of envelopes, which heartbeats announce. Up to 1, an envelope has one message."""

BATCH = "batch"
"""The kind of an envelope with several messages."""

BROADCAST = ""
"""The addressee of envelopes to all workers."""


class PeerListener(Protocol):
    """Callbacks for everything that arrives from other workers."""

    def on_peer_joined(self, peer: str) -> None:
        """Take note of a worker that was not known."""
        ...

    def on_message(self, peer: str, kind: str, content: list[Any]) -> None:
        """Handle a message from another worker."""
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
    format: int = 1
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

        self._absent_since: dict[str, float] = {}
        """The addressees of envelopes that are not known to be alive."""

        self._pending: dict[str, list[tuple[str, list[Any]]]] = {}
        """By addressee: kinds and contents of the messages for the next envelope."""

        self._before_flush: list[Callable[[], None]] = []
        self._is_flush_scheduled = False
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
        self.flush()
        self._bus.send_all(pack([self.worker, 0, "bye", []]))
        await self._bus.close()

    def send(self, peer: str, kind: str, content: list[Any]) -> None:
        """Send a message to one worker, together with the others of this iteration of the event loop."""
        self._pending.setdefault(peer, []).append((kind, content))
        self._schedule_flush()

    def before_flush(self, action: Callable[[], None]) -> None:
        """Call an action once, before the messages of this iteration are sent; it may add messages."""
        self._before_flush.append(action)
        self._schedule_flush()

    def flush(self) -> None:
        """Send all messages that were added."""
        self._is_flush_scheduled = False
        actions, self._before_flush = self._before_flush, []
        for action in actions:
            action()
        pending, self._pending = self._pending, {}
        for name, messages in pending.items():
            peer = self._peers.get(name)
            size = 1 if peer is None or peer.format < FORMAT else MAX_MESSAGES
            for start in range(0, len(messages), size):
                self._send_envelope(name, messages[start : start + size])

    def _schedule_flush(self) -> None:
        if not self._is_flush_scheduled:
            self._is_flush_scheduled = True
            asyncio.get_running_loop().call_soon(self.flush)

    def _send_envelope(self, peer: str, messages: list[tuple[str, list[Any]]]) -> None:
        number = self._sent[peer] = self._sent.get(peer, 0) + 1
        kind, content = messages[0] if len(messages) == 1 else (BATCH, messages)
        self._bus.send(peer, pack([self.worker, number, kind, content]))

    def broadcast(self, kind: str, content: list[Any]) -> None:
        """Send a message to all other workers, behind the messages that were added before."""
        self.flush()
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
        self._forget_absent()
        self.flush()
        self._bus.send_all(self._heartbeat())
        now = self._clock()
        for name, peer in list(self._peers.items()):
            if now - peer.alive_at > PEER_TIMEOUT_SECONDS:
                self._remove(name)
            elif now - peer.alive_at > SUSPECT_SECONDS:
                self._probes.suspect(name)

    def _forget_absent(self) -> None:
        """Forget the numbers of envelopes to workers that left long ago, so that heartbeats do not grow."""
        now = self._clock()
        absent = self._sent.keys() - self._peers.keys() - {BROADCAST}
        self._absent_since = {name: self._absent_since.get(name, now) for name in absent}
        for name, since in self._absent_since.items():
            if now - since > FORGET_SECONDS:
                del self._sent[name]

    def _heartbeat(self) -> bytes:
        return pack([self.worker, 0, "alive", [self._sent, FORMAT]])

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
            sent, *rest = content
            peer.format = rest[0] if rest else 1
            for addressee, last in sent.items():
                if addressee in (self.worker, BROADCAST):
                    self._check_number(name, peer, addressee, last, is_next=False)
            return
        self._check_number(name, peer, self.worker if number > 0 else BROADCAST, abs(number), is_next=True)
        for message_kind, message in content if kind == BATCH else ((kind, content),):
            try:
                self._listener.on_message(name, message_kind, message)
            except Exception:
                # A message that fails must not stop the ones behind it.
                log.exception("envelope failed")

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
        if name in self._peers:
            self.flush()
            del self._peers[name]
            # The worker may be alive and never have missed us. The skipped number tells it that we forgot it.
            self._sent[name] = self._sent.get(name, 0) + 1
            self._listener.on_peer_left(name)

    async def _tick_periodically(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            self.tick()
