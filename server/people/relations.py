"""Who follows and who blocks whom.

Each relation is stored twice: `a.b` under its own kind, and `b.a` under the reverse one, so that both sides can be
found. The own kind counts; it is written last and deleted first, so that an interruption leaves nothing that counts.
What is found under a reverse kind is therefore confirmed.

Relations are cached until they change; `forget` must be called when another worker has changed those of a user, and
`forget_all` when a message of another worker may have been lost.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Final

from server.model import Refused
from server.store.api import KeyValueStore

FOLLOW: Final = "follow"
FOLLOWER: Final = "follower"
BLOCK: Final = "block"
BLOCKER: Final = "blocker"

MAX_FOLLOWED: Final = 500
"""People whom one user may follow."""

MAX_BLOCKED: Final = 500
"""People whom one user may block."""

MAX_CACHED: Final = 20_000
"""Lists in the cache; the least recently used one is evicted."""

_MAX_READS: Final = 200
"""Relations that are read from the store at the same time for one caller."""

_TOO_MANY: Final = {
    FOLLOW: Refused(
        "busy",
        f"You follow {MAX_FOLLOWED} people, which is the limit. Stop following somebody first.",
        "follow",
        {"count": MAX_FOLLOWED},
    ),
    BLOCK: Refused(
        "busy",
        f"You block {MAX_BLOCKED} people, which is the limit. Unblock somebody first.",
        "block",
        {"count": MAX_BLOCKED},
    ),
}


class Relations:
    """The relations between all people. `clock` returns the seconds since 1970.

    `on_change` is called with the ids of two users between whom something has changed here.
    """

    def __init__(
        self,
        key_values: KeyValueStore,
        clock: Callable[[], float] = time.time,
        on_change: Callable[[str, str], None] = lambda user_id, other_id: None,
    ) -> None:
        self._key_values = key_values
        self._clock = clock
        self.on_change = on_change
        self._cache: OrderedDict[tuple[str, str], frozenset[str]] = OrderedDict()
        self._generation = 0
        """Counts what was forgotten, so that a read which overlaps is not cached."""

    async def followed(self, user_id: str) -> frozenset[str]:
        """Return the users whom a user follows."""
        return await self._others(FOLLOW, user_id)

    async def blocked(self, user_id: str) -> frozenset[str]:
        """Return the users whom a user blocks."""
        return await self._others(BLOCK, user_id)

    async def blockers(self, user_id: str) -> frozenset[str]:
        """Return the users who block a user."""
        return await self._others(BLOCKER, user_id)

    async def follow(self, user_id: str, other_id: str) -> Refused | None:
        """Let a user follow another one; return a refusal if the user follows too many."""
        return await self._add(FOLLOW, FOLLOWER, user_id, other_id, MAX_FOLLOWED)

    async def unfollow(self, user_id: str, other_id: str) -> None:
        """Let a user follow another one no longer."""
        await self._remove(FOLLOW, FOLLOWER, user_id, other_id)

    async def block(self, user_id: str, other_id: str) -> Refused | None:
        """Let a user block another one; neither follows the other any longer. Return a refusal at the limit."""
        refusal = await self._add(BLOCK, BLOCKER, user_id, other_id, MAX_BLOCKED)
        if refusal is None:
            await self._remove(FOLLOW, FOLLOWER, user_id, other_id)
            await self._remove(FOLLOW, FOLLOWER, other_id, user_id)
        return refusal

    async def unblock(self, user_id: str, other_id: str) -> None:
        """Let a user block another one no longer."""
        await self._remove(BLOCK, BLOCKER, user_id, other_id)

    def forget(self, user_id: str) -> None:
        """Remove the relations of a user from the cache."""
        for kind in (FOLLOW, BLOCK, BLOCKER):
            self._cache.pop((kind, user_id), None)
        self._generation += 1

    def forget_all(self) -> None:
        """Empty the cache."""
        self._cache.clear()
        self._generation += 1

    async def _add(self, kind: str, reverse: str, user_id: str, other_id: str, maximum: int) -> Refused | None:
        present = await self._others(kind, user_id)
        if other_id in present:
            return None
        if len(present) >= maximum:
            return _TOO_MANY[kind]
        since = str(int(self._clock())).encode()
        try:
            await self._key_values.put(reverse, f"{other_id}.{user_id}", since)
            await self._key_values.put(kind, f"{user_id}.{other_id}", since)
        finally:
            self._changed(user_id, other_id)
        return None

    async def _remove(self, kind: str, reverse: str, user_id: str, other_id: str) -> None:
        try:
            removed = await self._key_values.delete(kind, f"{user_id}.{other_id}")
            await self._key_values.delete(reverse, f"{other_id}.{user_id}")
        except BaseException:
            self._changed(user_id, other_id)
            raise
        if removed:
            self._changed(user_id, other_id)

    def _changed(self, user_id: str, other_id: str) -> None:
        self.forget(user_id)
        self.forget(other_id)
        self.on_change(user_id, other_id)

    async def _others(self, kind: str, user_id: str) -> frozenset[str]:
        """Return the other side of the relations of a user; read again if something was forgotten meanwhile."""
        cached = self._cache.get((kind, user_id))
        if cached is not None:
            self._cache.move_to_end((kind, user_id))
            return cached
        while True:
            generation = self._generation
            found = await self._key_values.find(kind, f"{user_id}.")
            others = frozenset(key.partition(".")[2] for key, _ in found)
            if kind == BLOCKER:
                others = await self._confirmed(BLOCK, others, user_id)
            if generation == self._generation:
                break
        self._cache[kind, user_id] = others
        if len(self._cache) > MAX_CACHED:
            self._cache.popitem(last=False)
        return others

    async def _confirmed(self, kind: str, users: Iterable[str], other_id: str) -> frozenset[str]:
        """Return those of these users who have a relation of this kind to another one."""
        found, confirmed = list(users), set[str]()
        for begin in range(0, len(found), _MAX_READS):
            some = found[begin : begin + _MAX_READS]
            values = await asyncio.gather(*(self._key_values.get(kind, f"{user}.{other_id}") for user in some))
            confirmed.update(user for user, value in zip(some, values, strict=True) if value is not None)
        return frozenset(confirmed)
