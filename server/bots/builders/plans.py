"""Plans: the sensible ways to finish the current turn, each with its value.

A turn is several commands. The whole rest of the turn is planned anew at each of them, from the position alone, so a
bot that takes over in the middle of a turn finishes it well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, combinations
from typing import Final, NamedTuple

from server.bots.builders import spoiling
from server.bots.builders.ending import continuing_chance, ends_game, finishing_gain
from server.bots.builders.evaluation import Evaluation
from server.games.builders.actions import OFFERS
from server.games.builders.building import can_build, open_plots, owes_card
from server.games.builders.city import plots_of
from server.games.builders.commands import (
    Build,
    BuildSubsidised,
    ChoosePermit,
    ChoosePlot,
    CleanUp,
    Confirm,
    DeclineCard,
    Develop,
    Pass,
    PlacePawn,
    TakeCard,
    TakeDollar,
    TakeGoal,
    TakeIncome,
    TakeMaterial,
    TakeMoney,
    TakePermit,
    TakeStep,
)
from server.games.builders.components import (
    BEST_BUILDER_POINTS,
    BLIND,
    BUILDINGS_PER_SEAT,
    CLEAN_UP_PRICE,
    CLEAN_UP_STEP_PRICE,
    DEVELOP_PRICE,
    DOLLAR,
    FEE_PER_STEP,
    INCOME_SPACES,
    MAX_MONEY,
    NO_PLOT,
    RUBBLE_PRICE,
    SHARED_SYMBOLS,
    SYMBOLS,
    TRAM,
    TRAM_PRICE,
    YEAR_BOARD,
    YEARS,
)
from server.games.builders.resources import in_corner
from server.games.builders.state import Acting, Composing, Confirming, Gaining, Placing, Rewarding, Stage, State
from server.games.engine.game import Seat
from server.games.engine.prompts import Command


class Plan(NamedTuple):
    """Commands that finish a turn except for its confirmation, and their value."""

    commands: tuple[Command, ...]
    worth: float


class _Use(NamedTuple):
    """One way to carry out an action: its gain besides money, and the change of money."""

    commands: tuple[Command, ...]
    gain: float
    money: int


Uses = dict[tuple[str, int], list[_Use]]
"""A cache of the uses of actions, by action and money: they are the same from every space.

