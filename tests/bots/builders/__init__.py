"""Tests of the bots of Builders: their knowledge, their evaluation, and their choices in clear positions."""

from __future__ import annotations

import math
import random
from typing import Any, Final

from server.bots.builders import STRATEGIES
from server.bots.strategy import BotChoice, Question, Strategy, question_from_play
from server.games.builders.commands import Confirm
from server.games.engine.options import read_options
from server.games.engine.prompts import Command
from tests.games.builders import GAME
from tests.games.builders.scenes import Scene

NORMAL: Final = STRATEGIES["normal"]


def question_for(scene: Scene, **options: Any) -> Question:
    """Return the question that a scene puts to the seat in turn."""
    return question_from_play(scene.play, scene.state.turn, read_options(GAME.options, options))


def choice_of(scene: Scene, strategy: Strategy = NORMAL, seed: int = 1) -> BotChoice:
    """Return the choice of a strategy in a scene, with its reason."""
    question = question_for(scene)
    answer = strategy.choose(question, random.Random(seed), math.inf)
    assert question.prompt.admit(answer.command) is None
    return answer


def turn(scene: Scene, strategy: Strategy = NORMAL, seed: int = 1) -> list[Command]:
    """Play a turn in a scene and return its commands, except for the confirmation."""
    seat, commands = scene.state.turn, []
    letter = "okbw"[seat]
    while True:
        command = choice_of(scene, strategy, seed).command
        scene.do(letter, command)
        if command == Confirm():
            return commands
        commands.append(command)
