"""What a table shows of its people beside the log: handles, and "former player" in place of those who were deleted.

Logs keep the names that people had. A handle can change and a person can be deleted after the game, so both are looked
up when the table is loaded, and shown instead of being written down.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable
from typing import Any, Final, Protocol

from server.model import User
from server.store.api import StorageFailed
from server.tables.rhythm import Rhythm

log = logging.getLogger(__name__)

FORMER_NAME: Final = "Former player"
"""The name of everybody who was deleted. Nobody can take it; pages translate it where `former` is set."""

MAX_HANDLES: Final = 64
"""Handles that one table knows; with one more, it forgets those of people who have no seat."""


class TablePeople(Protocol):
    """Handles and deleted people; see `server.people.directory`."""

    async def handles(self, user_ids: Iterable[str]) -> dict[str, str]:
        """Return the handles of those users who have an account."""
        ...

    def is_former(self, user_id: str) -> bool:
        """Return whether a user was deleted."""
        ...

    async def may_join(self, user_id: str, seated: Collection[str]) -> bool:
        """Return whether nobody of those who sit at a table blocks a user, who may then sit down or write there."""
        ...

    async def rhythms(self, user_ids: Iterable[str]) -> dict[str, Rhythm | None]:
        """Return the weekly rhythms that are kept with these users; None for those who have none."""
        ...

    async def hidden_from(self, user_id: str) -> Collection[str]:
        """Return the people whom a user blocks, and those who block the user: neither is shown to the other."""
        ...


class NoAccounts:
    """For tables without accounts around them: nobody has a handle, and nobody was deleted."""

    async def handles(self, user_ids: Iterable[str]) -> dict[str, str]:
        return {}

    def is_former(self, user_id: str) -> bool:
        return False

    async def may_join(self, user_id: str, seated: Collection[str]) -> bool:
        return True

    async def rhythms(self, user_ids: Iterable[str]) -> dict[str, Rhythm | None]:
        return {}

    async def hidden_from(self, user_id: str) -> Collection[str]:
        return ()


NO_ACCOUNTS: Final[TablePeople] = NoAccounts()


class SeatedPeople:
    """The handles of the people at one table."""

    __slots__ = ("_handles", "_people")

    def __init__(self, people: TablePeople = NO_ACCOUNTS) -> None:
        self._people = people
        self._handles: dict[str, str] = {}

    async def read(self, user_ids: Iterable[str]) -> None:
        """Look up the handles of these users; without the store, the table goes on without them."""
        users = list(user_ids)
        try:
            self._handles = await self._people.handles(users)
        except StorageFailed:
            log.warning("handles not read", extra={"users": len(users)})

    def note(self, user: User, seated: Iterable[str | None] = ()) -> bool:
        """Note the handle of a user who asks for something; return whether it is another one than before."""
        before = self._handles.get(user.id)
        if user.handle is None:
            self._handles.pop(user.id, None)
        else:
            if len(self._handles) >= MAX_HANDLES:
                present = set(seated)
                self._handles = {each: handle for each, handle in self._handles.items() if each in present}
            self._handles[user.id] = user.handle
        return before != user.handle

    def shown(self, user: str | None, name: str | None) -> dict[str, Any]:
        """Return a user as seats show them: id, name, handle, and whether the user was deleted."""
        if user is not None and self._people.is_former(user):
            return {"user": user, "name": FORMER_NAME, "handle": None, "former": True}
        handle = None if user is None else self._handles.get(user)
        return {"user": user, "name": name, "handle": handle, "former": False}

    def is_former(self, user: str | None) -> bool:
        """Return whether a user was deleted."""
        return user is not None and self._people.is_former(user)


NOBODY_KNOWN: Final = SeatedPeople()
"""For a table that is only replayed, such as by a tool."""
