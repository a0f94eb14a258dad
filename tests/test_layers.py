"""Every module imports only what its layer may know.

LAYERS is the whole law; ARCHITECTURE.md shows the same table with the reasons, and one test here keeps the two equal.
The checker reads source text and imports nothing, so it also sees imports inside functions and for types only.
"""

import ast
import importlib.util
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

STANDARD = sys.stdlib_module_names
# The parts of the standard library that touch no clock, no chance, no disc and no network. importlib.resources is
# here for the data files of a game, which are as constant as its code.
PURE = """
    __future__ abc bisect collections dataclasses enum functools hashlib hmac importlib.resources itertools json math
    operator re string struct textwrap types typing
"""
RUNTIME = (
    "aiosmtplib cryptography h11 hiredis msgpack msgspec openskill prometheus_client pydantic pydantic_settings redis"
    " starlette uvicorn uvloop webauthn websockets"
)


@dataclass(frozen=True)
class Layer:
    """The imports that a layer allows besides its own modules."""

    project: str = ""  # modules of this project, each with all below it
    packages: str = ""  # packages from outside
    standard: frozenset[str] = STANDARD
    knows_each_game: bool = False  # may import the folder of a single game

    def allowed(self) -> frozenset[str]:
        return self.standard.union(self.project.split(), self.packages.split())


JOINER = Layer("server protocol", RUNTIME, knows_each_game=True)

LAYERS = {
    "server": Layer("server.acceleration"),  # server/__init__.py alone
    "server.acceleration": Layer(),
    "server.model": Layer(standard=frozenset(PURE.split())),
    "server.rate_limit": Layer(standard=frozenset(PURE.split())),
    "server.games": Layer("protocol.commitments server.model", standard=frozenset(PURE.split())),
    "server.text": Layer(standard=frozenset({*PURE.split(), "unicodedata"})),
    "server.tables": Layer(
        "protocol server.games server.model server.rate_limit server.store.api server.text", "msgpack"
    ),
    "server.fairness": Layer("protocol server.games server.model server.tables"),
    "server.redis_pipeline": Layer("", "hiredis redis"),
    "server.store": Layer("server.rate_limit server.redis_pipeline", "msgpack redis"),
    "server.cluster.bus": Layer("server.redis_pipeline", "redis"),
    "server.cluster": Layer(
        "protocol server.cluster.bus.api server.lobby server.model server.store.api server.tables", "msgpack"
    ),
    "server.gateway": Layer(
        "protocol server.lobby server.model server.rate_limit server.tables",
        "h11 prometheus_client starlette uvicorn websockets",
    ),
    "server.lobby": Layer(
        "protocol server.games server.model server.rate_limit server.store.api server.tables server.text"
    ),
    "server.people": Layer(
        "protocol server.lessons.progress server.lobby server.model server.notifications.recipients server.rate_limit"
        " server.store.api server.tables server.text",
        "webauthn",
    ),
    "server.notifications": Layer(
        "protocol server.lobby server.model server.people server.rate_limit server.store.api server.tables server.text",
        "aiosmtplib cryptography h11",
    ),
    "server.lessons": Layer("protocol server.games server.model server.store.api server.tables", "pydantic"),
    "server.history": Layer(
        "protocol server.background_process server.fairness server.games server.lobby server.model"
        " server.people.directory server.store.api server.store.games_api server.tables server.text",
        "msgpack openskill",
    ),
    "server.bots": Layer("protocol server.games server.model", knows_each_game=True),
    "server.coach": Layer(
        "protocol server.background_process server.bots server.fairness server.games server.history.finished"
        " server.model server.store.api server.tables",
        "msgpack",
        knows_each_game=True,
    ),
    "server.control": Layer(),
    "server.garbage": Layer(),
    "server.background_process": Layer(),
    "server.tools": Layer(
        "protocol server.bots server.control server.games server.history server.lobby server.model server.store"
        " server.tables",
        "msgpack",
    ),
    "server.__main__": JOINER,
    "server.app": JOINER,
    "server.cli": JOINER,
    "server.config": JOINER,
    "server.supervisor": JOINER,
    "protocol": Layer("", "msgpack msgspec pydantic websockets"),
}

REGISTRY = "server.games.registry"  # the one shared module that imports the games' folders


def complaints(source: str, module: str, games: frozenset[str], *, is_package: bool = False) -> list[str]:
    """Return a sentence for every import in the source of a module that its layer forbids.

    ``games`` names the folders in server/games; ``is_package`` is true for the source of an ``__init__.py``.
    """
    name = layer_name(module)
    if name not in LAYERS:
        return [f"{module}: no layer is called {name}; give it a line in LAYERS and in ARCHITECTURE.md"]
    found = []
    for line, target in imports(ast.parse(source), module if is_package else module.rpartition(".")[0]):
        if target is None:
            found.append(f"{module}:{line} imports by a name that cannot be read from the source")
        elif not (is_own_layer(target, name) or is_within(target, {*LAYERS[name].allowed()})):
            found.append(f"{module}:{line} imports {target}, which {name} may not know")
        elif (reason := game_complaint(target, module, games)) is not None:
            found.append(f"{module}:{line} imports {target}, but {reason}")
    return found


