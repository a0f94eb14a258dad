"""The consequences of a new card in a city: cable cars, skyscrapers, the medal, completed rows (RULES 5)."""

from __future__ import annotations

from server.games.engine.game import Seat
from server.games.engine.step_builder import StepBuilder
from server.games.planners.city import spaces_of
from server.games.planners.components import COLUMNS
from server.games.planners.events import MedalTaken, NetworkGrown, RowCompleted, TowerBuilt, card_discarded
from server.games.planners.state import Placing, State


def settle(step: StepBuilder[State], seat: Seat, row: int | None) -> None:
    """Emit all that follows from a new card in a row, or from a token on a card.

    The network decides what squares count, and both decide about skyscrapers; a skyscraper decides nothing further.
    """
    state = step.state
    city = state.cities[seat]
    if city.is_growable:
        grown = city.network() & ~city.cars
        if grown:
            step.emit(NetworkGrown(seat, tuple(spaces_of(grown))))
    if city.foundations != city.towers:
        _build_towers(step, seat)
    if row is not None and city.filled[row] == COLUMNS and state.completed[row] is None:
        step.emit(RowCompleted(seat, row))


def _build_towers(step: StepBuilder[State], seat: Seat) -> None:
    # RULES 5.6: built as soon as it is possible, which is never a disadvantage.
    state = step.state
    city = state.cities[seat]
    needs = city.needs
    built = [space for space, around in city.sites() if around >= needs]
    for space in built:
        step.emit(TowerBuilt(seat, space))
    if built and seat != state.medal:
        holder = 0 if state.medal is None else state.cities[state.medal].towers.bit_count()
        if state.cities[seat].towers.bit_count() > holder:
            step.emit(MedalTaken(seat))


def drop_what_fits_nowhere(step: StepBuilder[State]) -> None:
    """Discard the rest of the hand once none of it can be placed any more (RULES 3.6)."""
    state = step.state
    city = state.cities[state.turn]
    if state.hand and isinstance(state.stage, Placing) and not any(map(city.rows_for, state.hand)):
        for card in state.hand:
            step.emit(card_discarded(state.turn, card))
