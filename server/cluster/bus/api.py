"""The interface of the bus between processes: envelopes to one worker or to all, each delivered at most once.

Envelopes may get lost; `server/cluster/channels.py` numbers them so that a gap is noticed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

OnEnvelope = Callable[[bytes], None]
"""Takes an envelope; called on the event loop, in the order in which each sender sent them."""


class Bus(Protocol):
    """One worker's access to the bus."""

    async def join(self, worker: str, on_envelope: OnEnvelope) -> None:
        """Start to receive the envelopes to this worker and to all."""
        ...

    def send(self, worker: str, envelope: bytes) -> None:
        """Send an envelope to one worker."""
        ...

    async def reaches(self, worker: str, envelope: bytes) -> bool:
        """Send an envelope to one worker; return False if nobody receives it, True if somebody does or may do so."""
        ...

    def send_all(self, envelope: bytes) -> None:
        """Send an envelope to every worker, this one included."""
        ...

    async def close(self) -> None:
        """Send the envelopes that are queued, and receive no more."""
        ...
