"""The cities as small drawings for lists of finished games."""

from __future__ import annotations

from server.games.engine.serialization import Json
from server.games.planners.city import EMPTY, City
from server.games.planners.state import State


def city(state: State) -> dict[str, Json]:
    """Return a character for each space of each seat's city: `c` for a card, `t` for a card with a tower."""
    return {"cities": [_spaces(own) for own in state.cities]}


def _spaces(own: City) -> str:
    towers = own.towers
    return "".join("." if card == EMPTY else "t" if towers >> at & 1 else "c" for at, card in enumerate(own.cards))
