"""Our server with a trivial game beside the real ones: `python -m tests.bench.trivial_server serve ...`.

Everything but the rules is the product. With `--store memory` as the first argument, tables are kept in memory alone,
as those of other contestants are; without it, they are durable.
"""

from __future__ import annotations

import sys

from server import app
from server.cli import main
from server.games.registry import GAMES
from server.settings import Settings
from server.store.base import TableStore
from server.store.memory import MemoryStore
from tests.bench.trivial_game import Marks

IN_MEMORY = ("--store", "memory")


async def _memory_store(settings: Settings) -> tuple[TableStore, str]:
    return MemoryStore(), "none"


def run(arguments: list[str]) -> int:
    game = Marks()
    GAMES[game.name] = game
    if tuple(arguments[:2]) == IN_MEMORY:
        arguments = arguments[2:]
        app._store = _memory_store
    return main(arguments)


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
