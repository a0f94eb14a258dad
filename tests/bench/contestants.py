"""The contestants: our server, the limit of what uvloop can do, and other projects' servers, each with its dialect.

All carry the same load: a move of a player is checked and applied, and an update of about 220 bytes reaches all viewers
at the table. (boardgame.io sends the whole state with each update, as it always does.)
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.bench.bench_server import BenchServer, other_server, our_server
from tests.bench.dialects import Dialect
from tests.bench.dialects.boardgame_io import BoardgameDialect
from tests.bench.dialects.colyseus import ColyseusDialect
from tests.bench.dialects.ours import OurDialect
from tests.bench.dialects.plain import PlainDialect
from tests.bench.peers import node_server
from tests.bench.processes import ROOT
from tests.bench.trivial_server import IN_MEMORY, MODULE

RAW, SOCKETS = "raw uvloop", "ours, sockets alone"
TRIVIAL, REAL = "ours, trivial game", "ours, Investors, durable"
WS, COLYSEUS, BOARDGAME_IO = "ws", "Colyseus", "boardgame.io"
GAME: Final = "investors"


@dataclass(frozen=True, slots=True)
class Contestant:
    """A server and its dialect. Starting it may raise `PeerMissing`."""

    name: str
    start: Callable[[set[int]], AbstractContextManager[BenchServer]]
    dialect: Callable[[int], Dialect]
    """Takes the port and returns the dialect."""

    game_ends: bool = False
    """Whether games end, so that new tables must be opened."""


def _in_python(module: str) -> Callable[[set[int]], AbstractContextManager[BenchServer]]:
    return lambda cores: other_server(cores, [sys.executable, "-m", module])


def ours(tree: Path = ROOT) -> tuple[Contestant, Contestant]:
    """Return our two contestants, perhaps of another source tree: the trivial game in memory, and the real one."""
    return (
        Contestant(TRIVIAL, lambda cores: our_server(cores, module=(*MODULE, *IN_MEMORY), tree=tree), OurDialect),
        Contestant(
            REAL, lambda cores: our_server(cores, tree=tree), lambda port: OurDialect(port, game=GAME), game_ends=True
        ),
    )


def _on_node(name: str) -> Callable[[set[int]], AbstractContextManager[BenchServer]]:
    return lambda cores: other_server(cores, node_server(name), environment={"NODE_ENV": "production"})


CONTESTANTS: Final = (
    Contestant(RAW, _in_python("tests.bench.raw_server"), PlainDialect),
    Contestant(SOCKETS, _in_python("tests.bench.sockets_server"), PlainDialect),
    *ours(),
    Contestant(WS, _on_node(WS), PlainDialect),
    Contestant(COLYSEUS, _on_node(COLYSEUS), ColyseusDialect),
    Contestant(BOARDGAME_IO, _on_node(BOARDGAME_IO), BoardgameDialect),
)
