"""People who were deleted: the ids of all of them, in the memory of every worker.

Tables, lists and replays show "former player" in place of such people, and must know it without waiting. An id takes
about a hundred bytes. Each deletion needs a user, and the number of new users from one address is limited, so the set
cannot be made to grow faster than the store.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from server.people.directory import FORMER
from server.store.api import KeyValueStore

UNFINISHED: Final = b"deleting"
"""The value of a tombstone while its user is being deleted; it is empty afterwards."""

_PAGE: Final = 1_000


class Loaded(NamedTuple):
    """The ids that a reading of the store has found."""

    new: list[str]
    """Those that were not known here."""

    unfinished: list[str]
    """Those whose deletion was interrupted, or is under way."""


class FormerPeople:
    """The ids of all deleted users."""

    def __init__(self, key_values: KeyValueStore) -> None:
        self._key_values = key_values
        self._ids: set[str] = set()

    def __contains__(self, user_id: object) -> bool:
        return user_id in self._ids

    def add(self, user_id: str) -> None:
        """Note a user who was deleted."""
        self._ids.add(user_id)

    async def load(self) -> Loaded:
        """Read all ids from the store."""
        loaded = Loaded([], [])
        after = ""
        while page := await self._key_values.page(FORMER, after, _PAGE):
            for user_id, value, _ in page:
                if user_id not in self._ids:
                    self._ids.add(user_id)
                    loaded.new.append(user_id)
                if value == UNFINISHED:
                    loaded.unfinished.append(user_id)
            after = page[-1].key
        return loaded
