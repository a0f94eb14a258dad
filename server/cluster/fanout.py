"""Connections of other workers that are subscribed to tables here; a table treats them like its own connections.

A frame goes to each worker once, however many of its connections get it. The connections are named once, as a group,
and again only when they change.
"""

from __future__ import annotations

import asyncio
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
    """The envelopes to one worker, in order.

    Frames wait until the event loop's next iteration, so that a frame for several subscriptions is sent once.
    """

    def __init__(self, channels: PeerChannels, peer: str) -> None:
        self._channels = channels
        self._peer = peer
        self._groups: OrderedDict[tuple[int, ...], int] = OrderedDict()
        self._last_group = 0
        self._frames: list[tuple[Frame, list[int]]] = []
        self._is_flush_scheduled = False

    def add_frame(self, frame: Frame, subscription: int) -> None:
        """Add a frame for one subscription."""
        if self._frames and self._frames[-1][0] is frame:
            self._frames[-1][1].append(subscription)
            return
        self._frames.append((frame, [subscription]))
        if not self._is_flush_scheduled:
            self._is_flush_scheduled = True
            asyncio.get_running_loop().call_soon(self.flush)

    def send(self, kind: str, content: list[Any]) -> None:
        """Send an envelope behind all frames that were added before."""
        self.flush()
        self._channels.send(self._peer, kind, content)

    def flush(self) -> None:
        """Send the frames that were added."""
        self._is_flush_scheduled = False
        frames, self._frames = self._frames, []
        for frame, subscriptions in frames:
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
