"""The golden logs of Builders. `python -m tests.games.builders.golden` makes those that are missing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from server.games.builders.events import MarkerCapped, PermitsReshuffled
from server.games.builders.state import State
from server.games.game import Outcome
from server.games.play import Undone
from tests.games.builders import GAME
from tests.games.builders.players import Absent, Eager, Game, Lone, Moody, Player, Uniform, played
from tests.games.golden import Golden, Recipe

Wanted = Callable[[Game], bool]


def outcome_of(game: Game) -> Outcome:
    outcome = GAME.outcome(game.play.state)
    assert outcome is not None
    return outcome


def ends_by(reason: str) -> Wanted:
    return lambda game: outcome_of(game).reason == reason


def is_shared(game: Game) -> bool:
    return len(outcome_of(game).winners) > 1


def is_decided_by_buildings(game: Game) -> bool:
    outcome = outcome_of(game)
    return len(outcome.winners) == 1 and outcome.scores.count(max(outcome.scores)) > 1


def has_best_builder_of_1912(game: Game) -> bool:
    return outcome_of(game).reason == "final_year" and game.play.state.best_builder is not None


def has_below_zero(game: Game) -> bool:
    return min(outcome_of(game).scores) < 0


def happens(kind: type) -> Wanted:
    return lambda game: any(isinstance(event, kind) for step in game.steps for event in step)


def recipe(name: str, player: Player, seats: int, wanted: Wanted, *, undo: int = 0, **options: object) -> Recipe:
    def of_seed(seed: int) -> Game:
        return played(player, seats=seats, seed=seed, undo=undo, **options)

    return Recipe(name, of_seed, wanted)


RECIPES: Final = (
    recipe("eighth-2-seats", Eager(), 2, ends_by("eighth")),
    recipe("eighth-3-seats-strict", Lone(), 3, ends_by("eighth"), strict_wild=True, plot_sides="B"),
    recipe("eighth-4-seats", Lone(), 4, ends_by("eighth"), park_order="falling"),
    recipe("final-year-2-seats", Uniform(), 2, ends_by("final_year"), plot_sides="A"),
    recipe("final-year-3-seats-across", Moody(), 3, ends_by("final_year"), adjacent_across_cards=True),
    recipe("final-year-4-seats", Eager(), 4, happens(PermitsReshuffled)),
    recipe("final-year-4-seats-nobody-there", Absent(), 4, ends_by("final_year")),
    recipe("best-builder-of-1912", Eager(), 3, has_best_builder_of_1912),
    recipe("marker-in-the-corner", Moody(), 2, happens(MarkerCapped)),
    recipe("shared-win", Uniform(), 2, is_shared),
    recipe("buildings-decide", Uniform(), 2, is_decided_by_buildings),
    recipe("below-zero", Uniform(), 3, has_below_zero),
    recipe("steps-taken-back", Moody(), 2, happens(Undone), undo=12),
)

DIGESTED: Final = (
    *("sides", "action_cards", "park_values", "order", "year", "area", "acted", "best_builder"),
    *("permits_shown", "permit_pile", "permit_discard", "permit_shuffles"),
    *("common_goals", "goals_shown", "goal_pile", "open_goals", "hidden_goals"),
    *("ruins", "stacks", "cards", "parks", "rubble"),
    *("money", "columns", "rows", "front", "supply", "buildings", "permits", "pawns"),
)
"""What a state adds up to; the view is left out, so that it can tell more one day."""


def whole(state: State) -> dict[str, Any]:
    return {name: getattr(state, name) for name in DIGESTED} | {"plot_cards": state.city.cards}


GOLDEN: Final = Golden(GAME, whole, RECIPES)

if __name__ == "__main__":
    GOLDEN.make_missing()
