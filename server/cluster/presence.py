"""The users connected to the other workers of a cluster, from the broadcasts of those workers."""

from __future__ import annotations

from collections.abc import Iterable
from zlib import crc32


class ClusterPresence:
    """The users who are connected to other workers. Implements `server.lobby.directory.UsersElsewhere`."""

    def __init__(self) -> None:
        self._users: dict[str, set[str]] = {}

    def has(self, user_id: str) -> bool:
        """Return whether a user is connected to another worker."""
        return any(user_id in users for users in self._users.values())

    def is_at(self, peer: str, user_id: str) -> bool:
        """Return whether a user is connected to this worker."""
        return user_id in self._users.get(peer, ())

    def all(self) -> set[str]:
        """Return all users who are connected to other workers."""
        return set().union(*self._users.values())

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


def chosen_worker(table: str, workers: Iterable[str]) -> str:
    """Return the worker that looks after a table without an owner: rendezvous hashing, so that all choose the same."""
    return max(workers, key=lambda worker: (crc32(f"{worker} {table}".encode()), worker))
