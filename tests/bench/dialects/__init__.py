"""Adapters of the load to each kind of server: how a table is created, joined and moved at.

A dialect is an instance for one server process; it may keep values of that process, such as tokens.
"""

from __future__ import annotations

from typing import Protocol

from tests.bench.load import LoadTable, Mover, Viewer


class Dialect(Protocol):
    """The adapter to one kind of server."""

    def mover(self, table: LoadTable, seat: int) -> Mover:
        """Return a mover for a seat, not connected yet."""
        ...

    def watcher(self, table: LoadTable) -> Viewer:
        """Return a spectator, not connected yet."""
        ...

    async def prepare_spectators(self, spectators: int) -> None:
        """Create so many spectators, where the server must know them before they connect."""
        ...

    async def create_table(self, table: LoadTable) -> None:
        """Create the table, whose movers exist already, at the server."""
        ...

    async def join(self, viewer: Viewer) -> None:
        """Connect or reconnect a viewer to its table, and wait for the first view."""
        ...
