"""Frames for connections of another worker: each crosses once, in order with the replies."""

from __future__ import annotations

from typing import Any

from protocol.codec import Frame
from server.cluster.channels import PeerChannels
from server.cluster.fanout import Outbox
from tests.cluster.memory_bus import MemoryBus, MemoryHub
from tests.tables.virtual_time import in_virtual_time


class SentMessages(PeerChannels):
    """Channels that keep the messages in the order in which they leave."""

    def __init__(self) -> None:
        super().__init__("a", MemoryBus(MemoryHub()))
        self.messages: list[tuple[str, Any]] = []

    def send(self, peer: str, kind: str, content: list[Any]) -> None:
        self.messages.append((kind, content[0]))


def update(number: int) -> Frame:
    return Frame({"type": "update", "number": number, "stamp": None})


@in_virtual_time
async def test_a_frame_crosses_once_although_another_frame_is_between_its_subscriptions() -> None:
    channels = SentMessages()
    outbox = Outbox(channels, "b")
    shared, own = update(1), update(1)
    outbox.add_frame(shared, 10)
    outbox.add_frame(own, 11)
    outbox.add_frame(shared, 12)
    channels.flush()
    assert channels.messages == [("group", 1), ("frames", 1), ("frame", 11)]


@in_virtual_time
async def test_a_reply_stays_between_the_frames_before_and_behind_it() -> None:
    channels = SentMessages()
    outbox = Outbox(channels, "b")
    before, behind = update(1), update(2)
    outbox.add_frame(before, 10)
    outbox.send("answer", [7])
    outbox.add_frame(behind, 10)
    outbox.send("answer", [8])
    channels.flush()
    assert channels.messages == [("frame", 10), ("answer", 7), ("frame", 10), ("answer", 8)]
