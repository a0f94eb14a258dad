"""When the garbage collector runs. The real one of this process is used, so each test gives it back."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import Iterator

import pytest

from server import garbage
from server.garbage import GrowthCollector


class Cycle:
    """An object that refers to itself, with something to weigh."""

    def __init__(self, size: int) -> None:
        self.myself = self
        self.weight = [[] for _ in range(size)]  # type: ignore[var-annotated]


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[GrowthCollector]:
    monkeypatch.setattr(garbage, "INTERVAL_SECONDS", 0.01)
    monkeypatch.setattr(garbage, "MIN_NEW", 1_000)
    collector = GrowthCollector()
    yield collector
    collector.close()
    assert gc.isenabled()


async def test_cycles_are_collected_once_memory_has_grown(
    collector: GrowthCollector, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(garbage, "GROWTH", 1.01)
    collector.start()
    first = weakref.ref(Cycle(1))
    async with asyncio.timeout(20):
        while first() is not None:
            Cycle(10_000)
            await asyncio.sleep(0.01)


async def test_without_growth_nothing_is_collected(collector: GrowthCollector, monkeypatch: pytest.MonkeyPatch) -> None:
    collector.start()
    first = weakref.ref(Cycle(1))
    counted = []
    monkeypatch.setattr(garbage.sys, "getallocatedblocks", lambda: counted.append(1) or 0)
    async with asyncio.timeout(20):
        while len(counted) < 3:
            # New objects that are referred to by nothing but a cycle: seen, and not enough to collect.
            Cycle(2_000)
            await asyncio.sleep(0.01)
    assert first() is not None
