"""Invitations to tables: by handle, from somebody who sits there, for a day or until the table begins."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Final, NamedTuple

from server.store.api import KeyValueStore

INVITATION: Final = "invitation"
"""Kind of the invitations: by `invited.table`."""

INVITATION_SECONDS: Final = 86_400

MAX_INVITATIONS: Final = 20
"""Invitations of one user; one more removes the oldest."""


class Invitation(NamedTuple):
    """An invitation of one user to a table."""

    table: str
    game: str
    key: str | None
    """The key of a private table."""

    by: str
    """The user who invites."""

    at: int
    """Milliseconds since 1970."""


class Invitations:
    """The invitations of all users. `clock` returns the seconds since 1970."""

    def __init__(self, key_values: KeyValueStore, clock: Callable[[], float] = time.time) -> None:
        self._key_values = key_values
        self._clock = clock

    async def add(self, invited: str, table: str, game: str, key: str | None, by: str) -> None:
        """Store an invitation; another one to the same table replaces it."""
        now = self._clock()
        value = {"game": game, "key": key, "by": by, "at": int(now * 1000)}
        await self._key_values.put(
            INVITATION, f"{invited}.{table}", json.dumps(value).encode(), now + INVITATION_SECONDS
        )
        for oldest in (await self.of(invited))[MAX_INVITATIONS:]:
            await self.remove(invited, oldest.table)

    async def of(self, user_id: str) -> list[Invitation]:
        """Return the invitations of a user, the latest first."""
        found = await self._key_values.find(INVITATION, f"{user_id}.")
        invitations = [Invitation(key.partition(".")[2], **json.loads(value)) for key, value in found]
        return sorted(invitations, key=lambda invitation: (invitation.at, invitation.table), reverse=True)

    async def remove(self, user_id: str, table: str) -> bool:
        """Remove an invitation; return whether there was one."""
        return await self._key_values.delete(INVITATION, f"{user_id}.{table}")
