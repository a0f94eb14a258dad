"""The city as a small drawing for lists of finished games: who has rebuilt which district."""

from __future__ import annotations

from server.games.engine.serialization import Json
from server.games.investors.city import WHITE
from server.games.investors.components import PARK
from server.games.investors.state import State


def city(state: State) -> dict[str, Json]:
    """Return a character for each district and each street: its seat, `p` for a park, `w` for a white stick."""
    tiles = ["p" if kind == PARK else _owner(seat) for kind, seat in zip(state.layout, state.rebuilt, strict=True)]
    sticks = ["w" if seat == WHITE else _owner(seat) for seat in state.sticks]
    return {"tiles": "".join(tiles), "sticks": "".join(sticks)}


def _owner(seat: int) -> str:
    return str(seat) if seat >= 0 else "."
