"""How far a long command has come, on one line of a terminal; nothing where there is no terminal."""

from __future__ import annotations

import time
from typing import TextIO

_WIDTH = 30
_SECONDS_BETWEEN = 0.1


class Progress:
    """A bar that is drawn over and over. `clear` it before anything else is written to the same terminal."""

    def __init__(self, stream: TextIO, total: int, what: str) -> None:
        self._stream = stream
        self._total = total
        self._what = what
        self._is_shown = stream.isatty()
        self._next = 0.0
        self._drawn = 0

    def advance(self, done: int) -> None:
        """Show how much is done, unless it was shown a moment ago."""
        if not self._is_shown or time.monotonic() < self._next:
            return
        self._next = time.monotonic() + _SECONDS_BETWEEN
        filled = _WIDTH * done // self._total
        text = f"[{'#' * filled}{'-' * (_WIDTH - filled)}] {done} of {self._total} {self._what}"
        self._stream.write("\r" + text.ljust(self._drawn))
        self._stream.flush()
        self._drawn = len(text)

    def clear(self) -> None:
        """Take the bar away; the next `advance` draws it again at once."""
        if self._drawn:
            self._stream.write("\r" + " " * self._drawn + "\r")
            self._stream.flush()
            self._drawn = 0
            self._next = 0.0
