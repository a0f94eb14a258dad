"""The golden logs of Planners. `python -m tests.games.planners.golden` makes those that are missing."""

from __future__ import annotations

from typing import Any, Final

from server.games.engine.play import Undone
from server.games.planners.events import BonusDeclined, BonusLapsed, ContractsReleased
from server.games.planners.scoring import standings
from server.games.planners.state import State
from tests.games.golden import Golden, ends_by, happens, is_decided_by_tie_break, is_shared, recipe
from tests.games.planners import GAME
from tests.games.planners.players import Filler, Keen
from tests.games.players import Absent, Game, Uniform


def has_many_towers(game: Game) -> bool:
    return sum(city.towers.bit_count() for city in game.play.state.cities) >= 4


def is_ranked_by_a_row_below(game: Game) -> bool:
    ties = [standing.tie for ranking in standings(game.play.state) for standing in ranking]
    return any(tie is not None and tie.by == "row" for tie in ties)


RECIPES: Final = (
    recipe("foundations-2-seats", Uniform(), 2, ends_by("foundations")),
    recipe("foundations-3-seats-nobody-there", Absent(), 3, ends_by("foundations")),
    recipe("foundations-4-seats", Keen(), 4, has_many_towers),
    recipe("full-2-seats", Keen(), 2, ends_by("full")),
    recipe("full-3-seats", Keen(), 3, ends_by("full")),
    recipe("full-4-seats", Filler(), 4, ends_by("full")),
    recipe("bonus-lapsed-on-final-card", Filler(), 4, happens(BonusLapsed), resolve_bonus_on_final_card=False),
    recipe("bonus-declined", Uniform(), 2, happens(BonusDeclined), allow_decline_bonus=True),
    recipe("foundations-4-seats-sold-out-leaves-nothing", Keen(), 4, ends_by("foundations"), sold_out_bonus="nothing"),
    recipe("row-below-decides", Uniform(), 2, is_ranked_by_a_row_below, rows_below_by_total=True),
    recipe("contracts-released", Keen(), 2, happens(ContractsReleased)),
    recipe("cable-cars-decide", Uniform(), 2, is_decided_by_tie_break),
    recipe("shared-win", Uniform(), 3, is_shared),
    recipe("steps-taken-back", Keen(), 3, happens(Undone), undo=True),
)

DIGESTED: Final = (
    *("deck", "tokens", "turn", "columns", "contracts", "releases", "point_tokens"),
    *("completed", "medal", "bonuses", "discarded"),
)
"""Return the whole state without its views, which may show more one day."""

_IN_A_CITY: Final = ("cards", "cars", "towers", "extra_value", "extra_tracks")


def whole(state: State) -> dict[str, Any]:
    cities = [{name: getattr(city, name) for name in _IN_A_CITY} for city in state.cities]
    return {name: getattr(state, name) for name in DIGESTED} | {"cities": cities}


GOLDEN: Final = Golden(GAME, whole, RECIPES)

if __name__ == "__main__":
    GOLDEN.make_missing()
