"""What a server's memory holds is found without a list of caches, and adds up."""

from __future__ import annotations

import functools
import gc
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.games.builders.actions import _clean_up_of
from server.rate_limit import Rate, Throttle
from tests.gateway.process import ServerProcess
from tests.soak import measured_server
from tests.soak.growth import MODULE, Cache, Memory, growth_of
from tests.soak.measured_server import measured

PARTS = {"objects": 60.0, "SQLite": 8.0}
CONTAINER = "server.rate_limit.Throttle._arrivals"


@pytest.fixture(autouse=True)
def unfrozen() -> Iterator[None]:
    """Let the collector see the objects of the tests again."""
    yield
    gc.unfreeze()


def test_the_report_tells_the_caches_and_the_containers_that_grew() -> None:
    before = Memory(PARTS, {"a": Cache(10, 512, 2048)}, {"b": 1, "c": 5_000, "d": 7})
    after = Memory(
        {**PARTS, "objects": 61.5},
        {"a": Cache(30, 512, 4096), "e": Cache(3, None, 1024), "f": Cache(0, 8, 256)},
        {"b": 300, "c": 5},
    )
    assert list(growth_of(before, after)) == [
        "objects: 61.5 MiB, growth +1.5",
        "SQLite: 8.0 MiB, growth +0.0",
        "resident: 69.5 MiB, growth +1.5",
        "a: 30 entries, at most 512, growth +20, 4 KiB",
        "e: 3 entries, no bound, growth +3, 1 KiB",
        "b: 300 entries in all, growth +299",
    ]


def test_entries_of_caches_and_containers_are_counted() -> None:
    throttle = Throttle(Rate(1, 10, burst=1), lambda: 0.0)
    _clean_up_of.cache_clear()
    before = measured()
    for number in range(50):
        throttle.take(f"user {number}")
        _clean_up_of(number)
    after = measured()
    assert after.containers[CONTAINER] - before.containers.get(CONTAINER, 0) == 50
    cache = after.caches["server.games.builders.actions._clean_up_of"]
    assert (cache.entries, cache.bound) == (50, 1024)
    assert cache.size > 50 * 100


def test_a_cache_is_as_large_as_all_that_it_alone_refers_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measured_server, "_is_ours", lambda module: module == __name__)

    @functools.lru_cache(maxsize=3)
    def texts(number: int) -> list[str]:
        return [f"{number} {'x' * 100_000}" for _ in range(5)]

    for number in range(3):
        texts(number)
    [(name, cache)] = measured().caches.items()
    assert name.endswith("texts")
    assert cache.size == pytest.approx(3 * 5 * 100_000, rel=0.01)


def test_garbage_is_counted_apart_and_gone_afterwards() -> None:
    gc.collect()
    gc.disable()
    try:
        for _ in range(100):
            cycle: list[object] = ["x" * 100_000]
            cycle.append(cycle)
        del cycle
        assert measured().parts["garbage"] > 9
        assert measured().parts["garbage"] < 1
    finally:
        gc.enable()


def test_a_server_tells_what_its_memory_holds(tmp_path: Path) -> None:
    file = tmp_path / "memory.json"
    server = ServerProcess(tmp_path, module=(*MODULE, str(file)))
    try:
        before, after = Memory.of(server, file), Memory.of(server, file)
    finally:
        server.end()
    assert before.containers["server.lobby.identity.Identity._cache"] == 0
    assert after.parts["other objects"] > 10
