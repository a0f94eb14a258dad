"""A state made from a view gives the seat exactly this view and this prompt again."""

from __future__ import annotations

import random
from itertools import islice

from server.bots.planners.knowledge import determinized_state, known_state
from server.games.engine.game import view_of
from tests.bots.positions import positions
from tests.games.planners import GAME

MANY = 1_500


def test_what_a_seat_knows_shows_and_asks_the_same_again() -> None:
    kinds = set()
    for position in islice(positions(GAME, "knowledge"), MANY):
        question = position.question
        state = known_state(question)
        decision = GAME.decision(state)
        assert view_of(GAME, state, position.seat) == question.view
        assert decision is not None
        assert decision.prompts[position.seat] == question.prompt
        kinds.add(decision.kind)
    assert kinds == {"turn", "lay", "place", "bonus", "confirm"}


def test_a_city_that_is_read_back_is_the_same_in_all_its_parts() -> None:
    for position in islice(positions(GAME, "cities"), MANY):
        assert known_state(position.question).cities == position.play.state.cities


def test_the_deck_holds_what_is_left_in_any_order() -> None:
    rng = random.Random(1)
    for position in islice(positions(GAME, "deck"), 300):
        known, true = known_state(position.question), position.play.state
        assert sorted(known.deck) == sorted(true.deck)
        assert sorted(determinized_state(known, rng).deck) == sorted(true.deck)


def test_shuffling_gives_other_orders_and_leaves_the_known_one() -> None:
    known = known_state(next(positions(GAME, "orders")).question)
    before = known.deck
    assert len({determinized_state(known, random.Random(seed)).deck for seed in range(5)}) == 5
    assert known.deck == before
