"""Using the rights that a tender gave, one stick after the other (RULES 5)."""

from __future__ import annotations

from collections.abc import Sequence

from server.games.engine.game import Answers, Decision
from server.games.engine.prompts import Choice, Prompt
from server.games.engine.step_builder import StepBuilder
from server.games.investors.actions import close_round
from server.games.investors.building import settle, stick_choice
from server.games.investors.commands import PlaceStick, Waive
from server.games.investors.events import Right, RightLapsed, RightWaived, StickPlaced, TenderClosed
from server.games.investors.state import Investing, State

_WAIVE = Choice(Waive)


def close_tender(step: StepBuilder[State], rights: Sequence[Right]) -> None:
    """Let the winners invest in their order."""
    step.emit(TenderClosed(tuple(rights)))
    _carry_on(step)


def invest_decision(state: State) -> Decision:
    right = _next_right(state)
    assert right is not None
    place = stick_choice(state, right.seat, PlaceStick, streets_for(state, right), keep=None)
    return Decision("invest", {right.seat: Prompt((place, _WAIVE), fallback=Waive())})


def invest_resolved(step: StepBuilder[State], answers: Answers) -> None:
    ((seat, command),) = answers.items()
    if isinstance(command, PlaceStick):
        step.emit(StickPlaced(seat, command.street, command.lift))
        settle(step, seat, (command.street, command.lift))
    else:
        step.emit(RightWaived(seat))
    _carry_on(step)


def streets_for(state: State, right: Right) -> tuple[int, ...]:
    """Return the streets on which a right can be used now."""
    streets = state.open_streets(right.target)
    return tuple(street for street in streets if street not in right.avoid) if right.avoid else streets


def _carry_on(step: StepBuilder[State]) -> None:
    while (right := _next_right(step.state)) is not None:
        if streets_for(step.state, right) if right.avoid else step.state.opens(right.target):
            return
        step.emit(RightLapsed(right.seat))
    close_round(step)


def _next_right(state: State) -> Right | None:
    return state.stage.rights[0] if isinstance(state.stage, Investing) else None
