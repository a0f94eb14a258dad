"""Subsidies: a fixed amount of influence, or cheques drawn from the shuffled bank (RULES 9)."""

from __future__ import annotations

from server.games.engine.game import Answers, Decision, Seat
from server.games.engine.prompts import Choice, OneOf, Prompt, SomeOf, Space
from server.games.engine.step_builder import StepBuilder
from server.games.investors.actions import finish_action
from server.games.investors.commands import ClaimSubsidy, DrawCheque, StopDrawing
from server.games.investors.components import (
    ACTION_CARDS,
    MAX_REMOVAL_CHEQUES,
    MAX_SUBSIDY_CHEQUES,
    REMOVAL_INFLUENCE,
    SUBSIDY_INFLUENCE,
)
from server.games.investors.events import BankShuffled, ChequeDrawn, DrawingStopped, SubsidyClaimed, SubsidyPaid
from server.games.investors.state import Claiming, Drawing, Passing, State

_MODES = OneOf(("influence", "cheques"))
_INFLUENCE = OneOf(("influence",))
_DRAW = Prompt((Choice(DrawCheque), Choice(StopDrawing)), fallback=StopDrawing())


def claim_decision(state: State) -> Decision:
    stage = state.stage
    assert isinstance(stage, Claiming)
    seat, removal = stage.seat, _asks_for_sticks(state)
    spaces: dict[str, Space] = {"mode": _MODES}
    sticks = state.sticks_of(seat) if removal else ()
    if removal:
        # Without a stick both modes would give nothing.
        spaces = {"mode": _MODES if sticks else _INFLUENCE, "sticks": SomeOf(sticks)}
    fallback = ClaimSubsidy("influence", () if removal else None)
    forced = (seat,) if removal and not sticks else ()  # RULES 6.3
    return Decision("claim_subsidy", {seat: Prompt((Choice(ClaimSubsidy, spaces),), fallback)}, forced=forced)


def claim_resolved(step: StepBuilder[State], answers: Answers) -> None:
    state = step.state
    ((seat, command),) = answers.items()
    assert isinstance(command, ClaimSubsidy)
    if command.sticks is None:
        influence, maximum = SUBSIDY_INFLUENCE, MAX_SUBSIDY_CHEQUES
    else:
        influence, maximum = REMOVAL_INFLUENCE * len(command.sticks), MAX_REMOVAL_CHEQUES * len(command.sticks)
    wants_influence = command.mode == "influence"
    step.emit(
        SubsidyClaimed(
            seat,
            command.mode,
            command.sticks or (),
            influence=_within_cap(state, seat, influence) if wants_influence else 0,
            cheques_most=0 if wants_influence else maximum,
        )
    )
    if not isinstance(state.stage, Passing):
        return
    if any(state.subsidies) and state.bank:
        step.emit(BankShuffled(step.dice.shuffled(f"bank/{state.bank_shuffles}", state.bank)))
    else:
        _pay(step)


def draw_decision(state: State) -> Decision:
    return Decision("draw_cheques", {_drawing(state).turn: _DRAW})


def draw_resolved(step: StepBuilder[State], answers: Answers) -> None:
    state = step.state
    stage = _drawing(state)
    seat = stage.turn
    if isinstance(answers[seat], DrawCheque):
        cheque = state.bank[-1]
        bust = sum(stage.drawn[seat]) + cheque > state.subsidies[seat]
        step.emit(ChequeDrawn(seat, cheque, bust))
    else:
        step.emit(DrawingStopped(seat))
    if not any(_drawing(state).drawing) or not state.bank:
        _pay(step)


def _pay(step: StepBuilder[State]) -> None:
    stage = step.state.stage
    kept: tuple[tuple[int, ...], ...] = ((),) * step.state.settings.seats
    if isinstance(stage, Drawing):
        kept = tuple(() if bust else drawn for drawn, bust in zip(stage.drawn, stage.busted, strict=True))
    step.emit(SubsidyPaid(kept))
    finish_action(step)


def _asks_for_sticks(state: State) -> bool:
    assert state.action is not None
    return ACTION_CARDS[state.action].effect == "removal_subsidy"


def _within_cap(state: State, seat: Seat, influence: int) -> int:
    cap = state.settings.influence_cap
    return influence if cap is None else max(0, min(influence, cap - state.influence[seat]))


def _drawing(state: State) -> Drawing:
    assert isinstance(state.stage, Drawing)
    return state.stage
