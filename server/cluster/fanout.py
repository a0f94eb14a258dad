"""Connections of other workers that are subscribed to tables here; a table treats them like its own connections.

A frame goes to each worker once, however many of its connections get it. The connections are named once, as a group,
and again only when they change.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from protocol.codec import Encoding, Frame
from server.cluster.channels import PeerChannels
from server.model import User

MAX_GROUPS = 1_000
"""Groups that are remembered for a worker; the least recently used one is evicted."""


class RemoteSubscriber:
    """A connection of another worker."""

    __slots__ = ("_outbox", "subscription", "user")

    encoding = Encoding.MSGPACK

    def __init__(self, user: User, outbox: Outbox, subscription: int) -> None:
        self.user = user
        self.subscription = subscription
        self._outbox = outbox

    def send(self, frame: Frame) -> bool:
        # Back-pressure is the business of the connection's own worker.
        self._outbox.add_frame(frame, self.subscription)
        return True


class Outbox:
    """The messages to one worker, in order.

    Frames wait until the messages of this iteration of the event loop are sent, so that a frame for several
    subscriptions is sent once. A table sends a frame to all its subscribers before it sends the next one.
    """

    def __init__(self, channels: PeerChannels, peer: str) -> None:
        self._channels = channels
        self._peer = peer
        self._groups: OrderedDict[tuple[int, ...], int] = OrderedDict()
        self._last_group = 0
        self._frames: dict[int, tuple[Frame, list[int]]] = {}
        """By identity: frames that wait, and the subscriptions that they are for."""

    def add_frame(self, frame: Frame, subscription: int) -> None:
        """Add a frame for one subscription."""
        waiting = self._frames.get(id(frame))
        if waiting is not None:
            waiting[1].append(subscription)
            return
        if not self._frames:
            self._channels.before_flush(self.flush)
        self._frames[id(frame)] = (frame, [subscription])

    def send(self, kind: str, content: list[Any]) -> None:
        """Send a message behind all frames that were added before."""
        self.flush()
        self._channels.send(self._peer, kind, content)

    def flush(self) -> None:
        """Send the frames that were added."""
        frames, self._frames = self._frames, {}
        for frame, subscriptions in frames.values():
            if len(subscriptions) == 1:
                kind, addressee = "frame", subscriptions[0]
            else:
                kind, addressee = "frames", self._group(tuple(subscriptions))
            self._channels.send(self._peer, kind, [addressee, frame.packed, frame.resume_point, frame.can_wait])

    def _group(self, subscriptions: tuple[int, ...]) -> int:
        """Return the number of a group; a new one is announced to the worker first."""
        group = self._groups.get(subscriptions)
        if group is None:
            self._last_group += 1
            group = self._groups[subscriptions] = self._last_group
            self._channels.send(self._peer, "group", [group, subscriptions])
            if len(self._groups) > MAX_GROUPS:
                _, evicted = self._groups.popitem(last=False)
                self._channels.send(self._peer, "group", [evicted, ()])
        else:
            self._groups.move_to_end(subscriptions)
        return group