No action costs more than a house on rubble with a tram, so more money than that allows no more uses."""

_BUILDS: Final = ("build", "build_subsidised")
_PASS: Final = (Pass(),)
_TAKE_DOLLAR: Final = (TakeDollar(),)


def plans(evaluation: Evaluation) -> list[Plan]:
    """Return the ways to finish the turn, the best first."""
    found = list(_PLANS[type(evaluation.state.stage)](evaluation))
    found.sort(key=_worth, reverse=True)
    return found


def best_plan(evaluation: Evaluation) -> Plan:
    """Return the best way to finish the turn."""
    return max(_PLANS[type(evaluation.state.stage)](evaluation), key=_worth)


def _worth(plan: Plan) -> float:
    return plan.worth


# -- placing the pawn -------------------------------------------------------------------------------------------------


def _placing(evaluation: Evaluation) -> Iterator[Plan]:
    state = evaluation.state
    taken = {pawn[1] for pawn in state.pawns if pawn is not None and pawn[0] == state.area}
    if state.area == YEAR_BOARD:
        yield from _on_year_board(evaluation, [space for space in range(len(INCOME_SPACES)) if space not in taken])
        return
    denial = _denial_value(evaluation)
    uses: Uses = {}
    for at, space in enumerate(state.spaces):
        if at in taken:
            continue
        place = (PlacePawn(at),)
        standing = _turn_order_value(evaluation, at) + (denial if space.action in _BUILDS else 0.0)
        for commands, worth in _acts(evaluation, at, uses):
            yield Plan(place + commands, worth + standing)


def _on_year_board(evaluation: Evaluation, free: Iterable[int]) -> Iterator[Plan]:
    money = evaluation.state.money[evaluation.seat]
    bonuses = list(_rewarding(evaluation)) or [Plan((), 0.0)]
    for space in free:
        worth = evaluation.paid(money, money + INCOME_SPACES[space]) + _turn_order_value(evaluation, space)
        for bonus in bonuses:
            yield Plan((PlacePawn(space), *bonus.commands), worth + bonus.worth)


def _turn_order_value(evaluation: Evaluation, space: int) -> float:
    """Return the value of the next turn order: the further right, the earlier (RULES 3.2)."""
    return evaluation.weights.turn_order * space if evaluation.remaining.turns > 1 else 0.0


def _denial_value(evaluation: Evaluation) -> float:
    """Return the value of occupying a building space while others cannot afford to build from another one."""
    state, denial = evaluation.state, evaluation.weights.denial
    if not denial:
        return 0.0
    worth = 0.0
    for other in state.order[state.acted + 1 :]:
        money = state.money[other]
        if money < YEARS[state.year].build_cost + FEE_PER_STEP and can_build(state, other, money, subsidised=False):
            worth += denial / (state.seats - 1)
    return worth


# -- acting ---------------------------------------------------------------------------------------------------


def _acting(evaluation: Evaluation) -> Iterator[Plan]:
    pawn = evaluation.state.pawns[evaluation.seat]
    assert pawn is not None
    return _acts(evaluation, pawn[1], {})


def _acts(evaluation: Evaluation, own: int, known: Uses) -> Iterator[Plan]:
    """Yield the plans from a space of the card, with and without a fee."""
    state = evaluation.state
    money, purse = state.money[evaluation.seat], evaluation.money_worth
    now, enough = purse[money], YEARS[state.year].build_cost + RUBBLE_PRICE + TRAM_PRICE
    if state.spaces[own].action == "pass":
        yield Plan(_PASS, 0.0)
    else:
        yield Plan(_TAKE_DOLLAR, evaluation.paid(money, money + DOLLAR))
    for at, space in enumerate(state.spaces):
        left = money - FEE_PER_STEP * abs(at - own)
        if left < 0 or space.action not in OFFERS:
            continue
        key = (space.action, min(left, enough))
        uses = known.get(key)
        if uses is None:
            uses = known[key] = _uses(evaluation, *key, space.amount)
        for commands, gain, change in uses:
            yield Plan(commands, gain + purse[min(left + change, MAX_MONEY)] - now)


def _uses(evaluation: Evaluation, action: str, money: int, amount: int = 0) -> list[_Use]:
    """Return the ways to carry out an action with this money."""
    if OFFERS[action](evaluation.state, evaluation.seat, money) is None:
        return []
    return list(_USES[action](evaluation, money, amount))


def _income(evaluation: Evaluation, money: int, amount: int) -> Iterator[_Use]:
    yield _Use((TakeIncome(),), 0.0, amount)


def _material(evaluation: Evaluation, money: int, amount: int) -> Iterator[_Use]:
    state, seat = evaluation.state, evaluation.seat
    held, front, built = state.permits[seat], state.front[seat], state.built(seat)
    gain = evaluation.hand(held, front + 1, built) - evaluation.hand(held, front, built)
    yield _Use((TakeMaterial(),), gain, 0)


def _permits(evaluation: Evaluation, money: int, amount: int) -> Iterator[_Use]:
    state, seat = evaluation.state, evaluation.seat
    held, front, built = state.permits[seat], state.front[seat], state.built(seat)
    before = evaluation.hand(held, front, built)
    for permit in state.permits_shown:
        gain = evaluation.hand((*held, permit), front, built) - before
        yield _Use((TakePermit(permit),), gain + spoiling.of_permit(evaluation, permit), 0)


def _goals(evaluation: Evaluation, money: int, amount: int) -> Iterator[_Use]:
    state = evaluation.state
    for goal in state.goals_shown:
        yield _Use((TakeGoal(goal),), evaluation.goal(goal) + spoiling.of_goal(evaluation, goal), 0)
    if state.goal_pile:
        yield _Use((TakeGoal(BLIND),), evaluation.blind_goal, 0)


def _clean_up(evaluation: Evaluation, money: int, amount: int) -> Iterator[_Use]:
    state, seat = evaluation.state, evaluation.seat
    price = 0 if in_corner(state, seat) else CLEAN_UP_STEP_PRICE
    yield _Use((CleanUp(NO_PLOT),), evaluation.step_up_worth, -price)
    if money >= CLEAN_UP_PRICE and state.ruins:
        yield _Use((CleanUp(_ruin_to_remove(evaluation)),), evaluation.rubble_worth, -CLEAN_UP_PRICE)


def _ruin_to_remove(evaluation: Evaluation) -> int:
    """Return the ruin that fits the fewest permits of others, since they may build on it afterwards."""
    state = evaluation.state
    others = [permit for seat, held in enumerate(state.permits) if seat != evaluation.seat for permit in held]
    either = state.city.either
    return min(plots_of(state.ruins), key=lambda plot: sum([either[permit] >> plot & 1 for permit in others]))


def _develop(evaluation: Evaluation, money: int, amount: int) -> Iterator[_Use]:
    price = 0 if in_corner(evaluation.state, evaluation.seat) else DEVELOP_PRICE
    yield _Use((Develop(),), evaluation.step_right_worth, -price)


# -- building -------------------------------------------------------------------------------------------------


def _build(evaluation: Evaluation, money: int, amount: int) -> Iterator[_Use]:
    for use in _houses(evaluation, money, (), subsidised=False):
        yield use._replace(commands=(Build(), *use.commands))


def _build_subsidised(evaluation: Evaluation, money: int, amount: int) -> Iterator[_Use]:
    for use in _houses(evaluation, money, (), subsidised=True):
        yield use._replace(commands=(BuildSubsidised(), *use.commands))


def _houses(evaluation: Evaluation, money: int, chosen: tuple[int, ...], *, subsidised: bool) -> Iterator[_Use]:
    """Yield ways to build a house with permits that include the chosen ones."""
    state, seat = evaluation.state, evaluation.seat
    held, front, built = state.permits[seat], state.front[seat], state.built(seat)
    cost = YEARS[state.year].build_cost
    before = evaluation.hand(held, front, built)
    is_end = ends_game(evaluation)
    continuing = continuing_chance(evaluation) if is_end else 0.0
    eighth = BEST_BUILDER_POINTS if state.best_builder is None and built + 1 == BUILDINGS_PER_SEAT else 0
    for permits in chain(combinations(held, 1), combinations(held, 2)):
        if not set(chosen) <= set(permits):
            continue
        found = evaluation.best_plots(open_plots(state, permits, money, subsidised=subsidised), 2)
        if not found:
            continue
        kept = tuple([permit for permit in held if permit not in permits])
        change = evaluation.hand(kept, front - 1, built + 1) - before + eighth + evaluation.weights.build_now
        added = tuple([ChoosePermit(permit) for permit in permits if permit not in chosen])
        for worth, plot in found:
            is_ruin = state.ruins >> plot & 1
            price = cost + RUBBLE_PRICE if is_ruin else cost
            # The value of the plot already includes the price of its rubble.
            paid = evaluation.rubble_cost if is_ruin else 0.0
            is_owed = owes_card(state, permits, plot, subsidised=subsidised)
            gain, card = _best_card(evaluation, permits, money - price, is_owed=is_owed)
            value = worth - paid + gain + spoiling.of_plot(evaluation, plot)
            value = (
                finishing_gain(evaluation, value - evaluation.weights.house, continuing) if is_end else value + change
            )
            yield _Use((*added, ChoosePlot(plot), *card), value, -price)


def _best_card(
    evaluation: Evaluation, permits: tuple[int, ...], money: int, *, is_owed: bool
) -> tuple[float, tuple[Command, ...]]:
    """Return the value of the best card that two permits bring, and the answer to its offer if there is one."""
    if len(permits) < 2:
        return 0.0, ()
    offered = [
        symbol
        for symbol in SHARED_SYMBOLS[permits[0]][permits[1]]
        if evaluation.state.left_of(symbol) and (symbol != TRAM or money >= TRAM_PRICE)
    ]
    if not offered:
        return 0.0, ()
    worth, symbol = max((evaluation.card_worth[SYMBOLS.index(symbol)], symbol) for symbol in offered)
    return (worth, (TakeCard(symbol),)) if worth > 0 or is_owed else (0.0, (DeclineCard(),))


def _composing(evaluation: Evaluation) -> Iterator[Plan]:
    stage = evaluation.state.stage
    assert isinstance(stage, Composing)
    money = evaluation.state.money[evaluation.seat]
    for commands, gain, change in _houses(evaluation, money, stage.permits, subsidised=stage.subsidised):
        yield Plan(commands, gain + evaluation.paid(money, money + change))


def _gaining(evaluation: Evaluation) -> Iterator[Plan]:
    stage = evaluation.state.stage
    assert isinstance(stage, Gaining)
    if not stage.owed:
        yield Plan((DeclineCard(),), 0.0)
    for symbol in stage.symbols:
        yield Plan((TakeCard(symbol),), evaluation.card_worth[SYMBOLS.index(symbol)])


# -- the bonus of a year, and the end of a turn ---------------------------------------------------------------


def _rewarding(evaluation: Evaluation) -> Iterator[Plan]:
    state, seat = evaluation.state, evaluation.seat
    year, money = YEARS[state.year], state.money[seat]
    for bonus in year.choice:
        if bonus == "money":
            yield Plan((TakeMoney(),), evaluation.paid(money, money + bonus_money(state, seat)))
        elif bonus == "step":
            yield Plan((TakeStep(),), evaluation.step_right_worth)
        else:
            for commands, gain, change in _uses(evaluation, bonus, money):
                yield Plan(commands, gain + evaluation.paid(money, money + change))


def bonus_money(state: State, seat: Seat) -> int:
    """Return the money that a seat may take as the bonus of the year."""
    year = YEARS[state.year]
    return year.money_fixed + year.money_per_building * state.built(seat)


def _confirming(evaluation: Evaluation) -> Iterator[Plan]:
    yield Plan((Confirm(),), 0.0)


_USES: Final[dict[str, Callable[[Evaluation, int, int], Iterator[_Use]]]] = {
    "income": _income,
    "material": _material,
    "permit": _permits,
    "goal": _goals,
    "clean_up": _clean_up,
    "develop": _develop,
    "build": _build,
    "build_subsidised": _build_subsidised,
}

_PLANS: Final[dict[type[Stage], Callable[[Evaluation], Iterator[Plan]]]] = {
    Placing: _placing,
    Acting: _acting,
    Rewarding: _rewarding,
    Composing: _composing,
    Gaining: _gaining,
    Confirming: _confirming,
}
