"""Tests of the bots of Planners: what they know, how they judge, and what they do in positions that tell."""

from __future__ import annotations

import math
import random
from typing import Any, Final

from server.bots.planners import STRATEGIES
from server.bots.strategy import BotChoice, Question, Strategy, question_in
from server.games.engine.options import read_options
from server.games.engine.prompts import Command
from tests.games.planners import GAME
from tests.games.planners.scenes import Scene

NORMAL: Final = STRATEGIES["normal"]


def asked(scene: Scene, **options: Any) -> Question:
    """Give the question that a scene puts to the seat to move."""
    settings = scene.state.settings
    agreed = {
        "allow_decline_bonus": settings.allow_decline_bonus,
        "resolve_bonus_on_final_card": settings.resolve_bonus_on_final_card,
    }
    return question_in(scene.play, scene.state.turn, read_options(GAME.options, agreed | options))


def chosen(scene: Scene, strategy: Strategy = NORMAL, seed: int = 1) -> BotChoice:
    """Give what a strategy answers in a scene, with its reason."""
    question = asked(scene)
    answer = strategy.choose(question, random.Random(seed), math.inf)
    assert question.prompt.admit(answer.command) is None
    return answer


def answer(scene: Scene, strategy: Strategy = NORMAL, seed: int = 1) -> Command:
    return chosen(scene, strategy, seed).command
