"""The users connected to the other workers of a cluster, from the broadcasts of those workers."""

from __future__ import annotations

from collections.abc import Iterable
from zlib import crc32


class ClusterPresence:
    """The users who are connected to other workers. Implements `server.lobby.directory.UsersElsewhere`."""

    def __init__(self) -> None:
        self._users: dict[str, set[str]] = {}
        self._hidden: dict[str, set[str]] = {}
        """By worker: the users whose pages there cannot be seen."""

    def has(self, user_id: str) -> bool:
        """Return whether a user is connected to another worker."""
        return any(user_id in users for users in self._users.values())

    def is_looking(self, user_id: str) -> bool:
        """Return whether a user has a page open at another worker that can be seen."""
        return any(
            user_id in users and user_id not in self._hidden.get(peer, ()) for peer, users in self._users.items()
        )

    def set_looking(self, peer: str, user_id: str, is_looking: bool) -> None:
        """Set whether a page of a user at a worker can be seen."""
        hidden = self._hidden.setdefault(peer, set())
        (hidden.discard if is_looking else hidden.add)(user_id)

    def set_hidden(self, peer: str, users: Iterable[str]) -> None:
        """Set all users of a worker whose pages cannot be seen."""
        self._hidden[peer] = set(users)

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
        self.set_looking(peer, user_id, True)

    def replace(self, peer: str, users: Iterable[str]) -> None:
        """Set all users of a worker."""
        self._users[peer] = set(users)

    def forget(self, peer: str) -> None:
        """Remove a worker."""
        self._users.pop(peer, None)
        self._hidden.pop(peer, None)


def chosen_worker(table: str, workers: Iterable[str]) -> str:
    """Return the worker that looks after a table without an owner: rendezvous hashing, so that all choose the same."""
    return max(workers, key=lambda worker: (crc32(f"{worker} {table}".encode()), worker))
