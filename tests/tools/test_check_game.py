"""Checking a game: the games are complete, and whatever part is taken away is named."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from server.cli import main
from server.games.engine.events import EVERYBODY, Event
from server.games.engine.game import no_progress
from server.games.engine.prompts import Command
from server.games.registry import GAMES
from server.tools.check_game import LANGUAGES, missing_parts

ROOT = Path(__file__).parents[2]
PLANNERS = GAMES["planners"]
SILENT = [
    f"the text planners.log.{event} in {language}"
    for language in LANGUAGES
    for event in ("bonus_due", "cards_redealt", "turn_ended")
]
ADDED = ("misspelt", "undeclared")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Return a copy of all parts of Planners, to take something away from."""
    for folder in ("server/games/planners", "web/src", "tests/games", "tests/golden/planners"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    (tmp_path / "tests/web").mkdir()
    shutil.copy(ROOT / "tests/web/test_sentences.py", tmp_path / "tests/web")
    return tmp_path


@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_complete(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-game", name]) == 0
    assert capsys.readouterr().out == f"{name}: complete\n"


@pytest.mark.parametrize(
    "path, line",
    [
        ("server/games/planners/RULES.md", "file server/games/planners/RULES.md"),
        ("server/games/planners/view.py", "file server/games/planners/view.py"),
        ("web/src/scenes/planners.js", "file web/src/scenes/planners.js"),
        ("tests/games/secrecy_planners.py", "file tests/games/secrecy_planners.py"),
        ("tests/golden/planners", "golden logs in tests/golden/planners"),
    ],
)
def test_a_part_that_is_removed_is_missing(tree: Path, path: str, line: str) -> None:
    assert missing_parts("planners", tree) == []
    removed = tree / path
    shutil.rmtree(removed) if removed.is_dir() else removed.unlink()
    assert missing_parts("planners", tree) == [line]


@pytest.mark.parametrize(
    "path, part, lines",
    [
        ("web/src/pages/scenes.js", "scenes/planners.js", ["the scene in web/src/pages/scenes.js"]),
        ("tests/games/test_secrecy.py", '"planners":', ["the game in SECRETS of tests/games/test_secrecy.py"]),
        ("tests/web/test_sentences.py", '"planners": (', ["the game in GAMES of tests/web/test_sentences.py", *SILENT]),
        ("web/src/catalogue/de/page.json", '"game.planners"', ["the text game.planners in de"]),
        (
            "web/src/catalogue/en/page.json",
            '"option.planners.first_seat.1"',
            ["the text option.planners.first_seat.1 in en"],
        ),
        ("web/src/catalogue/en/planners.json", '"about.planners.lay"', ["the text about.planners.lay in en"]),
        (
            "web/src/catalogue/de/planners.json",
            '"planners.log.tower_built',
            ["the text planners.log.tower_built in de", "the text planners.log.tower_built.you in de"],
        ),
    ],
)
def test_a_line_that_is_changed_is_missing(tree: Path, path: str, part: str, lines: list[str]) -> None:
    file = tree / path
    text = file.read_text("utf-8")
    assert part in text
    file.write_text(text.replace(part, "changed"), "utf-8")
    assert missing_parts("planners", tree) == lines


class Undeclared(Event):
    """An event that declares nothing."""


class Misspelt(Event):
    """An event whose sentence names what is unknown."""

    visible_to = EVERYBODY
    sentence = "{seat} builds {house:size}."


class Unused(Command):
    """A command that no prompt offers."""


def test_what_an_event_does_not_declare_is_missing() -> None:
    games = {"planners": replace(PLANNERS, events=(*PLANNERS.events, Undeclared, Misspelt))}
    assert missing_parts("planners", ROOT, games) == [
        "visible_to of the event undeclared",
        "a reducer of the event undeclared",
        "the sentence of the event undeclared",
        "a reducer of the event misspelt",
        "the field seat in the sentence of misspelt",
        "the field house in the sentence of misspelt",
        "the formatter size in the sentence of misspelt",
        *(f"the text planners.log.{event} in {language}" for language in LANGUAGES for event in ADDED),
    ]


def test_a_game_that_does_not_say_how_far_it_is_lacks_a_function() -> None:
    games = {"planners": replace(PLANNERS, progress=no_progress)}
    assert missing_parts("planners", ROOT, games) == ["the function progress of the game"]


def test_a_command_that_no_prompt_offers_is_missing() -> None:
    games = {"planners": replace(PLANNERS, commands=(*PLANNERS.commands, Unused))}
    assert missing_parts("planners", ROOT, games) == ["a prompt with the command unused"]


def test_a_game_that_nobody_has_begun_lacks_everything(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-game", "bankers"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "missing: file server/games/bankers/rules.py" in lines
    assert "missing: the game in GAMES of server/games/registry.py" in lines
    assert lines[-1] == f"bankers: {len(lines) - 1} parts missing"


def test_a_folder_that_is_no_source_tree_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-game", "planners", "--folder", str(tmp_path)]) == 2
    assert "has no folder server/games" in capsys.readouterr().err
