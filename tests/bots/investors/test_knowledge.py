"""A state made from a view gives the seat exactly this view and this prompt again."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from itertools import islice

from server.bots.investors.knowledge import determinized_state, hidden_cheques, known_state
from server.bots.strategy import question_from_play
from server.games.engine.dice import Dice
from server.games.engine.game import view_of
from server.games.engine.options import read_options
from server.games.engine.play import begin
from server.games.investors.components import ACTION_DECK, CHEQUES
from server.games.investors.state import State
from tests.bots.positions import Position, positions
from tests.games.investors import GAME
from tests.games.investors.players import Thrifty
from tests.games.players import seed_bytes
from tests.games.playing import accepted

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
        assert len(state.action_deck) == len(true.action_deck)
        if true.settings.subsidies is None:
            assert Counter(state.action_deck) == Counter(true.action_deck)


def test_possible_action_cards_are_any_unplayed_ones_with_as_many_subsidies() -> None:
    """RULES 10.6: which cards chance has left in the box is not known."""
    rng, dice, player = random.Random(5), Dice(seed_bytes(1)), Thrifty()
    options = read_options(GAME.options, {"subsidies": 2})
    play, _ = begin(GAME, 3, options, dice)
    decks, years = set(), set()
    while play.decision is not None:
        seat = play.awaited[0]
        state, true = determinized_state(question_from_play(play, seat, options), rng), play.state
        played = (*true.years, *filter(None, [true.action]))
        assert Counter((*state.action_deck, *played)) <= Counter(card.name for card in ACTION_DECK)
        assert len(state.action_deck) == len(true.action_deck)
        assert sum(map(is_subsidy, state.action_deck)) == sum(map(is_subsidy, true.action_deck))
        decks.add(tuple(sorted(state.action_deck)))
        years.add(len(true.years))
        command = player.answer(play, seat, play.decision.prompts[seat], rng)
        play, _ = accepted(play.answer(seat, play.number, command, dice))
    assert len(years) > 6
    assert len(decks) > 50


def is_subsidy(card: str) -> bool:
    return "subsidy" in card


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
