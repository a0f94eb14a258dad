"""One worker among many: its links to the others, its part of the tables, and the news it shares."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from server.cluster.channels import PeerChannels
from server.cluster.events import ClusterEvents
from server.cluster.router import TableRouter

log = logging.getLogger(__name__)


class ClusterWorker:
    """Takes what comes over the links to those whom it concerns."""

    def __init__(self, channels: PeerChannels, tables: TableRouter, cluster_events: ClusterEvents) -> None:
        self._channels = channels
        self._tables = tables
        self._cluster_events = cluster_events
        self._is_closed = False
        self._handlers: dict[str, Callable[..., None]] = tables.handlers | cluster_events.handlers

    async def start(self) -> None:
        """Begin to hear the others."""
        await self._channels.start(self)

    async def close(self) -> None:
        """Leave the fleet; the tables must have been given up before. Leaving twice is leaving once."""
        if self._is_closed:
            return
        self._is_closed = True
        self._tables.close()
        self._cluster_events.close()
        await self._channels.close()

    # -- links.Receiver ---------------------------------------------------------------------------------------

    def met(self, peer: str) -> None:
        self._cluster_events.met(peer)

    def heard(self, peer: str, kind: str, content: list[Any]) -> None:
        self._handlers[kind](peer, *content)

    def lost(self, peer: str) -> None:
        self._tables.lost(peer)

    def lost_broadcast(self, peer: str) -> None:
        self._cluster_events.lost_broadcast(peer)

    def gone(self, peer: str) -> None:
        log.info("worker gone", extra={"worker": peer})
        self._cluster_events.lost_peer(peer)
        self._tables.gone(peer)
