"""Golden logs: finished games that must lead to the same end for ever. How to make new ones: tests/golden/README.md.

What is the same for every game is here; a game's own `golden.py` says which of its games are worth keeping.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

from server.games.game import Game
from server.games.play import Play, Step
from server.games.record import read_log, replay_log, write_log

FOLDER: Final = Path(__file__).parents[1] / "golden"
SEEDS: Final = range(200)


class Played(Protocol):
    """A game as far as it was played."""

    @property
    def play(self) -> Play: ...

    @property
    def steps(self) -> list[Step]: ...


@dataclass(frozen=True)
class Recipe:
    """What a game must be like to be kept under a name; `played` plays the game of a seed."""

    name: str
    played: Callable[[int], Any]
    wanted: Callable[[Any], bool]

    def shortest(self) -> Played:
        """Give the shortest game of this kind among the first seeds."""
        games: list[Played] = [game for game in map(self.played, SEEDS) if self.wanted(game)]
        return min(games, key=lambda game: sum(map(len, game.steps)))


@dataclass(frozen=True)
class Golden:
    """The golden logs of one game. `whole` gives all that a state adds up to, secrets included, as plain values."""

    game: Game[Any]
    whole: Callable[[Any], Any]
    recipes: tuple[Recipe, ...]

    @property
    def folder(self) -> Path:
        return FOLDER / self.game.name

    @property
    def logs(self) -> list[Path]:
        return sorted(self.folder.glob("*.log"))

    def ending(self, play: Play) -> str:
        """Give the end of a game as text: what its state adds up to, the position, the result."""
        outcome = self.game.outcome(play.state)
        assert outcome is not None
        plain = outcome.plain()
        assert isinstance(plain, dict)
        result = "\n".join(f"{part} {json.dumps(value)}" for part, value in plain.items())
        return f"state {self.digest(play.state)}\n\n{self.game.draw(play.state)}\n\n{result}\n"

    def digest(self, state: Any) -> str:
        """Give a digest of a whole state."""
        return hashlib.sha256(json.dumps(self.whole(state), sort_keys=True).encode()).hexdigest()

    def make_missing(self) -> None:
        """Make the log of every recipe and the ending of every log that there is none of yet.

        What is there already stays: a log is proof of how a game was once played, whatever the rules have become since.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        for recipe in self.recipes:
            log = self.folder / f"{recipe.name}.log"
            if not log.exists():
                log.write_text(write_log(self.game, recipe.shortest().steps), "utf-8")
        for log in self.logs:
            text = log.with_suffix(".txt")
            if not text.exists():
                text.write_text(self.ending(replay_log(read_log(log.read_text("utf-8")))), "utf-8")
