"""Rollouts: a determinized state played on by the rules, every seat as `normal` plays, and rated at its end."""

from __future__ import annotations

from typing import Final

from server.bots.planners import building, turns
from server.bots.planners.evaluation import Evaluation, Weights
from server.bots.planners.market import Market
from server.bots.win_probability import share_of_win, softmax
from server.games.engine.dice import SEED_BYTES, Dice
from server.games.engine.game import Seat
from server.games.engine.prompts import Command
from server.games.planners.commands import Confirm, Discard, Place
from server.games.planners.rules import PLANNERS
from server.games.planners.scoring import outcome
from server.games.planners.state import Choosing, Laying, Over, State, Turning

_NO_DICE: Final = Dice(bytes(SEED_BYTES))
"""All randomness of this game is in the order of the deck."""

_TEMPERATURE, _TEMPERATURE_REMAINING = 2.0, 4.0
"""The temperature of the softmax over leads: at the end, and more while much of the game remains."""

_NEXT_COLUMN_WEIGHTS: Final = (0.5, 0.3)
"""The part of its best column that counts for the seat to move, and for the next seat; later columns are unknown."""


def rollout(market: Market, state: State, command: Command, turns_ahead: int) -> State:
    """Return the state after a command of the seat to move and so many more turns, or at the end of the game."""
    seat = state.turn
    state = _after_command(state, command)
    for _ in range(turns_ahead + 1):
        while state.turn == seat and not isinstance(state.stage, Over):
            if isinstance(state.stage, Turning):
                market = market.at(state)
                state = _after_command(state, turns.turn(market)[0].choice.command)
            elif isinstance(state.stage, Laying):
                market = market.at(state)
                state = _after_command(state, turns.lay(market)[0].choice.command)
            else:
                state = _after_placing(market.at(state), state)
        if isinstance(state.stage, Over):
            break
        seat = state.turn
    return state


def _after_placing(market: Market, state: State) -> State:
    """Return the state after the seat to move has placed all cards that it has taken, and ended its turn."""
    seat = state.turn
    for card, row in market.plan(seat, state.hand).steps:
        state = _after_bonus(market, state)
        if card in state.hand and row in state.cities[seat].rows_for(card):
            state = _after_command(state, Place((card, row)))
    state = _after_bonus(market, state)
    while state.hand:
        state = _after_command(state, Discard(state.hand[0]))
    return _after_command(state, Confirm())


def _after_bonus(market: Market, state: State) -> State:
    if not isinstance(state.stage, Choosing):
        return state
    decision = PLANNERS.decision(state)
    assert decision is not None
    prompt = decision.prompts[state.turn]
    return _after_command(state, building.bonus(market.evaluation.at(state), prompt).command)


def _after_command(state: State, command: Command) -> State:
    following, _ = PLANNERS.resolve(state, {state.turn: command}, _NO_DICE)
    return following


def win_probability(market: Market, state: State, seat: Seat, weights: Weights) -> float:
    """Return the probability that a seat wins from here: 0 or 1, or a shared win, when the game is over.

    The market is that of the state or of one some turns earlier.
    """
    result = outcome(state)
    if result is not None:
        return share_of_win(result, seat)
    evaluation, market = Evaluation(state, weights), market.at(state)
    leads = evaluation.leads()
    for step, share in enumerate(_NEXT_COLUMN_WEIGHTS):
        taker = (state.turn + step) % len(leads)
        gain, _ = market.best(taker, state.columns, state.contracts)
        leads[taker] += share * gain
    return softmax(leads, seat, _TEMPERATURE + _TEMPERATURE_REMAINING * evaluation.remaining)
