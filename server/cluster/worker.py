"""One worker among many: its links to the others, its part of the tables, and the news it shares."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from server.cluster.channels import Links
from server.cluster.events import News
from server.cluster.router import FleetTables

log = logging.getLogger(__name__)


class Fleet:
    """Takes what comes over the links to those whom it concerns."""

    def __init__(self, links: Links, tables: FleetTables, news: News) -> None:
        self._links = links
        self._tables = tables
        self._news = news
        self._is_closed = False
        self._handlers: dict[str, Callable[..., None]] = tables.handlers | news.handlers

    async def start(self) -> None:
        """Begin to hear the others."""
        await self._links.start(self)

    async def close(self) -> None:
        """Leave the fleet; the tables must have been given up before. Leaving twice is leaving once."""
        if self._is_closed:
            return
        self._is_closed = True
        self._tables.close()
        self._news.close()
        await self._links.close()

    # -- links.Receiver ---------------------------------------------------------------------------------------

    def met(self, peer: str) -> None:
        self._news.met(peer)

    def heard(self, peer: str, kind: str, content: list[Any]) -> None:
        self._handlers[kind](peer, *content)

    def lost(self, peer: str) -> None:
        self._tables.lost(peer)

    def lost_news(self, peer: str) -> None:
        self._news.lost_news(peer)

    def gone(self, peer: str) -> None:
        log.info("worker gone", extra={"worker": peer})
        self._news.lost_peer(peer)
        self._tables.gone(peer)
