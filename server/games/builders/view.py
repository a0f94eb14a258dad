"""The view of each viewer on a position, built up from nothing (RULES 10.1). Events declare it themselves.

Hidden are the goals that other seats were dealt or drew blindly, until the end, and the order of the two piles.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from server.games.builders.building import plots_in_reach
from server.games.builders.city import plots_of
from server.games.builders.components import (
    CLEAN_UP_PRICE,
    CLEAN_UP_STEP_PRICE,
    DEVELOP_PRICE,
    FEE_PER_STEP,
    FIRST_YEAR,
    GRIDS,
    LAST_YEAR,
    PARK,
    RUBBLE_PRICE,
    SYMBOLS,
    TRAM_PRICE,
    YEARS,
)
from server.games.builders.scoring import card_points, goal_points, points, points_with
from server.games.builders.state import (
    Acting,
    Composing,
    Confirming,
    Gaining,
    Over,
    Passing,
    Placing,
    Rewarding,
    State,
)
from server.games.engine.game import Seat
from server.games.engine.serialization import Json


def public_view(state: State) -> dict[str, Json]:
    """Return what everybody may know of the position."""
    is_over = isinstance(state.stage, Over)
    return {
        "round": state.year - FIRST_YEAR + 1,
        "year": state.year,
        "area": state.area,
        "turn": None if isinstance(state.stage, (Over, Passing)) else state.turn,
        "order": list(state.order),
        "acted": list(state.order[: state.acted]),
        "city": _city_view(state),
        "action_cards": list(state.action_cards),
        "pawns": [None if pawn is None else list(pawn) for pawn in state.pawns],
        "permits": list(state.permits_shown),
        "permit_pile": len(state.permit_pile),
        "permit_discard": list(state.permit_discard),
        "rules": state.rules,
        "goals": {
            "common": list(state.common_goals),
            "display": list(state.goals_shown),
            "pile": len(state.goal_pile),
            "majorities_rank_all": state.majorities_rank_all,
        },
        "development": _development_view(state),
        "best_builder": state.best_builder,
        "seats": [_seat_view(state, seat) for seat in range(state.seats)],
        "hidden_goals": None,
        "costs": _costs(state),
        "stage": _stage_view(state),
        "final": [_final_view(state, seat) for seat in range(state.seats)] if is_over else None,
    }


def progress(state: State) -> dict[str, int]:
    """Return how far the game is: the year and the action card that the seats are at, from 1; 0 before the first."""
    return {"year": state.year, "card": state.area}


def is_early(state: State) -> bool:
    """Return whether fewer than a third of the years are over."""
    return 3 * (state.year - FIRST_YEAR) < LAST_YEAR - FIRST_YEAR + 1


def points_shown(view: Mapping[str, Any]) -> list[int]:
    """Return the points of each seat without those of its hidden goals."""
    return [sum(seat["points"].values()) for seat in view["seats"]]


def own_view(state: State, seat: Seat) -> dict[str, Json]:
    """Return what a seat alone may know of the position."""
    return {"hidden_goals": {**_worth(state, seat, state.hidden_goals[seat])}}


def _city_view(state: State) -> Json:
    owners: list[Json] = [-1] * len(state.city.plots)
    for seat, plots in enumerate(state.buildings):
        for plot in plots_of(plots):
            owners[plot] = seat
    cards: list[Json] = [[card, side] for card, side in zip(state.city.cards, state.sides, strict=True)]
    return {
        "grid": list(GRIDS[state.seats]),
        "cards": cards,
        "owners": owners,
        "rubble": [*plots_of(state.ruins)],
        "adjacent_across_cards": state.city.across_cards,
        "strict_wild": state.city.strict_wild,
    }


def _development_view(state: State) -> Json:
    left: dict[str, Json] = dict(zip(SYMBOLS, state.stacks, strict=True))
    parks = state.left_of(PARK)
    return left | {PARK: list(state.park_values[len(state.park_values) - parks :])}


def _seat_view(state: State, seat: Seat) -> dict[str, Json]:
    cards: dict[str, Json] = dict(zip(SYMBOLS, state.cards[seat], strict=True))
    common, own = _worth(state, seat, state.common_goals), _worth(state, seat, state.open_goals[seat])
    return {
        "money": state.money[seat],
        "marker": [state.columns[seat], state.rows[seat]],
        "front": state.front[seat],
        "supply": state.supply[seat],
        "built": state.built(seat),
        "permits": list(state.permits[seat]),
        "open_goals": list(state.open_goals[seat]),
        "hidden_goals": len(state.hidden_goals[seat]),
        "rubble": state.rubble[seat],
        "cards": cards | {PARK: list(state.parks[seat])},
        "points": {**points_with(state, seat, sum(common.values()), sum(own.values()))},
        "goal_points": {**common, **own},
    }


def _worth(state: State, seat: Seat, goals: tuple[str, ...]) -> dict[str, int]:
    return {goal: goal_points(state, goal, seat) for goal in goals}


def _costs(state: State) -> Json:
    return {
        "build": YEARS[state.year].build_cost,
        "rubble": RUBBLE_PRICE,
        "tram": TRAM_PRICE,
        "clean_up": CLEAN_UP_PRICE,
        "step": CLEAN_UP_STEP_PRICE,
        "develop": DEVELOP_PRICE,
        "fee_per_step": FEE_PER_STEP,
    }


def _final_view(state: State, seat: Seat) -> Json:
    """Return all that a seat scored, in the order of scoring; its goals are open now (RULES 11.2)."""
    whole = points(state, seat)
    return {
        "common": {**_worth(state, seat, state.common_goals)},
        "goals": {**_worth(state, seat, state.open_goals[seat] + state.hidden_goals[seat])},
        "hidden_goals": list(state.hidden_goals[seat]),
        "board": whole["board"],
        "cards": {**card_points(state, seat)},
        "best_builder": whole["best_builder"],
        "money": whole["money"],
        "total": sum(whole.values()),
    }


def _stage_view(state: State) -> dict[str, Json]:
    match state.stage:
        case Passing():
            # Only seen by those who look back at a game event by event.
            return {"name": "passing"}
        case Placing():
            return {"name": "placing"}
        case Acting():
            return {"name": "acting"}
        case Rewarding():
            return {"name": "rewarding"}
        case Composing(subsidised, fee, permits):
            return {
                "name": "composing",
                "subsidised": subsidised,
                "fee": fee,
                "permits": list(permits),
                "plots": [*plots_of(plots_in_reach(state, state.stage))],
            }
        case Gaining(symbols, owed):
            must: dict[str, Json] = {"owed": True} if owed else {}
            return {"name": "gaining", "symbols": list(symbols), **must}
        case Confirming():
            return {"name": "confirming"}
        case Over(reason):
            return {"name": "over", "reason": reason}
    raise AssertionError(state.stage)
