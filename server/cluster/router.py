"""All tables of all workers, as one worker's connections see them.

What they ask is an errand to wherever the table is. What they follow is shown by its owner, here or at another worker,
and when that one is gone by the next, without their asking.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import Any

from protocol.codec import Frame, ResumePoint
from protocol.messages import CreateTable, TableRequest, Watch
from server.cluster.channels import PeerChannels
from server.cluster.fanout import RemoteSubscriber
from server.cluster.remote import RemoteRequests
from server.cluster.requests import PASSING, PendingRequest, RequestSender
from server.model import User
from server.tables.api import Reply, Subscriber
from server.tables.messages import Message, OneReply, RequestReceived, Subscribe, TableQueried, UserRenamed
from server.tables.registry import TableRegistry

MEND_SECONDS = 0.3
"""How long to wait before asking again for what got lost."""


@dataclass(slots=True, eq=False)
class _Subscription:
    """A connection of ours that follows a table, or is about to: then `replies` wait for the answer.

    `peer` shows it the table; None if it is shown it here, or not at all for the moment.
    """

    user: User
    request: Watch
    subscriber: Subscriber
    replies: dict[str, Reply]
    """By the id of the request: somebody may have asked again before there was an answer."""

    peer: str | None = None
    number: int = 0
    tries: int = 0
    shown: ResumePoint | None = None
    """How far it has been shown the table since it asked."""

    @property
    def key(self) -> tuple[str, Subscriber]:
        return self.request.table, self.subscriber

    def answer(self, message: dict[str, Any]) -> None:
        replies, self.replies = self.replies, {}
        for request_id, reply in replies.items():
            reply({**message, "id": request_id})


@dataclass(slots=True)
class _Peer:
    groups: dict[int, tuple[int, ...]] = field(default_factory=dict)


class TableRouter:
    """Fulfils `table.interface.Tables`, and takes the envelopes of other workers about tables."""

    def __init__(self, channels: PeerChannels, registry: TableRegistry) -> None:
        self._channels = channels
        self._registry = registry
        self._remote = RemoteRequests(channels, registry)
        self._requests = RequestSender(channels, registry)
        self._loop = asyncio.get_running_loop()
        self._numbers = count(1)
        self._subscriptions: dict[tuple[str, Subscriber], _Subscription] = {}
        self._by_number: dict[int, _Subscription] = {}
        self._peers: dict[str, _Peer] = {}
        registry.route = self._route
        registry.moved = self._has_moved
        self.handlers: dict[str, Callable[..., None]] = {
            "ask": self._remote.ask,
            "opened": self._remote.opened,
            "watch": self._remote.watch,
            "unwatch": self._remote.unwatch,
            "refresh": self._remote.refresh,
            "renamed": self._remote.renamed,
            "astray": self._hear_astray,
            "group": self._hear_group,
            "frame": self._hear_frame,
            "frames": self._hear_frames,
            **self._requests.handlers,
        }

    # -- interface.Tables -------------------------------------------------------------------------------------

    def create(self, user: User, request: CreateTable, table: str, reply: Reply) -> None:
        # The store knows whether there is such a table; who then sees to it comes out by itself.
        self._registry.create(user, request, table, reply)

    def ask(self, user: User, request: TableRequest, reply: Reply) -> None:
        self._requests.run(_asking(user, request, reply))

    def watch(self, user: User, request: Watch, subscriber: Subscriber, reply: Reply) -> None:
        subscription = _Subscription(user, request, subscriber, {request.id: reply})
        before = self._subscriptions.get(subscription.key)
        if before is not None:
            self._leave_peer(before)
            subscription.replies = before.replies | subscription.replies
        self._subscriptions[subscription.key] = subscription
        self._watch(subscription)

    def unwatch(self, table: str, subscriber: Subscriber) -> None:
        subscription = self._subscriptions.pop((table, subscriber), None)
        if subscription is not None:
            self._leave_peer(subscription)
        self._registry.unwatch(table, subscriber)

    def refresh(self, table: str, subscriber: Subscriber) -> None:
        subscription = self._subscriptions.get((table, subscriber))
        if subscription is not None and subscription.peer is not None:
            self._channels.send(subscription.peer, "refresh", [subscription.number])
        else:
            self._registry.refresh(table, subscriber)

    def rename(self, user: User, tables: list[str]) -> None:
        for table in tables:
            # Whoever owns it hears it; if nobody does, it is done here.
            self._channels.tell_all("renamed", [table, [user.id, user.name]])
            if not self._requests.is_elsewhere(table):
                self._registry.post(table, UserRenamed(user))

    # -- other workers ----------------------------------------------------------------------------------------

    def lost(self, peer: str) -> None:
        """Ask a worker again for everything that it showed us, in a moment: where one message got lost, others do."""
        self._peers.pop(peer, None)
        astray = [subscription for subscription in self._subscriptions.values() if subscription.peer == peer]
        for subscription in astray:
            self._leave_peer(subscription)
        self._loop.call_later(MEND_SECONDS, self._watch_again, astray)

    def gone(self, peer: str) -> None:
        """Look for another owner of everything that a worker had which is no more."""
        self._peers.pop(peer, None)
        self._remote.gone(peer)
        self._requests.gone(peer)
        self._watch_again([subscription for subscription in self._subscriptions.values() if subscription.peer == peer])

    def close(self) -> None:
        """Try nothing any more."""
        self._requests.close()
        self._subscriptions.clear()

    # -- envelopes of tables here to others ---------------------------------------------------------------------

    def _route(self, table: str, message: Message) -> None:
        """Take a message that a table here writes to another table, wherever that is."""
        match message:
            case RequestReceived(user, request, reply):
                self._requests.run(_asking(user, request, reply))
            case TableQueried(user, request_id, reply):
                content = [table, [user.id, user.name], request_id]
                opened = partial(TableQueried, user, request_id)
                self._requests.run(PendingRequest(table, opened, "opened", lambda peer: content, reply, request_id))
            case _:
                self._registry.post(table, message)

    # -- following --------------------------------------------------------------------------------------------

    def _watch(self, subscription: _Subscription, others: Sequence[_Subscription] = ()) -> None:
        """Find out where the table is and be shown it; when that is known, so are the others."""
        subscription.tries += 1
        attempt = subscription.tries

        def is_wanted() -> bool:
            return self._subscriptions.get(subscription.key) is subscription and subscription.tries == attempt

        def content(peer: str) -> list[Any]:
            self._leave_peer(subscription)
            subscription.peer, subscription.number = peer, next(self._numbers)
            self._by_number[subscription.number] = subscription
            user = [subscription.user.id, subscription.user.name]
            return [subscription.request.table, user, subscription.request.model_dump(mode="json"), subscription.number]

        def answered(message: dict[str, Any]) -> None:
            if message["type"] == "refused" and message["code"] in PASSING and not subscription.replies:
                # Nobody waits for an answer, so there is no end to trying.
                self._watch(subscription, others)
                return
            if message["type"] == "refused":
                self._leave_peer(subscription)
                del self._subscriptions[subscription.key]
                if not subscription.replies:
                    subscription.subscriber.send(Frame({**message, "id": None}))
            subscription.answer(message)
            self._watch_all(others)

        message = partial(self._watching, subscription)
        request, dropped = subscription.request, partial(self._watch_all, others)
        self._requests.run(
            PendingRequest(request.table, message, "watch", content, answered, request.id, is_wanted, dropped)
        )

    def _watch_all(self, subscriptions: Sequence[_Subscription]) -> None:
        for subscription in subscriptions:
            if self._subscriptions.get(subscription.key) is subscription:
                self._watch(subscription)

    def _watching(self, subscription: _Subscription, reply: OneReply) -> Subscribe:
        self._leave_peer(subscription)
        return Subscribe(subscription.user, subscription.request, subscription.subscriber, reply)

    def _watch_again(self, subscriptions: Sequence[_Subscription]) -> None:
        """Show connections anew what they follow, table by table; the first of each finds out where the table is."""
        tables: dict[str, list[_Subscription]] = {}
        for subscription in subscriptions:
            if self._subscriptions.get(subscription.key) is subscription:
                self._leave_peer(subscription)
                if subscription.shown is not None:
                    # The next owner tells what happened since then.
                    have, proof = subscription.shown
                    subscription.request = subscription.request.model_copy(update={"have": have, "stamp": proof})
                tables.setdefault(subscription.request.table, []).append(subscription)
        for first, *others in tables.values():
            self._watch(first, others)

    def _leave_peer(self, subscription: _Subscription) -> None:
        """No longer be shown a table by another worker."""
        if subscription.peer is not None:
            self._channels.send(subscription.peer, "unwatch", [subscription.number])
            self._by_number.pop(subscription.number, None)
            subscription.peer = None

    def _has_moved(self, table: str, subscriber: Subscriber, resume_point: ResumePoint) -> None:
        """Note that a table which a connection followed here is another worker's by now."""
        if isinstance(subscriber, RemoteSubscriber):
            self._remote.has_moved(subscriber)
            return
        subscription = self._subscriptions.get((table, subscriber))
        if subscription is not None:
            subscription.shown = resume_point
            self._watch_again([subscription])

    def _hear_astray(self, peer: str, number: int) -> None:
        subscription = self._by_number.get(number)
        if subscription is not None and subscription.peer == peer:
            self._requests.forget(subscription.request.table)
            self._watch_again([subscription])

    def _hear_group(self, peer: str, group: int, subscriptions: list[int]) -> None:
        groups = self._peers.setdefault(peer, _Peer()).groups
        if subscriptions:
            groups[group] = tuple(subscriptions)
        else:
            groups.pop(group, None)

    def _hear_frame(self, peer: str, number: int, *frame: Any) -> None:
        self._show(peer, (number,), *frame)

    def _hear_frames(self, peer: str, group: int, *frame: Any) -> None:
        self._show(peer, self._peers.setdefault(peer, _Peer()).groups.get(group, ()), *frame)

    def _show(
        self, peer: str, numbers: tuple[int, ...], packed: bytes, resume_point: list[Any] | None, can_wait: bool
    ) -> None:
        frame = Frame.of_packed(packed, can_wait=can_wait)
        shown = None if resume_point is None else ResumePoint(*resume_point)
        for number in numbers:
            subscription = self._by_number.get(number)
            if subscription is not None and subscription.peer == peer:
                subscription.subscriber.send(frame)
                if shown is not None:
                    subscription.shown = shown
            else:
                # It left, and the word of it got lost.
                self._channels.send(peer, "unwatch", [number])


def _asking(user: User, request: TableRequest, reply: Reply) -> PendingRequest:
    content = [request.table, [user.id, user.name], request.model_dump(mode="json")]
    return PendingRequest(
        request.table, partial(RequestReceived, user, request), "ask", lambda peer: content, reply, request.id
    )
