"""The glossary defines each term once, and the words that it rules out are not used as identifiers."""

from __future__ import annotations

import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
GLOSSARY = (ROOT / "docs" / "glossary.md").read_text("utf-8")

# A letter of the alphabet is a letter: the games draw districts, seats and columns with them.
ALPHABET = (
    "server/games/",
    "server/bots/",
    "server/text/",
    "tests/games/",
    "tests/bots/",
    "tests/test_lookalikes.py",
    "tests/test_text.py",
    "web/",
)


def first_column(heading: str) -> list[str]:
    section = GLOSSARY.split(f"## {heading}\n")[1].split("\n## ")[0]
    rows = [line.split("|")[1].strip() for line in section.splitlines() if line.startswith("|")]
    return [row.strip("`") for row in rows[2:]]


def words_of(identifier: str) -> list[str]:
    """Return the words that a name in snake_case, CamelCase or UPPER_CASE is made of, in lower case.

    >>> words_of("_RedisPipeline_at2")
    ['redis', 'pipeline', 'at']
    """
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", identifier)]


def python_identifiers(source: str) -> Iterator[str]:
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return (token.string for token in tokens if token.type == tokenize.NAME)


def javascript_identifiers(source: str) -> Iterator[str]:
    """Yield the names in a script; comments and texts are left out."""
    code = re.sub(r"/\*.*?\*/|//[^\n]*|\"[^\"\n]*\"|'[^'\n]*'|`[^`]*`", " ", source, flags=re.DOTALL)
    return iter(re.findall(r"[A-Za-z_$][\w$]*", code))


def named_with(words: set[str]) -> Iterator[str]:
    """Yield "path: identifier" for every file name and identifier that contains one of the words."""
    sources = [path for folder in ("server", "protocol", "tests") for path in (ROOT / folder).rglob("*.py")]
    sources += (ROOT / "web" / "src").rglob("*.js")
    for path in sorted(sources):
        place = path.relative_to(ROOT).as_posix()
        ruled_out = words - {"letter", "letters"} if place.startswith(ALPHABET) else words
        identifiers = python_identifiers if path.suffix == ".py" else javascript_identifiers
        for name in sorted({path.stem, *identifiers(path.read_text("utf-8"))}):
            # The name of a test is a sentence, in which something may have happened.
            spared = {"happened"} if name.startswith("test_") else set()
            if (ruled_out - spared).intersection(words_of(name)):
                yield f"{place}: {name}"


def test_each_term_stands_once() -> None:
    terms = first_column("Terms")
    assert [term for term, count in Counter(terms).items() if count > 1] == []
    assert terms == sorted(terms)
    assert len(terms) > 50


def test_words_that_are_not_used_are_no_identifiers() -> None:
    ruled_out = {word for entry in first_column("Words not used") for word in (entry, f"{entry}s")}
    assert {"letter", "errand", "keeper", "sight"} <= ruled_out
    assert list(named_with(ruled_out)) == []


def test_no_term_is_a_word_that_is_not_used() -> None:
    assert set(first_column("Terms")).isdisjoint(first_column("Words not used"))


@pytest.mark.parametrize(
    "source, found",
    [("keeper = 1", ["keeper"]), ("x = 'keeper'  # keeper", ["x"]), ("def f(a): ...", ["def", "f", "a"])],
)
def test_identifiers_are_told_from_texts_and_comments(source: str, found: list[str]) -> None:
    assert list(python_identifiers(source)) == found
    script = source.replace("#", "//").replace("def", "function")
    assert [name for name in javascript_identifiers(script) if name != "function"] == [n for n in found if n != "def"]


@pytest.mark.parametrize(
    "identifier, words",
    [("TableKeeper", ["table", "keeper"]), ("_LETTERS_MOST", ["letters", "most"]), ("insight", ["insight"])],
)
def test_identifiers_are_taken_apart_into_words(identifier: str, words: list[str]) -> None:
    assert words_of(identifier) == words
