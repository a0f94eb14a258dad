"""No ruling and no vector is without a test of its own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from server.games.builders import rules

RULINGS = range(1, 41)
VECTORS = range(1, 11)


def names_of_tests() -> list[str]:
    """Give the names of all tests in this folder."""
    text = "".join(path.read_text("utf-8") for path in sorted(Path(__file__).parent.glob("test_*.py")))
    return re.findall(r"^def (test_\w+)", text, re.MULTILINE)


@pytest.mark.parametrize("number", RULINGS)
def test_a_ruling_is_named_by_a_test(number: int) -> None:
    assert any(name.startswith(f"test_ruling_{number}_") for name in names_of_tests())


@pytest.mark.parametrize("number", VECTORS)
def test_a_vector_is_named_by_a_test(number: int) -> None:
    assert any(name.startswith(f"test_vector_{number}_") for name in names_of_tests())


def test_no_two_tests_of_a_file_have_one_name() -> None:
    for path in Path(__file__).parent.glob("test_*.py"):
        names = re.findall(r"^def (test_\w+)", path.read_text("utf-8"), re.MULTILINE)
        assert len(names) == len(set(names)), path.name


def test_the_code_cites_only_rules_that_are_written_down() -> None:
    folder = Path(rules.__file__).parent
    written = set(re.findall(r"^(\d+\.\d+) ", (folder / "RULES.md").read_text("utf-8"), re.MULTILINE))
    for path in folder.glob("*.py"):
        for cited in re.findall(r"RULES ([\d., ]+\d)", path.read_text("utf-8")):
            for number in cited.split(", "):
                assert number in written or any(rule.startswith(f"{number}.") for rule in written), (path.name, number)
