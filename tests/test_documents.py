"""Documents name only what exists: links and anchors resolve, paths are files or folders of the repository."""

from __future__ import annotations

import ast
import os
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FOLDERS = ("server", "protocol", "tests", "web", "deploy", "docs")
GLOSSARY = ROOT / "docs" / "glossary.md"

LINK = re.compile(r"!?\[(?:[^\]\[]|\[[^\]]*\])*\]\(([^)\s]+)\)")
CODE_SPAN = re.compile(r"`([^`\n]+)`")
REPOSITORY_PATH = re.compile(rf"(?:{'|'.join(FOLDERS)})/[\w@.\-/]*")
CLASS_NAME = re.compile(r"[A-Z][a-z]+(?:[A-Z][a-z]+)+(?:\.\w+)?|[A-Z][a-z]+\.[a-z_]+(?<!\.md)")
"""At least two words in one, or one with a method: `TableStore`, `Play.answer`."""

CODE = ("server", "protocol", "tests/games")
BUILT = ("web/dist", "web/node_modules", "web/screenshots")
"""Folders that commands make and git does not keep."""


@cache
def documents() -> list[Path]:
    """Return every Markdown file of the repository; not those that packages bring along."""
    found: list[Path] = []
    for folder, below, files in os.walk(ROOT):
        below[:] = [name for name in below if not name.startswith(".") and name not in ("node_modules", "dist", "data")]
        found += [Path(folder, name) for name in files if name.endswith(".md")]
    return sorted(found)


@cache
def prose(path: Path) -> str:
    """Return a document without its fenced blocks."""
    return re.sub(r"^```.*?^```$", "", path.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)


@cache
def anchors(path: Path) -> frozenset[str]:
    """Return the anchors of a document's headings, as GitHub makes them; a repeated heading gets a number."""
    found: list[str] = []
    for title in re.findall(r"^#{1,6} +(.*?) *$", prose(path), re.MULTILINE):
        anchor = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        repeated = sum(anchor == re.sub(r"-\d+$", "", other) for other in found)
        found.append(f"{anchor}-{repeated}" if repeated else anchor)
    return frozenset(found)


def broken_links(path: Path) -> list[str]:
    """Return the relative links of a document that lead nowhere."""
    broken = []
    for link in LINK.findall(CODE_SPAN.sub("", prose(path))):
        if re.match(r"[a-z]+:", link):
            continue
        target, _, anchor = link.partition("#")
        file = (path.parent / target).resolve() if target else path
        if not file.exists() or (anchor and (file.suffix != ".md" or anchor not in anchors(file))):
            broken.append(link)
    return broken


def missing_paths(path: Path) -> list[str]:
    """Return the paths that a document names in backticks and that do not exist.

    A path is one from the top of the repository. Capitals stand for something, so a path such as `GAME/x` is left out.
    """
    named = [span.rstrip("/") for span in CODE_SPAN.findall(prose(path)) if REPOSITORY_PATH.fullmatch(span)]
    checked = [name for name in named if not re.search(r"[A-Z]{3,}(?!\.md)", name) and not name.startswith(BUILT)]
    return [name for name in checked if not (ROOT / name).exists()]


@cache
def names_of_the_code() -> frozenset[str]:
    """Return the name of every class, and of every method behind that of its class."""
    names: set[str] = set()
    for path in (path for folder in CODE for path in (ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef):
                methods = [each.name for each in node.body if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef))]
                names |= {node.name, *(f"{node.name}.{method}" for method in methods)}
    return frozenset(names)


def unknown_names(path: Path) -> list[str]:
    """Return the names of classes and methods in backticks that the code does not have."""
    spans = [re.sub(r"\(.*\)$", "", span) for span in CODE_SPAN.findall(prose(path))]
    return [span for span in spans if CLASS_NAME.fullmatch(span) and span not in names_of_the_code()]


