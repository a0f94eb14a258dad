"""Which parts of a game are still missing, from its folder to its texts: one line for each missing part.

Nothing is imported from the folder of a game: the source tree is read as text, and the registered game is asked for its
events, commands and options.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Formatter
from typing import Any, Final

from server.games.engine.events import UNDECLARED, Event
from server.games.engine.game import Game, no_progress
from server.games.engine.options import Pick
from server.games.registry import GAMES

LANGUAGES: Final = ("en", "de", "it", "pl")
GAME_FILES: Final = (
    *("__init__.py", "RULES.md", "rules.py", "setup.py", "state.py", "commands.py", "events.py", "reducers.py"),
    *("view.py", "text.py", "scoring.py"),
)


@dataclass(frozen=True, slots=True)
class SourceTree:
    """A source tree in which the parts of one game are looked up."""

    root: Path
    name: str
    game: Game[Any] | None
    """The registered game, if there is one."""

    def text(self, path: str) -> str:
        """Return the text of a file, empty if there is no such file."""
        file = self.root / path
        return file.read_text("utf-8") if file.is_file() else ""

    def silent_line(self) -> str:
        """Return the line of a test that names the events without a text on the page, empty if there is none."""
        found = re.search(rf'^ +"{self.name}": \(.*$', self.text("tests/web/test_sentences.py"), re.MULTILINE)
        return "" if found is None else found.group()

    def rules_text(self) -> str:
        """Return the source of the game's rules without its commands."""
        files = sorted((self.root / "server/games" / self.name).glob("*.py"))
        return "".join(file.read_text("utf-8") for file in files if file.name != "commands.py")


def missing_parts(name: str, root: Path, games: Mapping[str, Game[Any]] = GAMES) -> list[str]:
    """Return a line for each part of the game that is missing in a source tree."""
    tree = SourceTree(root, name, games.get(name))
    return [line for check in CHECKS for line in check(tree)]


def _files(tree: SourceTree) -> Iterator[str]:
    folder = f"server/games/{tree.name}"
    web, catalogue = "web/src/scenes", "web/src/catalogue"
    paths = (
        *(f"{folder}/{file}" for file in GAME_FILES),
        *(f"{web}/{tree.name}.js", f"{web}/{tree.name}/sentences.js"),
        *(f"{catalogue}/{language}/{tree.name}.json" for language in LANGUAGES),
        *(f"tests/games/{tree.name}/__init__.py", f"tests/games/{tree.name}/golden.py"),
        f"tests/games/secrecy_{tree.name}.py",
    )
    yield from (f"file {path}" for path in paths if not (tree.root / path).is_file())
    if not any((tree.root / "tests/golden" / tree.name).glob("*.log")):
        yield f"golden logs in tests/golden/{tree.name}"


def _registrations(tree: SourceTree) -> Iterator[str]:
    if tree.game is None:
        yield "the game in GAMES of server/games/registry.py"
    if f"scenes/{tree.name}.js" not in tree.text("web/src/pages/scenes.js"):
        yield "the scene in web/src/pages/scenes.js"
    if not tree.silent_line():
        yield "the game in GAMES of tests/web/test_sentences.py"
    if f'"{tree.name}":' not in tree.text("tests/games/test_secrecy.py"):
        yield "the game in SECRETS of tests/games/test_secrecy.py"
    if f"tests.games.{tree.name}.golden" not in tree.text("tests/games/test_golden.py"):
        yield "the game in GOLDENS of tests/games/test_golden.py"


def _functions(tree: SourceTree) -> Iterator[str]:
    if tree.game is not None and tree.game.progress is no_progress:
        yield "the function progress of the game"


def _events(tree: SourceTree) -> Iterator[str]:
    if tree.game is None:
        return
    for event in tree.game.events:
        if event.visible_to is UNDECLARED:
            yield f"visible_to of the event {event.name}"
        if not tree.game.reducers.reduces(event):
            yield f"a reducer of the event {event.name}"
        if not event.sentence:
            yield f"the sentence of the event {event.name}"
        yield from (f"{what} in the sentence of {event.name}" for what in _unknown_fields(event, tree.game))


def _unknown_fields(event: type[Event], game: Game[Any]) -> Iterator[str]:
    for _, field, formatter, _ in Formatter().parse(event.sentence):
        if field is not None and field not in (*event.__match_args__, "event"):
            yield f"the field {field}"
        if formatter and formatter not in game.formatters:
            yield f"the formatter {formatter}"


def _commands(tree: SourceTree) -> Iterator[str]:
    if tree.game is not None:
        rules = tree.rules_text()
        for command in tree.game.commands:
            if not re.search(rf"\b{command.__name__}\b", rules):
                yield f"a prompt with the command {command.name}"


def _texts(tree: SourceTree) -> Iterator[str]:
    catalogues = {language: _catalogue_keys(tree, language) for language in LANGUAGES}
    needed = {*_needed_keys(tree), *(key for keys in catalogues.values() for key in keys if _is_own(key, tree))}
    for language, keys in catalogues.items():
        missing = (needed - keys) | {key for key in _event_keys(tree) if not _has_text(key, keys)}
        yield from (f"the text {key} in {language}" for key in sorted(missing))


def _catalogue_keys(tree: SourceTree, language: str) -> set[str]:
    texts = (tree.text(f"web/src/catalogue/{language}/{area}.json") for area in ("page", tree.name))
    return {key for text in texts for key in re.findall(r'^\s+"([^"]+)":', text, re.MULTILINE)}


def _is_own(key: str, tree: SourceTree) -> bool:
    """Return whether a text in one language belongs to the game, so that every language needs it."""
    return tree.name in key.split(".")


def _needed_keys(tree: SourceTree) -> Iterator[str]:
    yield f"game.{tree.name}"
    yield from (f"about.{tree.name}.{kind}" for kind in re.findall(r'\bDecision\(\s*"(\w+)"', tree.rules_text()))
    for option in () if tree.game is None else tree.game.options:
        key = f"option.{tree.name}.{option.name}"
        yield from (key, f"{key}.name")
        if isinstance(option, Pick):
            yield from (f"{key}.{value}" for value in (*option.values, *(["each"] if option.each else [])))


def _event_keys(tree: SourceTree) -> Iterator[str]:
    prefix = re.search(r'\bprefix: "([^"]+)"', tree.text(f"web/src/scenes/{tree.name}/sentences.js"))
    if tree.game is not None and prefix is not None:
        silent = set(re.findall(r'"(\w+)"', tree.silent_line().partition("{")[2]))
        yield from (prefix[1] + event.name for event in tree.game.events if event.name not in silent)


def _has_text(key: str, keys: set[str]) -> bool:
    """Return whether there is a text under a key or under a variant of it."""
    return any(other == key or other.startswith(f"{key}.") for other in keys)


CHECKS: Final[tuple[Callable[[SourceTree], Iterator[str]], ...]] = (
    _files,
    _registrations,
    _functions,
    _events,
    _commands,
    _texts,
)
