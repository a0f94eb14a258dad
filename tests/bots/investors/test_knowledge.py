"""A state made from a view gives the seat exactly this view and this prompt again."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from itertools import islice

from server.bots.investors.knowledge import determinized_state, hidden_cheques, known_state
from server.games.engine.game import view_of
from server.games.investors.components import ACTION_DECK, CHEQUES
from server.games.investors.state import State
from tests.bots.positions import Position, positions
from tests.games.investors import GAME

MANY = 2_500


@cache
def sampled_positions() -> list[Position]:
    return list(islice(positions(GAME, "knowledge"), MANY))


def cheques(state: State) -> Counter[int]:
    stage = state.stage
    on_table = [*getattr(stage, "bids", ()), *getattr(stage, "drawn", ())]
    return Counter(cheque for pile in (*state.hands, state.bank, *on_table) for cheque in pile)


def test_a_possible_state_shows_the_seat_what_it_sees() -> None:
    rng = random.Random(1)
    for position in sampled_positions():
        question = position.question
        for state in (determinized_state(question, rng), known_state(question)):
            assert view_of(GAME, state, position.seat) == question.view


def test_a_possible_state_asks_the_seat_what_it_is_asked() -> None:
    rng = random.Random(2)
    kinds = set()
    for position in sampled_positions():
        question = position.question
        decision = GAME.decision(determinized_state(question, rng))
        assert decision is not None
        assert decision.kind == question.kind
        assert decision.prompts[position.seat] == question.prompt
        kinds.add(question.kind)
    assert len(kinds) == 13, "every kind of question is to be seen"


def test_a_possible_state_holds_the_whole_box() -> None:
    rng = random.Random(3)
    for position in sampled_positions():
        state, true = determinized_state(position.question, rng), position.play.state
        assert cheques(state) == Counter(CHEQUES * state.settings.seats)
        assert Counter(state.tender_deck) == Counter(true.tender_deck)
        assert Counter(state.bag) == Counter(true.bag)
        assert Counter(state.action_deck) == Counter(true.action_deck)
        assert len(state.action_deck) <= len(ACTION_DECK)


def test_possible_states_differ_in_what_is_hidden() -> None:
    rng = random.Random(4)
    question = next(islice(positions(GAME, "hidden"), 60, None)).question
    states = [determinized_state(question, rng) for _ in range(5)]
    assert len({state.tender_deck for state in states}) == 5
    assert len({tuple(state.hands) for state in states}) > 1


def test_others_hands_are_blank_in_what_a_seat_knows() -> None:
    for position in islice(positions(GAME, "blank"), 200):
        state = known_state(position.question)
        for seat, hand in enumerate(state.hands):
            assert seat == position.seat or not any(hand)
        assert not any(state.bank)


def test_hidden_cheques_are_those_that_nobody_sees() -> None:
    for position in sampled_positions():
        state, view = position.play.state, position.question.view
        others = [cheque for seat, hand in enumerate(state.hands) if seat != position.seat for cheque in hand]
        assert Counter(hidden_cheques(view)) == Counter([*others, *state.bank])
