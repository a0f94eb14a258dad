"""Building: permits, plot, price, and the development card that two permits with a common symbol bring (RULES 7, 8)."""

from __future__ import annotations

from itertools import chain, combinations
from typing import Final

from server.games.builders.city import plots_of, sites
from server.games.builders.commands import ChoosePermit, ChoosePlot, DeclineCard, TakeCard
from server.games.builders.components import (
    BUILDINGS_PER_SEAT,
    CORNER_DOLLAR,
    PARK,
    RUBBLE_PRICE,
    SHARED_SYMBOLS,
    TRAM,
    TRAM_PRICE,
    YEARS,
)
from server.games.builders.events import (
    BestBuilderTaken,
    Built,
    CardDeclined,
    CardOffered,
    CardTaken,
    PermitChosen,
    RubbleCleared,
)
from server.games.builders.resources import in_corner, pay, step_right, step_up
from server.games.builders.state import Composing, Gaining, State
from server.games.engine.game import Answers, Decision, Seat
from server.games.engine.prompts import Choice, OneOf, Prompt
from server.games.engine.step_builder import StepBuilder

_CARD_FOR_SECOND_PERMIT_SINCE: Final = 3
"""The version of the rules since which a permit too many must bring a development card."""


def payable_plots(state: State, money: int) -> int:
    """Return the free plots on which this much money is enough to build (RULES 7.1, 7.4)."""
    cost = YEARS[state.year].build_cost
    if money < cost:
        return 0
    free = state.city.all_plots & ~state.built_up
    return free if money >= cost + RUBBLE_PRICE else free & ~state.ruins


def can_build(state: State, seat: Seat, money: int, *, subsidised: bool) -> bool:
    """Return whether a seat with this much money could complete some building."""
    held = state.permits[seat]
    if not held or not state.front[seat]:
        return False
    payable = payable_plots(state, money)
    if not payable:
        return False
    ways = chain(combinations(held, 1), combinations(held, 2))
    return any(sites(state.city, permits, subsidised=subsidised) & payable for permits in ways)


def open_plots(state: State, permits: tuple[int, ...], money: int, *, subsidised: bool) -> int:
    """Return the free plots on which the seat in turn may build with these permits and this much money (RULES 7)."""
    plots = sites(state.city, permits, subsidised=subsidised) & payable_plots(state, money)
    if not plots or len(permits) < 2 or state.rules < _CARD_FOR_SECOND_PERMIT_SINCE:
        return plots
    # RULES 7.3: a second permit that a plot does not need may only be added for a development card.
    return plots & (~_opened_alone(state, permits, subsidised=subsidised) | _plots_with_card(state, permits, money))


def owes_card(state: State, permits: tuple[int, ...], plot: int, *, subsidised: bool) -> bool:
    """Return whether a building with these permits must bring a development card: one of them was not needed."""
    if len(permits) < 2 or state.rules < _CARD_FOR_SECOND_PERMIT_SINCE:
        return False
    return bool(_opened_alone(state, permits, subsidised=subsidised) >> plot & 1)


def _opened_alone(state: State, permits: tuple[int, ...], *, subsidised: bool) -> int:
    """Return the plots that one of two permits opens by itself."""
    one, other = permits
    return sites(state.city, (one,), subsidised=subsidised) | sites(state.city, (other,), subsidised=subsidised)


def _plots_with_card(state: State, permits: tuple[int, ...], money: int) -> int:
    """Return the plots that leave enough money for a development card which two permits bring (RULES 8.2, 8.3)."""
    left = [symbol for symbol in SHARED_SYMBOLS[permits[0]][permits[1]] if state.left_of(symbol)]
    if left != [TRAM]:
        return state.city.all_plots if left else 0
    plots = payable_plots(state, money - TRAM_PRICE)
    if in_corner(state, state.turn):
        plots |= payable_plots(state, money - TRAM_PRICE + CORNER_DOLLAR) & state.ruins
    return plots


def _reach(state: State, chosen: tuple[int, ...], *, subsidised: bool) -> int:
    """Return the plots that the chosen permits open, alone or with one more of those held."""
    held, money = state.permits[state.turn], state.money[state.turn]
    reached = open_plots(state, chosen, money, subsidised=subsidised)
    if len(chosen) == 1:
        for other in held:
            if other != chosen[0]:
                reached |= open_plots(state, (chosen[0], other), money, subsidised=subsidised)
    return reached


