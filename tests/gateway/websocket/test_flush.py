"""Who plays is told first; who only watches, a few turns of the loop later at the latest."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import pytest

from server.gateway.websocket.flush import SERVED_AT_ONCE, TURNS_TO_WAIT, FlushScheduler
from tests.gateway.gateway_server import TEXT, GatewayServer
from tests.gateway.websocket.test_transport import watching


class Loop:
    """An event loop whose turns a test takes one by one."""

    def __init__(self) -> None:
        self._soon: list[Callable[[], None]] = []

    def call_soon(self, callback: Callable[[], None]) -> None:
        self._soon.append(callback)

    def take_turn(self) -> bool:
        """Take one turn; False if there was nothing to do."""
        soon, self._soon = self._soon, []
        for callback in soon:
            callback()
        return bool(soon)


class Socket:
    """Notes when it is flushed."""

    def __init__(self, name: object, flushed: list[object]) -> None:
        self._name = name
        self._flushed = flushed

    def flush(self) -> None:
        self._flushed.append(self._name)


class Scene:
    """A turn, its loop, and who was flushed so far."""

    def __init__(self) -> None:
        self.loop = Loop()
        self.turns = FlushScheduler(cast("Any", self.loop))
        self.flushed: list[object] = []

    def add(self, *names: object, can_wait: bool) -> None:
        for name in names:
            self.turns.add(Socket(name, self.flushed), can_wait=can_wait)


@pytest.fixture
def scene() -> Scene:
    return Scene()


def test_few_watchers_are_served_in_the_same_turn_behind_the_players(scene: Scene) -> None:
    scene.add("watcher", can_wait=True)
    scene.add("player", can_wait=False)
    assert scene.flushed == []
    assert scene.loop.take_turn()
    assert scene.flushed == ["player", "watcher"]
    assert not scene.loop.take_turn()


def test_a_player_does_not_wait_for_many_watchers(scene: Scene) -> None:
    scene.add(*range(4 * SERVED_AT_ONCE), can_wait=True)
    scene.loop.take_turn()
    scene.add("player", can_wait=False)
    scene.loop.take_turn()
    assert scene.flushed.index("player") == SERVED_AT_ONCE


@pytest.mark.parametrize("watchers", [1, SERVED_AT_ONCE, SERVED_AT_ONCE + 1, 1_000, 20_000])
def test_watchers_are_served_in_the_order_in_which_they_came(scene: Scene, watchers: int) -> None:
    scene.add(*range(watchers), can_wait=True)
    while scene.loop.take_turn():
        pass
    assert scene.flushed == list(range(watchers))


@pytest.mark.parametrize("watchers", [100, 1_000, 20_000])
def test_nobody_waits_long_however_fast_moves_come(scene: Scene, watchers: int) -> None:
    """Whoever was served is told something new at once, so there are always as many who wait."""
    scene.add(*range(watchers), can_wait=True)
    served_in: dict[object, int] = dict.fromkeys(range(watchers), 0)
    longest = 0
    for turn in range(1, 4 * TURNS_TO_WAIT):
        before = len(scene.flushed)
        scene.loop.take_turn()
        for name in scene.flushed[before:]:
            longest = max(longest, turn - served_in[name])
            served_in[name] = turn
        scene.add(*scene.flushed[before:], can_wait=True)
    assert longest <= TURNS_TO_WAIT + 1
    assert min(served_in.values()) >= 3 * TURNS_TO_WAIT - 3


def test_what_could_wait_goes_with_what_cannot_and_before_it(server: GatewayServer) -> None:
    with server.raw() as raw:
        written: list[bytes] = []
        socket = watching(server, raw, written)

        def write() -> None:
            for frame, can_wait in ((b"\x81\x01a", True), (b"\x81\x01b", True), (b"\x81\x01c", False)):
                assert socket.write(frame, can_wait)

        server.call(write)
        assert [raw.frame() for _ in range(3)] == [(TEXT, b"a"), (TEXT, b"b"), (TEXT, b"c")]
        assert written == [b"\x81\x01a\x81\x01b\x81\x01c"]
