"""Numbered envelopes and heartbeats between two workers, over a network that loses them."""

from __future__ import annotations

import asyncio
from typing import Any

from server.cluster.channels import PEER_TIMEOUT_SECONDS, PeerChannels
from tests.cluster.memory_bus import MemoryBus, MemoryHub
from tests.tables.virtual_time import in_virtual_time


class Recorder:
    """A peer listener that keeps what it is called with."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, ...]] = []

    def on_peer_joined(self, peer: str) -> None:
        self.calls.append(("joined", peer))

    def on_message(self, peer: str, kind: str, content: list[Any]) -> None:
        self.calls.append(("message", peer, kind))

    def on_gap(self, peer: str) -> None:
        self.calls.append(("gap", peer))

    def on_broadcast_gap(self, peer: str) -> None:
        self.calls.append(("broadcast gap", peer))

    def on_peer_left(self, peer: str) -> None:
        self.calls.append(("left", peer))


async def two_workers() -> tuple[MemoryHub, dict[str, PeerChannels], dict[str, Recorder]]:
    hub, recorders = MemoryHub(), {name: Recorder() for name in "ab"}
    channels = {name: PeerChannels(name, MemoryBus(hub)) for name in "ab"}
    for name, each in channels.items():
        await each.start(recorders[name])
    await asyncio.sleep(1)
    return hub, channels, recorders


@in_virtual_time
async def test_a_worker_that_was_taken_for_dead_by_one_side_only_learns_of_it() -> None:
    hub, channels, recorders = await two_workers()
    channels["a"].send("b", "frame", [])
    await asyncio.sleep(1)
    assert recorders["b"].calls == [("joined", "a"), ("message", "a", "frame")]
    # For a while b receives the heartbeats of a, but a receives none of b, and forgets what it had for b.
    hub.loses = lambda sender, receiver: sender == "b"
    await asyncio.sleep(PEER_TIMEOUT_SECONDS + 1)
    assert recorders["a"].calls == [("joined", "b"), ("left", "b")]
    hub.loses = lambda sender, receiver: False
    await asyncio.sleep(1)
    assert recorders["a"].calls[2:] == [("joined", "b")]
    assert recorders["b"].calls[2:] == [("gap", "a")]
    for each in channels.values():
        await each.close()


@in_virtual_time
async def test_a_lost_envelope_is_noticed_at_the_next_heartbeat() -> None:
    hub, channels, recorders = await two_workers()
    channels["a"].send("b", "frame", [])
    channels["a"].flush()
    hub.loses = lambda sender, receiver: True
    channels["a"].send("b", "frame", [])
    channels["a"].flush()
    hub.loses = lambda sender, receiver: False
    await asyncio.sleep(1)
    assert recorders["b"].calls == [("joined", "a"), ("message", "a", "frame"), ("gap", "a")]
    for each in channels.values():
        await each.close()
