"""Events that every worker learns of: changes of the lists of tables, of users, and of who is connected.

`ClusterEvents` sends them, `EventReceiver` applies those of other workers, and `ClusterPresence` holds who is connected
elsewhere. Broadcasts may get lost; after a gap the lists are read from the store again.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Callable, Iterable
from typing import Protocol

from server.cluster.channels import PeerChannels
from server.lobby.directory import LISTED_PHASES, TableDirectory
from server.lobby.identity import Identity
from server.model import User
from server.store.api import StorageFailed, TableStore
from server.tables.api import Summary

log = logging.getLogger(__name__)

RELOAD_DELAY_SECONDS = 1.0
"""Delay before the lists are read again, so that several gaps cost one reading."""


class ClusterEvents:
    """Broadcasts the events of this worker."""

    def __init__(self, channels: PeerChannels) -> None:
        self._channels = channels

    def table_listed(self, summary: Summary, private: bool) -> None:
        self._channels.broadcast("listed", [summary, private])

    def table_unlisted(self, table: str) -> None:
        self._channels.broadcast("unlisted", [table])

    def user_changed(self, user_id: str) -> None:
        self._channels.broadcast("user_changed", [user_id])

    def renamed(self, user: User) -> None:
        self._channels.broadcast("user_renamed", [user.id, user.name])

    def signed_out(self, user: User, kept_token: str) -> None:
        """Announce that all sessions of a user have ended but one, which only its hash names."""
        self._channels.broadcast("signed_out", [user.id, _digest(kept_token)])

    def presence_changed(self, user_id: str, is_connected: bool) -> None:
        self._channels.broadcast("came" if is_connected else "went", [user_id])


class ClusterDirectory:
    """The lists of this worker and, by broadcast, of all others. Implements `server.tables.api.Directory`."""

    def __init__(self, directory: TableDirectory, cluster_events: ClusterEvents) -> None:
        self._directory = directory
        self._events = cluster_events

    def update(self, summary: Summary, private: bool) -> None:
        self._directory.update(summary, private)
        self._events.table_listed(summary, private)

    def remove(self, table: str) -> None:
        self._directory.remove(table)
        self._events.table_unlisted(table)


class ClusterPresence:
    """The users who are connected to other workers."""

    def __init__(self) -> None:
        self._users: dict[str, set[str]] = {}

    def has(self, user_id: str) -> bool:
        """Return whether a user is connected to another worker."""
        return any(user_id in users for users in self._users.values())

    def connect(self, peer: str, user_id: str) -> None:
        self._users.setdefault(peer, set()).add(user_id)

    def disconnect(self, peer: str, user_id: str) -> None:
        self._users.setdefault(peer, set()).discard(user_id)

    def replace(self, peer: str, users: Iterable[str]) -> None:
        """Set all users of a worker."""
        self._users[peer] = set(users)

    def forget(self, peer: str) -> None:
        """Remove a worker."""
        self._users.pop(peer, None)


class Connections(Protocol):
    """The connections of this worker."""

    def rename_local(self, user: User) -> None:
        """Set the new name on the connections of a user."""
        ...

    def sign_out_local(self, user_id: str, keep: Callable[[str], bool]) -> None:
        """Close the connections of a user unless `keep` accepts their session token."""
        ...

    def users(self) -> list[str]:
        """Return the ids of all connected users."""
        ...


class EventReceiver:
    """Applies the events of other workers here."""

    def __init__(
        self,
        channels: PeerChannels,
        store: TableStore,
        directory: TableDirectory,
        identity: Identity,
        presence: ClusterPresence,
        connections: Connections,
    ) -> None:
        self._channels = channels
        self._store = store
        self._directory = directory
        self._presence = presence
        self._connections = connections
        self._reloading: asyncio.Task[None] | None = None
        self.handlers: dict[str, Callable[..., None]] = {
            "listed": lambda peer, summary, private: directory.update(summary, private),
            "unlisted": lambda peer, table: directory.remove(table),
            "user_changed": lambda peer, user_id: identity.forget(user_id),
            "user_renamed": lambda peer, user_id, name: connections.rename_local(User(user_id, name)),
            "signed_out": self._on_signed_out,
            "came": presence.connect,
            "went": presence.disconnect,
            "who": self._send_users,
            "these": presence.replace,
        }

    def on_peer_joined(self, peer: str) -> None:
        """Ask a worker for its connected users."""
        self._channels.send(peer, "who", [])

    def on_broadcast_gap(self, peer: str) -> None:
        """Read what the lost broadcasts of a worker may have changed."""
        self.on_peer_joined(peer)
        if self._reloading is None:
            self._reloading = asyncio.get_running_loop().create_task(self._reload())

    def on_peer_left(self, peer: str) -> None:
        """Forget the users of a worker."""
        self._presence.forget(peer)

    def close(self) -> None:
        if self._reloading is not None:
            self._reloading.cancel()

    def _send_users(self, peer: str) -> None:
        self._channels.send(peer, "these", [self._connections.users()])

    def _on_signed_out(self, peer: str, user_id: str, kept: str) -> None:
        self._connections.sign_out_local(user_id, lambda token: _digest(token) == kept)

    async def _reload(self) -> None:
        await asyncio.sleep(RELOAD_DELAY_SECONDS)
        self._reloading = None
        try:
            rows = [row for phase in LISTED_PHASES for row in await self._store.tables(phase)]
        except StorageFailed:
            log.warning("lists not read")
            return
        self._directory.reload(rows)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
