"""No ruling and no example of the rulebook is without a test of its own, and the code cites only what is written."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

import pytest

RULINGS = range(1, 31)
VECTORS = (*map(str, range(1, 8)), *"abcdef")


def names_of_tests() -> list[str]:
    """Give the names of all tests in this folder."""
    text = "".join(path.read_text("utf-8") for path in sorted(Path(__file__).parent.glob("test_*.py")))
    return re.findall(r"^def (test_\w+)", text, re.MULTILINE)


@pytest.mark.parametrize("number", RULINGS)
def test_a_ruling_is_named_by_a_test(number: int) -> None:
    assert any(name.startswith(f"test_ruling_{number}_") for name in names_of_tests())


@pytest.mark.parametrize("vector", VECTORS)
def test_an_example_of_the_rulebook_is_named_by_a_test(vector: str) -> None:
    assert any(name.startswith(f"test_vector_{vector}_") for name in names_of_tests())


def test_no_two_tests_of_a_file_have_one_name() -> None:
    for path in Path(__file__).parent.glob("test_*.py"):
        names = re.findall(r"^def (test_\w+)", path.read_text("utf-8"), re.MULTILINE)
        assert len(names) == len(set(names)), path.name


def test_every_rule_that_the_code_cites_is_written_down() -> None:
    folder = resources.files("server.games.planners")
    written = set(re.findall(r"^(\d+\.\d+) ", folder.joinpath("RULES.md").read_text("utf-8"), re.MULTILINE))
    code = "".join(file.read_text("utf-8") for file in folder.iterdir() if file.name.endswith(".py"))
    cited = {number for text in re.findall(r"RULES ([\d., ]+)", code) for number in re.findall(r"\d+\.\d+", text)}
    assert cited
    assert cited - written == set()
