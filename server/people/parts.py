"""The parts of accounts, joined: opened before the tables, which show people, and completed after them."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Self

from server.lobby.identity import Identity
from server.people.accounts import Accounts
from server.people.circle import NO_PEER_CIRCLES, Circle, PeerCircles, PublicTables
from server.people.deletion import Deletion
from server.people.directory import PeopleDirectory
from server.people.former import FormerPeople
from server.people.invitations import Invitations
from server.people.passkeys import Passkeys
from server.people.recovery import Recovery
from server.people.relations import Relations
from server.people.rhythms import RhythmChanges, Rhythms
from server.people.service import AccountParts, GamesOfUser, PeopleService
from server.people.stored_data import Downloads
from server.rate_limit import LimiterSource
from server.store.api import KeyValueStore, StorageFailed
from server.tables.api import Tables

log = logging.getLogger(__name__)


class PeopleParts:
    """Directory, deleted people, and the service on top of them. Created by `open`.

    In a cluster it learns what other workers have changed (`server.cluster.events.PeopleCache`).
    """

    def __init__(self, key_values: KeyValueStore, clock: Callable[[], float]) -> None:
        self._key_values = key_values
        self._clock = clock
        self.former = FormerPeople(key_values)
        self.relations = Relations(key_values, clock)
        self.directory = PeopleDirectory(key_values, self.relations, self.former)
        self._circle: Circle | None = None
        self.broadcast_deleted: Callable[[str], None] = lambda user_id: None
        """In a cluster: tells the other workers that a user was deleted."""

        self._shows: Sequence[Callable[[str], None]] = ()
        self._unfinished: list[str] = []
        self._tasks: set[asyncio.Task[None]] = set()

    @classmethod
    async def open(cls, key_values: KeyValueStore, clock: Callable[[], float] = time.time) -> Self:
        """Return the parts, after the ids of deleted people were read."""
        parts = cls(key_values, clock)
        parts._unfinished = (await parts.former.load()).unfinished
        return parts

    def service(
        self,
        identity: Identity,
        limits: LimiterSource,
        seats: PublicTables,
        tables: Tables,
        games_of: GamesOfUser,
        shows: Sequence[Callable[[str], None]],
        peers: PeerCircles = NO_PEER_CIRCLES,
    ) -> PeopleService:
        """Return the service. `shows` are called with the id of a deleted user, whom they must show as such."""
        self._shows = shows
        accounts = Accounts(self._key_values, self._clock)
        passkeys = Passkeys(accounts, self._key_values, self._clock)
        recovery = Recovery(accounts, self._key_values, limits, self._clock)
        deletion = Deletion(
            self._key_values, identity, accounts, passkeys, seats, tables, self._announce_deleted, self._start
        )
        deletion.resume(self._unfinished)
        invitations = Invitations(self._key_values, self._clock)
        downloads = Downloads(self._key_values, self.directory, invitations)
        rhythms = Rhythms(self._key_values)
        changes = RhythmChanges(rhythms, seats, tables)
        account_parts = AccountParts(identity, accounts, passkeys, recovery, deletion, downloads, rhythms, changes)
        self._circle = Circle(self.directory, self.relations, invitations, seats, peers)
        return PeopleService(account_parts, self._circle, games_of)

    def close(self) -> None:
        """Stop what is under way; a deletion goes on at the next start."""
        for task in self._tasks:
            task.cancel()
        if self._circle is not None:
            self._circle.close()

    # -- server.cluster.events.PeopleCache --------------------------------------------------------------------

    def forget(self, user_id: str) -> None:
        self.directory.forget(user_id)
        if self._circle is not None:
            # Followers see the new name, or no longer see who is hidden now.
            self._circle.on_people_changed((user_id,))

    def on_deleted(self, user_id: str) -> None:
        self.former.add(user_id)
        self.directory.forget(user_id)
        # Everybody who followed or blocked the user has one relation less.
        self.relations.forget_all()
        for show in self._shows:
            show(user_id)

    def on_relations_changed(self, user_id: str, other_id: str) -> None:
        if self._circle is not None:
            self._circle.on_relations_changed(user_id, other_id)

    def on_invitations_changed(self, user_id: str) -> None:
        if self._circle is not None:
            self._circle.on_invitations_changed(user_id)

    def on_gap(self) -> None:
        self.directory.forget_all()
        if self._circle is not None:
            self._circle.on_gap()
        self._start(self._reload())

    def _announce_deleted(self, user_id: str) -> None:
        self.on_deleted(user_id)
        self.broadcast_deleted(user_id)

    async def _reload(self) -> None:
        try:
            loaded = await self.former.load()
        except StorageFailed:
            log.warning("deleted people not read")
            return
        for user_id in loaded.new:
            self.on_deleted(user_id)

    def _start(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
