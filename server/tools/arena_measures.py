"""The measures of a game in the arena, from its events: the end reason, the length, and how each seat played.

Events are known by name and field, as a log shows them, so no module of a single game is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from server.games.engine.events import Event, Seat

_EARLY_ROUNDS: Final = 4


class Ratio(NamedTuple):
    """A total and the number of cases that it is divided by."""

    total: float = 0
    cases: int = 0

    def plus(self, value: float) -> Ratio:
        """Return the ratio with one more case."""
        return Ratio(self.total + value, self.cases + 1)


Measures = Mapping[str, tuple[Ratio, ...]]
"""By the name of a measure, its ratio for each seat."""


def end_reason(events: Sequence[Event]) -> str:
    """Return the reason that the last event of a game gives."""
    last: Any = events[-1]
    return str(last.reason)


def rounds_of(game: str, events: Sequence[Event], seats: int) -> float:
    """Return the rounds of Investors, the years of Builders, or the turns of each seat on average."""
    if game == "investors":
        return _number(events, "round_ended") + 1
    if game == "builders":
        return _number(events, "year_begun") + 1
    return (_number(events, "turn_ended") + _number(events, "turn_passed")) / seats


def measures_of(game: str, events: Sequence[Event], seats: int) -> Measures:
    """Return the measures of a game."""
    return _MEASURES[game](events, seats) if game in _MEASURES else {}


class _Table:
    """The measures of one game while its events are read."""

    def __init__(self, names: Sequence[str], seats: int) -> None:
        self._ratios = {name: [Ratio()] * seats for name in names}

    def add(self, name: str, seat: Seat, value: float) -> None:
        self._ratios[name][seat] = self._ratios[name][seat].plus(value)

    def measures(self) -> Measures:
        return {name: tuple(ratios) for name, ratios in self._ratios.items()}


def _investors(events: Sequence[Event], seats: int) -> Measures:
    bids, cheques, price = "bids per auction won", "cheques per payment", "price of an auction"
    early_price = f"the same in rounds 1-{_EARLY_ROUNDS}"
    table = _Table((bids, cheques, price, early_price), seats)
    raised, finished_rounds = 0, 0
    event: Any
    for event in events:
        if event.name == "bid_raised":
            raised += 1
        elif event.name == "auction_won":
            table.add(bids, event.seat, raised)
            table.add(cheques, event.seat, len(event.cheques))
            table.add(price, event.seat, sum(event.cheques))
            if finished_rounds < _EARLY_ROUNDS:
                table.add(early_price, event.seat, sum(event.cheques))
            raised = 0
        elif event.name == "option_won":
            table.add(cheques, event.seat, len(event.cheques))
        elif event.name == "round_ended":
            finished_rounds += 1
    return table.measures()


def _counts(names: Mapping[str, str]) -> Callable[[Sequence[Event], int], Measures]:
    """Return a function that counts events of each seat in a game, given the name of each measure and of its event."""

    def count(events: Sequence[Event], seats: int) -> Measures:
        numbers = {name: [0] * seats for name in names.values()}
        event: Any
        for event in events:
            if event.name in numbers:
                numbers[event.name][event.seat] += 1
        return {measure: tuple(Ratio(number, 1) for number in numbers[name]) for measure, name in names.items()}

    return count


_MEASURES: Final[Mapping[str, Callable[[Sequence[Event], int], Measures]]] = {
    "investors": _investors,
    "planners": _counts({"skyscrapers": "tower_built", "cards placed": "card_placed", "columns taken": "column_taken"}),
    "builders": _counts({"buildings": "built", "development cards": "card_taken"}),
}


def _number(events: Sequence[Event], name: str) -> int:
    return sum(event.name == name for event in events)
