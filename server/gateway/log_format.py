"""Log lines as JSON objects.

The event is a constant text; everything that varies is in fields. Of an exception only the types and the places in the
code are written, never its text, which may quote what a user sent.
"""

from __future__ import annotations

import json
import logging
import sys
import traceback
from datetime import UTC, datetime
from typing import Any, Final, TextIO

_KNOWN_FIELDS: Final = frozenset(vars(logging.makeLogRecord({}))) | {
    "message",
    "asctime",
    "color_message",
    "taskName",
}
_JSON_SCALARS: Final = (str, int, float, bool, type(None))


class JsonLines(logging.Formatter):
    """A formatter that returns a log record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            # Further lines come from libraries and may quote anything.
            "event": record.getMessage().partition("\n")[0],
            "from": record.name,
        }
        for name, value in vars(record).items():
            if name not in _KNOWN_FIELDS:
                line[name] = value if isinstance(value, _JSON_SCALARS) else str(value)
        if record.exc_info and record.exc_info[1] is not None:
            line["error"] = _error_types(record.exc_info[1])
            line["places"] = [
                f"{place.filename}:{place.lineno} {place.name}"
                for place in traceback.extract_tb(record.exc_info[2])[-12:]
            ]
        return json.dumps(line, ensure_ascii=True)


def _error_types(error: BaseException) -> str:
    """Return the types of an exception and of its causes."""
    types: list[str] = []
    cause: BaseException | None = error
    while cause is not None and len(types) < 5:
        types.append(type(cause).__name__)
        cause = cause.__cause__ or cause.__context__
    return " from ".join(types)


def start_logging(level: str, stream: TextIO | None = None) -> None:
    """Write the log of the whole process, from this level on, to standard error."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    # These log the requested URL of every request, which may hold secrets.
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access", "websockets"):
        logging.getLogger(name).setLevel(logging.ERROR)
