"""Logs as one JSON object on a line.

A line says what happened in words that never change, and the rest in fields. No secret can slip in through an error:
of an exception only its kind and the places in the code are written, never its text, which may quote what a user sent.
"""

from __future__ import annotations

import json
import logging
import sys
import traceback
from datetime import UTC, datetime
from typing import Any, Final, TextIO

_USUAL: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message", "taskName"}
_PLAIN: Final = (str, int, float, bool, type(None))


class JsonLines(logging.Formatter):
    """Writes a record as a line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            # Libraries add lines of their own, in which anything may be quoted.
            "event": record.getMessage().partition("\n")[0],
            "from": record.name,
        }
        for name, value in vars(record).items():
            if name not in _USUAL:
                line[name] = value if isinstance(value, _PLAIN) else str(value)
        if record.exc_info and record.exc_info[1] is not None:
            line["error"] = _kinds(record.exc_info[1])
            line["places"] = [
                f"{place.filename}:{place.lineno} {place.name}"
                for place in traceback.extract_tb(record.exc_info[2])[-12:]
            ]
        return json.dumps(line, ensure_ascii=True)


def _kinds(error: BaseException) -> str:
    """Give the kind of an error, and of what caused it."""
    kinds: list[str] = []
    cause: BaseException | None = error
    while cause is not None and len(kinds) < 5:
        kinds.append(type(cause).__name__)
        cause = cause.__cause__ or cause.__context__
    return " from ".join(kinds)


def start_logging(level: str, stream: TextIO | None = None) -> None:
    """Send the logs of the whole process to standard error, from this level on."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    # These would write a line, with the address as it was asked for, for whatever anybody sends.
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access", "websockets"):
        logging.getLogger(name).setLevel(logging.ERROR)
