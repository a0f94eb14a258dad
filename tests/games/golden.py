"""Golden logs: finished games that must always lead to the same end. How to add one: tests/golden/README.md.

This module has what all games share; the `golden.py` of a game lists the recipes of its logs.
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


Condition = Callable[[Played], bool]


@dataclass(frozen=True)
class Recipe:
    """The properties of a game that is kept under a name."""

    name: str
    player: Player
    seats: int
    condition: Condition
    undo: int
    options: Mapping[str, Any]


def recipe(name: str, player: Player, seats: int, condition: Condition, *, undo: int = 0, **options: object) -> Recipe:
    return Recipe(name, player, seats, condition, undo, options)


def outcome_of(play: Play) -> Outcome:
    """Return the result of a finished play."""
    outcome = play.game.outcome(play.state)
    assert outcome is not None
    return outcome


def ends_by(reason: str) -> Condition:
    return lambda game: outcome_of(game.play).reason == reason


def is_shared(game: Played) -> bool:
    return len(outcome_of(game.play).winners) > 1


def is_decided_by_tie_break(game: Played) -> bool:
    outcome = outcome_of(game.play)
    return len(outcome.winners) == 1 and outcome.scores.count(max(outcome.scores)) > 1


def happens(kind: type) -> Condition:
    return lambda game: any(isinstance(event, kind) for step in game.steps for event in step)


@dataclass(frozen=True)
class Golden:
    """The golden logs of one game. `whole` returns the whole state as JSON, secrets included."""

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
        """Return the end of a game as text: a digest of its state, the position, the result."""
        outcome = self.game.outcome(play.state)
        assert outcome is not None
        json_value = outcome.to_json()
        assert isinstance(json_value, dict)
        result = "\n".join(f"{part} {json.dumps(value)}" for part, value in json_value.items())
        return f"state {self.digest(play.state)}\n\n{self.game.draw(play.state)}\n\n{result}\n"

    def digest(self, state: Any) -> str:
        """Return a digest of a whole state."""
        return hashlib.sha256(json.dumps(self.whole(state), sort_keys=True).encode()).hexdigest()

    def _shortest(self, recipe: Recipe) -> Played:
        """Return the shortest game among the first seeds that fits the recipe."""
        how: dict[str, Any] = {"seats": recipe.seats, "undo": recipe.undo, **recipe.options}
        games = (played_by(self.game, recipe.player, seed=seed, **how) for seed in SEEDS)
        return min(filter(recipe.condition, games), key=lambda game: sum(map(len, game.steps)))

    def make_missing(self) -> None:
        """Write the log of every recipe and the ending of every log that are still missing.

        Existing files stay: a log proves how a game was once played, whatever the rules have become since.
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
