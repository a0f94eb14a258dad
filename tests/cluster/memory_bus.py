"""A bus between simulated workers on one event loop. It can lose envelopes and subscriptions, and cut workers off."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from server.cluster.bus.api import OnEnvelope


class MemoryHub:
    """The network between memory buses. `loses` decides about each envelope, given its sender and receiver."""

    def __init__(self) -> None:
        self.loses: Callable[[str, str], bool] = lambda sender, receiver: False
        self._listeners: dict[str, OnEnvelope] = {}
        self._cut_off: set[str] = set()
        self._unsubscribed: set[str] = set()

    @property
    def workers(self) -> list[str]:
        return list(self._listeners)

    def join(self, worker: str, on_envelope: OnEnvelope) -> None:
        self._listeners[worker] = on_envelope

    def leave(self, worker: str) -> None:
        self._listeners.pop(worker, None)

    def cut_off(self, worker: str) -> None:
        """Lose every envelope from and to a worker, also those on their way. Its subscription stays."""
        self._cut_off.add(worker)

    def unsubscribe(self, worker: str) -> None:
        """End the subscription of a worker, as everybody can notice who sends it an envelope."""
        self._unsubscribed.add(worker)

    def reconnect(self, worker: str) -> None:
        self._cut_off.discard(worker)
        self._unsubscribed.discard(worker)

    def carry(self, sender: str, receiver: str, envelope: bytes) -> None:
        """Deliver an envelope in the next turn of the loop, unless it gets lost."""
        if sender not in self._cut_off and not self.loses(sender, receiver):
            asyncio.get_running_loop().call_soon(self._deliver, receiver, envelope)

    def has_receiver(self, sender: str, receiver: str) -> bool:
        """Return whether the sender sees a subscription of the receiver; one that is cut off gets no answer."""
        is_subscribed = receiver in self._listeners and receiver not in self._unsubscribed
        return is_subscribed or sender in self._cut_off or sender in self._unsubscribed

    def _deliver(self, receiver: str, envelope: bytes) -> None:
        on_envelope = self._listeners.get(receiver)
        if on_envelope is not None and receiver not in self._cut_off and receiver not in self._unsubscribed:
            on_envelope(envelope)


class MemoryBus:
    """One worker's access to a hub."""

    def __init__(self, hub: MemoryHub) -> None:
        self._hub = hub
        self._worker = ""

    async def join(self, worker: str, on_envelope: OnEnvelope) -> None:
        self._worker = worker
        self._hub.join(worker, on_envelope)

    def send(self, worker: str, envelope: bytes) -> None:
        self._hub.carry(self._worker, worker, envelope)

    async def reaches(self, worker: str, envelope: bytes) -> bool:
        self.send(worker, envelope)
        await asyncio.sleep(0)
        return self._hub.has_receiver(self._worker, worker)

    def send_all(self, envelope: bytes) -> None:
        for worker in self._hub.workers:
            self._hub.carry(self._worker, worker, envelope)

    async def close(self) -> None:
        self._hub.leave(self._worker)
