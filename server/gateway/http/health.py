"""The health report: what `/healthz` says to everybody, and what it says to the operator only."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Protocol


class StoreReport(Protocol):
    """The state of the store, as last checked."""

    @property
    def state(self) -> str:
        """`ok`, or what is wrong."""
        ...

    @property
    def durability(self) -> str:
        """Whether acknowledged moves survive a power failure."""
        ...

    @property
    def since(self) -> str:
        """When the store was first used, in UTC."""
        ...


@dataclass(frozen=True, slots=True)
class Health:
    """The sources of `/healthz`."""

    version: str
    build: str
    """`plain` or `accelerated`."""

    store: Callable[[], Awaitable[StoreReport]]
    is_draining: Callable[[], bool]
    workers: Callable[[], int]
    """Returns the number of processes that form this server."""

    tables: Callable[[], int]
    """Returns the number of tables in memory."""

    connections: Callable[[], int]
    """Returns the number of open websockets."""

    async def report(self) -> dict[str, Any]:
        """Return what everybody may know. Nothing in it depends on what people do at their tables."""
        store = await self.store()
        is_draining = self.is_draining()
        return {
            "ok": store.state == "ok" and not is_draining,
            "version": self.version,
            "build": self.build,
            "store": store.state,
            "since": store.since,
            "durability": store.durability,
            "workers": self.workers(),
            "draining": is_draining,
        }

    def details(self) -> dict[str, Any]:
        """Return what the operator sees besides.

        A table is loaded by the first request to it, which may be a sealed answer: so these numbers are not for all.
        """
        return {"tables": self.tables(), "connections": self.connections()}
