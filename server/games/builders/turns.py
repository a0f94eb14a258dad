"""A turn: going on to the next area, acting there or taking the year's bonus, and confirming (RULES 3, 4, 6)."""

from __future__ import annotations

from functools import lru_cache

from server.games.builders.actions import ACTION_OF, COMMAND_OF, OFFERS, carry_out
from server.games.builders.areas import end_turn
from server.games.builders.commands import (
    Confirm,
    Pass,
    PlacePawn,
    TakeDollar,
    TakeGoal,
    TakeMaterial,
    TakeMoney,
    TakeStep,
)
from server.games.builders.components import (
    BLIND,
    DOLLAR,
    EDITIONS,
    FEE_PER_STEP,
    INCOME_SPACES,
    SEATS,
    YEAR_BOARD,
    YEARS,
)
from server.games.builders.events import ActionChosen, BonusChosen, BonusLapsed, PawnPlaced
from server.games.builders.resources import gain, step_right
from server.games.builders.state import State
from server.games.engine.game import Answers, Decision, Seat
from server.games.engine.prompts import Choice, Command, OneOf, Prompt
from server.games.engine.step_builder import StepBuilder

_PASS = Choice(Pass)
_TAKE_DOLLAR = Choice(TakeDollar)
_TAKE_MONEY = Choice(TakeMoney)
_TAKE_STEP = Choice(TakeStep)
_OFFERS_ON = {
    (rules, seats): {
        card: [(at, OFFERS[space.action]) for at, space in enumerate(spaces) if space.action in OFFERS]
        for card, spaces in cards.items()
    }
    for rules, edition in EDITIONS.items()
    for seats, cards in edition.spaces.items()
}
_CONFIRM = Prompt((Choice(Confirm),), Confirm())
_CONFIRMED = tuple(
    Decision("confirm", {seat: _CONFIRM}, undoable=True, forced=(seat,)) for seat in range(SEATS.stop - 1)
)


# -- going on -------------------------------------------------------------------------------------------------


def place_decision(state: State) -> Decision:
    area = state.area
    taken = 0
    for pawn in state.pawns:
        if pawn is not None and pawn[0] == area:
            taken |= 1 << pawn[1]
    return _placing(
        state.turn, len(INCOME_SPACES) if area == YEAR_BOARD else len(state.spaces), taken, area == YEAR_BOARD
    )


@lru_cache(maxsize=1024)
def _placing(seat: Seat, spaces: int, taken: int, is_year_board: bool) -> Decision:
    # Cached: every third decision of a game is this one, and it has few different values.
    free = tuple(space for space in range(spaces) if not taken >> space & 1)
    fallback = PlacePawn(free[0] if is_year_board else free[-1])
    prompt = Prompt((Choice(PlacePawn, {"space": OneOf(free)}),), fallback)
    # RULES 10.2: everything that decides about legality is open.
    return Decision("place_pawn", {seat: prompt}, forced=(seat,) if len(free) == 1 else ())


def place_resolved(step: StepBuilder[State], answers: Answers) -> None:
    ((seat, command),) = answers.items()
    assert isinstance(command, PlacePawn)
    state = step.state
    step.emit(PawnPlaced(seat, state.area, command.space))
    if state.area != YEAR_BOARD:
        return
    gain(step, seat, INCOME_SPACES[command.space], "income_space")
    for bonus in YEARS[state.year].given:
        if OFFERS[bonus](state, seat, state.money[seat]) is not None:
            carry_out(step, seat, COMMAND_OF[bonus]())
    if not _bonuses(state, seat):
        step.emit(BonusLapsed(seat))


# -- acting on a card -----------------------------------------------------------------------------------------


