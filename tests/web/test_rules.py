"""What the page says about rules: every refusal, reason and decision has a rule, and figures show what the rules do."""

from __future__ import annotations

import ast
import json
import re

import pytest

from tests.web.node import ROOT
from tests.web.rule_figures import FIGURES, FOLDER, file_text
from tests.web.texts import SOURCE, texts

GAMES = tuple(FIGURES)
LINKS: dict[str, dict[str, dict[str, str]]] = json.loads((SOURCE / "rules/links.json").read_text("utf-8"))

WHY_NOT = re.compile(
    r"\.why\.(empty|contracts)$|\.cannot$|too_high$|option_closed$|bid\.missing$|\.least$|\.nowhere$|decision\.pass$"
    r"|\.place\.lift$|permits_first$|not_with_these$|too_much$|offer\.leave$"
)
"""The keys of texts that say why something is not possible."""

each_game = pytest.mark.parametrize("game", GAMES)


def refused_by_games() -> set[str]:
    """Return the codes with which the rules and the engine refuse."""
    codes = set()
    for path in (ROOT / "server/games").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Refused":
                [code, *_] = node.args
                assert isinstance(code, ast.Constant)
                codes.add(str(code.value))
    return codes


@each_game
def test_every_kind_of_decision_has_its_rule(game: str) -> None:
    beginning = f"about.{game}."
    kinds = {key.removeprefix(beginning) for key in texts("en", game) if key.startswith(beginning)}
    assert kinds
    assert kinds <= set(LINKS[game]["decisions"])
    # What is told apart by a slash is a kind too.
    assert {key.partition("/")[0] for key in LINKS[game]["decisions"]} == kinds


@each_game
def test_every_refusal_of_the_rules_has_its_rule(game: str) -> None:
    source = (SOURCE / "rules/links.js").read_text("utf-8")
    found = re.search(r"OF_DECISIONS = (\[.*\]);", source)
    assert found is not None
    of_decisions = set(json.loads(found[1]))
    assert refused_by_games() == set(LINKS[game]["refusals"]) | of_decisions


@each_game
def test_every_reason_why_something_is_not_possible_has_its_rule_and_is_linked(game: str) -> None:
    reasons = {key for key in texts("en", game) if WHY_NOT.search(key)}
    assert reasons == set(LINKS[game]["reasons"])
    code = "".join(path.read_text("utf-8") for path in (SOURCE / "scenes" / game).glob("*.js"))
    # A text that is shown by its key alone has no link; one whose key is also a value has.
    assert {reason for reason in reasons if not re.search(rf'(?<!\bt\()"{re.escape(reason)}"', code)} == set()


@each_game
def test_the_figures_are_what_the_rules_produce(game: str) -> None:
    message = "run `python -m tests.web.rule_figures` and look at the figures of the rules"
    assert (FOLDER / f"{game}.json").read_text("utf-8") == file_text(game), message


@each_game
def test_every_position_is_drawn_as_a_figure(game: str) -> None:
    drawn = re.findall(r"(\w+): \{ \.\.\.positions\.(\w+), Drawing: \w+ \}", (FOLDER / f"{game}.js").read_text("utf-8"))
    assert [name for name, position in drawn if name == position] == list(FIGURES[game])
