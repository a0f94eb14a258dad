"""One worker of a cluster: passes everything that arrives from other workers to the router and the event receiver."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from server.cluster.channels import PeerChannels
from server.cluster.events import EventReceiver
from server.cluster.router import TableRouter

log = logging.getLogger(__name__)


class ClusterWorker:
    """Dispatches envelopes by their kind. Implements `channels.PeerListener`."""

    def __init__(self, channels: PeerChannels, router: TableRouter, receiver: EventReceiver) -> None:
        self._channels = channels
        self._router = router
        self._receiver = receiver
        self._is_closed = False
        self._handlers: dict[str, Callable[..., None]] = router.handlers | receiver.handlers

    async def start(self) -> None:
        """Join the cluster."""
        await self._channels.start(self)

    async def close(self) -> None:
        """Leave the cluster; the leases of all tables must have been released before. Idempotent."""
        if self._is_closed:
            return
        self._is_closed = True
        self._router.close()
        self._receiver.close()
        await self._channels.close()

    # -- channels.PeerListener --------------------------------------------------------------------------------

    def on_peer_joined(self, peer: str) -> None:
        self._receiver.on_peer_joined(peer)

    def on_message(self, peer: str, kind: str, content: list[Any]) -> None:
        self._handlers[kind](peer, *content)

    def on_gap(self, peer: str) -> None:
        self._receiver.on_gap(peer)
        self._router.on_gap(peer)

    def on_broadcast_gap(self, peer: str) -> None:
        self._receiver.on_broadcast_gap(peer)

    def on_peer_left(self, peer: str) -> None:
        log.info("worker left", extra={"worker": peer})
        self._receiver.on_peer_left(peer)
        self._router.on_peer_left(peer)
