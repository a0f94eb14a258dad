"""What every worker should know: how the lists of tables look, who is connected, and what has changed about users."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Callable
from typing import Any, Protocol

from server.cluster.channels import PeerChannels
from server.lobby.directory import LISTED_PHASES, TableDirectory
from server.lobby.identity import Identity
from server.model import User
from server.store.api import StorageFailed, TableStore
from server.tables.api import Summary

log = logging.getLogger(__name__)

RELOAD_SECONDS = 1.0
"""How long to wait before reading the lists from the store again, so that many losses cost one reading."""


class Connections(Protocol):
    """The connections of this worker."""

    def rename_here(self, user: User) -> None:
        """Let the connections of a user know the new name."""
        ...

    def sign_out_here(self, user_id: str, keep: Callable[[str], bool]) -> None:
        """Close the connections of a user whose session is not to be kept."""
        ...

    def users(self) -> list[str]:
        """Give everybody who is connected here."""
        ...


class ClusterEvents:
    """Tells the other workers what happens here, and takes in what they tell."""

    def __init__(
        self, channels: PeerChannels, store: TableStore, directory: TableDirectory, identity: Identity
    ) -> None:
        self._channels = channels
        self._store = store
        self._directory = directory
        self._identity = identity
        self._connections: Connections | None = None
        self._here: dict[str, set[str]] = {}
        """By worker: who is connected to it."""
        self._reloading: asyncio.Task[None] | None = None
        directory.is_elsewhere = self._is_elsewhere
        directory.came_or_went = self._came_or_went
        identity.changed = lambda user_id: channels.tell_all("user_changed", [user_id])
        self.handlers: dict[str, Callable[..., None]] = {
            "listed": self._hear_listed,
            "unlisted": lambda peer, table: self._directory.gone(table),
            "user_changed": lambda peer, user_id: self._identity.forget(user_id),
            "user_renamed": self._hear_renamed,
            "signed_out": self._hear_signed_out,
            "came": lambda peer, user_id: self._here.setdefault(peer, set()).add(user_id),
            "went": lambda peer, user_id: self._here.setdefault(peer, set()).discard(user_id),
            "who": self._tell_who,
            "these": self._hear_these,
        }

    def connect(self, connections: Connections) -> None:
        """Use these connections."""
        self._connections = connections

    # -- table.interface.Directory ----------------------------------------------------------------------------

    def changed(self, summary: Summary, private: bool) -> None:
        self._directory.changed(summary, private)
        self._channels.tell_all("listed", [summary, private])

    def gone(self, table: str) -> None:
        self._directory.gone(table)
        self._channels.tell_all("unlisted", [table])

    # -- people -----------------------------------------------------------------------------------------------

    def renamed(self, user: User) -> None:
        """Tell the others that somebody has a new name."""
        self._channels.tell_all("user_renamed", [user.id, user.name])

    def signed_out(self, user: User, kept_token: str) -> None:
        """Tell the others that all sessions of somebody are over but one."""
        self._channels.tell_all("signed_out", [user.id, _digest(kept_token)])

    # -- other workers ----------------------------------------------------------------------------------------

    def met(self, peer: str) -> None:
        """Ask a worker that we did not know who is connected to it."""
        self._channels.send(peer, "who", [])

    def lost_broadcast(self, peer: str) -> None:
        """Find out what a worker told us in vain."""
        self.met(peer)
        if self._reloading is None:
            self._reloading = asyncio.get_running_loop().create_task(self._reload())

    def lost_peer(self, peer: str) -> None:
        """Forget a worker."""
        self._here.pop(peer, None)

    def close(self) -> None:
        if self._reloading is not None:
            self._reloading.cancel()

    def _is_elsewhere(self, user_id: str) -> bool:
        return any(user_id in users for users in self._here.values())

    def _came_or_went(self, user_id: str, is_here: bool) -> None:
        self._channels.tell_all("came" if is_here else "went", [user_id])

    def _tell_who(self, peer: str) -> None:
        if self._connections is not None:
            self._channels.send(peer, "these", [self._connections.users()])

    def _hear_these(self, peer: str, users: list[str]) -> None:
        self._here[peer] = set(users)

    def _hear_listed(self, peer: str, summary: dict[str, Any], private: bool) -> None:
        self._directory.changed(summary, private)

    def _hear_renamed(self, peer: str, user_id: str, name: str) -> None:
        if self._connections is not None:
            self._connections.rename_here(User(user_id, name))

    def _hear_signed_out(self, peer: str, user_id: str, kept: str) -> None:
        if self._connections is not None:
            self._connections.sign_out_here(user_id, lambda token: _digest(token) == kept)

    async def _reload(self) -> None:
        await asyncio.sleep(RELOAD_SECONDS)
        self._reloading = None
        try:
            rows = [row for phase in LISTED_PHASES for row in await self._store.tables(phase)]
        except StorageFailed:
            log.warning("lists not read")
            return
        self._directory.reload(rows)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