def act_decision(state: State) -> Decision:
    seat = state.turn
    own, money = _space_of(state, seat), state.money[seat]
    # RULES 4.3, 4.4: a seat may take a dollar instead of any action, but not on the space for passing.
    is_passing = state.spaces[own].action == "pass"
    choices = [_PASS if is_passing else _TAKE_DOLLAR]
    for at, offer in _OFFERS_ON[state.rules, state.seats][state.action_cards[state.area - 1]]:
        left = money - FEE_PER_STEP * abs(at - own)
        if left >= 0:
            choice = offer(state, seat, left)
            if choice is not None:
                choices.append(choice)
    prompt = Prompt(tuple(choices), Pass() if is_passing else TakeDollar())
    return Decision("act", {seat: prompt}, undoable=True, forced=(seat,) if len(choices) == 1 else ())


def act_resolved(step: StepBuilder[State], answers: Answers) -> None:
    ((seat, command),) = answers.items()
    if isinstance(command, Pass):
        step.emit(ActionChosen(seat, "pass", 0))
    elif isinstance(command, TakeDollar):
        step.emit(ActionChosen(seat, "dollar", 0))
        gain(step, seat, DOLLAR, "dollar")
    else:
        action = ACTION_OF[type(command)]
        at, space = next((at, space) for at, space in enumerate(step.state.spaces) if space.action == action)
        step.emit(ActionChosen(seat, action, FEE_PER_STEP * abs(at - _space_of(step.state, seat))))
        carry_out(step, seat, command, space.amount)
        _end_if_revealing(step, command)


def _space_of(state: State, seat: Seat) -> int:
    pawn = state.pawns[seat]
    assert pawn is not None
    return pawn[1]


def _end_if_revealing(step: StepBuilder[State], command: Command) -> None:
    # RULES 3.4: a seat that has seen a card cannot take its turn back, so it need not confirm it.
    if isinstance(command, TakeGoal) and command.goal == BLIND:
        end_turn(step)


# -- the bonus of a year --------------------------------------------------------------------------------------


def _bonuses(state: State, seat: Seat) -> list[Choice]:
    choices = []
    for bonus in YEARS[state.year].choice:
        if bonus == "money":
            choices.append(_TAKE_MONEY)
        elif bonus == "step":
            choices.append(_TAKE_STEP)
        else:
            choice = OFFERS[bonus](state, seat, state.money[seat])
            if choice is not None:
                choices.append(choice)
    return choices


def bonus_decision(state: State) -> Decision:
    seat = state.turn
    choices = _bonuses(state, seat)
    # In the last year nobody places a pawn: the bonus is the first question of the turn.
    prompt = Prompt(tuple(choices), _modest(choices))
    forced = (seat,) if prompt.has_one_answer else ()
    return Decision("bonus", {seat: prompt}, undoable=not state.in_last_year, forced=forced)


def _modest(choices: list[Choice]) -> Command:
    """Return the fallback for a seat whose time has run out: the bonus that commits it least."""
    offered = {choice.command: choice for choice in choices}
    for command in (TakeMoney, TakeStep, TakeMaterial):
        if command in offered:
            return command()
    choice = choices[0]
    ((field, space),) = choice.spaces.items()
    assert isinstance(space, OneOf)
    return choice.command(**{field: space.values[0]})


def bonus_resolved(step: StepBuilder[State], answers: Answers) -> None:
    ((seat, command),) = answers.items()
    state = step.state
    year = YEARS[state.year]
    if isinstance(command, TakeMoney):
        step.emit(BonusChosen(seat, "money"))
        gain(step, seat, year.money_fixed + year.money_per_building * state.built(seat), "bonus")
    elif isinstance(command, TakeStep):
        step.emit(BonusChosen(seat, "step"))
        step_right(step, seat)
    else:
        step.emit(BonusChosen(seat, ACTION_OF[type(command)]))
        carry_out(step, seat, command)
        _end_if_revealing(step, command)


# -- the end of a turn ----------------------------------------------------------------------------------------


def confirm_decision(state: State) -> Decision:
    return _CONFIRMED[state.turn]


def confirm_resolved(step: StepBuilder[State], answers: Answers) -> None:
    end_turn(step)
