"""Action cards: drawing them, what their winner may do, and laying them on the years (RULES 7, 8)."""

from __future__ import annotations

from server.games.engine.game import Answers, Decision, Seat
from server.games.engine.prompts import Choice, Pair, Prompt, SomeOf
from server.games.engine.step_builder import StepBuilder
from server.games.investors import city
from server.games.investors.building import settle, stick_choice
from server.games.investors.commands import MoveStick, PlaceStick, ReplaceStick, SwapSticks, Waive
from server.games.investors.components import ACTION_CARDS, FIRST_YEAR, YEARS
from server.games.investors.events import (
    ActionDrawn,
    ActionLaid,
    ActionWon,
    GameEnded,
    RightWaived,
    StickMoved,
    StickPlaced,
    StickReplaced,
    SticksSwapped,
    TenderOpened,
)
from server.games.investors.rounds import end_round
from server.games.investors.state import Acting, State


def close_round(step: StepBuilder[State]) -> None:
    """Go on after all have invested: an action card if something was rebuilt, else the next round (RULES 7.1)."""
    if step.state.rebuilt_now:
        _draw_action(step)
    else:
        end_round(step)


def _draw_action(step: StepBuilder[State]) -> None:
    state = step.state
    card = ACTION_CARDS[state.action_deck[-1]]
    step.emit(ActionDrawn(state.start_seat, card.name))
    if card.mode is None:
        if card.effect.startswith("bonus_"):
            finish_action(step)
        return
    if all(_effect_choice(state, card.effect, seat, None) is None for seat in range(state.settings.seats)):
        finish_action(step)  # RULES 7.3: there is no tender for an effect that is impossible now.
    else:
        step.emit(TenderOpened(card.mode, 1))


def action_won(step: StepBuilder[State], seat: Seat | None) -> None:
    """Let the winner of the tender on an action card use it; without a winner it is laid aside (RULES 7.4)."""
    if seat is None:
        finish_action(step)
        return
    step.emit(ActionWon(seat))
    if _effect_choice(step.state, _effect(step.state), seat, None) is None:
        step.emit(RightWaived(seat))
        finish_action(step)


def finish_action(step: StepBuilder[State]) -> None:
    """Lay the card on its year; then the end, another card, or the next round (RULES 7.2, 11.1)."""
    state = step.state
    assert state.action is not None
    step.emit(ActionLaid(state.action, FIRST_YEAR + len(state.years)))
    if len(state.years) == YEARS:
        step.emit(GameEnded("years"))
    else:
        close_round(step)


def act_decision(state: State) -> Decision:
    stage = _acting(state)
    choice = _effect_choice(state, _effect(state), stage.seat, stage.first)
    assert choice is not None
    prompt = Prompt((choice, Choice(Waive)), fallback=Waive())
    return Decision("use_action", {stage.seat: prompt}, undoable=stage.first is not None)


def act_resolved(step: StepBuilder[State], answers: Answers) -> None:
    state = step.state
    stage = _acting(state)
    seat = stage.seat
    match answers[seat]:
        case PlaceStick(street, lift):
            step.emit(StickPlaced(seat, street, lift))
            settle(step, seat, (street, lift))
            if _effect(state) == "two" and stage.first is None and _effect_choice(state, "two", seat, street):
                return
        case MoveStick((start, end)):
            step.emit(StickMoved(seat, start, end))
            settle(step, seat, (start, end))
        case SwapSticks((first, second)):
            step.emit(SticksSwapped(seat, first, second))
            settle(step, seat, (first, second))
        case ReplaceStick(street, lift):
            step.emit(StickReplaced(seat, street, state.sticks[street], lift))
            settle(step, seat, (street, lift))
        case _:
            step.emit(RightWaived(seat))
    finish_action(step)


def _effect_choice(state: State, effect: str, seat: Seat, first: int | None) -> Choice | None:
    """Return the choices that an effect allows the seat; none if it allows nothing."""
    match effect:
        case "free" | "two":
            streets = state.free_streets() if first is None else _beside(state, first)
            return stick_choice(state, seat, PlaceStick, streets, keep=first) if streets else None
        case "replace":
            others = tuple(street for street, owner in enumerate(state.sticks) if owner >= 0 and owner != seat)
            return stick_choice(state, seat, ReplaceStick, others, keep=None) if others else None
        case "swap":
            sticks = tuple(street for street, owner in enumerate(state.sticks) if owner >= 0)
            return Choice(SwapSticks, {"sticks": SomeOf(sticks, 2, 2)}) if len(sticks) > 1 else None
        case "move":
            moves = _moves(state)
            return Choice(MoveStick, {"move": Pair(moves)}) if moves else None
    raise AssertionError(effect)


def _beside(state: State, first: int) -> tuple[int, ...]:
    """Return the free streets that share a district with the first of two sticks (RULES 8.3)."""
    around = {street for district in city.DISTRICTS_OF[first] for street in city.STREETS_OF[district]}
    return tuple(sorted(street for street in around if state.sticks[street] == city.FREE))


def _moves(state: State) -> dict[int | str, tuple[int | str, ...]]:
    """Return the streets to which each stick could be shifted: along a path up to the first stick (RULES 8.5)."""
    paths = city.PATHS[state.settings.move_axis_only]
    moves: dict[int | str, tuple[int | str, ...]] = {}
    for street, owner in enumerate(state.sticks):
        if owner < 0:
            continue
        ends = []
        for path in paths[street]:
            for end in path:
                if state.sticks[end] != city.FREE:
                    break
                ends.append(end)
        if ends:
            moves[street] = tuple(ends)
    return moves


def _effect(state: State) -> str:
    assert state.action is not None
    return ACTION_CARDS[state.action].effect


def _acting(state: State) -> Acting:
    assert isinstance(state.stage, Acting)
    return state.stage
