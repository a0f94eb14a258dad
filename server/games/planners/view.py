"""The view of each viewer on a position, built up from nothing (RULES 9). Events declare it themselves.

Hidden is only the order of the deck, so every viewer is shown the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from server.games.engine.game import Seat
from server.games.engine.serialization import Json
from server.games.planners.city import City, spaces_of
from server.games.planners.components import CARDS, COLUMNS, COMPASSES_FOR_BONUS, DISTRICT_BONUSES, ROWS
from server.games.planners.contracts import takeable
from server.games.planners.scoring import CATEGORIES, Standing, Tie, contests, ender, ranking, scored_of
from server.games.planners.state import Choosing, Laying, Over, Placing, State, Turning


def public_view(state: State) -> dict[str, Json]:
    """Return what everybody may know of the position; unchanged parts are the same objects as in the last view."""
    part = state.view_cache.part
    ranks = _ranks(state)
    points = part("points", scored_of, ranks, state.cities, state.medal, state.completed, state.point_tokens)
    return {
        "turn": state.turn,
        "deck": len(state.deck),
        "tokens": state.tokens,
        "tokens_at_start": state.settings.tokens,
        "columns": part("columns", _columns_view, state.columns),
        "column_tokens": part("column_tokens", _column_tokens, state.columns),
        "open_columns": _open_columns(state),
        "completed": list(state.completed),
        "medal": state.medal,
        "bonuses": dict(state.bonuses),
        "bonus_of_row": list(DISTRICT_BONUSES),
        "sold_out_leaves_nothing": state.settings.sold_out_leaves_nothing,
        "discarded": list(state.discarded),
        "seats": [_seat_view(state, seat, points[seat]) for seat in range(state.settings.seats)],
        "standings": [part(("standings", category), _ranking_view, own) for category, own in enumerate(ranks)],
        "stage": _stage_view(state),
    }


def progress(state: State) -> dict[str, int]:
    """Return how far the game is: the cards left in the pile."""
    return {"cards": len(state.deck)}


def is_early(state: State) -> bool:
    """Return whether fewer than a third of the foundation tokens are gone: the game ends with the last one."""
    at_start = state.settings.tokens
    return 3 * (at_start - state.tokens) < at_start


def points_shown(view: Mapping[str, Any]) -> list[int]:
    """Return the points of each seat, as if the game ended now."""
    return [seat["points"] for seat in view["seats"]]


def _ranks(state: State) -> list[list[Standing]]:
    part, ended_by = state.view_cache.part, ender(state)
    ranks = []
    for category, contest in enumerate(part("contests", contests, state.cities, state.settings.rows_below_by_total)):
        # Where the order of turns does not matter, a constant seat keeps the cache valid across turns.
        ranks.append(part(("ranks", category), ranking, contest, ended_by if contest.is_left_to_turns else 0))
    return ranks


def _columns_view(columns: tuple[tuple[int, ...], ...]) -> list[Json]:
    return [list(cards) for cards in columns]


def _column_tokens(columns: tuple[tuple[int, ...], ...]) -> list[Json]:
    return [card for cards in columns for card in cards if CARDS[card].foundation]


def _open_columns(state: State) -> list[Json]:
    if not isinstance(state.stage, Turning):
        return []
    return list(takeable(tuple(map(len, state.columns)), state.contracts[state.turn]))


def _seat_view(state: State, seat: Seat, points: dict[str, int]) -> dict[str, Json]:
    part, city = state.view_cache.part, state.cities[seat]
    due = state.stage.row if isinstance(state.stage, Choosing) and seat == state.turn else None
    laid = part(("city", seat), _city_view, city)
    holds = state.contracts[seat], state.releases[seat], state.point_tokens[seat]
    return part(("seat", seat), _whole_seat_view, city, laid, due, *holds, points)


def _city_view(city: City) -> dict[str, Json]:
    values, needs = city.values(), city.needs
    return {
        "cards": list(city.cards),
        "values": list(values),
        "cars": list(spaces_of(city.cars)),
        "towers": list(spaces_of(city.towers)),
        "sites": [[space, around, needs] for space, around in city.sites()],
        "extra_value": list(spaces_of(city.extra_value)),
        "extra_tracks": list(spaces_of(city.extra_tracks)),
        "totals": [sum(values[row * COLUMNS : (row + 1) * COLUMNS]) for row in range(ROWS)],
        "compasses": [city.compasses_in(row) for row in range(ROWS)],
    }


def _whole_seat_view(
    city: City,
    laid: dict[str, Json],
    due: int | None,
    contracts: int,
    release: bool,
    point_tokens: int,
    points: dict[str, int],
) -> dict[str, Json]:
    advantages = sum(points[category] for category in CATEGORIES)
    return {
        **laid,
        "bonus_rows": [row for row in range(ROWS) if city.compasses_in(row) >= COMPASSES_FOR_BONUS and row != due],
        "contracts": contracts,
        "release": release,
        "point_tokens": point_tokens,
        "points": sum(points.values()),
        "parts": {
            "advantages": advantages,
            **{part: number for part, number in points.items() if part not in CATEGORIES},
        },
    }


def _ranking_view(ranks: Sequence[Standing]) -> list[Json]:
    return [_standing_view(standing) for standing in ranks]


def _standing_view(standing: Standing) -> dict[str, Json]:
    return {
        "seat": standing.seat,
        "total": standing.total,
        "points": standing.points,
        "tie": None if standing.tie is None else _tie_view(standing.tie),
    }


def _tie_view(tie: Tie) -> dict[str, Json]:
    return {"by": tie.by} if tie.at is None else {"by": tie.by, tie.by: tie.at}


def _stage_view(state: State) -> dict[str, Json]:
    taking: dict[str, Json] = {"column": state.column, "cards": list(state.hand), "taken": list(state.taken)}
    match state.stage:
        case Turning():
            return {"name": "turn"}
        case Laying(card):
            return {"name": "laying", "card": card}
        case Placing():
            return {"name": "placing" if state.hand else "confirming", **taking}
        case Choosing(row):
            return {"name": "bonus", "row": row, **taking}
        case Over(reason, seat):
            return {"name": "over", "reason": reason, "seat": seat}
    raise AssertionError(state.stage)
