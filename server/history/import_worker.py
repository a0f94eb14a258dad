"""A process that checks one imported log: it reads the log from standard input and writes the result as one line.

It has little memory and time, and a lower priority than the server: whatever a file makes the rules do happens here.
"""

from __future__ import annotations

import base64
import json
import sys
from typing import Any, Final

from server.background_process import begin_background_process
from server.games.engine.game_log import DamagedLog
from server.tables.imported_log import Opening, read_imported

MAX_SECONDS: Final = 20
"""Processor time; the longest games take a tenth of it."""

MAX_MEMORY_BYTES: Final = 1024**3
_NICENESS: Final = 10


def main() -> None:
    """Check the log on standard input."""
    begin_background_process(MAX_SECONDS, MAX_MEMORY_BYTES, _NICENESS)
    opening = Opening(*json.loads(sys.stdin.buffer.readline()))
    sys.stdout.write(json.dumps(_checked(sys.stdin.buffer.read().decode("utf-8", "replace"), opening)))


def _checked(text: str, opening: Opening) -> dict[str, Any]:
    try:
        log = read_imported(text, opening)
    except DamagedLog as reason:
        return {"sentence": str(reason)}
    except (MemoryError, RecursionError):
        return {"sentence": "The log takes more memory than any game needs."}
    entries = [base64.b64encode(entry).decode() for entry in log.entries]
    return {"entries": entries, "summary": base64.b64encode(log.summary).decode()}


if __name__ == "__main__":
    main()