def plots_in_reach(state: State, stage: Composing) -> int:
    """Return the plots on which the building under composition can still be built."""
    reached = 0
    for permits in (stage.permits,) if stage.permits else [(permit,) for permit in state.permits[state.turn]]:
        reached |= _reach(state, permits, subsidised=stage.subsidised)
    return reached


def compose_decision(state: State) -> Decision:
    stage, seat = _composing(state), state.turn
    chosen = stage.permits
    choices = []
    plots = open_plots(state, chosen, state.money[seat], subsidised=stage.subsidised) if chosen else 0
    if plots:
        choices.append(Choice(ChoosePlot, {"plot": OneOf(tuple(plots_of(plots)))}))
    permits = _permits_to_add(state, stage)
    if permits:
        choices.append(Choice(ChoosePermit, {"permit": OneOf(permits)}))
    kind = "choose_plot" if chosen else "choose_permit"
    fallback = ChoosePlot(plots_of(plots & ~state.ruins or plots)[0]) if plots else ChoosePermit(permits[0])
    prompt = Prompt(tuple(choices), fallback)
    return Decision(kind, {seat: prompt}, undoable=True, forced=(seat,) if prompt.has_one_answer else ())


def _permits_to_add(state: State, stage: Composing) -> tuple[int, ...]:
    chosen, subsidised = stage.permits, stage.subsidised
    held, money = state.permits[state.turn], state.money[state.turn]
    if not chosen:
        return tuple([one for one in held if _reach(state, (one,), subsidised=subsidised)])
    if len(chosen) == 1:
        first = chosen[0]
        return tuple(
            [one for one in held if one != first and open_plots(state, (first, one), money, subsidised=subsidised)]
        )
    return ()


def compose_resolved(step: StepBuilder[State], answers: Answers) -> None:
    ((seat, command),) = answers.items()
    if isinstance(command, ChoosePermit):
        step.emit(PermitChosen(seat, command.permit))
    else:
        assert isinstance(command, ChoosePlot)
        _build(step, seat, command.plot, _composing(step.state))


def _build(step: StepBuilder[State], seat: Seat, plot: int, stage: Composing) -> None:
    state, permits = step.state, stage.permits
    pay(step, seat, YEARS[state.year].build_cost, "build")
    if state.ruins >> plot & 1:
        pay(step, seat, RUBBLE_PRICE, "rubble")
        step.emit(RubbleCleared(seat, plot, "build"))
        step_up(step, seat)
    step.emit(Built(seat, plot, permits))
    if state.best_builder is None and state.built(seat) == BUILDINGS_PER_SEAT:
        step.emit(BestBuilderTaken(seat))
    symbols = _symbols_to_take(state, seat, permits)
    if symbols:
        is_owed = owes_card(state, permits, plot, subsidised=stage.subsidised)
        step.emit(CardOffered(seat, symbols, owed=True if is_owed else None))


def _symbols_to_take(state: State, seat: Seat, permits: tuple[int, ...]) -> tuple[str, ...]:
    """Return the symbols on both permits of which a card is left that the seat can pay for (RULES 8.2, 8.3)."""
    if len(permits) < 2:
        return ()
    shared = SHARED_SYMBOLS[permits[0]][permits[1]]
    return tuple(
        [symbol for symbol in shared if state.left_of(symbol) and (symbol != TRAM or state.money[seat] >= TRAM_PRICE)]
    )


def gain_decision(state: State) -> Decision:
    stage = state.stage
    assert isinstance(stage, Gaining)
    take = Choice(TakeCard, {"symbol": OneOf(stage.symbols)})
    if stage.owed:
        prompt = Prompt((take,), TakeCard(stage.symbols[0]))
    else:
        prompt = Prompt((take, Choice(DeclineCard)), DeclineCard())
    return Decision("take_card", {state.turn: prompt}, undoable=True)


def gain_resolved(step: StepBuilder[State], answers: Answers) -> None:
    ((seat, command),) = answers.items()
    if not isinstance(command, TakeCard):
        step.emit(CardDeclined(seat))
        return
    symbol, state = command.symbol, step.state
    if symbol == TRAM:
        pay(step, seat, TRAM_PRICE, "tram")
    value = state.park_values[-state.left_of(PARK)] if symbol == PARK else None
    step.emit(CardTaken(seat, symbol, value))
    step_right(step, seat)


def _composing(state: State) -> Composing:
    assert isinstance(state.stage, Composing)
    return state.stage
