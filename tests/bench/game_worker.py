"""A worker that plays random games of this project. Forced seats are asked too, as catanatron asks its players."""

import sys

from server.games.engine.options import read_options
from server.games.registry import game_named
from server.tools.simulate import random_game
from tests.bench.worker import serve


def main(name: str, seats: int) -> None:
    game = game_named(name)
    options = read_options(game.options, {})
    serve(lambda number: random_game(game, seats, options, seed=1, number=number, asks_forced=True).decisions)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
