"""Every ruling and every example of a rulebook has a test, and the code cites only rules that exist."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

import pytest

RULINGS = {"investors": 65, "planners": 30, "builders": 40}
VECTORS = {
    "investors": (
        *("influence_1", "influence_2", "influence_3", "cheques", "options", "town_hall", "bank"),
        *("majority_1", "majority_2", "majority_3", "majority_4", "subsidy", "removal", "bonus"),
    ),
    "planners": (*map(str, range(1, 8)), *"abcdef"),
    "builders": tuple(map(str, range(1, 11))),
}
WANTED = [
    *((game, f"test_ruling_{number}_") for game, rulings in RULINGS.items() for number in range(1, rulings + 1)),
    *((game, f"test_vector_{vector}_") for game, vectors in VECTORS.items() for vector in vectors),
]

each_game = pytest.mark.parametrize("game", RULINGS)


def names_of_tests(game: str) -> dict[str, list[str]]:
    """Return the names of all tests in the folder of a game, by file."""
    files = sorted((Path(__file__).parent / game).glob("test_*.py"))
    return {file.name: re.findall(r"^def (test_\w+)", file.read_text("utf-8"), re.MULTILINE) for file in files}


@pytest.mark.parametrize("game, beginning", WANTED)
def test_a_ruling_or_an_example_is_named_by_a_test(game: str, beginning: str) -> None:
    assert any(name.startswith(beginning) for names in names_of_tests(game).values() for name in names)


@each_game
def test_no_two_tests_of_a_file_have_one_name(game: str) -> None:
    for file, names in names_of_tests(game).items():
        assert len(names) == len(set(names)), file


@each_game
def test_every_rule_that_the_code_cites_is_written_down(game: str) -> None:
    folder = resources.files(f"server.games.{game}")
    rules = re.findall(r"^(\d+)\.(\d+) ", folder.joinpath("RULES.md").read_text("utf-8"), re.MULTILINE)
    written = {chapter for chapter, _ in rules} | {f"{chapter}.{rule}" for chapter, rule in rules}
    code = "".join(file.read_text("utf-8") for file in folder.iterdir() if file.name.endswith(".py"))
    cited = {number for text in re.findall(r"RULES ([\d., ]*\d)", code) for number in text.split(", ")}
    assert cited
    assert cited - written == set()
