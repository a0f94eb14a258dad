"""A worker that plays games of catanatron with four random players, in catanatron's own environment."""

from catanatron.game import Game
from catanatron.models.player import Color, RandomPlayer

from tests.bench.worker import serve


def play(number: int) -> int:
    game = Game([RandomPlayer(color) for color in Color], seed=number)
    game.play()
    return len(game.state.actions)


if __name__ == "__main__":
    serve(play)
