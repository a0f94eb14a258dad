"""A progress bar on one line of a terminal; nothing where there is no terminal."""

from __future__ import annotations

import time
from typing import TextIO

_WIDTH = 30
_MIN_INTERVAL_SECONDS = 0.1


class Progress:
    """A progress bar. `clear` it before anything else is written to the same terminal."""

    def __init__(self, stream: TextIO, total: int, unit: str) -> None:
        self._stream = stream
        self._total = total
        self._unit = unit
        self._is_shown = stream.isatty()
        self._next = 0.0
        self._drawn = 0

    def advance(self, done: int) -> None:
        """Show the amount done, at most ten times a second."""
        if not self._is_shown or time.monotonic() < self._next:
            return
        self._next = time.monotonic() + _MIN_INTERVAL_SECONDS
        filled = _WIDTH * done // self._total
        text = f"[{'#' * filled}{'-' * (_WIDTH - filled)}] {done} of {self._total} {self._unit}"
        self._stream.write("\r" + text.ljust(self._drawn))
        self._stream.flush()
        self._drawn = len(text)

    def clear(self) -> None:
        """Erase the bar; the next `advance` draws it again at once."""
        if self._drawn:
            self._stream.write("\r" + " " * self._drawn + "\r")
            self._stream.flush()
            self._drawn = 0
            self._next = 0.0
