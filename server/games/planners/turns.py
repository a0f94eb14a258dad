"""A turn: drawing and laying a project, taking a column, passing (RULES 3)."""

from __future__ import annotations

from functools import lru_cache

from server.games.engine.game import Answers, Decision, Seat
from server.games.engine.prompts import Choice, Command, OneOf, Prompt
from server.games.engine.step_builder import StepBuilder
from server.games.planners.building import drop_what_fits_nowhere
from server.games.planners.commands import Draw, Finalize, Lay, Pass, Release
from server.games.planners.components import CARDS, MARKET_COLUMNS
from server.games.planners.contracts import RELEASES, releasable, release, settle_contracts, takeable
from server.games.planners.events import ColumnTaken, GameEnded, TurnPassed, project_drawn, project_laid, turn_ended
from server.games.planners.state import Laying, State, Turning

_DRAW = Choice(Draw)
_LAY = Choice(Lay, {"column": OneOf(MARKET_COLUMNS)})
_PASS = Choice(Pass)


def turn_decision(state: State) -> Decision:
    stage = state.stage
    assert isinstance(stage, Turning)
    lengths, contracts = tuple(map(len, state.columns)), state.contracts[state.turn]
    return _turn(state.turn, bool(state.deck), lengths, contracts, releasable(state), stage.released)


@lru_cache(maxsize=2048)
def _turn(
    seat: Seat, can_draw: bool, lengths: tuple[int, ...], contracts: int, releases: int, released: bool
) -> Decision:
    columns = takeable(lengths, contracts)
    choices = [_DRAW] if can_draw else []
    if columns:
        choices.append(Choice(Finalize, {"column": OneOf(columns)}))
    fallback: Command = Draw() if can_draw else Finalize(columns[0]) if columns else Pass()
    if not choices:
        choices.append(_PASS)  # RULES 3.9
    prompt = Prompt((*choices, *RELEASES[releases]), fallback)
    # RULES 9.2: everything that decides about legality is open.
    return Decision("turn", {seat: prompt}, undoable=released, forced=(seat,) if prompt.has_one_answer else ())


def turn_resolved(step: StepBuilder[State], answers: Answers) -> None:
    state, seat = step.state, step.state.turn
    match answers[seat]:
        case Draw():
            step.emit(project_drawn(seat, state.deck[-1]))
        case Finalize(column):
            step.emit(ColumnTaken(seat, column, state.columns[column]))
            settle_contracts(step)
            drop_what_fits_nowhere(step)
        case Release(count):
            release(step, count)
        case _:
            _pass(step)


def _pass(step: StepBuilder[State]) -> None:
    state = step.state
    step.emit(TurnPassed(state.turn))
    if state.passes == state.settings.seats:
        assert state.drawer is not None
        step.emit(GameEnded("stuck", state.drawer))


def lay_decision(state: State) -> Decision:
    stage = state.stage
    assert isinstance(stage, Laying)
    return _lay(state.turn, tuple(map(len, state.columns)), releasable(state), stage.released)


@lru_cache(maxsize=1024)
def _lay(seat: Seat, lengths: tuple[int, ...], releases: int, released: bool) -> Decision:
    shortest = lengths.index(min(lengths))
    prompt = Prompt((_LAY, *RELEASES[releases]), fallback=Lay(shortest))
    return Decision("lay", {seat: prompt}, undoable=released)


def lay_resolved(step: StepBuilder[State], answers: Answers) -> None:
    state, seat = step.state, step.state.turn
    command = answers[seat]
    if isinstance(command, Release):
        release(step, command.count)
        return
    assert isinstance(command, Lay)
    assert isinstance(state.stage, Laying)
    card = state.stage.card
    token = CARDS[card].foundation
    step.emit(project_laid(seat, card, command.column, token))
    if token and not state.tokens:
        step.emit(GameEnded("foundations", seat))  # RULES 7.1
    else:
        step.emit(turn_ended(seat))
