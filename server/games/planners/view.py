"""What a viewer may know: all secrecy of this game is decided here, and built up from nothing (RULES 9).

Hidden is the order of the deck, and nothing else; so every viewer is shown the same.
"""

from __future__ import annotations

from server.games.game import Event, Seat
from server.games.plain import Plain, fact_plain
from server.games.planners.city import ROW_BITS, spaces_of
from server.games.planners.components import CARDS, COLUMNS, COMPASSES_FOR_BONUS, DISTRICT_BONUSES, ROWS
from server.games.planners.contracts import takeable
from server.games.planners.events import GameBegun
from server.games.planners.scoring import CATEGORIES, Standing, Tie, scored, standings
from server.games.planners.state import Choosing, Laying, Over, Placing, State, Turning


def public_view(state: State) -> dict[str, Plain]:
    """Give what anybody may know of the position."""
    ranks = standings(state)
    parts = scored(state, ranks)
    return {
        "turn": state.turn,
        "deck": len(state.deck),
        "tokens": state.tokens,
        "tokens_at_start": state.settings.tokens,
        "columns": [list(cards) for cards in state.columns],
        "column_tokens": [card for cards in state.columns for card in cards if CARDS[card].foundation],
        "open_columns": _open_columns(state),
        "completed": list(state.completed),
        "medal": state.medal,
        "bonuses": dict(state.bonuses),
        "bonus_of_row": list(DISTRICT_BONUSES),
        "discarded": list(state.discarded),
        "seats": [_seat_view(state, seat, parts[seat]) for seat in range(state.settings.seats)],
        "standings": [[_standing_view(standing) for standing in ranking] for ranking in ranks],
        "stage": _stage_view(state),
    }


def _open_columns(state: State) -> list[Plain]:
    if not isinstance(state.stage, Turning):
        return []
    return list(takeable(tuple(map(len, state.columns)), state.contracts[state.turn]))


def _seat_view(state: State, seat: Seat, parts: dict[str, int]) -> dict[str, Plain]:
    city = state.cities[seat]
    values = city.values()
    compasses = [(city.compasses & bits).bit_count() for bits in ROW_BITS]
    due = state.stage.row if isinstance(state.stage, Choosing) and seat == state.turn else None
    advantages = sum(parts[category] for category in CATEGORIES)
    return {
        "cards": list(city.cards),
        "values": list(values),
        "cars": list(spaces_of(city.cars)),
        "towers": list(spaces_of(city.towers)),
        "sites": [[space, around, city.needs] for space, around in city.sites()],
        "extra_value": list(spaces_of(city.extra_value)),
        "extra_tracks": list(spaces_of(city.extra_tracks)),
        "totals": [sum(values[row * COLUMNS : (row + 1) * COLUMNS]) for row in range(ROWS)],
        "compasses": [*compasses],
        "bonus_rows": [row for row in range(ROWS) if compasses[row] >= COMPASSES_FOR_BONUS and row != due],
        "contracts": state.contracts[seat],
        "release": state.releases[seat],
        "point_tokens": state.point_tokens[seat],
        "points": sum(parts.values()),
        "parts": {
            "advantages": advantages,
            **{part: points for part, points in parts.items() if part not in CATEGORIES},
        },
    }


def _standing_view(standing: Standing) -> dict[str, Plain]:
    return {
        "seat": standing.seat,
        "total": standing.total,
        "points": standing.points,
        "tie": None if standing.tie is None else _tie_view(standing.tie),
    }


def _tie_view(tie: Tie) -> dict[str, Plain]:
    return {"by": tie.by} if tie.at is None else {"by": tie.by, tie.by: tie.at}


def _stage_view(state: State) -> dict[str, Plain]:
    taking: dict[str, Plain] = {"column": state.column, "cards": list(state.hand), "taken": list(state.taken)}
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


def shown(event: Event) -> dict[str, Plain]:
    """Give what anybody may know of an event."""
    if isinstance(event, GameBegun):
        return {
            "event": event.name,
            "seats": event.seats,
            "first_seat": event.first_seat,
            "allow_decline_bonus": event.allow_decline_bonus,
            "resolve_bonus_on_final_card": event.resolve_bonus_on_final_card,
            "tokens": event.tokens,
        }
    return fact_plain(event)
