"""When silent peers get a ping and are dropped, on a simulated clock."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, cast

from server.gateway.websocket.keep_alive import TICKS, KeepAlive


class FakeLoop:
    """An event loop of which only timers are used."""

    def __init__(self) -> None:
        self.timers: list[tuple[float, Callable[[], None]]] = []

    def call_later(self, seconds: float, callback: Callable[[], None]) -> Any:
        self.timers.append((seconds, callback))
        return callback

    def tick(self, times: int = 1) -> None:
        for _ in range(times):
            [(_, callback)] = self.timers
            self.timers.clear()
            callback()


class FakePeer:
    def __init__(self) -> None:
        self.heard_at = self.asked_at = self.bucket = 0
        self.pings = 0
        self.is_dropped = False
        self.can_write = True

    def ping(self) -> bool:
        self.pings += self.can_write
        return self.can_write

    def keepalive_timeout(self) -> None:
        self.is_dropped = True


def watched(number: int = 1) -> tuple[FakeLoop, KeepAlive, list[FakePeer]]:
    loop = FakeLoop()
    keep_alive = KeepAlive(cast("asyncio.AbstractEventLoop", loop), TICKS)
    peers = [FakePeer() for _ in range(number)]
    for peer in peers:
        keep_alive.add(peer)
    return loop, keep_alive, peers


def test_a_silent_peer_is_asked_after_one_interval_and_dropped_after_two() -> None:
    loop, keep_alive, [peer] = watched()
    loop.tick(TICKS - 1)
    assert peer.pings == 0
    loop.tick()
    assert peer.pings == 1
    loop.tick(TICKS - 1)
    assert not peer.is_dropped
    loop.tick()
    assert peer.is_dropped
    assert peer.pings == 1
    assert len(keep_alive) == 0


def test_a_peer_that_sends_something_in_each_interval_gets_no_ping() -> None:
    loop, keep_alive, [peer] = watched()
    for _ in range(10):
        loop.tick(TICKS - 1)
        peer.heard_at = keep_alive.tick
    assert peer.pings == 0
    loop.tick(TICKS)
    assert peer.pings == 1


def test_a_peer_that_answers_each_ping_gets_one_in_each_interval() -> None:
    loop, keep_alive, [peer] = watched()
    for interval in range(1, 6):
        loop.tick(TICKS)
        assert peer.pings == interval
        peer.heard_at = keep_alive.tick
    assert not peer.is_dropped


def test_an_answer_in_the_last_tick_is_in_time() -> None:
    loop, keep_alive, [peer] = watched()
    loop.tick(2 * TICKS - 1)
    peer.heard_at = keep_alive.tick
    loop.tick(TICKS - 1)
    assert (peer.pings, peer.is_dropped) == (1, False)
    loop.tick()
    assert peer.pings == 2


def test_a_peer_that_cannot_be_written_to_is_asked_as_soon_as_it_can() -> None:
    loop, _, [peer] = watched()
    peer.can_write = False
    loop.tick(2 * TICKS)
    assert not peer.is_dropped
    peer.can_write = True
    loop.tick()
    assert peer.pings == 1
    loop.tick(TICKS)
    assert peer.is_dropped


def test_peers_that_left_are_forgotten_at_once() -> None:
    loop, keep_alive, [first, second] = watched(2)
    keep_alive.remove(first)
    keep_alive.remove(first)
    assert len(keep_alive) == 1
    loop.tick(TICKS)
    assert (first.pings, second.pings) == (0, 1)


def test_one_timer_runs_while_there_are_peers() -> None:
    loop, keep_alive, peers = watched(3)
    assert len(loop.timers) == 1
    for peer in peers:
        keep_alive.remove(peer)
    loop.tick()
    assert loop.timers == []
    keep_alive.add(peers[0])
    assert [seconds for seconds, _ in loop.timers] == [1.0]


def test_a_peer_that_leaves_while_another_is_dropped_is_not_watched_any_more() -> None:
    loop, keep_alive, peers = watched(2)
    for peer, other in (peers, peers[::-1]):
        peer.keepalive_timeout = lambda other=other: keep_alive.remove(other)  # type: ignore[method-assign, misc]
    loop.tick(2 * TICKS)
    assert len(keep_alive) == 0
    loop.tick()
    assert loop.timers == []
