"""Every refusal of the server has its sentence in every language."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from protocol.codes import REFUSALS
from tests.web.node import ROOT
from tests.web.texts import LANGUAGES, texts

WORDS_OF_TEXTS = ("BadText",)
"""Exceptions that become refusals; their first argument is the sentence, the second the variant."""


def refusals_in_the_code() -> Iterator[tuple[str | None, str]]:
    """Yield the code and the variant of each refusal of the server; the code is None where it is a variable."""
    for path in (ROOT / "server").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            values = [each.value if isinstance(each, ast.Constant) else None for each in node.args]
            if node.func.id == "Refused" and len(values) > 2 and isinstance(values[2], str):
                yield values[0] if isinstance(values[0], str) else None, values[2]
            elif node.func.id == "Refused" and isinstance(values[0], str):
                yield values[0], ""


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_and_variant_has_its_sentence(language: str) -> None:
    keys = set(texts(language, "refusals"))
    assert {f"refusal.{code}" for code in REFUSALS} <= keys
    missing = set()
    for code, variant in refusals_in_the_code():
        wanted = ".".join(filter(None, (code or "", variant)))
        if not any(
            key.removeprefix("refusal.") == wanted or (code is None and key.endswith(f".{variant}")) for key in keys
        ):
            missing.add(wanted)
    assert missing == set()


def test_the_english_sentences_of_codes_are_those_of_the_protocol() -> None:
    english = texts("en", "refusals")
    assert {code: english[f"refusal.{code}"] for code in REFUSALS} == REFUSALS


def test_texts_that_cannot_be_shown_have_their_sentences() -> None:
    tree = ast.parse((ROOT / "server/text/__init__.py").read_text("utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and ast.unparse(node.func) in WORDS_OF_TEXTS]
    variants = {each.value for call in calls for each in call.args[1:2] if isinstance(each, ast.Constant)}
    assert variants == {"characters", "empty", "long"}
    keys = set(texts("en", "refusals"))
    assert {f"refusal.bad_name.{variant}" for variant in variants} <= keys
    assert "refusal.bad_text.long" in keys
