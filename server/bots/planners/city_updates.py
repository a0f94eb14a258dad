"""A city after one more card or token, with all consequences inside the city (RULES 5).

The rules do the same with events; a bot that evaluates thousands of plans needs only the city.
"""

from __future__ import annotations

from server.games.planners.city import City
from server.games.planners.components import COLUMNS


def with_card(city: City, card: int, row: int) -> City:
    """Return the city after a card was placed in a row that has room."""
    grown = city.copy()
    grown.add(card, row * COLUMNS + city.filled[row])
    return _with_consequences(grown)


def with_value(city: City, space: int) -> City:
    grown = city.copy()
    grown.extra_value |= 1 << space
    return _with_consequences(grown)


def with_tracks(city: City, space: int) -> City:
    grown = city.copy()
    grown.tracks |= 1 << space
    grown.extra_tracks |= 1 << space
    return _with_consequences(grown)


def _with_consequences(city: City) -> City:
    if city.is_growable:
        city.cars |= city.network()
    if city.foundations != city.towers:
        needs = city.needs
        for space, around in city.sites():
            if around >= needs:
                city.towers |= 1 << space
    return city
