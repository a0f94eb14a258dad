"""A process that analyses one game: it reads the log from standard input, and writes its progress and the findings.

It has little memory and time, and a lower priority than the server and its bots. When the server has ended, the next
line about its progress ends it too.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
from typing import Any, Final

import msgpack

from server.coach.analysis import NotAnalysable, analyse
from server.coach.decisions import game_of_entries

MAX_SECONDS: Final = 900
"""Processor time; a usual game takes a tenth of it."""

MAX_MEMORY_BYTES: Final = 1024**3
_NICENESS: Final = 15


def main() -> None:
    """Analyse the log on standard input."""
    resource.setrlimit(resource.RLIMIT_CPU, (MAX_SECONDS, MAX_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
    # Signals to the process group are for the server, which ends this process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(_NICENESS)
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
