"""Tests of the bots of Builders: what they know, how they judge, and what they do in positions that tell."""

from __future__ import annotations

import math
import random
from typing import Any, Final

from server.bots.builders import STRATEGIES
from server.bots.strategy import BotChoice, Question, Strategy, question_in
from server.games.builders.commands import Confirm
from server.games.engine.options import read_options
from server.games.engine.prompts import Command
from tests.games.builders import GAME
from tests.games.builders.scenes import Scene

NORMAL: Final = STRATEGIES["normal"]


def asked(scene: Scene, **options: Any) -> Question:
    """Give the question that a scene puts to the seat in turn."""
    return question_in(scene.play, scene.state.turn, read_options(GAME.options, options))


def chosen(scene: Scene, strategy: Strategy = NORMAL, seed: int = 1) -> BotChoice:
    """Give what a strategy answers in a scene, with its reason."""
    question = asked(scene)
    answer = strategy.choose(question, random.Random(seed), math.inf)
    assert question.prompt.admit(answer.command) is None
    return answer


def turn(scene: Scene, strategy: Strategy = NORMAL, seed: int = 1) -> list[Command]:
    """Give all answers of a turn that a strategy takes in a scene, but for its confirmation."""
    seat, commands = scene.state.turn, []
    letter = "okbw"[seat]
    while True:
        command = chosen(scene, strategy, seed).command
        scene.do(letter, command)
        if command == Confirm():
            return commands
        commands.append(command)