def table_rows(text: str, heading: str) -> list[list[str]]:
    """Return the rows of the first table below a heading."""
    section = re.split(r"^## ", text[text.index(f"## {heading}\n") + 3 :], flags=re.MULTILINE)[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


EXPLAINING = [path for path in documents() if path.parent == ROOT or path.is_relative_to(ROOT / "docs")]
"""The documents that speak of the code."""


@pytest.mark.parametrize("path", documents(), ids=lambda path: str(path.relative_to(ROOT)))
def test_every_relative_link_and_anchor_resolves(path: Path) -> None:
    assert broken_links(path) == []


@pytest.mark.parametrize("path", documents(), ids=lambda path: str(path.relative_to(ROOT)))
def test_every_path_in_backticks_exists(path: Path) -> None:
    assert missing_paths(path) == []


@pytest.mark.parametrize("path", EXPLAINING, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_name_of_a_class_or_a_method_exists(path: Path) -> None:
    assert unknown_names(path) == []


def test_every_page_of_the_documentation_is_linked_from_another() -> None:
    linked = {
        (path.parent / link.partition("#")[0]).resolve()
        for path in documents()
        for link in LINK.findall(prose(path))
        if not re.match(r"[a-z]+:|#", link)
    }
    pages = {path for path in documents() if path.is_relative_to(ROOT / "docs")}
    assert sorted(str(page.relative_to(ROOT)) for page in pages - linked) == []


@pytest.mark.parametrize("path", EXPLAINING, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_line_of_a_diagram_has_a_semicolon(path: Path) -> None:
    """Mermaid ends a statement there, and what follows breaks the whole diagram."""
    diagrams = re.findall(r"^```mermaid\n(.*?)^```$", path.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert [line for diagram in diagrams for line in diagram.splitlines() if ";" in line] == []


def test_decisions_are_numbered_dated_and_listed() -> None:
    folder = ROOT / "docs" / "decisions"
    pages = sorted(folder.glob("[0-9]*.md"))
    listed = re.findall(r"^\| \[(\d{4})\]\((.+?)\) \|", (folder / "README.md").read_text("utf-8"), re.MULTILINE)
    assert [int(page.name[:4]) for page in pages] == list(range(1, len(pages) + 1))
    assert listed == [(page.name[:4], page.name) for page in pages]
    for page in pages:
        text = page.read_text("utf-8")
        assert re.match(rf"# {page.name[:4]} .+\n\n\*\d{{4}}-\d\d-\d\d\*\n", text), page.name
        sections = re.findall(r"^## (.*)$", text, re.MULTILINE)
        assert sections == ["Context", "Decision", "Consequences", "Measured"], page.name


def test_the_glossary_has_each_term_once_in_alphabetical_order() -> None:
    text = GLOSSARY.read_text("utf-8")
    terms = [row[0].strip("`") for row in table_rows(text, "Terms")]
    words = [row[0].strip("`") for row in table_rows(text, "Words not used")]
    assert terms == sorted(set(terms), key=str.lower)
    assert words == sorted(set(words))
    assert not set(terms) & set(words)


# The checks themselves, on a document that is small enough to check by eye.


def test_a_broken_link_anchor_or_path_is_found(tmp_path: Path) -> None:
    (tmp_path / "other.md").write_text("# One `thing`, twice\n\n## Two\n\n## Two\n")
    page = tmp_path / "page.md"
    page.write_text(
        "[a](other.md) [b](other.md#one-thing-twice) [c](other.md#two-1) [d](missing.md) [e](other.md#three)\n"
        "[f](#none) `server/app.py` `server/nowhere.py` `web/dist/x` `tests/games/GAME/golden.py` `[g](gone.md)`\n"
        "`TableStore.append` `TableStore(…)` `NoSuch.thing` `NoSuchClass` `Origin` `README.md`\n"
        "```\n[h](gone.md) `server/gone.py`\n```\n"
    )
    assert unknown_names(page) == ["NoSuch.thing", "NoSuchClass"]
    assert broken_links(page) == ["missing.md", "other.md#three", "#none"]
    assert missing_paths(page) == ["server/nowhere.py"]
