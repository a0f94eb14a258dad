"""Tests of the bots of Planners: their knowledge, their evaluation, and their choices in clear positions."""

from __future__ import annotations

import math
import random
from typing import Any, Final

from server.bots.planners import STRATEGIES
from server.bots.strategy import BotChoice, Question, Strategy, question_from_play
from server.games.engine.options import read_options
from server.games.engine.prompts import Command
from tests.games.planners import GAME
from tests.games.planners.scenes import Scene

NORMAL: Final = STRATEGIES["normal"]


def question_for(scene: Scene, **options: Any) -> Question:
    """Return the question that a scene puts to the seat to move."""
    settings = scene.state.settings
    agreed = {
        "allow_decline_bonus": settings.allow_decline_bonus,
        "resolve_bonus_on_final_card": settings.resolve_bonus_on_final_card,
        "sold_out_bonus": "nothing" if settings.sold_out_leaves_nothing else "tracks",
        "rows_below_by_total": settings.rows_below_by_total,
    }
    return question_from_play(scene.play, scene.state.turn, read_options(GAME.options, agreed | options))


def choice_of(scene: Scene, strategy: Strategy = NORMAL, seed: int = 1) -> BotChoice:
    """Return the choice of a strategy in a scene, with its reason."""
    question = question_for(scene)
    answer = strategy.choose(question, random.Random(seed), math.inf)
    assert question.prompt.admit(answer.command) is None
    return answer


def answer(scene: Scene, strategy: Strategy = NORMAL, seed: int = 1) -> Command:
    return choice_of(scene, strategy, seed).command
