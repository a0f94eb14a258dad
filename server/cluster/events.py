"""Events that every worker learns of: changes of the lists of tables, of users, and of who is connected.

`ClusterEvents` sends them, and `EventReceiver` applies those of other workers. Broadcasts may get lost; after a gap the
lists are read from the store again.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Callable
from typing import Protocol

from server.cluster.channels import PeerChannels
from server.cluster.presence import ClusterPresence
from server.cluster.statuses import StatusReceiver, StatusSender
from server.lobby.directory import TableDirectory
from server.lobby.identity import Identity
from server.lobby.listed_table import LISTED_PHASES
from server.model import User
from server.store.api import StorageFailed, TableStore
from server.tables.api import Summary, TableStatus
from server.tables.registry import TableRegistry

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
        self.on_status_changed: Callable[[str, set[str]], None] = lambda table, users: None
        """Called with a table and the users for whom its status has changed; set later, since it needs the tables."""

    def update(self, summary: Summary, private: bool) -> None:
        self._directory.update(summary, private)
        self._events.table_listed(summary, private)

    def update_status(self, table: str, status: TableStatus) -> None:
        changed = self._directory.set_status(table, status)
        if changed:
            self.on_status_changed(table, changed)

    def remove(self, table: str) -> None:
        self._directory.remove(table)
        self._events.table_unlisted(table)


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
        directory: TableDirectory,
        identity: Identity,
        presence: ClusterPresence,
        connections: Connections,
        status_sender: StatusSender,
        status_receiver: StatusReceiver,
    ) -> None:
        self._channels = channels
        self._directory = directory
        self._presence = presence
        self._connections = connections
        self._status_sender = status_sender
        self._status_receiver = status_receiver
        self._reloading: asyncio.Task[None] | None = None
        self.handlers: dict[str, Callable[..., None]] = {
            "listed": lambda peer, summary, private: directory.update(summary, private),
            "unlisted": lambda peer, table: directory.remove(table),
            "user_changed": lambda peer, user_id: identity.forget(user_id),
            "user_renamed": lambda peer, user_id, name: connections.rename_local(User(user_id, name)),
            "signed_out": self._on_signed_out,
            "came": self._on_user_joined,
            "went": self._on_user_left,
            "who": self._send_users,
            "these": self._on_users,
            "statuses": status_receiver.on_statuses,
        }

    def on_peer_joined(self, peer: str) -> None:
        """Ask a worker for its connected users."""
        self._channels.send(peer, "who", [])

    def on_broadcast_gap(self, peer: str) -> None:
        """Read what the lost broadcasts of a worker may have changed."""
        self.on_peer_joined(peer)
        self._reload_soon()

    def on_gap(self, peer: str) -> None:
        """Read what the lost envelopes of a worker to this one may have said about statuses."""
        self._reload_soon()

    def on_peer_left(self, peer: str) -> None:
        """Forget the users of a worker, and read the statuses that it may not have sent any more."""
        self._presence.forget(peer)
        self._directory.online_changed()
        self._reload_soon()

    def close(self) -> None:
        if self._reloading is not None:
            self._reloading.cancel()
        self._status_sender.close()
        self._status_receiver.close()

    def _on_user_joined(self, peer: str, user_id: str) -> None:
        self._presence.connect(peer, user_id)
        self._directory.online_changed()
        self._status_sender.on_users_joined([user_id])

    def _on_user_left(self, peer: str, user_id: str) -> None:
        self._presence.disconnect(peer, user_id)
        self._directory.online_changed()

    def _on_users(self, peer: str, users: list[str]) -> None:
        self._presence.replace(peer, users)
        self._directory.online_changed()
        self._status_sender.on_users_joined(users)

    def _reload_soon(self) -> None:
        if self._reloading is None:
            self._reloading = asyncio.get_running_loop().create_task(self._reload())

    def _send_users(self, peer: str) -> None:
        self._channels.send(peer, "these", [self._connections.users()])

    def _on_signed_out(self, peer: str, user_id: str, kept: str) -> None:
        self._connections.sign_out_local(user_id, lambda token: _digest(token) == kept)

    async def _reload(self) -> None:
        await asyncio.sleep(RELOAD_DELAY_SECONDS)
        self._reloading = None
        try:
            await self._status_receiver.reload(LISTED_PHASES)
        except StorageFailed:
            log.warning("lists not read")


def join_statuses(
    channels: PeerChannels,
    presence: ClusterPresence,
    store: TableStore,
    directory: TableDirectory,
    lists: ClusterDirectory,
    registry: TableRegistry,
) -> tuple[StatusSender, StatusReceiver]:
    """Let the tables of a worker report their statuses to other workers, and its lists receive those of others."""
    sender = StatusSender(channels, presence, directory, registry.owns)
    receiver = StatusReceiver(store, directory, registry.owns)
    lists.on_status_changed = sender.changed
    directory.read_statuses, directory.load_table = receiver.read, registry.load
    return sender, receiver


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
