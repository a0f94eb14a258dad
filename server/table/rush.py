"""Whether this process has more to do than it can: then those who only watch are told less often, more at a time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

LOOK_EVERY_SECONDS: Final = 0.1
BUSY_SHARE: Final = 0.75
"""Of a core: where a process takes more, moves begin to wait for each other."""

Clock = Callable[[], float]


class Rush:
    """Looks again and again at how much of the time the process was busy."""

    def __init__(self, busy: Clock = time.process_time, clock: Clock = time.monotonic) -> None:
        self._busy = busy
        self._clock = clock
        self._last = busy(), clock()
        self.is_on = False

    def look(self) -> None:
        """See how busy the process was since the last look."""
        (busy, at), self._last = self._last, (self._busy(), self._clock())
        self.is_on = self._last[0] - busy > BUSY_SHARE * (self._last[1] - at)
