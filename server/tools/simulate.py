"""Random games: every answer is sampled from its prompt. The same seed plays the same games everywhere."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from server.games.engine.dice import Dice, digest
from server.games.engine.game import Game, Outcome
from server.games.engine.options import OptionValue
from server.games.engine.play import Play, Step, begin
from server.games.engine.serialization import Json
from server.model import Refused


class PythonRng:
    """A random source that is much faster than `random.Random.randrange`, and uniform enough for short lists."""

    __slots__ = ("_random",)

    def __init__(self, seed: bytes) -> None:
        self._random = random.Random(int.from_bytes(seed, "big")).random  # noqa: S311 (random games, no secrets)

    def randrange(self, stop: int, /) -> int:
        return int(self._random() * stop)


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """One game that was played to its end."""

    number: int
    seed: bytes
    """The seed of all dice of this game."""

    steps: list[Step]
    play: Play
    outcome: Outcome

    @property
    def decisions(self) -> int:
        """Return the number of answers; the first step is the set-up, every other step is one answer."""
        return len(self.steps) - 1

    def to_json(self) -> dict[str, Json]:
        """Return the result as a JSON object."""
        outcome = self.outcome.to_json()
        assert isinstance(outcome, dict)
        counts: dict[str, Json] = {"rounds": round_of(self.play), "decisions": self.decisions}
        return {"number": self.number, "seed": self.seed.hex(), **outcome, **counts}


def random_game(
    game: Game[Any],
    seats: int,
    options: Mapping[str, OptionValue],
    seed: int,
    number: int = 1,
    *,
    asks_forced: bool = False,
) -> PlayedGame:
    """Play the game of this number under the seed; `options` come from `read_options`.

    `asks_forced`: ask forced seats too, so that every answer is one that was asked for.
    """
    game_seed = digest("simulate/game", str(seed), str(number))
    rng = PythonRng(digest("simulate/choices", str(seed), str(number)))
    dice = Dice(game_seed)
    play, step = begin(game, seats, options, dice, asks_forced=asks_forced)
    steps = [step]
    while play.decision is not None:
        prompts, number_now = play.decision.prompts, play.number
        for seat in play.awaited:
            answered = play.answer(seat, number_now, prompts[seat].sample(rng), dice)
            assert not isinstance(answered, Refused), answered
            play, step = answered
            steps.append(step)
    outcome = game.outcome(play.state)
    assert outcome is not None, "a game without an open decision must be over"
    return PlayedGame(number, game_seed, steps, play, outcome)


def round_of(play: Play) -> int | None:
    """Return the round of a play, or None for a game without rounds."""
    shown = play.game.public_view(play.state).get("round")
    return shown if isinstance(shown, int) else None


class ResultTable:
    """A table of results that is printed line by line; winners are seats, scores are in the order of seats."""

    def __init__(self, seats: int) -> None:
        self._form = f"{{:>6}}  {{:{max(6, 2 * seats)}}}  {{:{5 * seats}}}  {{:11}}  {{:16}}  {{:>6}}  {{:>9}}"
        self.header = self._form.format("game", "winner", "scores", "reason", "tie-break", "rounds", "decisions")

    def line(self, played: PlayedGame) -> str:
        outcome, rounds = played.outcome, round_of(played.play)
        return self._form.format(
            played.number,
            " ".join(map(str, outcome.winners)),
            " ".join(f"{outcome.points(score):>4}" for score in outcome.scores),
            outcome.reason,
            outcome.tie_break or "-",
            "-" if rounds is None else rounds,
            played.decisions,
        )
