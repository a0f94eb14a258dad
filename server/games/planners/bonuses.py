"""Bonuses: what a second compass in a row gives (RULES 6)."""

from __future__ import annotations

from server.games.engine.game import Answers, Decision, Seat
from server.games.engine.prompts import Choice, Command, OneOf, Prompt
from server.games.engine.step_builder import StepBuilder
from server.games.planners.building import drop_what_fits_nowhere, settle
from server.games.planners.city import City
from server.games.planners.commands import (
    Decline,
    Release,
    TakeDepot,
    TakePoints,
    TakeRelease,
    TakeTracks,
    TakeUniversal,
    TakeValue,
)
from server.games.planners.components import BONUS_CARDS, COLUMNS, COMPASSES_FOR_BONUS, DISTRICT_BONUSES, TRACKS
from server.games.planners.contracts import RELEASES, releasable, release
from server.games.planners.events import BonusDeclined, BonusDue, BonusLapsed, BonusTaken
from server.games.planners.state import Choosing, State

_DECLINE = Choice(Decline)


def compass_placed(step: StepBuilder[State], seat: Seat, row: int) -> None:
    """Ask for a bonus if this was the second compass in its row (RULES 6.1)."""
    state = step.state
    city = state.cities[seat]
    if city.compasses_in(row) != COMPASSES_FOR_BONUS:
        return
    is_too_late = city.is_full and not state.settings.resolve_bonus_on_final_card  # RULES 7.3
    if is_too_late or not _offers(state, city, row):
        step.emit(BonusLapsed(seat, row))
    else:
        step.emit(BonusDue(seat, row))


def bonus_decision(state: State) -> Decision:
    stage = state.stage
    assert isinstance(stage, Choosing)
    offers = _offers(state, state.cities[state.turn], stage.row)
    declining = (_DECLINE,) if state.settings.allow_decline_bonus else ()
    prompt = Prompt((*offers, *declining, *RELEASES[releasable(state)]), fallback=_first_of(offers[0]))
    forced = (state.turn,) if prompt.has_one_answer else ()  # RULES 9.2
    return Decision("bonus", {state.turn: prompt}, undoable=True, forced=forced)


def _first_of(offer: Choice) -> Command:
    return offer.command(**{name: place.values[0] for name, place in offer.spaces.items() if isinstance(place, OneOf)})


def _offers(state: State, city: City, row: int) -> tuple[Choice, ...]:
    """Return the choices of a row's own bonus and of a tracks token instead, as far as the supply lasts (RULES 6.2)."""
    own = DISTRICT_BONUSES[row]
    if state.settings.sold_out_leaves_nothing and not state.bonuses[own]:
        return ()
    offers = (_offer(bonus, city) for bonus in (own, TRACKS) if state.bonuses[bonus])
    return tuple([offer for offer in offers if offer is not None])


def _offer(bonus: str, city: City) -> Choice | None:
    match bonus:
        case "value":
            return _somewhere(TakeValue, "space", city.occupied())
        case "universal":
            return _somewhere(TakeUniversal, "row", city.open_rows())
        case "depot":
            return _somewhere(TakeDepot, "row", city.open_rows())
        case "points":
            return Choice(TakePoints)
        case "release":
            return Choice(TakeRelease)
    return _somewhere(TakeTracks, "space", city.without_tracks())


def _somewhere(command: type[Command], field: str, places: tuple[int, ...]) -> Choice | None:
    return Choice(command, {field: OneOf(places)}) if places else None


def bonus_resolved(step: StepBuilder[State], answers: Answers) -> None:
    state, seat = step.state, step.state.turn
    stage = state.stage
    assert isinstance(stage, Choosing)
    match answers[seat]:
        case Release(count):
            release(step, count)
            return
        case Decline():
            step.emit(BonusDeclined(seat, stage.row))
        case TakeValue(space):
            _take(step, stage.row, "value", space)
        case TakeUniversal(row):
            _take(step, stage.row, "universal", state.cities[seat].next_space(row))
        case TakeDepot(row):
            _take(step, stage.row, "depot", state.cities[seat].next_space(row))
        case TakePoints():
            _take(step, stage.row, "points", None)
        case TakeRelease():
            _take(step, stage.row, "release", None)
        case TakeTracks(space):
            _take(step, stage.row, TRACKS, space)
    drop_what_fits_nowhere(step)


def _take(step: StepBuilder[State], row: int, bonus: str, space: int | None) -> None:
    seat = step.state.turn
    step.emit(BonusTaken(seat, row, bonus, space))
    if space is not None:
        settle(step, seat, space // COLUMNS if bonus in BONUS_CARDS else None)
