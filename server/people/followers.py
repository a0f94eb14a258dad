"""The connections that have asked for the people whom their user follows, found by each of these people.

Somebody comes, goes or sits down all the time, so their followers are looked up, not searched for.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from server.tables.api import Subscriber


class FollowerIndex:
    """Connections by the users whom they follow."""

    def __init__(self) -> None:
        self._followed: dict[Subscriber, frozenset[str]] = {}
        self._followers: dict[str, dict[Subscriber, None]] = {}

    def __contains__(self, subscriber: object) -> bool:
        return subscriber in self._followed

    def __iter__(self) -> Iterator[Subscriber]:
        return iter(self._followed)

    def put(self, subscriber: Subscriber, followed: frozenset[str]) -> None:
        """Set the users whom a connection follows."""
        before = self._followed.get(subscriber, frozenset())
        self._followed[subscriber] = followed
        for user in followed - before:
            self._followers.setdefault(user, {})[subscriber] = None
        for user in before - followed:
            self._drop(user, subscriber)

    def remove(self, subscriber: Subscriber) -> None:
        """Remove a connection."""
        for user in self._followed.pop(subscriber, ()):
            self._drop(user, subscriber)

    def of(self, users: Collection[str]) -> set[Subscriber]:
        """Return the connections that follow one of these users."""
        return {subscriber for user in users for subscriber in self._followers.get(user, ())}

    def clear(self) -> None:
        """Remove all connections."""
        self._followed.clear()
        self._followers.clear()

    def _drop(self, user: str, subscriber: Subscriber) -> None:
        followers = self._followers[user]
        del followers[subscriber]
        if not followers:
            del self._followers[user]
