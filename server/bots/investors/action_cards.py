"""The best use of an action card, for any seat (RULES 8)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Final, NamedTuple

from server.bots.investors.evaluation import Evaluation
from server.games.engine.game import Seat
from server.games.engine.prompts import Command
from server.games.investors.city import DISTRICTS, DISTRICTS_OF, FREE, PATHS, STREETS_OF
from server.games.investors.commands import MoveStick, PlaceStick, ReplaceStick, SwapSticks, Waive

_MAX_EVALUATED: Final = 6
"""The number of candidates, those with the best rough gains, that are evaluated exactly."""


class Use(NamedTuple):
    """A command and the gain of its seat."""

    command: Command
    gain: float


NO_USE: Final = Use(Waive(), 0.0)


def best_use(evaluation: Evaluation, effect: str, seat: Seat) -> Use:
    """Return the use of an effect with the highest gain for a seat, or waiving if no use gains anything."""
    return best_of(uses(evaluation, effect, seat))


def best_of(found: Iterable[Use]) -> Use:
    """Return the best of some uses, or waiving if none is better."""
    return max((NO_USE, *found), key=lambda use: use.gain)


def uses(evaluation: Evaluation, effect: str, seat: Seat) -> list[Use]:
    """Return the best uses of an effect; for two sticks, those of the first one."""
    match effect:
        case "free":
            return placements(evaluation, evaluation.state.free_streets(), seat)
        case "two":
            return _pairs(evaluation, seat)
        case "replace":
            return _replacements(evaluation, seat)
        case "swap":
            return _swaps(evaluation, seat)
        case "move":
            return _moves(evaluation, seat)
    raise AssertionError(effect)


def placements(
    evaluation: Evaluation, streets: tuple[int, ...], seat: Seat, keep: int | None = None, limit: int = _MAX_EVALUATED
) -> list[Use]:
    """Return the best placements among free streets, the best first; with an empty supply, a stick is lifted."""
    spots = evaluation.ranked(streets, seat)[:limit]
    if evaluation.state.supply[seat]:
        return [Use(PlaceStick(spot.street), spot.gain) for spot in spots]
    found = []
    for spot in spots:
        lift = _stick_to_lift(evaluation, seat, spot.street, keep)
        if lift is not None:
            gain = evaluation.gain_after(((spot.street, seat), (lift, FREE)), seat)
            found.append(Use(PlaceStick(spot.street, lift), gain))
    return sorted(found, key=lambda use: -use.gain)


def _stick_to_lift(evaluation: Evaluation, seat: Seat, street: int, keep: int | None) -> int | None:
    """Return the own stick that is best lifted for one on the street, or None if there is none."""
    own = [other for other in evaluation.state.sticks_of(seat) if other not in (keep, street)]
    if not own:
        return None
    return max(own, key=lambda other: evaluation.gain_after(((street, seat), (other, FREE)), seat))


def _pairs(evaluation: Evaluation, seat: Seat) -> list[Use]:
    sticks = evaluation.state.sticks
    gains = {street: evaluation.gain(street, seat) for street in evaluation.state.free_streets()}
    candidates = {
        pair
        for district in range(DISTRICTS)
        for pair in combinations([street for street in STREETS_OF[district] if sticks[street] == FREE], 2)
    }
    likely = sorted(candidates, key=lambda pair: -gains[pair[0]] - gains[pair[1]])[: 2 * _MAX_EVALUATED]
    found = []
    for pair in likely:
        gain = evaluation.gain_after(tuple((street, seat) for street in pair), seat)
        first = max(pair, key=gains.__getitem__)
        lift = None if evaluation.state.supply[seat] else _stick_to_lift(evaluation, seat, first, None)
        if lift is not None or evaluation.state.supply[seat]:
            found.append(Use(PlaceStick(first, lift), gain))
    return found + placements(evaluation, evaluation.state.free_streets(), seat, limit=2)


def _replacements(evaluation: Evaluation, seat: Seat) -> list[Use]:
    state = evaluation.state
    found = sorted(
        (
            (evaluation.gain_after(((street, seat),), seat), street)
            for street, owner in enumerate(state.sticks)
            if owner >= 0 and owner != seat and _matters(evaluation, street)
        ),
        reverse=True,
    )
    replacing = []
    for gain, street in found[:_MAX_EVALUATED]:
        if state.supply[seat]:
            replacing.append(Use(ReplaceStick(street), gain))
        elif (lift := _stick_to_lift(evaluation, seat, street, None)) is not None:
            whole = evaluation.gain_after(((street, seat), (lift, FREE)), seat)
            replacing.append(Use(ReplaceStick(street, lift), whole))
    return replacing


def _swaps(evaluation: Evaluation, seat: Seat) -> list[Use]:
    """Return exact gains of the swaps whose two halves gain most on their own."""
    sticks = evaluation.state.sticks
    halves: dict[tuple[int, int], list[tuple[float, int]]] = {}
    for street, owner in enumerate(sticks):
        if owner >= 0:
            for other in range(evaluation.seats):
                if other != owner:
                    gain = evaluation.gain_after(((street, other),), seat)
                    halves.setdefault((owner, other), []).append((gain, street))
    candidates = []
    for one, other in combinations(range(evaluation.seats), 2):
        if (one, other) in halves and (other, one) in halves:
            firsts = sorted(halves[one, other], reverse=True)[:2]
            seconds = sorted(halves[other, one], reverse=True)[:2]
            candidates += [(gain + more, first, second) for gain, first in firsts for more, second in seconds]
    candidates.sort(reverse=True)
    found = []
    for _, first, second in candidates[:_MAX_EVALUATED]:
        gain = evaluation.gain_after(((first, sticks[second]), (second, sticks[first])), seat)
        found.append(Use(SwapSticks((first, second)), gain))
    return found


def _moves(evaluation: Evaluation, seat: Seat) -> list[Use]:
    state = evaluation.state
    paths = PATHS[state.settings.move_axis_only]
    found = []
    for street, owner in enumerate(state.sticks):
        if owner < 0:
            continue
        for path in paths[street]:
            for end in path:
                if state.sticks[end] != FREE:
                    break
                gain = evaluation.gain_after(((street, FREE), (end, owner)), seat)
                found.append(Use(MoveStick((street, end)), gain))
    found.sort(key=lambda use: -use.gain)
    return found[:_MAX_EVALUATED]


def _matters(evaluation: Evaluation, street: int) -> bool:
    return any(evaluation.districts[district].prize for district in DISTRICTS_OF[street])
