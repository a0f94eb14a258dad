"""Our server with a trivial game beside the real ones: `python -m tests.bench.trivial_server [WORDS] serve ...`.

Everything but the rules is the product. Words before the command change what surrounds it: `memory` keeps tables in
memory alone, as other contestants do; `rest-soon` puts tables to rest every second.
"""

from __future__ import annotations

import sys
from typing import Final

from server import app
from server.cli import main
from server.config import Settings
from server.games.registry import GAMES
from server.store.api import TableStore
from server.store.memory import MemoryStore
from server.tables import registry
from tests.bench.trivial_game import MARKS

MODULE: Final = ("tests.bench.trivial_server",)
IN_MEMORY: Final = ("memory",)
REST_SOON: Final = ("rest-soon",)


async def _memory_store(settings: Settings) -> tuple[TableStore, str]:
    return MemoryStore(), "none"


def run(arguments: list[str]) -> int:
    GAMES[MARKS.name] = MARKS
    words = arguments[: arguments.index("serve")]
    if "memory" in words:
        app._open_store = _memory_store
    if "rest-soon" in words:
        registry.UNLOAD_INTERVAL_SECONDS = 1.0
    return main(arguments[len(words) :])


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
