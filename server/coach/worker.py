"""A process that analyses one game: it reads the log from standard input, and writes its progress and the findings.

It has little memory and time, and a lower priority than the server and its bots. When the server has ended, the next
line about its progress ends it too.
"""

from __future__ import annotations

import json
import sys
from typing import Any, Final

import msgpack

from server.background_process import begin_background_process
from server.coach.analysis import NotAnalysable, analyse
from server.coach.decisions import game_of_entries

MAX_SECONDS: Final = 900
"""Processor time; a usual game takes a tenth of it."""

MAX_MEMORY_BYTES: Final = 1024**3
_NICENESS: Final = 15


def main() -> None:
    """Analyse the log on standard input."""
    begin_background_process(MAX_SECONDS, MAX_MEMORY_BYTES, _NICENESS)
    game = game_of_entries(msgpack.unpackb(sys.stdin.buffer.read()))
    try:
        if game is None:
            raise NotAnalysable("the game never began")
        _write({"findings": analyse(game, on_progress=_write_progress)})
    except NotAnalysable:
        _write({"not_analysable": True})


def _write_progress(done: int, of: int) -> None:
    _write({"done": done, "of": of})


def _write(line: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(line, separators=(",", ":")) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
