"""The people around a user, as connections ask for them: whom one follows, whom one blocks, and who invites one.

Connections that have asked for the people whom their user follows get `people_changed` when one of these comes or goes,
or begins or ends a game at a public table. All connections of a user get `invitations` when these change.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Coroutine, Iterable
from typing import Any, Final, Protocol

from protocol import messages
from protocol.codec import Frame
from server.model import Done, Refused, Reply, User
from server.people.directory import PeopleDirectory, Person
from server.people.followers import FollowerIndex
from server.people.invitations import Invitations
from server.people.relations import Relations
from server.store.api import StorageFailed
from server.tables.api import Subscriber, Summary
from server.tables.results import refused

log = logging.getLogger(__name__)

SEND_DELAY_SECONDS: Final = 1.0
"""Changes are collected for so long, so that a moment in which many come costs one message for each follower."""

MAX_TABLES: Final = 3
"""Public tables of one person in a message."""

_BLOCKED: Final = Refused("no_such_person", "You block this person. Unblock them first.", "blocked")

CircleRequest = messages.Follow | messages.Block | messages.ListPeople | messages.DismissInvitation | messages.Invite


class PublicTables(Protocol):
    """The tables of people, and who is connected; see `server.lobby.directory`."""

    on_people_changed: Callable[[Collection[str] | None], None]

    def tables_of(self, user_id: str) -> list[Summary]: ...

    def is_open(self, table: str) -> bool: ...

    def is_connected(self, user_id: str) -> bool: ...


class PeerCircles(Protocol):
    """The circles of the other workers."""

    def relations_changed(self, user_id: str, other_id: str) -> None: ...

    def invitations_changed(self, user_id: str) -> None: ...


class NoPeerCircles:
    """For a process that is alone."""

    def relations_changed(self, user_id: str, other_id: str) -> None:
        pass

    def invitations_changed(self, user_id: str) -> None:
        pass


NO_PEER_CIRCLES: Final[PeerCircles] = NoPeerCircles()


class Circle:
    """Answers the requests about other people, and keeps connections up to date."""

    def __init__(
        self,
        people: PeopleDirectory,
        relations: Relations,
        invitations: Invitations,
        tables: PublicTables,
        peers: PeerCircles = NO_PEER_CIRCLES,
    ) -> None:
        self._people = people
        self._relations = relations
        self._invitations = invitations
        self._tables = tables
        self._peers = peers
        self._connections: dict[str, dict[Subscriber, None]] = {}
        self._followers = FollowerIndex()
        self._changed: set[Subscriber] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        relations.on_change = self._on_relations_changed
        tables.on_people_changed = self.on_people_changed

    async def blocked_by(self, user: User) -> Collection[str]:
        """Return the ids of the people whom a user blocks."""
        return await self._relations.blocked(user.id)

    async def answer(self, subscriber: Subscriber, request: CircleRequest) -> Reply:
        """Return the reply to a request of the user of a connection."""
        user = subscriber.user
        match request:
            case messages.ListPeople():
                return await self._list(subscriber)
            case messages.Follow():
                return await self._follow(user, request)
            case messages.Block():
                return await self._block(user, request)
            case messages.Invite():
                return await self._invite(user, request)
            case messages.DismissInvitation():
                await self._invitations.remove(user.id, request.table)
                self._on_invitations_changed(user.id)
                return Done()

    # -- connections ------------------------------------------------------------------------------------------

    def connected(self, subscriber: Subscriber) -> None:
        """Send the invitations of the user, if there are any. Guests have none."""
        self._connections.setdefault(subscriber.user.id, {})[subscriber] = None
        if subscriber.user.handle is not None:
            self._start(self._send_invitations(subscriber.user.id, {subscriber: None}, is_first=True))

    def refresh(self, subscriber: Subscriber) -> None:
        """Send a connection its invitations and people again, after one of these messages was dropped."""
        self._start(self._send_invitations(subscriber.user.id, {subscriber: None}))
        if subscriber in self._followers:
            self._send_soon([subscriber])

    def disconnected(self, subscriber: Subscriber) -> None:
        """Send nothing more to a connection."""
        connections = self._connections.get(subscriber.user.id, {})
        connections.pop(subscriber, None)
        if not connections:
            self._connections.pop(subscriber.user.id, None)
        self._followers.remove(subscriber)
        self._changed.discard(subscriber)

    def close(self) -> None:
        """Send nothing any more."""
        if self._timer is not None:
            self._timer.cancel()
        for task in self._tasks:
            task.cancel()
        self._followers.clear()

    # -- changes, here and at other workers -------------------------------------------------------------------

    def on_people_changed(self, users: Collection[str] | None) -> None:
        """Tell the followers of users who came, went or changed, or whose tables did; None: it may be anybody."""
        self._send_soon(self._followers if users is None else self._followers.of(users))

    def on_relations_changed(self, user_id: str, other_id: str) -> None:
        """Read the relations of two users again, which another worker has changed."""
        self._relations.forget(user_id)
        self._relations.forget(other_id)
        self._relist(user_id, other_id)

    def on_invitations_changed(self, user_id: str) -> None:
        """Send the invitations of a user, which another worker has changed."""
        connections = self._connections.get(user_id)
        if connections:
            self._start(self._send_invitations(user_id, dict(connections)))

    def on_gap(self) -> None:
        """Read everything again: messages of other workers may have been lost."""
        self._relations.forget_all()
        self._send_soon(self._followers)

    def _on_relations_changed(self, user_id: str, other_id: str) -> None:
        self._peers.relations_changed(user_id, other_id)
        self._relist(user_id, other_id)

    def _on_invitations_changed(self, user_id: str) -> None:
        self._peers.invitations_changed(user_id)
        self.on_invitations_changed(user_id)

    def _relist(self, *users: str) -> None:
        """Send their people to the connections of these users that have asked for them."""
        connections = (each for user in users for each in self._connections.get(user, ()))
        self._send_soon(each for each in connections if each in self._followers)

    # -- requests ---------------------------------------------------------------------------------------------

    async def _list(self, subscriber: Subscriber) -> Reply:
        user = subscriber.user
        people = await self._followed(subscriber)
        blocked = await self._people.of(await self._relations.blocked(user.id))
        shown = [{"id": each.id, "name": each.name, "handle": each.handle} for each in _by_name(blocked.values())]
        return Done({"people": people, "blocked": shown})

    async def _follow(self, user: User, request: messages.Follow) -> Reply:
        if not request.follow:
            await self._relations.unfollow(user.id, request.user)
            return Done()
        if user.handle is None:
            return refused("no_account")
        person = await self._person(request.user)
        is_hidden = request.user in await self._relations.blockers(user.id)
        if person is None or person.handle is None or person.id == user.id or is_hidden:
            return refused("no_such_person")
        if person.id in await self._relations.blocked(user.id):
            return _BLOCKED
        return await self._relations.follow(user.id, person.id) or Done()

    async def _block(self, user: User, request: messages.Block) -> Reply:
        if not request.block:
            await self._relations.unblock(user.id, request.user)
            return Done()
        person = await self._person(request.user)
        if person is None or person.id == user.id:
            return refused("no_such_person")
        refusal = await self._relations.block(user.id, person.id)
        if refusal is not None:
            return refusal
        for invitation in await self._invitations.of(user.id):
            if invitation.by == person.id:
                await self._invitations.remove(user.id, invitation.table)
        self._on_invitations_changed(user.id)
        return Done()

    async def _invite(self, user: User, request: messages.Invite) -> Reply:
        summary = next((own for own in self._tables.tables_of(user.id) if own["table"] == request.table), None)
        if summary is None:
            return refused("not_seated")
        if summary["phase"] != "open":
            return refused("wrong_phase")
        person = await self._people.find(request.handle)
        if person is None:
            return refused("no_such_person")
        if any(seat["user"] == person.id for seat in summary["seats"]):
            return Refused("already_seated", "This person has a seat at this table.", "other")
        if person.id in await self._relations.blocked(user.id):
            return _BLOCKED
        if person.id in await self._relations.blockers(user.id):
            # The user must not learn of it.
            return Done()
        await self._invitations.add(person.id, request.table, summary["game"], request.key, user.id)
        self._on_invitations_changed(person.id)
        return Done()

    async def _person(self, user_id: str) -> Person | None:
        person = (await self._people.of([user_id])).get(user_id)
        return None if person is None or person.is_former else person

    # -- messages ---------------------------------------------------------------------------------------------

    async def _followed(self, subscriber: Subscriber) -> list[dict[str, Any]]:
        """Return the people whom the user of a connection follows, and subscribe the connection to them."""
        user_id = subscriber.user.id
        followed = await self._relations.followed(user_id)
        people = await self._people.of(followed)
        if subscriber in self._connections.get(user_id, ()):
            self._followers.put(subscriber, followed)
        return [
            await self._shown(user_id, person)
            for person in _by_name(people.values())
            if not person.is_former and person.handle is not None
        ]

    async def _shown(self, user_id: str, person: Person) -> dict[str, Any]:
        """Return a person as a follower may see them."""
        may_see = await self._people.may_see(user_id, person)
        tables = [own for own in self._tables.tables_of(person.id) if may_see and _is_shown(own)]
        return {
            "id": person.id,
            "name": person.name,
            "handle": person.handle,
            "online": may_see and self._tables.is_connected(person.id),
            "tables": tables[:MAX_TABLES],
        }

    def _send_soon(self, subscribers: Iterable[Subscriber]) -> None:
        """Send their people to these connections after a while."""
        self._changed.update(subscribers)
        if self._changed and self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(SEND_DELAY_SECONDS, self._send_changes)

    def _send_changes(self) -> None:
        self._timer = None
        changed, self._changed = self._changed, set()
        for subscriber in changed:
            self._start(self._send_people(subscriber))

    async def _send_people(self, subscriber: Subscriber) -> None:
        people = await self._followed(subscriber)
        if subscriber in self._followers:
            subscriber.send(Frame({"type": "people_changed", "people": people}))

    async def _send_invitations(
        self, user_id: str, connections: Collection[Subscriber], *, is_first: bool = False
    ) -> None:
        """Send the invitations of a user that are of use: to open tables where the user does not sit.

        Those of people who were deleted, or whom the user has blocked meanwhile, are left out.
        """
        invitations = await self._invitations.of(user_id)
        blocked = await self._relations.blocked(user_id) if invitations else frozenset()
        own = {summary["table"] for summary in self._tables.tables_of(user_id)}
        people = await self._people.of([invitation.by for invitation in invitations])
        shown = [
            {
                "table": invitation.table,
                "key": invitation.key,
                "game": invitation.game,
                "by": {"id": by.id, "name": by.name, "handle": by.handle},
                "at": invitation.at,
            }
            for invitation in invitations
            if (by := people.get(invitation.by)) is not None
            and not by.is_former
            and by.id not in blocked
            and invitation.table not in own
            and self._tables.is_open(invitation.table)
        ]
        if shown or not is_first:
            frame = Frame({"type": "invitations", "invitations": shown})
            for subscriber in connections:
                subscriber.send(frame)

    def _start(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(_without_storage_errors(coroutine))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _without_storage_errors(coroutine: Coroutine[Any, Any, None]) -> None:
    try:
        await coroutine
    except StorageFailed:
        # The next change, or the next connection, brings what was missed.
        log.warning("people not read")


def _by_name(people: Collection[Person]) -> list[Person]:
    return sorted(people, key=lambda person: (person.name.casefold(), person.id))


def _is_shown(summary: Summary) -> bool:
    return not summary["settings"]["private"]
