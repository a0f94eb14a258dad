"""All tables of all workers, as the connections of one worker reach them.

Requests go to the worker that owns the table. Subscriptions are served by the owner, in this process or elsewhere; when
the owner dies or loses the table, they move to the next owner and resume, without a request from the client.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import Any

from protocol.codec import Frame, ResumePoint
from protocol.messages import CreateTable, TableRequest, Watch
from server.cluster.channels import PeerChannels
from server.cluster.fanout import RemoteSubscriber
from server.cluster.remote import RemoteRequests
from server.cluster.requests import TRANSIENT_REFUSALS, PendingRequest, RequestSender
from server.cluster.users import user_fields
from server.model import Done, Refused, Reply, User
from server.tables.api import ContinuedTable, OnReply, Subscriber
from server.tables.messages import Message, RequestReceived, Responder, Subscribe, TableQueried, UserRenamed
from server.tables.registry import TableRegistry
from server.tables.replies import reply_message

RESUBSCRIBE_DELAY_SECONDS = 0.3
"""Delay after a gap before subscribing again: where one envelope got lost, more may."""


@dataclass(slots=True, eq=False)
class _Subscription:
    """A subscribed connection of this worker, or one whose requests wait for a reply.

    `peer` is the worker that serves it under `number`; None if this process does, or nobody at the moment.
    """

    user: User
    request: Watch
    subscriber: Subscriber
    waiting: list[OnReply]
    """The callbacks of requests without a reply: a client may repeat its request."""

    peer: str | None = None
    number: int = 0
    attempts: int = 0
    resume_point: ResumePoint | None = None
    """The point from which it can resume, once it has been sent a frame."""

    @property
    def key(self) -> tuple[str, Subscriber]:
        return self.request.table, self.subscriber

    def reply(self, reply: Reply) -> None:
        waiting, self.waiting = self.waiting, []
        for on_reply in waiting:
            on_reply(reply)


class TableRouter:
    """Implements `server.tables.api.Tables`, and handles the envelopes of other workers about tables."""

    def __init__(self, channels: PeerChannels, registry: TableRegistry) -> None:
        self._channels = channels
        self._registry = registry
        self._remote = RemoteRequests(channels, registry)
        self._requests = RequestSender(channels, registry)
        self._loop = asyncio.get_running_loop()
        self._numbers = count(1)
        self._subscriptions: dict[tuple[str, Subscriber], _Subscription] = {}
        self._by_number: dict[int, _Subscription] = {}
        self._groups: dict[str, dict[int, tuple[int, ...]]] = {}
        """By worker and group: the numbers of subscriptions that get the same frames."""

        self.handlers: dict[str, Callable[..., None]] = {
            "ask": self._remote.ask,
            "opened": self._remote.opened,
            "watch": self._remote.watch,
            "unwatch": self._remote.unwatch,
            "refresh": self._remote.refresh,
            "renamed": self._remote.renamed,
            "astray": self._on_remote_subscription_moved,
            "group": self._on_group,
            "frame": self._on_frame,
            "frames": self._on_frames,
            **self._requests.handlers,
        }

    # -- api.Tables -------------------------------------------------------------------------------------------

    def create(self, user: User, request: CreateTable, table: str, on_reply: OnReply) -> None:
        # The store knows whether the table exists. Whichever worker claims the table first owns it.
        self._registry.create(user, request, table, on_reply)

    def go_on(self, user: User, opening: ContinuedTable, request_id: str, on_reply: OnReply) -> None:
        self._registry.go_on(user, opening, request_id, on_reply)

    def ask(self, user: User, request: TableRequest, on_reply: OnReply) -> None:
        self._requests.run(_pending_request(user, request, on_reply))

    def subscribe(self, user: User, request: Watch, subscriber: Subscriber, on_reply: OnReply) -> None:
        subscription = _Subscription(user, request, subscriber, [on_reply])
        before = self._subscriptions.get(subscription.key)
        if before is not None:
            self._leave_peer(before)
            subscription.waiting = [*before.waiting, on_reply]
        self._subscriptions[subscription.key] = subscription
        self._subscribe(subscription)

    def unsubscribe(self, table: str, subscriber: Subscriber) -> None:
        subscription = self._subscriptions.pop((table, subscriber), None)
        if subscription is not None:
            self._leave_peer(subscription)
        self._registry.unsubscribe(table, subscriber)
        if subscription is not None:
            subscription.reply(Done())

    def refresh(self, table: str, subscriber: Subscriber) -> None:
        subscription = self._subscriptions.get((table, subscriber))
        if subscription is not None and subscription.peer is not None:
            self._channels.send(subscription.peer, "refresh", [subscription.number])
        else:
            self._registry.refresh(table, subscriber)

    def rename(self, user: User, tables: list[str]) -> None:
        for table in tables:
            # The owner changes the name; a table without an owner is loaded here.
            self._channels.broadcast("renamed", [table, user_fields(user)])
            if not self._requests.has_remote_owner(table):
                self._registry.post(table, UserRenamed(user))

    # -- other workers ----------------------------------------------------------------------------------------

    def on_gap(self, peer: str) -> None:
        """Subscribe again, in a moment, to everything that a worker serves: frames of it got lost."""
        self._groups.pop(peer, None)
        served = self._served_by(peer)
        for subscription in served:
            self._leave_peer(subscription)
        self._loop.call_later(RESUBSCRIBE_DELAY_SECONDS, self._resubscribe, served)

    def on_peer_left(self, peer: str) -> None:
        """Find the next owner of everything that a dead worker owned."""
        self._groups.pop(peer, None)
        self._remote.on_peer_left(peer)
        self._requests.on_peer_left(peer)
        self._resubscribe(self._served_by(peer))

    def close(self) -> None:
        """Stop all retries and forget all subscriptions."""
        self._requests.close()
        self._subscriptions.clear()

    def _served_by(self, peer: str) -> list[_Subscription]:
        return [subscription for subscription in self._subscriptions.values() if subscription.peer == peer]

    # -- hooks of the tables here -----------------------------------------------------------------------------

    def route(self, table: str, message: Message) -> None:
        """Send a message of a table in this process to another table, whichever worker owns that."""
        match message:
            case RequestReceived(user, request, respond):
                self._requests.run(_pending_request(user, request, respond))
            case TableQueried(user, request_id, respond):
                content = [table, user_fields(user), request_id]
                query = partial(TableQueried, user, request_id)
                self._requests.run(PendingRequest(table, query, "opened", lambda peer: content, respond))
            case _:
                self._registry.post(table, message)

    def on_subscription_moved(self, table: str, subscriber: Subscriber, resume_point: ResumePoint) -> None:
        """Move a subscriber to the worker that has taken over the table."""
        if isinstance(subscriber, RemoteSubscriber):
            self._remote.on_subscription_moved(subscriber)
            return
        subscription = self._subscriptions.get((table, subscriber))
        if subscription is not None:
            subscription.resume_point = resume_point
            self._resubscribe([subscription])

    # -- subscriptions ----------------------------------------------------------------------------------------

    def _subscribe(self, subscription: _Subscription, others: Sequence[_Subscription] = ()) -> None:
        """Find the owner of the table and subscribe there; then subscribe the others, for which the owner is known."""
        subscription.attempts += 1
        attempt = subscription.attempts

        def is_cancelled() -> bool:
            return self._subscriptions.get(subscription.key) is not subscription or subscription.attempts != attempt

        def message(responder: Responder) -> Subscribe:
            self._leave_peer(subscription)
            return Subscribe(subscription.user, subscription.request, subscription.subscriber, responder)

        def content(peer: str) -> list[Any]:
            self._leave_peer(subscription)
            subscription.peer, subscription.number = peer, next(self._numbers)
            self._by_number[subscription.number] = subscription
            user = user_fields(subscription.user)
            # Without defaults, so that a worker of an earlier version knows every field that is there.
            request = subscription.request.model_dump(mode="json", exclude_defaults=True)
            return [subscription.request.table, user, request, subscription.number]

        def on_reply(reply: Reply) -> None:
            if isinstance(reply, Refused):
                if reply.code in TRANSIENT_REFUSALS and not subscription.waiting:
                    # The client has its reply and expects frames, so retries have no deadline.
                    self._subscribe(subscription, others)
                    return
                self._leave_peer(subscription)
                del self._subscriptions[subscription.key]
                if not subscription.waiting:
                    subscription.subscriber.send(Frame(reply_message(None, reply)))
            subscription.reply(reply)
            self._subscribe_all(others)

        self._requests.run(
            PendingRequest(
                table=subscription.request.table,
                message=message,
                kind="watch",
                content=content,
                on_reply=on_reply,
                is_cancelled=is_cancelled,
                on_cancelled=partial(self._subscribe_all, others),
            )
        )

    def _subscribe_all(self, subscriptions: Sequence[_Subscription]) -> None:
        for subscription in subscriptions:
            if self._subscriptions.get(subscription.key) is subscription:
                self._subscribe(subscription)

    def _resubscribe(self, subscriptions: Sequence[_Subscription]) -> None:
        """Subscribe again from the resume points. For each table, the first subscription finds the owner."""
        tables: dict[str, list[_Subscription]] = {}
        for subscription in subscriptions:
            if self._subscriptions.get(subscription.key) is subscription:
                self._leave_peer(subscription)
                if subscription.resume_point is not None:
                    number, proof = subscription.resume_point
                    subscription.request = subscription.request.model_copy(update={"have": number, "stamp": proof})
                tables.setdefault(subscription.request.table, []).append(subscription)
        for first, *others in tables.values():
            self._subscribe(first, others)

    def _leave_peer(self, subscription: _Subscription) -> None:
        """End the subscription at the worker that serves it, if another worker does."""
        if subscription.peer is not None:
            self._channels.send(subscription.peer, "unwatch", [subscription.number])
            self._by_number.pop(subscription.number, None)
            subscription.peer = None

    def _on_remote_subscription_moved(self, peer: str, number: int) -> None:
        subscription = self._by_number.get(number)
        if subscription is not None and subscription.peer == peer:
            self._requests.forget_owner(subscription.request.table)
            self._resubscribe([subscription])

    # -- frames from other workers ----------------------------------------------------------------------------

    def _on_group(self, peer: str, group: int, numbers: list[int]) -> None:
        groups = self._groups.setdefault(peer, {})
        if numbers:
            groups[group] = tuple(numbers)
        else:
            groups.pop(group, None)

    def _on_frame(self, peer: str, number: int, *frame: Any) -> None:
        self._deliver(peer, (number,), *frame)

    def _on_frames(self, peer: str, group: int, *frame: Any) -> None:
        self._deliver(peer, self._groups.get(peer, {}).get(group, ()), *frame)

    def _deliver(
        self, peer: str, numbers: tuple[int, ...], packed: bytes, resume_point: list[Any] | None, can_wait: bool
    ) -> None:
        frame = Frame.of_packed(packed, can_wait=can_wait)
        reached = None if resume_point is None else ResumePoint(*resume_point)
        for number in numbers:
            subscription = self._by_number.get(number)
            if subscription is not None and subscription.peer == peer:
                subscription.subscriber.send(frame)
                if reached is not None:
                    subscription.resume_point = reached
            else:
                # The worker still serves a subscription that ended: its `unwatch` got lost.
                self._channels.send(peer, "unwatch", [number])


def _pending_request(user: User, request: TableRequest, on_reply: OnReply) -> PendingRequest:
    def content(peer: str) -> list[Any]:
        # Only here: a request to a table of this process is never dumped.
        return [request.table, user_fields(user), request.model_dump(mode="json")]

    return PendingRequest(request.table, partial(RequestReceived, user, request), "ask", content, on_reply)
