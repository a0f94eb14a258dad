"""What the load must say to each server: how a table is opened, joined and moved at.

A dialect is an instance for one server process; it may keep what it was given there, such as tokens.
"""

from __future__ import annotations

from typing import Protocol

from tests.bench.load import LoadTable, Mover, Viewer


class Dialect(Protocol):
    """How to talk to one server."""

    def mover(self, table: LoadTable, seat: int) -> Mover:
        """Give somebody for a seat, not connected yet."""
        ...

    def watcher(self, table: LoadTable) -> Viewer:
        """Give a spectator, not connected yet."""
        ...

    async def invite(self, spectators: int) -> None:
        """Make so many spectators of one table known to the server, where it must know them before they come."""
        ...

    async def found(self, table: LoadTable) -> None:
        """Make the table, whose movers are there, known to the server."""
        ...

    async def enter(self, viewer: Viewer) -> None:
        """Connect a viewer to their table, also once more, and wait for the first view."""
        ...