def game_complaint(target: str, module: str, games: frozenset[str]) -> str | None:
    """Return why a module may not import a game's folder or, from a game, the registry; None if it may."""
    here, there = game_of(module, games), game_of(target, games)
    if here is not None and is_within(target, {REGISTRY}):
        return "a game must not import the registry"
    if there is None or there == here:
        return None
    if here is not None:
        return "a game must not import another game"
    if module == REGISTRY or LAYERS[layer_name(module)].knows_each_game:
        return None
    return f"only {REGISTRY} may import each game"


def layer_name(module: str) -> str:
    """Return the layer of a module: the longest prefix with a line of its own, as a folder may hold another layer."""
    parts = module.split(".")
    prefixes = [".".join(parts[:length]) for length in range(len(parts), 1, -1)]
    usual = ".".join(parts[:2]) if parts[0] == "server" else parts[0]
    return next((prefix for prefix in prefixes if prefix in LAYERS), usual)


def is_own_layer(target: str, name: str) -> bool:
    return name != "server" and is_within(target, {name}) and layer_name(target) == name


def game_of(module: str, games: frozenset[str]) -> str | None:
    parts = module.split(".")
    return parts[2] if parts[:2] == ["server", "games"] and len(parts) > 2 and parts[2] in games else None


def is_within(target: str, allowed: set[str]) -> bool:
    parts = target.split(".")
    return any(".".join(parts[:length]) in allowed for length in range(1, len(parts) + 1))


def imports(tree: ast.AST, package: str) -> Iterator[tuple[int, str | None]]:
    """Yield the line and the full dotted name of each import; None for a name that is computed.

    ``from a import b`` gives ``a.b``, whether ``b`` is a module or something in one.
    """
    for node in ast.walk(tree):
        match node:
            case ast.Import():
                for alias in node.names:
                    yield node.lineno, alias.name
            case ast.ImportFrom():
                origin = importlib.util.resolve_name("." * node.level + (node.module or ""), package)
                for alias in node.names:
                    yield node.lineno, f"{origin}.{alias.name}"
            case ast.Call(func=ast.Name("import_module" | "__import__") | ast.Attribute(attr="import_module")):
                yield node.lineno, literal_target(node, package)


def literal_target(call: ast.Call, package: str) -> str | None:
    match call.args:
        case [ast.Constant(str(name)), *_]:
            return importlib.util.resolve_name(name, package)
        case _:
            return None


def project_modules() -> Iterator[tuple[str, Path]]:
    for path in sorted([*ROOT.glob("server/**/*.py"), *ROOT.glob("protocol/**/*.py")]):
        parts = path.relative_to(ROOT).with_suffix("").parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


def test_no_module_of_the_project_reaches_where_it_may_not() -> None:
    games = frozenset(path.parent.name for path in ROOT.glob("server/games/*/__init__.py")) - {"engine"}
    found = [
        complaint
        for module, path in project_modules()
        for complaint in complaints(path.read_text("utf-8"), module, games, is_package=path.name == "__init__.py")
    ]
    assert not found, "\n".join(found)


def test_every_package_is_found_and_read() -> None:
    assert {"server", "protocol"} <= dict(project_modules()).keys()


def test_the_architecture_document_shows_the_same_table() -> None:
    section = (ROOT / "ARCHITECTURE.md").read_text("utf-8").split("## Layers")[1].split("\n## ")[0]
    rows = [[set(re.findall(r"`([^`]+)`", cell)) for cell in line.split("|")[1:4]] for line in section.splitlines()]
    shown = {name: (project, packages) for names, project, packages in filter(all_of_a_row, rows) for name in names}
    meant = {name: (set(layer.project.split()), set(layer.packages.split())) for name, layer in LAYERS.items()}
    assert shown == meant


def all_of_a_row(cells: list[set[str]]) -> bool:
    return len(cells) == 3 and bool(cells[0])


# The checker itself, on sources that are small enough to judge by eye.

GAMES = frozenset({"investors", "planners"})


