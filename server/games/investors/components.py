"""Numbers from the box: tiles, cards, money. Printed unless a line says reconstructed."""

from __future__ import annotations

import json
from collections import Counter
from importlib import resources
from typing import Any, Final

from server.games.engine.frozen import frozen


def _data(file: str) -> Any:
    return json.loads(resources.files(__package__).joinpath(file).read_text("utf-8"))


_VALUES: Final = _data("values.json")
"""Numbers that the page shows as well, and takes from the same file."""

SEATS: Final = range(3, 6)
STICKS_PER_SEAT: Final = 15
INFLUENCE_AT_START: Final = 30
INFLUENCE_CARDS: Final = tuple(range(10))
CHEQUES: Final = (10, 10, 20, 20, 30, 40, 50, 60, 70, 80, 90, 100)
"""A seat's cheques at the start, in thousands of dollars; change is never given."""

MAX_SEALED_CHEQUES: Final = 5
FIRST_YEAR: Final[int] = _VALUES["first_year"]
YEARS: Final[int] = _VALUES["years"]
BONUS_PRESTIGE: Final[int] = _VALUES["bonus_prestige"]
MAX_TENDERS_WITHOUT_A_STICK: Final = 36

SUBSIDY_INFLUENCE: Final[int] = _VALUES["subsidy"]["influence"]
MAX_SUBSIDY_CHEQUES: Final[int] = _VALUES["subsidy"]["cheques_most"]
REMOVAL_INFLUENCE: Final[int] = _VALUES["removal_subsidy"]["influence"]
MAX_REMOVAL_CHEQUES: Final[int] = _VALUES["removal_subsidy"]["cheques_most"]

HALL: Final = "hall"
BANK: Final = "bank"
PARK: Final = "park"
ORDINARY_KINDS: Final = ("factory", "office", "market", "leisure", "villa", "residential")
LANDMARKS: Final = (HALL, BANK)
PRESTIGE: Final[dict[str, int]] = _VALUES["prestige"]
# Reconstructed: 30 tiles for six kinds are certain, five of each follows only from symmetry.
TILES: Final = (BANK, *(PARK,) * 3, *(kind for kind in ORDINARY_KINDS for _ in range(5)))
"""The 34 tiles that are drawn; the town hall lies fixed in the middle."""

OPTION_TILES: Final[dict[str, tuple[str, ...]]] = {
    name: tuple(kinds) for name, kinds in _VALUES["option_tiles"].items()
}
"""The kinds of each option tile, in the order in which their holders invest."""

EDGE: Final = "edge"
OPTIONS: Final = "options"


@frozen
class TenderCard:
    """A tender card; `target` is a kind, the edge or the options."""

    name: str
    target: str
    mode: str
    rights: int


@frozen
class ActionCard:
    """An action card: its effect, and the mode of its tender if it has one."""

    name: str
    effect: str
    mode: str | None


def _tender_deck(rows: list[dict[str, Any]]) -> tuple[TenderCard, ...]:
    deck = []
    for row in rows:
        targets = ORDINARY_KINDS if row["target"] == "each_kind" else (row["target"],)
        for target in targets:
            name = f"{target}/{row['mode']}/{row['rights']}"
            deck += [TenderCard(name, target, row["mode"], row["rights"])] * row["copies"]
    return tuple(deck)


def _action_deck(rows: list[dict[str, Any]]) -> tuple[ActionCard, ...]:
    deck = []
    for row in rows:
        name = row["effect"] if row["mode"] is None else f"{row['effect']}/{row['mode']}"
        deck += [ActionCard(name, row["effect"], row["mode"])] * row["copies"]
    return tuple(deck)


# Reconstructed, both decks: see the data files.
TENDER_DECKS: Final = {name: _tender_deck(rows) for name, rows in _data("tender_cards.json")["decks"].items()}
ACTION_DECK: Final = _action_deck(_data("action_cards.json")["cards"])

TENDER_CARDS: Final = {card.name: card for deck in TENDER_DECKS.values() for card in deck}
ACTION_CARDS: Final = {card.name: card for card in ACTION_DECK}
SUBSIDIES: Final = tuple(card.name for card in ACTION_DECK if card.effect.endswith("subsidy"))
"""The subsidies in the box, each as often as it occurs; the table may choose how many of them are played."""

ACTION_SUPPLY: Final = dict(Counter(card.name for card in ACTION_DECK))
