"""Golden logs: finished games that must lead to the same end for ever. How to make new ones: tests/golden/README.md.

What is the same for every game is here; a game's own `golden.py` says which of its games are worth keeping.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from server.games.engine.game import Game, Outcome
from server.games.engine.game_log import read_log, replay_log, write_log
from server.games.engine.play import Play
from tests.games.players import Game as Played
from tests.games.players import Player, played_by

FOLDER: Final = Path(__file__).parents[1] / "golden"
SEEDS: Final = range(200)


Wanted = Callable[[Played], bool]


@dataclass(frozen=True)
class Recipe:
    """What a game must be like to be kept under a name."""

    name: str
    player: Player
    seats: int
    wanted: Wanted
    undo: int
    options: Mapping[str, Any]


def recipe(name: str, player: Player, seats: int, wanted: Wanted, *, undo: int = 0, **options: object) -> Recipe:
    return Recipe(name, player, seats, wanted, undo, options)


def outcome_of(play: Play) -> Outcome:
    """Give the result of a finished play."""
    outcome = play.game.outcome(play.state)
    assert outcome is not None
    return outcome


def ends_by(reason: str) -> Wanted:
    return lambda game: outcome_of(game.play).reason == reason


def is_shared(game: Played) -> bool:
    return len(outcome_of(game.play).winners) > 1


def is_decided_by_tie_break(game: Played) -> bool:
    outcome = outcome_of(game.play)
    return len(outcome.winners) == 1 and outcome.scores.count(max(outcome.scores)) > 1


def happens(kind: type) -> Wanted:
    return lambda game: any(isinstance(event, kind) for step in game.steps for event in step)


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
        json_value = outcome.to_json()
        assert isinstance(json_value, dict)
        result = "\n".join(f"{part} {json.dumps(value)}" for part, value in json_value.items())
        return f"state {self.digest(play.state)}\n\n{self.game.draw(play.state)}\n\n{result}\n"

    def digest(self, state: Any) -> str:
        """Give a digest of a whole state."""
        return hashlib.sha256(json.dumps(self.whole(state), sort_keys=True).encode()).hexdigest()

    def _shortest(self, recipe: Recipe) -> Played:
        """Give the shortest game of the recipe's kind among the first seeds."""
        how: dict[str, Any] = {"seats": recipe.seats, "undo": recipe.undo, **recipe.options}
        games = (played_by(self.game, recipe.player, seed=seed, **how) for seed in SEEDS)
        return min(filter(recipe.wanted, games), key=lambda game: sum(map(len, game.steps)))

    def make_missing(self) -> None:
        """Make the log of every recipe and the ending of every log that there is none of yet.

        What is there already stays: a log is proof of how a game was once played, whatever the rules have become since.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        for recipe in self.recipes:
            log = self.folder / f"{recipe.name}.log"
            if not log.exists():
                log.write_text(write_log(self.game, self._shortest(recipe).steps), "utf-8")
        for log in self.logs:
            text = log.with_suffix(".txt")
            if not text.exists():
                text.write_text(self.ending(replay_log(read_log(log.read_text("utf-8")))), "utf-8")
