"""Looking ahead: a possible state played on by the rules, and how likely it is to be won."""

from __future__ import annotations

import math
from typing import Final

from server.bots.planners import building, turns
from server.bots.planners.evaluation import Evaluation, Weights
from server.bots.planners.market import Market
from server.games.engine.dice import SEED_BYTES, Dice
from server.games.engine.game import Seat
from server.games.engine.prompts import Command
from server.games.planners.commands import Confirm, Discard, Place
from server.games.planners.rules import PLANNERS
from server.games.planners.scoring import outcome
from server.games.planners.state import Choosing, Laying, Over, State, Turning

_NO_DICE: Final = Dice(bytes(SEED_BYTES))
"""All chance of this game is in the order of the deck."""

_SPREAD, _SPREAD_TO_COME = 2.0, 4.0
"""By how much a lead must be larger to be that much safer: at the end, and more while much is to come."""

_AT_HAND: Final = (0.5, 0.3)
"""How much of its best column counts for the seat to move, and for the next one; what comes later is left to chance."""


def played_on(market: Market, state: State, command: Command, turns_ahead: int) -> State:
    """Give the state after a command of the seat to move and so many more turns, or at the end of the game."""
    seat = state.turn
    state = _carried_out(state, command)
    for _ in range(turns_ahead + 1):
        while state.turn == seat and not isinstance(state.stage, Over):
            if isinstance(state.stage, Turning):
                market = market.at(state)
                state = _carried_out(state, turns.turn(market)[0].chosen.command)
            elif isinstance(state.stage, Laying):
                market = market.at(state)
                state = _carried_out(state, turns.lay(market)[0].chosen.command)
            else:
                state = _placed(market.at(state), state)
        if isinstance(state.stage, Over):
            break
        seat = state.turn
    return state


def _placed(market: Market, state: State) -> State:
    """Give the state after the seat to move has placed all that it has taken, and ended its turn."""
    seat = state.turn
    for card, row in market.plan(seat, state.hand).steps:
        state = _bonus_taken(market, state)
        if card in state.hand and row in state.cities[seat].rows_for(card):
            state = _carried_out(state, Place((card, row)))
    state = _bonus_taken(market, state)
    while state.hand:
        state = _carried_out(state, Discard(state.hand[0]))
    return _carried_out(state, Confirm())


def _bonus_taken(market: Market, state: State) -> State:
    if not isinstance(state.stage, Choosing):
        return state
    decision = PLANNERS.decision(state)
    assert decision is not None
    prompt = decision.prompts[state.turn]
    return _carried_out(state, building.bonus(market.evaluation.at(state), prompt).command)


def _carried_out(state: State, command: Command) -> State:
    following, _ = PLANNERS.resolve(state, {state.turn: command}, _NO_DICE)
    return following


def chance_to_win(market: Market, state: State, seat: Seat, weights: Weights) -> float:
    """Give how likely a seat is to win from here; certain when the game is over.

    The market is that of the state or of one some turns before.
    """
    result = outcome(state)
    if result is not None:
        return 1 / len(result.winners) if seat in result.winners else 0.0
    evaluation, market = Evaluation(state, weights), market.at(state)
    leads = evaluation.leads()
    for step, share in enumerate(_AT_HAND):
        taker = (state.turn + step) % len(leads)
        gain, _ = market.best(taker, state.columns, state.contracts)
        leads[taker] += share * gain
    spread = _SPREAD + _SPREAD_TO_COME * evaluation.haste
    most = max(leads)
    shares = [math.exp((lead - most) / spread) for lead in leads]
    return shares[seat] / sum(shares)
