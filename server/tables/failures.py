"""Unexpected exceptions at a table: counted, and logged without their text, which may quote secrets."""

from __future__ import annotations

import logging
import traceback
from collections import deque
from typing import Final

from server.model import Refused

log = logging.getLogger(__name__)

MAX_FAILURES = 3
WINDOW_MILLISECONDS = 60_000
INTERNAL_ERROR: Final = Refused(
    "busy", "An internal error occurred. Please check whether your request was carried out, and try again.", "unknown"
)


class FailureCounter:
    """Counts the recent failures of one table."""

    def __init__(self) -> None:
        self._times: deque[int] = deque(maxlen=MAX_FAILURES)

    def note(self, now: int) -> bool:
        """Count a failure; return whether there were `MAX_FAILURES` within the window."""
        self._times.append(now)
        return len(self._times) == MAX_FAILURES and now - self._times[0] <= WINDOW_MILLISECONDS


def log_failure(message: str, table: str, error: BaseException) -> None:
    """Log the type and traceback of an exception, but not its text, which may quote a hand or a bid."""
    cause = error.__cause__ or error
    where = "".join(traceback.format_tb(cause.__traceback__))
    log.error(message, extra={"table": table, "error": type(cause).__name__, "where": where})
