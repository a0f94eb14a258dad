"""A worker whose hard bots answer the questions of a game: `python -m tests.bench.bot_worker GAME`."""

import math
import random
import sys

from server.bots.registry import strategy_of
from server.games.engine.options import read_options
from server.games.registry import GAMES
from tests.bench.decisions import questions_of_game
from tests.bench.worker import serve

QUESTIONS = 15
"""Of each game."""


def main(name: str) -> None:
    game, strategy = GAMES[name], strategy_of(name, "hard")
    options = read_options(game.options, {})

    def play(number: int) -> int:
        questions = questions_of_game(game, options, random.Random(number))[:QUESTIONS]
        for question in questions:
            strategy.choose(question, random.Random(number), math.inf)
        return len(questions)

    serve(play)


if __name__ == "__main__":
    main(sys.argv[1])
