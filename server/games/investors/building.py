"""Rebuilding: which districts a change of sticks settles, for whom, and with what prestige (RULES 5)."""

from __future__ import annotations

from collections.abc import Iterable

from server.games.engine.game import Seat
from server.games.engine.prompts import Choice, Command, OneOf
from server.games.engine.step_builder import StepBuilder
from server.games.investors import city
from server.games.investors.components import BONUS_PRESTIGE, PRESTIGE
from server.games.investors.events import DistrictRebuilt
from server.games.investors.state import State


def stick_choice(
    state: State, seat: Seat, command: type[Command], streets: tuple[int, ...], keep: int | None
) -> Choice:
    """Return the choice of a street for a stick and, with an empty supply, of an own stick to lift (RULES 5.7).

    `keep` is a stick that may not be lifted because it was laid by the same card.
    """
    if state.supply[seat]:
        return Choice(command, {"street": OneOf(streets)})
    liftable = tuple(street for street in state.sticks_of(seat) if street != keep)
    return Choice(command, {"street": OneOf(streets), "lift": OneOf(liftable)})


def settle(step: StepBuilder[State], acting: Seat, streets: Iterable[int | None]) -> None:
    """Rebuild every district around these streets in which somebody now has the majority."""
    state = step.state
    settled = []
    for street in streets:
        for district in () if street is None else city.DISTRICTS_OF[street]:
            if state.rebuilt[district] < 0:
                owner = city.holder(state.layout, state.sticks, district)
                if owner is not None and (owner, district) not in settled:
                    settled.append((owner, district))
    if len(settled) > 1:
        # RULES 7.5: a bonus goes to the acting seat first, else clockwise from it.
        settled.sort(key=lambda entry: ((entry[0] - acting) % state.settings.seats, entry[1]))
    for owner, district in settled:
        kind = state.layout[district]
        assert kind is not None
        bonus = BONUS_PRESTIGE if kind in state.open_bonuses else 0
        step.emit(DistrictRebuilt(district, owner, PRESTIGE[kind], bonus))
