"""FailureCounter that come to light while a table is asked: counted, and logged without what they quote."""

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
    "busy", "The server made a mistake with this request. Please look whether it happened, and try again."
)


class FailureCounter:
    """The latest mistakes of one table."""

    def __init__(self) -> None:
        self._times: deque[int] = deque(maxlen=MAX_FAILURES)

    def note(self, now: int) -> bool:
        """Count a mistake; True if there were too many lately."""
        self._times.append(now)
        return len(self._times) == MAX_FAILURES and now - self._times[0] <= WINDOW_MILLISECONDS


def log_failure(message: str, table: str, error: BaseException) -> None:
    """Log where a mistake was made, but not its text: that may quote a hand or a bid."""
    cause = error.__cause__ or error
    where = "".join(traceback.format_tb(cause.__traceback__))
    log.error(message, extra={"table": table, "error": type(cause).__name__, "where": where})
