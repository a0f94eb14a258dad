"""What grew in the memory of a server: two measurements by `measured_server`, compared."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from tests.gateway.process import ServerProcess

MODULE: Final = ("tests.soak.measured_server",)
"""The module of a server that can be measured; the file for the measurements is its first argument."""

MIN_GROWTH: Final = 100
"""Entries by which a container must have grown to be reported: live tables come and go."""


@dataclass(frozen=True, slots=True)
class Cache:
    """A cache of a function: its entries, their bound, None if its arguments alone bound it, and its size in bytes."""

    entries: int
    bound: int | None
    size: int


@dataclass(frozen=True, slots=True)
class Memory:
    """What the memory of a process holds."""

    parts: dict[str, float]
    """In MiB; together they are the resident memory."""

    caches: dict[str, Cache]
    containers: dict[str, int]
    """The entries of all dictionaries, lists and sets, by class and attribute."""

    @classmethod
    def of(cls, server: ServerProcess, file: Path) -> Self:
        """Let a server of `MODULE` measure its memory; `file` is the one that it was started with."""
        file.unlink(missing_ok=True)
        server.tell(signal.SIGUSR1)
        while not file.exists():
            assert server.process.poll() is None, server.log()
            time.sleep(0.1)
        found = json.loads(file.read_text())
        caches = {name: Cache(**cache) for name, cache in found["caches"].items()}
        return cls(found["parts"], caches, found["containers"])


def growth_of(before: Memory, after: Memory) -> Iterator[str]:
    """Yield the lines of a report: all parts of the memory, all caches, and the containers that grew."""
    for part, size in after.parts.items():
        yield f"{part}: {size:.1f} MiB, growth {size - before.parts[part]:+.1f}"
    total = sum(after.parts.values())
    yield f"resident: {total:.1f} MiB, growth {total - sum(before.parts.values()):+.1f}"
    caches = ((name, cache) for name, cache in after.caches.items() if cache.entries)
    for name, cache in sorted(caches, key=lambda item: -item[1].size):
        grown = cache.entries - (before.caches[name].entries if name in before.caches else 0)
        bound = "no bound" if cache.bound is None else f"at most {cache.bound:,}"
        yield f"{name}: {cache.entries:,} entries, {bound}, growth {grown:+,}, {cache.size / 1024:,.0f} KiB"
    for name, entries in sorted(after.containers.items()):
        grown = entries - before.containers.get(name, 0)
        if grown >= MIN_GROWTH:
            yield f"{name}: {entries:,} entries in all, growth {grown:+,}"
