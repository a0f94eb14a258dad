"""Who people are: names, handles and profiles by user id or by handle, for every part that shows people.

People are cached until they change; `forget` must be called when another worker has changed one, and `forget_all` when
a message of another worker may have been lost. A deleted user leaves a tombstone, which holds nothing but the id: their
seats in old games then say "former player".
"""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from collections.abc import Collection, Container, Iterable
from dataclasses import dataclass
from typing import Any, Final

from server.people.handles import handle_key
from server.people.relations import Relations
from server.people.rhythms import Rhythms
from server.store.api import KeyValueStore
from server.tables.people import FORMER_NAME
from server.tables.rhythm import Rhythm

ACCOUNT: Final = "account"
"""Kind of the accounts: by user id, for ever."""

FORMER: Final = "former"
"""Kind of the tombstones: by user id, with an empty value, for ever."""

HANDLE: Final = "handle"
"""Kind of the handles: by look-alike key; see `server.people.handles`."""

USER: Final = "user"

MAX_CACHED: Final = 20_000
"""People in the cache; the least recently used one is evicted."""

_MAX_READS: Final = 200
"""People who are read from the store at the same time for one caller."""


@dataclass(frozen=True, slots=True)
class Person:
    """A user as others see them. `handle` is None for guests."""

    id: str
    name: str
    handle: str | None = None
    motto: str = ""
    languages: tuple[str, ...] = ()
    privacy: str = "public"
    created: int = 0
    """When the user was created, in seconds since 1970; 0 if that is unknown."""

    is_former: bool = False
    """The user was deleted. Everything but the id is gone."""


def former(user_id: str) -> Person:
    """Return the person who is shown in place of a deleted user."""
    return Person(user_id, FORMER_NAME, is_former=True)


class PeopleDirectory:
    """All people, as far as the store knows them. `former_ids` are those of deleted users (`former.py`)."""

    def __init__(
        self,
        key_values: KeyValueStore,
        relations: Relations | None = None,
        former_ids: Container[str] = frozenset(),
    ) -> None:
        self._key_values = key_values
        self.relations = relations or Relations(key_values)
        self._former_ids = former_ids
        self._rhythms = Rhythms(key_values)
        self._cache: OrderedDict[str, Person] = OrderedDict()
        self._ids: OrderedDict[str, str] = OrderedDict()
        """User ids by handle. An entry may be out of date: the person has the last word."""

        self._generation = 0
        """Counts what was forgotten, so that a read which overlaps is not cached."""

    async def find(self, handle: str) -> Person | None:
        """Return the person with this handle; upper and lower case are the same."""
        handle = handle.lower()
        user_id = self._ids.get(handle)
        if user_id is None:
            key = handle_key(handle)
            stored = None if key is None else await self._key_values.get(HANDLE, key)
            user_id = None if stored is None else json.loads(stored).get("user")
            if user_id is None:
                return None
        person = (await self.of([user_id])).get(user_id)
        if person is None or person.handle != handle:
            # Only reserved, released, or another handle that looks alike.
            self._ids.pop(handle, None)
            return None
        self._ids[handle] = user_id
        self._ids.move_to_end(handle)
        if len(self._ids) > MAX_CACHED:
            self._ids.popitem(last=False)
        return person

    async def of(self, user_ids: Iterable[str]) -> dict[str, Person]:
        """Return the people with these ids. Guests whose time has expired are missing."""
        found: dict[str, Person] = {}
        unknown: list[str] = []
        for user_id in dict.fromkeys(user_ids):
            person = self._cache.get(user_id)
            if person is None:
                unknown.append(user_id)
            else:
                self._cache.move_to_end(user_id)
                found[user_id] = person
        for begin in range(0, len(unknown), _MAX_READS):
            some = unknown[begin : begin + _MAX_READS]
            people = await asyncio.gather(*map(self._read, some))
            found.update((person.id, person) for person in people if person is not None)
        return found

    async def may_see(self, viewer_id: str, person: Person) -> bool:
        """Return whether a user may see the profile of a person and the games in it."""
        if person.is_former or person.handle is None:
            return False
        if viewer_id == person.id:
            return True
        if person.id in await self.relations.blockers(viewer_id):
            return False
        if person.privacy == "friends":
            return viewer_id in await self.relations.followed(person.id)
        return person.privacy == "public"

    async def may_join(self, user_id: str, seated: Collection[str]) -> bool:
        """Return whether nobody of those who sit at a table blocks a user."""
        return (await self.relations.blockers(user_id)).isdisjoint(seated)

    async def hidden_from(self, user_id: str) -> frozenset[str]:
        """Return the people whom a user blocks, and those who block the user."""
        return await self.relations.blocked(user_id) | await self.relations.blockers(user_id)

    async def handles(self, user_ids: Iterable[str]) -> dict[str, str]:
        """Return the handles of those users who have an account."""
        found = await self.of(user_ids)
        return {user_id: person.handle for user_id, person in found.items() if person.handle is not None}

    async def rhythms(self, user_ids: Iterable[str]) -> dict[str, Rhythm | None]:
        """Return the weekly rhythms that are kept with these users; None for those who have none."""
        return await self._rhythms.of_people(user_ids)

    def is_former(self, user_id: str) -> bool:
        """Return whether a user was deleted."""
        return user_id in self._former_ids

    def forget(self, user_id: str) -> None:
        """Remove a person from the cache."""
        self._cache.pop(user_id, None)
        self._generation += 1

    def forget_all(self) -> None:
        """Empty the cache."""
        self._cache.clear()
        self._generation += 1

    async def _read(self, user_id: str) -> Person | None:
        """Read a person, and cache them unless somebody was forgotten meanwhile."""
        while True:
            generation = self._generation
            tombstone, account, user = await asyncio.gather(
                self._key_values.get(FORMER, user_id),
                self._key_values.get(ACCOUNT, user_id),
                self._key_values.get(USER, user_id),
            )
            if generation == self._generation:
                break
        if tombstone is not None:
            person = former(user_id)
        elif account is None and user is None:
            return None
        else:
            person = _person(user_id, json.loads(account or b"{}"), json.loads(user or b"{}"))
        self._cache[user_id] = person
        self._cache.move_to_end(user_id)
        if len(self._cache) > MAX_CACHED:
            self._cache.popitem(last=False)
        return person


def _person(user_id: str, account: dict[str, Any], user: dict[str, Any]) -> Person:
    handle = account.get("handle")
    return Person(
        user_id,
        # An account outlives the name of a guest, which expires.
        user.get("name") or handle or "",
        handle,
        account.get("motto", ""),
        tuple(account.get("languages", ())),
        account.get("privacy", "public"),
        user.get("created", 0) or account.get("since", 0),
    )
