"""A reference implementation of the rules of cities, simple and independent of the game's own code.

A city is a mapping from (row, column) to a card; marks are sets of such places.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from functools import cached_property
from typing import Any

from server.games.planners.components import CARDS, COLUMNS, SPACES

Place = tuple[int, int]


class Plan:
    """One seat's city, read from what everybody sees."""

    def __init__(self, seat: Mapping[str, Any]) -> None:
        self.cards = {divmod(space, COLUMNS): CARDS[card] for space, card in enumerate(seat["cards"]) if card}
        self.with_more_value = places(seat["extra_value"])
        self.with_tracks_token = places(seat["extra_tracks"])

    def has_tracks(self, place: Place) -> bool:
        return self.cards[place].tracks or place in self.with_tracks_token

    @cached_property
    def connected(self) -> Set[Place]:
        """Walk from every depot along the tracks."""
        reached: set[Place] = set()
        to_visit = [place for place, card in self.cards.items() if card.depot]
        to_visit += [place for place in self.cards if place[0] == 4 and self.has_tracks(place)]
        while to_visit:
            place = to_visit.pop()
            if place not in reached:
                reached.add(place)
                to_visit += [other for other in self.beside(place) if self.has_tracks(other)]
        return reached

    def beside(self, place: Place) -> list[Place]:
        row, column = place
        around = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
        return [other for other in around if other in self.cards]

    def value(self, place: Place) -> int:
        if place not in self.cards:
            return 0
        card, more = self.cards[place], 2 if place in self.with_more_value else 0
        if not card.square:
            return card.value + more
        return (4 if any(other in self.connected for other in self.beside(place)) else 0) + more

    def towers(self) -> Set[Place]:
        needed = 7 - sum(card.seaside for card in self.cards.values())
        return {
            place
            for place, card in self.cards.items()
            if card.foundation and sum(self.value(other) for other in self.beside(place)) >= needed
        }

    def total(self, row: int) -> int:
        return sum(self.value((row, column)) for column in range(5))

    def row_key(self, row: int, *, by_total: bool) -> list[int]:
        """Return the ranking key of a row: total, its cards from the left, then the rows below, cyclically."""
        key = [self.total(row)]
        for down in range(5):
            below = (row + down) % 5
            if by_total and down:
                key.append(self.total(below))
            key += [self.value((below, column)) for column in range(5)]
        return key

    def car_key(self) -> list[int]:
        columns = [column for _, column in self.connected]
        return [len(columns), *(columns.count(column) for column in range(5))]


def places(spaces: list[int]) -> Set[Place]:
    assert all(0 <= space < SPACES for space in spaces)
    return {divmod(space, COLUMNS) for space in spaces}


def half_points(view: Mapping[str, Any], ended_by: int, *, rows_below_by_total: bool) -> list[int]:
    """Score a position from what everybody sees, counting every place by comparing each seat with every other."""
    seats = len(view["seats"])
    plans = [Plan(seat) for seat in view["seats"]]
    scores = [0] * seats
    ladders = {2: (4, 0), 3: (4, 2, 0), 4: (4, 2, 0, -2)}
    keys = [[plan.row_key(row, by_total=rows_below_by_total) for plan in plans] for row in range(5)]
    keys.append([plan.car_key() for plan in plans])
    for category, by_seat in enumerate(keys):
        for seat in range(seats):
            ahead = sum(
                by_seat[other] > by_seat[seat]
                or (by_seat[other] == by_seat[seat] and (other - ended_by) % seats < (seat - ended_by) % seats)
                for other in range(seats)
            )
            scores[seat] += ladders[seats][ahead] + (1 if category == 5 and ahead == 0 else 0)
    for seat, plan in enumerate(plans):
        scores[seat] += 2 * len(plan.towers()) + 3 * view["seats"][seat]["point_tokens"]
        scores[seat] += 2 * view["completed"].count(seat) + 2 * (view["medal"] == seat)
    return scores
