"""What goes between processes: letters to one worker and to all. Any of them may get lost, none comes twice.

Whoever needs to know that nothing was lost numbers what they send (`server/cluster/channels.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

Hear = Callable[[bytes], None]
"""Takes a letter; called on the loop, one letter after the other, in the order in which each sender sent them."""


class Bus(Protocol):
    """One worker's way to all others."""

    async def join(self, worker: str, hear: Hear) -> None:
        """Begin to hear what is sent to this worker and to all."""
        ...

    def send(self, worker: str, letter: bytes) -> None:
        """Send a letter to one worker."""
        ...

    def send_all(self, letter: bytes) -> None:
        """Send a letter to every worker, this one as well."""
        ...

    async def close(self) -> None:
        """Send what is on its way, and hear nothing any more."""
        ...
