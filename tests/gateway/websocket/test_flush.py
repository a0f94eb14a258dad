"""Frames to players are flushed first, frames to spectators a few iterations later at the latest."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import pytest

from server.gateway.websocket.flush import MAX_ITERATIONS, MIN_BATCH, FlushScheduler
from tests.gateway.gateway_server import TEXT, GatewayServer
from tests.gateway.websocket.test_transport import watching


class Loop:
    """An event loop that a test runs one iteration at a time."""

    def __init__(self) -> None:
        self._soon: list[Callable[[], None]] = []

    def call_soon(self, callback: Callable[[], None]) -> None:
        self._soon.append(callback)

    def run_once(self) -> bool:
        """Run one iteration; return whether there was anything to do."""
        soon, self._soon = self._soon, []
        for callback in soon:
            callback()
        return bool(soon)


class FakeFlushable:
    """A transport that records when it is flushed."""

    def __init__(self, name: object, flushed: list[object]) -> None:
        self._name = name
        self._flushed = flushed

    def flush(self) -> None:
        self._flushed.append(self._name)


class Scene:
    """A scheduler, its loop, and the names of the flushed transports."""

    def __init__(self) -> None:
        self.loop = Loop()
        self.scheduler = FlushScheduler(cast("Any", self.loop))
        self.flushed: list[object] = []

    def add(self, *names: object, can_wait: bool) -> None:
        for name in names:
            self.scheduler.add(FakeFlushable(name, self.flushed), can_wait=can_wait)


@pytest.fixture
def scene() -> Scene:
    return Scene()


def test_few_spectators_are_flushed_in_the_same_iteration_after_the_players(scene: Scene) -> None:
    scene.add("spectator", can_wait=True)
    scene.add("player", can_wait=False)
    assert scene.flushed == []
    assert scene.loop.run_once()
    assert scene.flushed == ["player", "spectator"]
    assert not scene.loop.run_once()


def test_a_player_does_not_wait_for_many_spectators(scene: Scene) -> None:
    scene.add(*range(4 * MIN_BATCH), can_wait=True)
    scene.loop.run_once()
    scene.add("player", can_wait=False)
    scene.loop.run_once()
    assert scene.flushed.index("player") == MIN_BATCH


@pytest.mark.parametrize("spectators", [1, MIN_BATCH, MIN_BATCH + 1, 1_000, 20_000])
def test_spectators_are_flushed_in_the_order_of_their_writes(scene: Scene, spectators: int) -> None:
    scene.add(*range(spectators), can_wait=True)
    while scene.loop.run_once():
        pass
    assert scene.flushed == list(range(spectators))


@pytest.mark.parametrize("spectators", [100, 1_000, 20_000])
def test_no_spectator_starves_however_fast_moves_come(scene: Scene, spectators: int) -> None:
    """Every flushed transport gets a new frame at once, so the queue never shrinks."""
    scene.add(*range(spectators), can_wait=True)
    flushed_in: dict[object, int] = dict.fromkeys(range(spectators), 0)
    longest = 0
    for iteration in range(1, 4 * MAX_ITERATIONS):
        before = len(scene.flushed)
        scene.loop.run_once()
        for name in scene.flushed[before:]:
            longest = max(longest, iteration - flushed_in[name])
            flushed_in[name] = iteration
        scene.add(*scene.flushed[before:], can_wait=True)
    assert longest <= MAX_ITERATIONS + 1
    assert min(flushed_in.values()) >= 3 * MAX_ITERATIONS - 3


def test_a_frame_that_can_wait_leaves_before_a_later_urgent_one(server: GatewayServer) -> None:
    with server.raw() as raw:
        written: list[bytes] = []
        socket = watching(server, raw, written)

        def write() -> None:
            for frame, can_wait in ((b"\x81\x01a", True), (b"\x81\x01b", True), (b"\x81\x01c", False)):
                assert socket.write(frame, can_wait)

        server.call(write)
        assert [raw.frame() for _ in range(3)] == [(TEXT, b"a"), (TEXT, b"b"), (TEXT, b"c")]
        assert written == [b"\x81\x01a\x81\x01b\x81\x01c"]
