"""Finalizing: the taken cards are placed or discarded one by one, and the turn is confirmed (RULES 3.6, 5)."""

from __future__ import annotations

from functools import lru_cache

from server.games.engine.game import Answers, Decision, Seat
from server.games.engine.prompts import Choice, OneOf, Pair, Prompt
from server.games.engine.step_builder import StepBuilder
from server.games.planners.bonuses import compass_placed
from server.games.planners.building import drop_what_fits_nowhere, settle
from server.games.planners.commands import Confirm, Discard, Place, Release
from server.games.planners.components import CARDS
from server.games.planners.contracts import RELEASES, releasable, release
from server.games.planners.events import GameEnded, card_discarded, card_placed, turn_ended
from server.games.planners.state import State

_CONFIRM = Choice(Confirm)


def place_decision(state: State) -> Decision:
    seat, hand, releases = state.turn, state.hand, releasable(state)
    if not hand:
        return _confirm(seat, releases)
    rows = tuple(map(state.cities[seat].rows_for, hand))
    ask = _place_or_discard_last if len(hand) == 1 else _place_or_discard
    return ask(seat, hand, rows, releases)


def _place_or_discard(seat: Seat, hand: tuple[int, ...], rows: tuple[tuple[int, ...], ...], releases: int) -> Decision:
    fitting = [(card, open_rows) for card, open_rows in zip(hand, rows, strict=True) if open_rows]
    card, (row, *_) = fitting[0]
    choices = (
        Choice(Place, {"placement": Pair(dict(fitting))}),
        Choice(Discard, {"card": OneOf(hand)}),
        *RELEASES[releases],
    )
    return Decision("place", {seat: Prompt(choices, fallback=Place((card, row)))}, undoable=True)


_place_or_discard_last = lru_cache(maxsize=1024)(_place_or_discard)
"""The cached version for a hand of one card. Larger hands hardly ever repeat and would only use memory."""


@lru_cache(maxsize=64)
def _confirm(seat: Seat, releases: int) -> Decision:
    return Decision("confirm", {seat: Prompt((_CONFIRM, *RELEASES[releases]), fallback=Confirm())}, undoable=True)


def place_resolved(step: StepBuilder[State], answers: Answers) -> None:
    seat = step.state.turn
    command = answers[seat]
    match command:
        case Place():
            _place(step, seat, *command.placement)
        case Discard():
            step.emit(card_discarded(seat, command.card))
        case Release():
            release(step, command.count)
        case _:
            _confirmed(step, seat)
            return
    drop_what_fits_nowhere(step)


def _place(step: StepBuilder[State], seat: Seat, card: int, row: int) -> None:
    state = step.state
    step.emit(card_placed(seat, card, state.cities[seat].next_space(row)))
    settle(step, seat, row)
    if CARDS[card].compass:
        compass_placed(step, seat, row)


def _confirmed(step: StepBuilder[State], seat: Seat) -> None:
    if step.state.cities[seat].is_full:
        step.emit(GameEnded("full", seat))  # RULES 7.2
    else:
        step.emit(turn_ended(seat))
