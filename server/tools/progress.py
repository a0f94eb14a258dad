"""A progress bar on one line of a terminal; nothing where there is no terminal."""

from __future__ import annotations

import time
from typing import TextIO

_WIDTH = 30
_MIN_INTERVAL_SECONDS = 0.1


class Progress:
    """A progress bar. `clear` it before anything else is written to the same terminal."""

    def __init__(self, stream: TextIO, total: int, unit: str, scale: int = 1) -> None:
        """Show amounts in `unit`, which is worth `scale` of what `advance` is called with."""
        self._stream = stream
        self._total = total
        self._unit = unit
        self._scale = scale
        self._is_shown = stream.isatty()
        self._next = 0.0
        self._drawn = 0

    def advance(self, done: int, total: int | None = None) -> None:
        """Show the amount done, at most ten times a second; `total` replaces that of the start."""
        self._total = self._total if total is None else total
        if not self._is_shown or time.monotonic() < self._next:
            return
        self._next = time.monotonic() + _MIN_INTERVAL_SECONDS
        filled = min(_WIDTH, _WIDTH * done // max(1, self._total))
        amounts = f"{-(-done // self._scale)} of {-(-self._total // self._scale)} {self._unit}"
        text = f"[{'#' * filled}{'-' * (_WIDTH - filled)}] {amounts}"
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
