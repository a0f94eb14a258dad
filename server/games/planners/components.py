"""Numbers from the box: cards, boards, tokens. Printed unless a line says reconstructed."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any, Final

from server.games.engine.frozen import frozen

SEATS: Final = range(2, 5)
FOUNDATION_TOKENS: Final = {2: 6, 3: 8, 4: 10}
"""The foundation tokens by number of seats; the last one ends the game."""

ROWS: Final = 5
COLUMNS: Final = 5
SPACES: Final = ROWS * COLUMNS
MARKET_COLUMNS: Final = (0, 1, 2)

BONUSES: Final = ("value", "universal", "depot", "points", "release", "tracks")
BONUS_SUPPLY: Final = 3
"""The number of pieces of each bonus."""

COMPASSES_FOR_BONUS: Final = 2

TRACKS: Final = "tracks"
"""The bonus that any district may give instead of its own."""

SQUARE_VALUE: Final = 4
EXTRA_VALUE: Final = 2
TOWER_NEEDS: Final = 7
MAX_RELEASE: Final = 2

POINT: Final = 2
"""All points are counted in halves, so that they stay whole numbers; two halves are a point."""

TOWER_POINTS: Final = 2
MEDAL_POINTS: Final = 2
ROW_POINTS: Final = 2
TOKEN_POINTS: Final = 3
DISTRICT_POINTS: Final = {2: (4, 0), 3: (4, 2, 0), 4: (4, 2, 0, -2)}
CABLE_CAR_POINTS: Final = {2: (5, 0), 3: (5, 2, 0), 4: (5, 2, 0, -2)}
"""The points for an advantage in a category, by number of seats and then by rank."""


@frozen
class Card:
    """The face of a card. `row` is where it must go, None for a universal card."""

    id: int
    row: int | None
    value: int
    tracks: bool
    depot: bool
    square: bool
    foundation: bool
    seaside: bool
    compass: bool


def _data(file: str) -> Any:
    return json.loads(resources.files(__package__).joinpath(file).read_text("utf-8"))


def _card(entry: dict[str, Any]) -> Card:
    district, features = entry["district"], entry["features"]
    return Card(
        id=entry["id"],
        row=None if district == "universal" else DISTRICTS.index(district),
        value=entry["value"],
        tracks="tracks" in features,
        depot="depot" in features,
        square="square" in features,
        foundation="foundation" in features,
        seaside="seaside" in features,
        compass="compass" in features,
    )


# Reconstructed: see the data files.
_BOARD: Final = _data("board.json")
_CARDS: Final = _data("cards.json")
DISTRICTS: Final = tuple(str(district["name"]) for district in _BOARD["districts"])
"""The districts of a city from its top row to its bottom row."""

DISTRICT_BONUSES: Final = tuple(str(district["bonus"]) for district in _BOARD["districts"])
DEPOT_COLUMNS: Final = tuple(int(column) for column in _BOARD["depot_columns"])
"""The columns below which a depot is printed at the bottom of a city."""

DECK: Final = tuple(int(entry["id"]) for entry in _CARDS["cards"])
BONUS_CARDS: Final = {str(entry["bonus"]): int(entry["id"]) for entry in _CARDS["bonus_cards"]}
"""The card of each bonus that is a card."""

CARDS: Final = {entry["id"]: _card(entry) for entry in (*_CARDS["cards"], *_CARDS["bonus_cards"])}


def ends_before_the_deck(foundations: int) -> bool:
    """Return whether a deck with this number of foundations uses up the last token before it runs out (RULES 2.4)."""
    return foundations >= max(FOUNDATION_TOKENS.values())


assert ends_before_the_deck(sum(CARDS[card].foundation for card in DECK)), "the deck could run out"
