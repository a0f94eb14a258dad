"""What goes between processes: envelopes to one worker and to all. Any of them may get lost, none comes twice.

Whoever needs to know that nothing was lost numbers what they send (`server/cluster/channels.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

Hear = Callable[[bytes], None]
"""Takes an envelope; called on the loop, one envelope after the other, in the order in which each sender sent them."""


class Bus(Protocol):
    """One worker's way to all others."""

    async def join(self, worker: str, hear: Hear) -> None:
        """Begin to hear what is sent to this worker and to all."""
        ...

    def send(self, worker: str, envelope: bytes) -> None:
        """Send an envelope to one worker."""
        ...

    def send_all(self, envelope: bytes) -> None:
        """Send an envelope to every worker, this one as well."""
        ...

    async def close(self) -> None:
        """Send what is on its way, and hear nothing any more."""
        ...
