"""Connections of other workers that follow tables here: to a table they are listeners like any other.

A frame goes to each worker once, however many of its connections it is for. Which they are is said once, as a group,
and again only when it changes.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Any

from protocol.codec import Encoding, Frame
from server.cluster.channels import PeerChannels
from server.model import User

MAX_GROUPS = 1_000
"""Groups that are remembered for a worker; the one used least lately makes room."""


class RemoteSubscriber:
    """A connection of another worker."""

    __slots__ = ("_outbox", "subscription", "user")

    encoding = Encoding.MSGPACK

    def __init__(self, user: User, outbox: Outbox, subscription: int) -> None:
        self.user = user
        self.subscription = subscription
        self._outbox = outbox

    def send(self, frame: Frame) -> bool:
        # Whether its connection is too slow is for its own worker to see.
        self._outbox.add_frame(frame, self.subscription)
        return True


class Outbox:
    """What goes to one worker, in order; sent when the loop comes round, so that what is alike goes together."""

    def __init__(self, channels: PeerChannels, peer: str) -> None:
        self._channels = channels
        self._peer = peer
        self._groups: OrderedDict[tuple[int, ...], int] = OrderedDict()
        self._last_group = 0
        self._frames: list[tuple[Frame, list[int]]] = []
        self._is_called = False

    def add_frame(self, frame: Frame, subscription: int) -> None:
        """Send a frame to a connection."""
        if self._frames and self._frames[-1][0] is frame:
            self._frames[-1][1].append(subscription)
            return
        self._frames.append((frame, [subscription]))
        if not self._is_called:
            self._is_called = True
            asyncio.get_running_loop().call_soon(self.flush)

    def send(self, kind: str, content: list[Any]) -> None:
        """Send a envelope behind all frames that were added before."""
        self.flush()
        self._channels.send(self._peer, kind, content)

    def flush(self) -> None:
        """Send what has gathered."""
        self._is_called = False
        frames, self._frames = self._frames, []
        for frame, subscriptions in frames:
            if len(subscriptions) == 1:
                kind, to = "frame", subscriptions[0]
            else:
                kind, to = "frames", self._group(tuple(subscriptions))
            self._channels.send(self._peer, kind, [to, frame.packed, frame.resume_point, frame.can_wait])

    def _group(self, subscriptions: tuple[int, ...]) -> int:
        group = self._groups.get(subscriptions)
        if group is None:
            self._last_group += 1
            group = self._groups[subscriptions] = self._last_group
            self._channels.send(self._peer, "group", [group, subscriptions])
            if len(self._groups) > MAX_GROUPS:
                _, forgotten = self._groups.popitem(last=False)
                self._channels.send(self._peer, "group", [forgotten, ()])
        else:
            self._groups.move_to_end(subscriptions)
        return group
