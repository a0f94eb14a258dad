"""Limits on the HTTP connections of each address, counted before the head of the first request is read.

Websockets are not counted here; they have limits of their own. When an address has too many connections, its oldest one
that waits for a request is dropped: people behind one address send their requests within milliseconds, so the oldest is
a connection that sends nothing, or an idle one that a browser replaces by itself. A new connection is refused only if
all others of its address are being answered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from server.gateway.addresses import TrustedProxies
from server.gateway.limits import address_key

CONNECTIONS_PER_ADDRESS: Final = 1_500
"""A club of two hundred that opens the page at the same moment needs 1,200: a browser opens up to six connections."""

MAX_WAITING: Final = 3_000
"""Connections of all addresses that wait for a request. One more drops the oldest of the address that has the most."""


class HttpConnection(Protocol):
    """A connection that can be dropped."""

    def abort(self) -> None: ...


@dataclass(slots=True)
class _Address:
    count: int = 0
    waiting: dict[HttpConnection, None] = field(default_factory=dict)
    """The connections that wait for a request, the oldest first."""


class ConnectionLimits:
    """The HTTP connections of this process, by address. Trusted proxies are not limited: they limit their clients."""

    def __init__(
        self,
        per_address: int = CONNECTIONS_PER_ADDRESS,
        waiting: int = MAX_WAITING,
        trusted: Sequence[str] = (),
        closed: Counter[str] | None = None,
    ) -> None:
        self._per_address = per_address
        self._max_waiting = waiting
        self._trusted = TrustedProxies(trusted)
        self.closed: Counter[str] = Counter() if closed is None else closed
        """The number of connections that were refused or dropped, by reason."""
        self._addresses: dict[str, _Address] = {}
        self._key_of: dict[HttpConnection, str] = {}
        self._waiting = 0

    def __len__(self) -> int:
        return len(self._key_of)

    def add(self, connection: HttpConnection, host: str | None) -> bool:
        """Count a new connection and return True; return False if its address has too many that are being answered."""
        if host is not None and host in self._trusted:
            return True
        key = "unknown" if host is None else address_key(host)
        address = self._addresses.get(key)
        if address is None:
            address = self._addresses[key] = _Address()
        if address.count >= self._per_address:
            self.closed["connections_per_address"] += 1
            if not address.waiting:
                return False
            self._drop_oldest(address)
        address.count += 1
        self._addresses[key] = address
        self._key_of[connection] = key
        return True

    def remove(self, connection: HttpConnection) -> None:
        """Forget a connection that was closed or has become a websocket; do nothing if it is not known."""
        self.stop_waiting(connection)
        key = self._key_of.pop(connection, None)
        if key is None:
            return
        address = self._addresses[key]
        address.count -= 1
        if address.count == 0:
            del self._addresses[key]

    def start_waiting(self, connection: HttpConnection) -> None:
        """Note that a connection waits for a request from now on, unless it does so already."""
        key = self._key_of.get(connection)
        if key is None or connection in self._addresses[key].waiting:
            return
        if self._waiting >= self._max_waiting:
            self.closed["waiting"] += 1
            self._drop_oldest(max(self._addresses.values(), key=lambda address: len(address.waiting)))
        # Only now: dropping may have forgotten an address, but never that of this connection.
        self._addresses[key].waiting[connection] = None
        self._waiting += 1

    def stop_waiting(self, connection: HttpConnection) -> None:
        """Note that a connection is being answered."""
        key = self._key_of.get(connection)
        if key is not None and connection in self._addresses[key].waiting:
            del self._addresses[key].waiting[connection]
            self._waiting -= 1

    def _drop_oldest(self, address: _Address) -> None:
        oldest = next(iter(address.waiting))
        self.remove(oldest)
        oldest.abort()
