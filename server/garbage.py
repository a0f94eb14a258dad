"""When the garbage collector runs: after the memory in use has grown by half, and at no other time.

Objects are freed as soon as nothing refers to them; the collector is only for reference cycles, of which a move makes
none. Python starts it after so many new objects. What a move creates lives until the next move of its table, so at a
thousand tables with a move every five seconds it looked at nearly all objects again and again and found nothing: that
took up to 0.3 s at a time, and a seventh of the CPU. Cycles to which nobody refers are memory that is not freed, so
they count as growth, and memory is bounded by half as much again as is in use.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import sys
import time
from typing import Final

log = logging.getLogger(__name__)

INTERVAL_SECONDS: Final = 1.0
"""The time between two looks at the number of new objects."""

MIN_NEW: Final = 50_000
"""New objects, less those freed, after which the memory in use is counted; that takes a millisecond or more."""

GROWTH: Final = 1.5
"""The memory in use, by that after the last collection, at which the collector runs."""


class GrowthCollector:
    """Runs the garbage collector by growth, from `start` to `close`."""

    def __init__(self) -> None:
        self._blocks = 0
        """Blocks of memory that were in use after the last collection."""

        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Collect now, and then look at the growth periodically. Call it once all parts are set up."""
        gc.disable()
        self._collect()
        self._look()

    def close(self) -> None:
        """Let Python decide again when the collector runs."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
            gc.unfreeze()
            gc.enable()

    def _look(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(INTERVAL_SECONDS, self._look)
        if gc.get_count()[0] > MIN_NEW:
            # This begins to count anew, and costs nothing.
            gc.freeze()
            if sys.getallocatedblocks() > GROWTH * self._blocks:
                self._collect()

    def _collect(self) -> None:
        began = time.perf_counter()
        gc.unfreeze()
        found = gc.collect()
        gc.freeze()
        self._blocks = sys.getallocatedblocks()
        seconds = round(time.perf_counter() - began, 3)
        log.info("garbage collected", extra={"found": found, "blocks": self._blocks, "seconds": seconds})
