"""Golden logs: finished games that must lead to the same end for ever. How to make new ones: tests/golden/README.md.

    python -m tests.games.investors.golden

searches for the shortest game of each recipe that has no log yet, and writes the ending of each log that has none. What
is there already stays: a log is proof of how a game was once played, whatever the rules have become since.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from server.games.investors.events import OfferPaid, TileExchanged
from server.games.play import Play, Undone
from server.games.record import read_log, replay_log, write_log
from tests.games.investors import GAME, TWELVE_CARDS
from tests.games.investors.players import Absent, Game, Patient, Player, Thrifty, Uniform, played

FOLDER: Final = Path(__file__).parents[2] / "golden" / "investors"
SEEDS: Final = range(200)

Wanted = Callable[[Game], bool]


@dataclass(frozen=True)
class Recipe:
    """What a game must be like to be kept under a name."""

    name: str
    player: Player
    seats: int
    wanted: Wanted
    options: Mapping[str, Any] = field(default_factory=dict)
    undo: bool = False


def ends_by(reason: str) -> Wanted:
    def wanted(game: Game) -> bool:
        outcome = GAME.outcome(game.play.state)
        return outcome is not None and outcome.reason == reason

    return wanted


def is_shared(game: Game) -> bool:
    outcome = GAME.outcome(game.play.state)
    return outcome is not None and len(outcome.winners) == 2 and max(outcome.scores) > 0


def is_decided_by_sticks(game: Game) -> bool:
    outcome = GAME.outcome(game.play.state)
    return outcome is not None and len(outcome.winners) == 1 and outcome.scores.count(max(outcome.scores)) > 1


def has_a_full_deal(game: Game) -> bool:
    """A deal with a blind draw and a street to keep off."""
    return any(
        isinstance(event, OfferPaid) and any(event.drawn) and event.avoid for step in game.steps for event in step
    )


def happens(kind: type) -> Wanted:
    return lambda game: any(isinstance(event, kind) for step in game.steps for event in step)


RECIPES: Final = (
    Recipe("years-3-seats", Thrifty(), 3, ends_by("years")),
    Recipe("years-4-seats-alternative-deck", Thrifty(), 4, ends_by("years"), {"tender_deck": "alternative"}),
    Recipe("stalled-4-seats-nobody-there", Absent(), 4, ends_by("stalled")),
    Recipe("stalled-3-seats", Uniform(), 3, ends_by("stalled")),
    Recipe("full-5-seats", Patient(), 5, ends_by("full")),
    Recipe("shared-win", Uniform(), 3, is_shared),
    Recipe("sticks-decide", Uniform(), 3, is_decided_by_sticks),
    Recipe("bargaining-deal", Thrifty(), 4, has_a_full_deal, {"bargaining_offers": 1}),
    Recipe("chosen-action-deck", Thrifty(), 3, ends_by("years"), {"action_cards": TWELVE_CARDS}),
    Recipe("laid-by-players", Patient(), 5, happens(TileExchanged), {"layout": "players"}),
    Recipe("stick-taken-back", Thrifty(), 3, happens(Undone), undo=True),
)


def ending(play: Play) -> str:
    """Give the end of a game as text: what its state adds up to, the position, the result."""
    outcome = GAME.outcome(play.state)
    assert outcome is not None
    result = "\n".join(f"{part} {json.dumps(value)}" for part, value in outcome.plain().items())
    return f"state {state_digest(play.state)}\n\n{GAME.draw(play.state)}\n\n{result}\n"


def state_digest(state: Any) -> str:
    """Give a digest of all that anybody may know of a state and of all that nobody may know."""
    known = [GAME.view(state, viewer) for viewer in (None, *range(len(state.hands)))]
    secret = [list(pile) for pile in (state.bank, state.tender_deck, state.action_deck, state.bag)]
    return hashlib.sha256(json.dumps([known, secret], sort_keys=True).encode()).hexdigest()


def shortest(recipe: Recipe) -> Game:
    """Give the shortest game of the recipe's kind among the first seeds."""
    games = (played(recipe.player, seats=recipe.seats, seed=seed, undo=recipe.undo, **recipe.options) for seed in SEEDS)
    return min(filter(recipe.wanted, games), key=lambda game: sum(map(len, game.steps)))


def make_missing() -> None:
    """Make the log of every recipe and the ending of every log that there is none of yet."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for recipe in RECIPES:
        log = FOLDER / f"{recipe.name}.log"
        if not log.exists():
            log.write_text(write_log(GAME, shortest(recipe).steps), "utf-8")
    for log in FOLDER.glob("*.log"):
        text = log.with_suffix(".txt")
        if not text.exists():
            text.write_text(ending(replay_log(read_log(log.read_text("utf-8")))), "utf-8")


if __name__ == "__main__":
    make_missing()
