"""A bus between workers of one process, for tests: it can lose envelopes, and cut workers off."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from .api import Hear


class MemoryHub:
    """What several buses of one loop are joined by. `loses` decides about each envelope, given sender and receiver."""

    def __init__(self) -> None:
        self.hearers: dict[str, Hear] = {}
        self.loses: Callable[[str, str], bool] = lambda sender, receiver: False

    def carry(self, sender: str, receiver: str, envelope: bytes) -> None:
        """Take an envelope to a worker, if it does not get lost and there is such a worker."""
        if not self.loses(sender, receiver):
            asyncio.get_running_loop().call_soon(self._deliver, receiver, envelope)

    def _deliver(self, receiver: str, envelope: bytes) -> None:
        hear = self.hearers.get(receiver)
        if hear is not None:
            hear(envelope)


class MemoryBus:
    """One worker at a hub."""

    def __init__(self, hub: MemoryHub) -> None:
        self._hub = hub
        self._worker = ""

    async def join(self, worker: str, hear: Hear) -> None:
        self._worker = worker
        self._hub.hearers[worker] = hear

    def send(self, worker: str, envelope: bytes) -> None:
        self._hub.carry(self._worker, worker, envelope)

    def send_all(self, envelope: bytes) -> None:
        for worker in list(self._hub.hearers):
            self._hub.carry(self._worker, worker, envelope)

    async def close(self) -> None:
        self._hub.hearers.pop(self._worker, None)
