"""A strategy for every game that knows no game: any legal answer."""

from __future__ import annotations

from random import Random

from server.bots.strategy import BotChoice, Question


class RandomStrategy:
    """A strategy that draws its answer from the prompt."""

    def choose(self, question: Question, rng: Random, seconds: float) -> BotChoice:
        return BotChoice(question.prompt.sample(rng))
