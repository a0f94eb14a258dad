"""What other workers ask of the tables here."""

from __future__ import annotations

from functools import partial
from typing import Any

from protocol.messages import REQUESTS, TableRequest, Watch
from server.cluster.channels import PeerChannels
from server.cluster.fanout import Outbox, RemoteSubscriber
from server.model import User
from server.tables.messages import OneReply, RequestReceived, Subscribe, TableQueried, UserRenamed
from server.tables.registry import TableRegistry


class RemoteRequests:
    """Puts the envelopes of other workers to the tables here, and sends them what comes of it."""

    def __init__(self, channels: PeerChannels, registry: TableRegistry) -> None:
        self._channels = channels
        self._registry = registry
        self._outboxes: dict[str, Outbox] = {}
        self._followed: dict[str, dict[int, tuple[str, RemoteSubscriber]]] = {}
        """By worker and number: the connections of others that follow a table here."""

    def ask(self, peer: str, number: int, table: str, user: list[str], request: dict[str, Any]) -> None:
        asked = REQUESTS.validate_python(request)
        assert isinstance(asked, TableRequest)
        self._registry.post(table, RequestReceived(User(*user), asked, self._reply(peer, number)))

    def opened(self, peer: str, number: int, table: str, user: list[str], request_id: str) -> None:
        self._registry.post(table, TableQueried(User(*user), request_id, self._reply(peer, number)))

    def watch(
        self, peer: str, number: int, table: str, user: list[str], request: dict[str, Any], subscription: int
    ) -> None:
        subscriber = RemoteSubscriber(User(*user), self._outbox(peer), subscription)
        self._followed.setdefault(peer, {})[subscription] = (table, subscriber)
        watching = Watch.model_validate(request)
        self._registry.post(table, Subscribe(subscriber.user, watching, subscriber, self._reply(peer, number)))

    def unwatch(self, peer: str, subscription: int) -> None:
        followed = self._followed.get(peer, {}).pop(subscription, None)
        if followed is not None:
            self._registry.unwatch(*followed)

    def refresh(self, peer: str, subscription: int) -> None:
        followed = self._followed.get(peer, {}).get(subscription)
        if followed is not None:
            self._registry.refresh(*followed)

    def renamed(self, peer: str, table: str, user: list[str]) -> None:
        if self._registry.owns(table):
            self._registry.post(table, UserRenamed(User(*user)))

    def has_moved(self, subscriber: RemoteSubscriber) -> None:
        """Tell the worker of a connection that the table it follows here is no longer ours."""
        for peer, followed in self._followed.items():
            if followed.get(subscriber.subscription, ("", None))[1] is subscriber:
                del followed[subscriber.subscription]
                self._outbox(peer).send("astray", [subscriber.subscription])
                return

    def gone(self, peer: str) -> None:
        """Let the connections of a worker go that is no more."""
        for table, subscriber in self._followed.pop(peer, {}).values():
            self._registry.unwatch(table, subscriber)
        self._outboxes.pop(peer, None)

    def _outbox(self, peer: str) -> Outbox:
        outbox = self._outboxes.get(peer)
        if outbox is None:
            outbox = self._outboxes[peer] = Outbox(self._channels, peer)
        return outbox

    def _reply(self, peer: str, number: int) -> OneReply:
        outbox = self._outbox(peer)
        return OneReply(lambda message: outbox.send("answer", [number, message]), partial(self._moved, outbox, number))

    def _moved(self, outbox: Outbox, number: int, worker: str) -> None:
        outbox.send("moved", [number, worker])
