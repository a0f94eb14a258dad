"""The best use of an action card, for any seat (RULES 8)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Final, NamedTuple

from server.bots.investors.prospects import Prospects
from server.games.engine.game import Seat
from server.games.engine.prompts import Command
from server.games.investors.city import DISTRICTS, DISTRICTS_OF, FREE, PATHS, STREETS_OF
from server.games.investors.commands import MoveStick, PlaceStick, ReplaceStick, SwapSticks, Waive

_LOOKED_AT: Final = 6
"""How many of the ideas that look best one by one are looked at closely."""


class Use(NamedTuple):
    """A command and what its seat gains by it."""

    command: Command
    gain: float


NO_USE: Final = Use(Waive(), 0.0)


def best_use(prospects: Prospects, effect: str, seat: Seat) -> Use:
    """Give the use of an effect by which a seat gains most, or waiving if it gains by none."""
    return best_of(uses(prospects, effect, seat))


def best_of(found: Iterable[Use]) -> Use:
    """Give the best of some uses, or waiving if none is better."""
    return max((NO_USE, *found), key=lambda use: use.gain)


def uses(prospects: Prospects, effect: str, seat: Seat) -> list[Use]:
    """Give the uses of an effect that look best; for two sticks, those of the first one."""
    match effect:
        case "free":
            return placings(prospects, prospects.state.free_streets(), seat)
        case "two":
            return _pairs(prospects, seat)
        case "replace":
            return _replacings(prospects, seat)
        case "swap":
            return _swaps(prospects, seat)
        case "move":
            return _moves(prospects, seat)
    raise AssertionError(effect)


def placings(
    prospects: Prospects, streets: tuple[int, ...], seat: Seat, keep: int | None = None, most: int = _LOOKED_AT
) -> list[Use]:
    """Give the best places for a stick among free streets, the best first; with an empty supply, one is lifted."""
    spots = prospects.ranked(streets, seat)[:most]
    if prospects.state.supply[seat]:
        return [Use(PlaceStick(spot.street), spot.gain) for spot in spots]
    found = []
    for spot in spots:
        lift = _lifted(prospects, seat, spot.street, keep)
        if lift is not None:
            gain = prospects.standing_after(((spot.street, seat), (lift, FREE)), seat)
            found.append(Use(PlaceStick(spot.street, lift), gain))
    return sorted(found, key=lambda use: -use.gain)


def _lifted(prospects: Prospects, seat: Seat, street: int, keep: int | None) -> int | None:
    """Give the own stick that is best lifted for one on the street."""
    own = [other for other in prospects.state.sticks_of(seat) if other not in (keep, street)]
    if not own:
        return None
    return max(own, key=lambda other: prospects.standing_after(((street, seat), (other, FREE)), seat))


def _pairs(prospects: Prospects, seat: Seat) -> list[Use]:
    sticks = prospects.state.sticks
    gains = {street: prospects.gain(street, seat) for street in prospects.state.free_streets()}
    ideas = {
        pair
        for district in range(DISTRICTS)
        for pair in combinations([street for street in STREETS_OF[district] if sticks[street] == FREE], 2)
    }
    likely = sorted(ideas, key=lambda pair: -gains[pair[0]] - gains[pair[1]])[: 2 * _LOOKED_AT]
    found = []
    for pair in likely:
        gain = prospects.standing_after(tuple((street, seat) for street in pair), seat)
        first = max(pair, key=gains.__getitem__)
        lift = None if prospects.state.supply[seat] else _lifted(prospects, seat, first, None)
        if lift is not None or prospects.state.supply[seat]:
            found.append(Use(PlaceStick(first, lift), gain))
    return found + placings(prospects, prospects.state.free_streets(), seat, most=2)


def _replacings(prospects: Prospects, seat: Seat) -> list[Use]:
    state = prospects.state
    found = sorted(
        (
            (prospects.standing_after(((street, seat),), seat), street)
            for street, owner in enumerate(state.sticks)
            if owner >= 0 and owner != seat and _matters(prospects, street)
        ),
        reverse=True,
    )
    replacing = []
    for gain, street in found[:_LOOKED_AT]:
        if state.supply[seat]:
            replacing.append(Use(ReplaceStick(street), gain))
        elif (lift := _lifted(prospects, seat, street, None)) is not None:
            whole = prospects.standing_after(((street, seat), (lift, FREE)), seat)
            replacing.append(Use(ReplaceStick(street, lift), whole))
    return replacing


def _swaps(prospects: Prospects, seat: Seat) -> list[Use]:
    """Look closely at the exchanges whose two halves look best, each for itself."""
    sticks = prospects.state.sticks
    halves: dict[tuple[int, int], list[tuple[float, int]]] = {}
    for street, owner in enumerate(sticks):
        if owner >= 0:
            for other in range(prospects.seats):
                if other != owner:
                    gain = prospects.standing_after(((street, other),), seat)
                    halves.setdefault((owner, other), []).append((gain, street))
    ideas = []
    for one, other in combinations(range(prospects.seats), 2):
        if (one, other) in halves and (other, one) in halves:
            firsts = sorted(halves[one, other], reverse=True)[:2]
            seconds = sorted(halves[other, one], reverse=True)[:2]
            ideas += [(gain + more, first, second) for gain, first in firsts for more, second in seconds]
    ideas.sort(reverse=True)
    found = []
    for _, first, second in ideas[:_LOOKED_AT]:
        gain = prospects.standing_after(((first, sticks[second]), (second, sticks[first])), seat)
        found.append(Use(SwapSticks((first, second)), gain))
    return found


def _moves(prospects: Prospects, seat: Seat) -> list[Use]:
    state = prospects.state
    paths = PATHS[state.settings.move_axis_only]
    found = []
    for street, owner in enumerate(state.sticks):
        if owner < 0:
            continue
        for path in paths[street]:
            for end in path:
                if state.sticks[end] != FREE:
                    break
                gain = prospects.standing_after(((street, FREE), (end, owner)), seat)
                found.append(Use(MoveStick((street, end)), gain))
    found.sort(key=lambda use: -use.gain)
    return found[:_LOOKED_AT]


def _matters(prospects: Prospects, street: int) -> bool:
    return any(prospects.evaluations[district].prize for district in DISTRICTS_OF[street])
