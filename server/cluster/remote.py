"""Requests and subscriptions of other workers at the tables of this one."""

from __future__ import annotations

from functools import partial
from typing import Any

from protocol.messages import REQUESTS, TableRequest, Watch
from server.cluster.channels import PeerChannels
from server.cluster.fanout import Outbox, RemoteSubscriber
from server.cluster.users import user_of
from server.model import Reply
from server.tables.messages import RequestReceived, Responder, Subscribe, TableQueried, UserRenamed
from server.tables.registry import TableRegistry
from server.tables.replies import reply_message


class RemoteRequests:
    """Posts the requests of other workers to the tables here, and sends back replies and frames.

    The public methods with a `peer` are the handlers of the envelopes of their names.
    """

    def __init__(self, channels: PeerChannels, registry: TableRegistry) -> None:
        self._channels = channels
        self._registry = registry
        self._outboxes: dict[str, Outbox] = {}
        self._subscriptions: dict[str, dict[int, tuple[str, RemoteSubscriber]]] = {}
        """By worker and number: the table and the subscriber."""

    def ask(self, peer: str, number: int, table: str, user: list[str], request: dict[str, Any]) -> None:
        received = REQUESTS.validate_python(request)
        assert isinstance(received, TableRequest)
        responder = self._responder(peer, number, received.id)
        self._registry.post(table, RequestReceived(user_of(user), received, responder))

    def opened(self, peer: str, number: int, table: str, user: list[str], request_id: str) -> None:
        responder = self._responder(peer, number, request_id)
        self._registry.post(table, TableQueried(user_of(user), request_id, responder))

    def watch(
        self, peer: str, number: int, table: str, user: list[str], request: dict[str, Any], subscription: int
    ) -> None:
        subscriber = RemoteSubscriber(user_of(user), self._outbox(peer), subscription)
        self._subscriptions.setdefault(peer, {})[subscription] = (table, subscriber)
        watch = Watch.model_validate(request)
        responder = self._responder(peer, number, watch.id)
        self._registry.post(table, Subscribe(subscriber.user, watch, subscriber, responder))

    def unwatch(self, peer: str, subscription: int) -> None:
        found = self._subscriptions.get(peer, {}).pop(subscription, None)
        if found is not None:
            self._registry.unsubscribe(*found)

    def refresh(self, peer: str, subscription: int) -> None:
        found = self._subscriptions.get(peer, {}).get(subscription)
        if found is not None:
            self._registry.refresh(*found)

    def renamed(self, peer: str, table: str, user: list[str]) -> None:
        if self._registry.owns(table):
            self._registry.post(table, UserRenamed(user_of(user)))

    def on_subscription_moved(self, subscriber: RemoteSubscriber) -> None:
        """Notify the worker of a subscriber that this worker no longer owns the table."""
        for peer, subscriptions in self._subscriptions.items():
            if subscriptions.get(subscriber.subscription, ("", None))[1] is subscriber:
                del subscriptions[subscriber.subscription]
                self._outbox(peer).send("astray", [subscriber.subscription])
                return

    def on_peer_left(self, peer: str) -> None:
        """End the subscriptions of a worker that has left."""
        for table, subscriber in self._subscriptions.pop(peer, {}).values():
            self._registry.unsubscribe(table, subscriber)
        self._outboxes.pop(peer, None)

    def _outbox(self, peer: str) -> Outbox:
        outbox = self._outboxes.get(peer)
        if outbox is None:
            outbox = self._outboxes[peer] = Outbox(self._channels, peer)
        return outbox

    def _responder(self, peer: str, number: int, request_id: str) -> Responder:
        outbox = self._outbox(peer)
        return Responder(
            partial(_send_reply, outbox, number, request_id), lambda worker: outbox.send("moved", [number, worker])
        )


def _send_reply(outbox: Outbox, number: int, request_id: str, reply: Reply) -> None:
    outbox.send("answer", [number, reply_message(request_id, reply)])
