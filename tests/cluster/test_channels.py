"""Numbered envelopes and heartbeats between two workers, over a network that loses them."""

from __future__ import annotations

import asyncio
from typing import Any

import msgpack

from server.cluster.channels import FORGET_SECONDS, MAX_MESSAGES, PEER_TIMEOUT_SECONDS, PeerChannels
from tests.cluster.memory_bus import MemoryBus, MemoryHub
from tests.tables.virtual_time import in_virtual_time


class Recorder:
    """A peer listener that keeps what it is called with."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, ...]] = []
        self.fails_on = ""

    def on_peer_joined(self, peer: str) -> None:
        self.calls.append(("joined", peer))

    def on_message(self, peer: str, kind: str, content: list[Any]) -> None:
        assert kind != self.fails_on
        self.calls.append(("message", peer, kind))

    def on_gap(self, peer: str) -> None:
        self.calls.append(("gap", peer))

    def on_broadcast_gap(self, peer: str) -> None:
        self.calls.append(("broadcast gap", peer))

    def on_peer_left(self, peer: str) -> None:
        self.calls.append(("left", peer))


async def two_workers(
    hub: MemoryHub | None = None,
) -> tuple[MemoryHub, dict[str, PeerChannels], dict[str, Recorder]]:
    hub, recorders = hub or MemoryHub(), {name: Recorder() for name in "ab"}
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


class EnvelopeRecorder(MemoryHub):
    """A hub that keeps the kind and the content of the envelopes from a to b."""

    def __init__(self) -> None:
        super().__init__()
        self.envelopes: list[tuple[str, Any]] = []

    def carry(self, sender: str, receiver: str, envelope: bytes) -> None:
        if (sender, receiver) == ("a", "b"):
            _, _, kind, content = msgpack.unpackb(envelope)
            self.envelopes.append((kind, content))
        super().carry(sender, receiver, envelope)

    def taken(self) -> list[tuple[str, Any]]:
        """Return the envelopes since the last call, without heartbeats."""
        taken, self.envelopes = self.envelopes, []
        return [envelope for envelope in taken if envelope[0] != "alive"]


@in_virtual_time
async def test_the_messages_of_one_iteration_share_an_envelope() -> None:
    hub = EnvelopeRecorder()
    _, channels, recorders = await two_workers(hub)
    hub.taken()
    for kind in ("frame", "answer", "frame"):
        channels["a"].send("b", kind, [])
    await asyncio.sleep(0.1)
    assert hub.taken() == [("batch", [["frame", []], ["answer", []], ["frame", []]])]
    assert recorders["b"].calls[1:] == [("message", "a", kind) for kind in ("frame", "answer", "frame")]
    channels["a"].send("b", "frame", [])
    channels["a"].broadcast("listed", [])
    assert [kind for kind, _ in hub.taken()] == ["frame", "listed"], "a broadcast does not overtake"
    for _ in range(MAX_MESSAGES + 1):
        channels["a"].send("b", "frame", [])
    await asyncio.sleep(0.1)
    assert [kind for kind, _ in hub.taken()] == ["batch", "frame"], "an envelope is bounded"
    for each in channels.values():
        await each.close()


@in_virtual_time
async def test_a_message_that_fails_does_not_stop_the_ones_behind_it() -> None:
    _, channels, recorders = await two_workers()
    recorder = recorders["b"]
    recorder.fails_on = "broken"
    for kind in ("broken", "frame"):
        channels["a"].send("b", kind, [])
    await asyncio.sleep(0.1)
    assert recorder.calls[1:] == [("message", "a", "frame")]
    for each in channels.values():
        await each.close()


@in_virtual_time
async def test_a_worker_of_the_version_before_gets_each_message_in_its_own_envelope() -> None:
    hub = EnvelopeRecorder()
    received: list[bytes] = []
    channels = PeerChannels("a", MemoryBus(hub))
    await channels.start(Recorder())
    before = MemoryBus(hub)
    await before.join("b", received.append)
    before.send_all(msgpack.packb(["b", 0, "alive", [{"": 0}]]))
    await asyncio.sleep(0.1)
    for kind in ("frame", "answer"):
        channels.send("b", kind, [])
    await asyncio.sleep(0.1)
    assert hub.taken() == [("frame", []), ("answer", [])]
    await channels.close()


@in_virtual_time
async def test_heartbeats_do_not_name_workers_that_left_long_ago() -> None:
    hub = EnvelopeRecorder()
    _, channels, recorders = await two_workers(hub)
    for number in range(50):
        channels["a"].send(f"dead {number}", "unwatch", [])
    channels["a"].send("b", "frame", [])
    await asyncio.sleep(1)
    assert len(hub.envelopes[-1][1][0]) == 52, "they may be alive and miss an envelope"
    await asyncio.sleep(FORGET_SECONDS + 1)
    assert hub.envelopes[-1][1][0] == {"": 0, "b": 1}
    assert recorders["b"].calls[1:] == [("message", "a", "frame")]
    # A worker that comes back after that notices by the number that it was forgotten.
    hub.cut_off("b")
    await asyncio.sleep(FORGET_SECONDS + PEER_TIMEOUT_SECONDS + 2)
    hub.reconnect("b")
    await asyncio.sleep(1)
    channels["a"].send("b", "frame", [])
    await asyncio.sleep(1)
    assert recorders["b"].calls[2:] == [("left", "a"), ("joined", "a"), ("message", "a", "frame")]
    for each in channels.values():
        await each.close()
