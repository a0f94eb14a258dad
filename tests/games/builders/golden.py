"""The golden logs of Builders. `python -m tests.games.builders.golden` makes those that are missing."""

from __future__ import annotations

from typing import Any, Final

from server.games.builders.events import MarkerCapped, PermitsReshuffled
from server.games.builders.state import State
from server.games.engine.play import Undone
from tests.games.builders import GAME
from tests.games.builders.players import Eager, Lone, Moody
from tests.games.golden import Golden, ends_by, happens, is_decided_by_tie_break, is_shared, outcome_of, recipe
from tests.games.players import Absent, Game, Uniform


def has_best_builder_of_1912(game: Game) -> bool:
    return outcome_of(game.play).reason == "final_year" and game.play.state.best_builder is not None


def has_below_zero(game: Game) -> bool:
    return min(outcome_of(game.play).scores) < 0


RECIPES: Final = (
    recipe("eighth-2-seats", Eager(), 2, ends_by("eighth")),
    recipe("eighth-3-seats-strict", Lone(), 3, ends_by("eighth"), strict_wild=True, plot_sides="B"),
    recipe("eighth-4-seats", Lone(), 4, ends_by("eighth"), park_order="falling"),
    recipe("final-year-2-seats", Uniform(), 2, ends_by("final_year"), plot_sides="A"),
    recipe("final-year-3-seats-across", Moody(), 3, ends_by("final_year"), adjacent_across_cards=True),
    recipe("final-year-4-seats", Eager(), 4, happens(PermitsReshuffled)),
    recipe("final-year-4-seats-nobody-there", Absent(), 4, ends_by("final_year")),
    recipe("best-builder-of-1912", Eager(), 3, has_best_builder_of_1912),
    recipe(
        *("eighth-2-seats-ranking-all", Eager(), 2, ends_by("eighth")),
        majorities_rank_all=True,
        plot_sides=[*"ABABABA", "random"],
    ),
    recipe("marker-in-the-corner", Moody(), 2, happens(MarkerCapped)),
    recipe("shared-win", Uniform(), 2, is_shared),
    recipe("buildings-decide", Uniform(), 2, is_decided_by_tie_break),
    recipe("below-zero", Uniform(), 3, has_below_zero),
    recipe("eighth-4-seats-of-rules-4", Lone(), 4, ends_by("eighth")),
    recipe("final-year-2-seats-of-rules-4", Eager(), 2, ends_by("final_year")),
    recipe("steps-taken-back", Moody(), 2, happens(Undone), undo=12),
)

DIGESTED: Final = (
    *("sides", "action_cards", "park_values", "order", "year", "area", "acted", "best_builder"),
    *("permits_shown", "permit_pile", "permit_discard", "permit_shuffles"),
    *("common_goals", "goals_shown", "goal_pile", "open_goals", "hidden_goals"),
    *("ruins", "stacks", "cards", "parks", "rubble"),
    *("money", "columns", "rows", "front", "supply", "buildings", "permits", "pawns"),
)
"""Return the whole state without its views, which may show more one day."""


def whole(state: State) -> dict[str, Any]:
    return {name: getattr(state, name) for name in DIGESTED} | {"plot_cards": state.city.cards}


GOLDEN: Final = Golden(GAME, whole, RECIPES)

if __name__ == "__main__":
    GOLDEN.make_missing()