@pytest.mark.parametrize(
    "module, source",
    [
        # games: nothing impure, nothing from outside, no other layer
        ("server.games.engine.dice", "import random"),
        ("server.games.engine.dice", "import os.path"),
        ("server.games.engine.dice", "from time import monotonic"),
        ("server.games.engine.dice", "import asyncio as waiting"),
        ("server.games.engine.dice", "import math, logging"),
        ("server.games.engine.dice", "import importlib"),
        ("server.games.engine.game", "from pydantic import BaseModel"),
        ("server.games.engine.game", "import protocol.codec"),
        ("server.games.engine.game", "from server.tables.core import Table"),
        ("server.games.engine.game", "from ...tables import core"),
        ("server.games.engine.game", "from ... import tables"),
        ("server.games.engine.game", "import server"),
        ("server.games.engine.game", "from server import *"),
        # wherever the import stands
        ("server.games.engine.game", "def roll():\n    import random\n"),
        ("server.games.engine.game", "if TYPE_CHECKING:\n    from server.store.api import Store\n"),
        ("server.games.engine.game", "try:\n    import uvloop\nexcept ImportError:\n    pass\n"),
        # an import in disguise is an import
        ("server.bots.greedy", "importlib.import_module('server.store.redis')"),
        ("server.bots.greedy", "import_module('..store', __package__)"),
        ("server.bots.greedy", "__import__('server.tables')"),
        ("server.bots.greedy", "importlib.import_module(name)"),
        ("server.bots.greedy", "import_module(name='server.tables')"),
        # one game, its sister, and the registry
        ("server.games.investors.rules", "from server.games.planners.state import State"),
        ("server.games.investors.rules", "from server.games import planners"),
        ("server.games.investors.rules", "from ..planners import rules"),
        ("server.games.investors", "from server.games.registry import GAMES"),
        ("server.games.engine.game", "from server.games.investors import rules"),
        ("server.games.registry_of_tests", "import server.games.investors"),
        ("server.tables.core", "from server.games.investors.rules import INVESTORS"),
        ("server.lobby.tables", "from server.games import planners"),
        # the other layers
        ("server.tables.core", "from server.gateway.http.sessions import Session"),
        ("server.tables.actor", "import server.lobby.tables"),
        ("server.tables.core", "from server.store import sqlite"),
        ("server.tables.core", "from server.store.sqlite import SqliteStore"),
        ("server.tables.core", "from server.store import *"),
        ("server.tables.core", "import server.store"),
        ("server.tables.core", "from server.store.base_of_another import Store"),
        ("server.store.redis", "from server.games.engine.game import Game"),
        ("server.store.redis", "from ..bus import base"),
        ("server.cluster.bus.redis", "import server.store.api"),
        ("server.cluster.bus.redis", "import starlette"),
        ("server.cluster.router", "import server.cluster.bus.redis"),
        ("server.gateway.routes", "from server.app import settings"),
        ("server.gateway.routes", "from server.config import Settings"),
        ("server.lobby.tables", "from server.gateway.http.sessions import Session"),
        ("server.bots.greedy", "from server.tables.core import Table"),
        ("server.tools.simulate", "from server.gateway.websocket.connection import Connection"),
        ("server.tools.simulate", "from server.games.investors import rules"),
        ("protocol.codec", "from server.games.engine.game import Prompt"),
        ("protocol.codec", "import starlette"),
        ("server", "from server.games import game"),
        # even those that join the parts: no tools of the developer, no tests
        ("server.app", "import hypothesis"),
        ("server.cli", "from tests.games import logs"),
    ],
)
def test_a_forbidden_import_is_found(module: str, source: str) -> None:
    assert len(complaints(source, module, GAMES)) == 1


@pytest.mark.parametrize(
    "module, source",
    [
        ("server.games.engine.dice", "import hashlib\nfrom collections.abc import Iterator\nimport typing as t"),
        ("server.games.investors.rules", "from . import state\nfrom .state import State\nfrom ..game import Game"),
        ("server.games.investors.components", "from importlib import resources\nimport importlib.resources"),
        ("server.games.registry", "from server.games import investors\nfrom .planners import rules"),
        ("server.tables.core", "from server.store import api\nfrom server.store.api import Store"),
        ("server.tables.actor", "import asyncio\nfrom protocol import codec\nfrom server.games.registry import GAMES"),
        ("server.store.redis", "import redis.asyncio\nfrom .api import Store\nimport server.store.memory"),
        ("server.bots.greedy", "from server.games.investors import view\nimport_module('.base', __package__)"),
        (
            "server.app",
            "from server.gateway import endpoint\nimport uvicorn\nfrom server.store.redis import RedisStore",
        ),
        ("protocol.codec", "import msgpack\nfrom pydantic import BaseModel\nfrom protocol import codes"),
        ("server.games.engine.game", "text = 'import random'  # import random"),
    ],
)
def test_an_allowed_import_is_left_alone(module: str, source: str) -> None:
    assert complaints(source, module, GAMES) == []


def test_a_relative_import_in_a_package_starts_at_the_package_itself() -> None:
    assert complaints("from .rules import Game", "server.games.investors", GAMES, is_package=True) == []
    assert complaints("from ..tables import core", "server.games", GAMES, is_package=True) != []


def test_a_layer_that_the_table_does_not_name_is_found() -> None:
    assert complaints("", "server.helpers.text", GAMES) != []
    assert complaints("", "server.helpers", GAMES) != []


def test_a_complaint_says_where_and_what() -> None:
    assert complaints("\nimport random\n", "server.games.engine.dice", GAMES) == [
        "server.games.engine.dice:2 imports random, which server.games may not know"
    ]
