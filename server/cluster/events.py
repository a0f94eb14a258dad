"""Events that every worker learns of: changes of the lists of tables, of users, and of who is connected.

`ClusterEvents` sends them, and `EventReceiver` applies those of other workers. Broadcasts may get lost; after a gap the
lists and the sessions of all connections are read from the store again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Final, Protocol

from server.cluster.channels import PeerChannels
from server.cluster.presence import ClusterPresence
from server.cluster.statuses import StatusReceiver, StatusSender
from server.cluster.users import user_fields, user_of
from server.lobby.directory import TableDirectory
from server.lobby.identity import Identity, hash_token
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
        self._channels.broadcast("user_renamed", user_fields(user))

    def relations_changed(self, user_id: str, other_id: str) -> None:
        self._channels.broadcast("relations_changed", [user_id, other_id])

    def invitations_changed(self, user_id: str) -> None:
        self._channels.broadcast("invitations_changed", [user_id])

    def user_deleted(self, user_id: str) -> None:
        self._channels.broadcast("user_deleted", [user_id])

    def session_ended(self, user_id: str, token_hash: str | None) -> None:
        """Announce that one session of a user has ended, or all."""
        self._channels.broadcast("session_ended", [user_id, token_hash])

    def signed_out(self, user: User, kept_token: str) -> None:
        """Announce that all sessions of a user have ended but one, which only its hash names."""
        self._channels.broadcast("signed_out", [user.id, hash_token(kept_token)])

    def presence_changed(self, user_id: str, is_connected: bool) -> None:
        self._channels.broadcast("came" if is_connected else "went", [user_id])

    def looking_changed(self, user_id: str, is_looking: bool) -> None:
        """Announce that a user's last page was hidden, or that one can be seen again."""
        self._channels.broadcast("looking", [user_id, is_looking])


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

    def end_session_local(self, user_id: str, token_hash: str | None) -> None:
        """Close the connections of one session of a user, or of all."""
        ...

    async def check_sessions(self) -> None:
        """Close the connections whose sessions have ended, and update the users of the others."""
        ...

    def users(self) -> list[str]:
        """Return the ids of all connected users."""
        ...


class PeopleCache(Protocol):
    """What this worker knows of people; see `server.people`."""

    def forget(self, user_id: str) -> None:
        """Read a user again, whom another worker has changed."""
        ...

    def on_deleted(self, user_id: str) -> None:
        """Note that another worker has deleted a user."""
        ...

    def on_relations_changed(self, user_id: str, other_id: str) -> None:
        """Read again who follows and blocks whom, which another worker has changed between two users."""
        ...

    def on_invitations_changed(self, user_id: str) -> None:
        """Send the invitations of a user, which another worker has changed."""
        ...

    def on_gap(self) -> None:
        """Read again what messages that got lost may have changed."""
        ...


class NoPeopleCache:
    """For a worker without accounts."""

    def forget(self, user_id: str) -> None:
        pass

    def on_deleted(self, user_id: str) -> None:
        pass

    def on_relations_changed(self, user_id: str, other_id: str) -> None:
        pass

    def on_invitations_changed(self, user_id: str) -> None:
        pass

    def on_gap(self) -> None:
        pass


NO_PEOPLE_CACHE: Final[PeopleCache] = NoPeopleCache()


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
        people: PeopleCache = NO_PEOPLE_CACHE,
    ) -> None:
        self._channels = channels
        self._identity = identity
        self._people = people
        self._directory = directory
        self._presence = presence
        self._connections = connections
        self._status_sender = status_sender
        self._status_receiver = status_receiver
        self._reloading: asyncio.Task[None] | None = None
        self._must_check_sessions = False
        self.handlers: dict[str, Callable[..., None]] = {
            "listed": lambda peer, summary, private: directory.update(summary, private),
            "unlisted": lambda peer, table: directory.remove(table),
            "user_changed": self._on_user_changed,
            "user_renamed": lambda peer, *user: connections.rename_local(user_of(user)),
            "relations_changed": lambda peer, user_id, other_id: people.on_relations_changed(user_id, other_id),
            "invitations_changed": lambda peer, user_id: people.on_invitations_changed(user_id),
            "user_deleted": lambda peer, user_id: people.on_deleted(user_id),
            "session_ended": lambda peer, user_id, token_hash: connections.end_session_local(user_id, token_hash),
            "signed_out": self._on_signed_out,
            "came": self._on_user_joined,
            "went": self._on_user_left,
            "who": self._send_users,
            "these": self._on_users,
            "looking": presence.set_looking,
            "hidden": presence.set_hidden,
            "statuses": status_receiver.on_statuses,
        }

    def on_peer_joined(self, peer: str) -> None:
        """Ask a worker for its connected users."""
        self._channels.send(peer, "who", [])

    def on_broadcast_gap(self, peer: str) -> None:
        """Read what the lost broadcasts of a worker may have changed."""
        self._identity.forget_all()
        self._must_check_sessions = True
        self._people.on_gap()
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

    def _on_user_changed(self, peer: str, user_id: str) -> None:
        self._identity.forget(user_id)
        self._people.forget(user_id)

    def _on_user_joined(self, peer: str, user_id: str) -> None:
        self._presence.connect(peer, user_id)
        self._directory.online_changed((user_id,))
        self._status_sender.on_users_joined([user_id])

    def _on_user_left(self, peer: str, user_id: str) -> None:
        self._presence.disconnect(peer, user_id)
        self._directory.online_changed((user_id,))

    def _on_users(self, peer: str, users: list[str]) -> None:
        self._presence.replace(peer, users)
        self._directory.online_changed()
        self._status_sender.on_users_joined(users)

    def _reload_soon(self) -> None:
        if self._reloading is None:
            self._reloading = asyncio.get_running_loop().create_task(self._reload())

    def _send_users(self, peer: str) -> None:
        self._channels.send(peer, "these", [self._connections.users()])
        self._channels.send(peer, "hidden", [self._directory.users_not_looking()])

    def _on_signed_out(self, peer: str, user_id: str, kept: str) -> None:
        self._connections.sign_out_local(user_id, lambda token: hash_token(token) == kept)

    async def _reload(self) -> None:
        await asyncio.sleep(RELOAD_DELAY_SECONDS)
        self._reloading = None
        must_check_sessions, self._must_check_sessions = self._must_check_sessions, False
        try:
            await self._status_receiver.reload(LISTED_PHASES)
        except StorageFailed:
            log.warning("lists not read")
        if must_check_sessions:
            await self._check_sessions()

    async def _check_sessions(self) -> None:
        try:
            await self._connections.check_sessions()
        except StorageFailed:
            log.warning("sessions not checked")


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
