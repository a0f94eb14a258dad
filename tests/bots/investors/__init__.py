"""Tests of the bots of Investors: their knowledge, their evaluation, and their choices in clear positions."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from typing import Any, Final

from server.bots.investors import STRATEGIES
from server.bots.strategy import BotChoice, Question, Strategy, Style, question_from_play
from server.games.engine.options import read_options
from server.games.engine.prompts import Command
from server.games.investors.commands import ClaimSubsidy
from tests.games.investors import GAME
from tests.games.investors.positions import seat_of
from tests.games.investors.scenes import Scene

NORMAL: Final = STRATEGIES["normal"]


def question_for(scene: Scene, seat: str, **options: Any) -> Question:
    """Return the question that a scene puts to a seat."""
    settings = scene.state.settings
    agreed = {
        "kind_tender_may_use_edge": settings.kind_tender_may_use_edge,
        "move_axis_only": settings.move_axis_only,
        "influence_cap": settings.influence_cap,
        "bargaining_offers": settings.bargaining_offers,
    }
    return question_from_play(scene.play, seat_of(seat), read_options(GAME.options, agreed | options))


def choice_of(
    scene: Scene, seat: str, strategy: Strategy = NORMAL, seed: int = 1, style: Style | None = None
) -> BotChoice:
    """Return the choice of a strategy in a scene, with its reason."""
    question = replace(question_for(scene, seat), style=style)
    answer = strategy.choose(question, random.Random(seed), math.inf)
    assert question.prompt.admit(answer.command) is None
    return answer


def answer(scene: Scene, seat: str, strategy: Strategy = NORMAL, seed: int = 1, style: Style | None = None) -> Command:
    return choice_of(scene, seat, strategy, seed, style).command


def answers(scene: Scene, seat: str, strategy: Strategy = NORMAL, seeds: int = 20) -> list[Command]:
    """Return the answers of a strategy with different seeds."""
    return [answer(scene, seat, strategy, seed) for seed in range(seeds)]


def drawing_cheques(drawn: str, bank: tuple[int, ...]) -> Scene:
    """Return a scene in which y draws cheques from this bank; `drawn` names the draws before."""
    scene = Scene(bank=bank, years=3).subsidy("subsidy")
    scene.do("y", ClaimSubsidy("cheques"))
    for seat in "brg":
        scene.do(seat, ClaimSubsidy("influence"))
    scene.draws(drawn)
    return scene
