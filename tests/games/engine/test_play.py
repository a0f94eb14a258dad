"""Plays: answers are gathered, sealed, changed, taken back and replayed, whatever the game."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations

import pytest

from server.games.engine.dice import Dice
from server.games.engine.game import Game
from server.games.engine.play import PLAY_EVENTS, Answered, Play, Step, Undone, begin, play_view, replay
from server.games.engine.prompts import Command
from server.games.engine.serialization import JsonReader, to_json
from server.model import Refused
from tests.games.toy_auction import CARDS, Bid, BidsRevealed, Keep, Peek, Peeked, Sit
from tests.games.toy_mosaic import EndTurn, PlaceStone, ShiftStone, TakeStone
from tests.games.toys import AUCTION, MOSAIC
from tests.games.wire import WIRES, assert_travels

DICE = Dice(bytes(range(32)))


class GameLog:
    """A play whose answers are all accepted, and the steps that led to it."""

    def __init__(self, game: Game, seats: int, **options: object) -> None:
        values = {option.name: option.default for option in game.options} | options
        self.play, step = begin(game, seats, values, DICE)
        self.steps: list[Step] = [step]

    def answer(self, seat: int, command: Command) -> Step:
        return self._went_well(self.play.answer(seat, self.play.number, command, DICE))

    def undo(self, seat: int) -> Step:
        return self._went_well(self.play.undo(seat, self.play.number))

    def _went_well(self, result: tuple[Play, Step] | Refused) -> Step:
        assert not isinstance(result, Refused), result
        self.play, step = result
        self.steps.append(step)
        return step


def auction() -> GameLog:
    """Return an auction of three seats that owe sealed bids."""
    return GameLog(AUCTION, 3)


def bids(log: GameLog) -> list[Bid]:
    """Return a legal bid for each seat."""
    return [Bid(hand[0]) for hand in log.play.state.hands]


def won_by(log: GameLog, winner: int) -> None:
    """Play the open round so that a seat wins it."""
    for seat, bid in enumerate(bids(log)):
        log.answer(seat, bid if seat == winner else Sit())


def mosaic() -> GameLog:
    """Return a Mosaic of two seats with four spots each; seat 0 has taken and placed a stone."""
    log = GameLog(MOSAIC, 2, board="large")
    log.answer(0, TakeStone(log.play.state.row[0]))
    log.answer(0, PlaceStone(1))
    return log


# -- asking and answering -------------------------------------------------------------------------------------


def test_the_first_decision_has_the_number_one() -> None:
    play = auction().play
    assert (play.number, play.awaited, dict(play.answers)) == (1, (0, 1, 2), {})


def test_an_answer_of_one_seat_leads_to_the_next_decision() -> None:
    log = GameLog(MOSAIC, 2)
    step = log.answer(0, TakeStone(log.play.state.row[0]))
    assert [event.name for event in step] == ["stone_taken"]
    assert (log.play.number, log.play.awaited) == (2, (0,))


def test_a_play_is_not_changed_by_its_answers() -> None:
    play = auction().play
    before = repr(play)
    play.answer(0, 1, Sit(), DICE)
    play.answer(1, 1, bids(auction())[1], DICE)
    play.undo(0, 1)
    assert repr(play) == before


@pytest.mark.parametrize("number", [0, 2, -1, 99])
def test_an_answer_to_another_decision_is_refused(number: int) -> None:
    play = auction().play
    stale = Refused("stale_decision", "That decision is over; the game has gone on.")
    assert play.answer(0, number, Sit(), DICE) == stale
    assert play.read(0, number, {"do": "sit"}) == stale
    assert play.undo(0, number) == stale


@pytest.mark.parametrize("seat", [0, 2, -1, 3])
def test_an_answer_of_a_seat_that_is_not_asked_is_refused(seat: int) -> None:
    log = auction()
    won_by(log, 1)
    not_awaited = Refused("not_awaited", "It is not for you to decide now.")
    assert log.play.awaited == (1,)
    assert log.play.answer(seat, log.play.number, Keep(), DICE) == not_awaited
    assert log.play.read(seat, log.play.number, {"do": "keep"}) == not_awaited
    assert log.play.undo(seat, log.play.number) == not_awaited


def test_an_answer_that_the_prompt_does_not_describe_is_refused() -> None:
    play = auction().play
    missing = next(card for card in CARDS if card not in play.state.hands[0])
    refusal = play.answer(0, 1, Bid(missing), DICE)
    assert isinstance(refusal, Refused)
    assert refusal.code == "illegal_choice"
    assert play.read(0, 1, {"do": "bid", "card": missing}) == refusal


def test_a_plain_value_is_read_as_the_command_that_it_means_here() -> None:
    play = auction().play
    bid = bids(auction())[0]
    assert play.read(0, 1, to_json(bid)) == bid


def test_nothing_is_asked_and_nothing_accepted_when_the_game_is_over() -> None:
    log = GameLog(AUCTION, 2, rounds=1)
    won_by(log, 0)
    log.answer(0, Keep())
    play = log.play
    over = Refused("game_over", "The game is over.")
    assert (play.decision, play.awaited) == (None, ())
    assert play.answer(0, play.number, Keep(), DICE) == over
    assert play.read(0, play.number, {"do": "keep"}) == over
    assert play.undo(0, play.number) == over
    assert play_view(play, 0)["decision"] is None
    assert play_view(play, 0)["outcome"] is not None


# -- sealed answers -------------------------------------------------------------------------------------------


def test_a_sealed_answer_changes_nothing_until_the_last_is_in() -> None:
    log = auction()
    before = log.play.state
    first, second, third = bids(log)
    assert log.answer(1, second) == [Answered(1, second)]
    assert log.answer(0, first) == [Answered(0, first)]
    assert log.play.state is before
    assert (log.play.number, log.play.awaited) == (1, (2,))
    step = log.answer(2, third)
    assert step[0] == Answered(2, third)
    assert isinstance(step[1], BidsRevealed)
    assert step[1].bids == (first.card, second.card, third.card)
    assert (log.play.number, dict(log.play.answers)) == (2, {})


def test_sealed_answers_may_come_in_any_order() -> None:
    results = []
    for order in permutations(range(3)):
        log = auction()
        commands = bids(log)
        steps = [log.answer(seat, commands[seat]) for seat in order]
        results.append((log.play, steps[-1][1:]))
    assert all(result == results[0] for result in results)


def test_a_sealed_answer_can_be_changed_until_the_last_is_in() -> None:
    log = auction()
    commands = bids(log)
    log.answer(0, commands[0])
    assert log.answer(0, Sit()) == [Answered(0, Sit())]
    log.answer(1, commands[1])
    log.answer(0, commands[0])
    log.answer(0, Sit())
    assert log.play.awaited == (2,)
    step = log.answer(2, Sit())
    revealed = step[1]
    assert isinstance(revealed, BidsRevealed)
    assert revealed.bids == (None, commands[1].card, None)


def test_an_answer_cannot_be_changed_after_the_last_was_in() -> None:
    log = auction()
    for seat in range(3):
        log.answer(seat, Sit())
    refusal = log.play.answer(0, 1, Sit(), DICE)
    assert isinstance(refusal, Refused)
    assert refusal.code == "stale_decision"


# -- taking back ----------------------------------------------------------------------------------------------


def test_the_last_step_can_be_taken_back() -> None:
    log = GameLog(MOSAIC, 2)
    before = log.play
    log.answer(0, TakeStone(before.state.row[0]))
    assert log.undo(0) == [Undone(0)]
    assert log.play.state == before.state
    assert log.play.decision == before.decision


def test_a_decision_that_is_opened_again_has_a_new_number() -> None:
    log = GameLog(MOSAIC, 2)
    kind = log.play.state.row[0]
    log.answer(0, TakeStone(kind))
    log.undo(0)
    assert log.play.number == 3
    refusal = log.play.answer(0, 1, TakeStone(kind), DICE)
    assert isinstance(refusal, Refused)
    assert refusal.code == "stale_decision"


def test_a_chain_of_steps_can_be_taken_back_one_by_one_to_where_it_began() -> None:
    log = mosaic()
    log.answer(0, ShiftStone((1, 2)))
    stones = []
    for _ in range(3):
        log.undo(0)
        stones.append((log.play.decision.kind == "place", log.play.state.boards[0].count(None)))
    assert stones == [(False, 3), (True, 4), (False, 4)]
    refusal = log.play.undo(0, log.play.number)
    assert refusal == Refused("not_undoable", "There is nothing that could still be taken back.")


def test_a_step_that_ends_a_turn_is_final() -> None:
    log = mosaic()
    log.answer(0, EndTurn())
    assert log.play.awaited == (1,)
    refusal = log.play.undo(1, log.play.number)
    assert isinstance(refusal, Refused)
    assert refusal.code == "not_undoable"


def test_a_step_that_revealed_something_is_final() -> None:
    log = auction()
    won_by(log, 1)
    log.answer(1, Peek())
    refusal = log.play.undo(1, log.play.number)
    assert isinstance(refusal, Refused)
    assert refusal.code == "not_undoable"


# -- looking ahead --------------------------------------------------------------------------------------------


def ahead_of(log: GameLog, seat: int, command: Command) -> Play | Refused:
    before = log.play
    ahead = before.look_ahead(seat, before.number, command, DICE)
    assert log.play == before
    return ahead


def test_looking_ahead_shows_what_the_answer_will_lead_to() -> None:
    log = GameLog(MOSAIC, 2)
    command = TakeStone(log.play.state.row[0])
    ahead = ahead_of(log, 0, command)
    log.answer(0, command)
    assert ahead == log.play


def test_nobody_looks_over_the_end_of_a_turn_or_a_draw() -> None:
    placed, won = mosaic(), auction()
    won_by(won, 1)
    for log, seat, command in ((placed, 0, EndTurn()), (won, 1, Peek())):
        refusal = ahead_of(log, seat, command)
        assert isinstance(refusal, Refused)
        assert refusal.code == "not_foreseeable"


def test_nobody_looks_behind_sealed_answers_even_with_the_last_of_them() -> None:
    log = auction()
    commands = bids(log)
    for seat in (0, 1, 2):
        refusal = ahead_of(log, seat, commands[seat])
        assert isinstance(refusal, Refused)
        assert refusal.code == "not_foreseeable"
        log.answer(seat, commands[seat])


def test_what_could_not_be_answered_is_not_foreseen() -> None:
    log = GameLog(MOSAIC, 2)
    for seat, number, command, code in (
        (1, 1, TakeStone(log.play.state.row[0]), "not_awaited"),
        (0, 2, TakeStone(log.play.state.row[0]), "stale_decision"),
        (0, 1, EndTurn(), "not_offered"),
    ):
        refusal = log.play.look_ahead(seat, number, command, DICE)
        assert isinstance(refusal, Refused)
        assert refusal.code == code


# -- replaying ------------------------------------------------------------------------------------------------


def a_round_of_auction() -> GameLog:
    log = auction()
    commands = bids(log)
    log.answer(2, commands[2])
    log.answer(0, Sit())
    log.answer(0, commands[0])
    log.answer(1, Sit())
    (winner,) = log.play.awaited
    log.answer(winner, Keep())
    log.answer(1, Sit())
    return log


def a_turn_of_mosaic() -> GameLog:
    log = mosaic()
    log.undo(0)
    log.undo(0)
    log.answer(0, TakeStone(log.play.state.row[1]))
    log.answer(0, PlaceStone(3))
    log.answer(0, ShiftStone((3, 0)))
    log.undo(0)
    log.answer(0, EndTurn())
    return log


LOGS = [pytest.param(a_round_of_auction, id="auction"), pytest.param(a_turn_of_mosaic, id="mosaic")]


@pytest.mark.parametrize("played", LOGS)
def test_a_log_leads_to_the_same_play(played: Callable[[], GameLog]) -> None:
    log = played()
    assert replay(log.play.game, log.steps) == log.play


@pytest.mark.parametrize("played", LOGS)
def test_a_log_can_be_cut_anywhere_and_carried_on(played: Callable[[], GameLog]) -> None:
    log = played()
    for cut in range(1, len(log.steps)):
        play = replay(log.play.game, log.steps[:cut])
        for step in log.steps[cut:]:
            play = play.advance(step)
        assert play == log.play


@pytest.mark.parametrize("played", LOGS)
def test_a_log_survives_both_encodings(played: Callable[[], GameLog]) -> None:
    log = played()
    game = log.play.game
    reader = JsonReader((*game.events, *game.commands, *PLAY_EVENTS))
    for wire in WIRES:
        steps = [[reader.read("event", wire(to_json(event))) for event in step] for step in log.steps]
        assert steps == [list(step) for step in log.steps]
        assert replay(game, steps) == log.play


def test_a_replayed_answer_can_still_be_changed() -> None:
    log = auction()
    commands = bids(log)
    log.answer(0, commands[0])
    log.answer(1, commands[1])
    play = replay(AUCTION, log.steps)
    assert play.answers == {0: commands[0], 1: commands[1]}
    changed = play.answer(0, 1, Sit(), DICE)
    assert not isinstance(changed, Refused)
    assert changed[0].answers[0] == Sit()


# -- what is shown --------------------------------------------------------------------------------------------


def test_a_sealed_answer_is_seen_by_its_own_seat_alone() -> None:
    log = auction()
    command = bids(log)[1]
    log.answer(1, command)
    views = {viewer: play_view(log.play, viewer)["decision"] for viewer in (None, 0, 1, 2)}
    assert views[1]["answer"] == to_json(command)
    for viewer in (None, 0, 2):
        assert "answer" not in views[viewer]
        assert views[viewer]["awaited"] == [0, 2]


def test_what_others_see_of_an_answer_does_not_depend_on_it() -> None:
    log = auction()
    for viewer in (None, 0, 2):
        shown = [Answered(1, command).shown_to(viewer) for command in (bids(log)[1], Sit())]
        assert shown == [{"event": "answered", "seat": 1}] * 2
    assert Answered(1, Sit()).shown_to(1) == {"event": "answered", "seat": 1, "command": {"do": "sit"}}


def test_a_seat_sees_its_own_prompt_and_nobody_elses() -> None:
    log = auction()
    won_by(log, 1)
    views = {viewer: play_view(log.play, viewer)["decision"] for viewer in (None, 0, 1, 2)}
    prompt = log.play.decision.prompts[1].to_json()
    assert {viewer: view.get("prompt") for viewer, view in views.items()} == {None: None, 0: None, 1: prompt, 2: None}
    assert views[0] == {"number": 2, "about": "prize", "sealed": False, "seats": [1], "awaited": [1]}


def test_a_seat_is_told_whether_it_may_take_a_step_back() -> None:
    log = GameLog(MOSAIC, 2)
    assert play_view(log.play, 0)["decision"]["undoable"] is False
    log.answer(0, TakeStone(log.play.state.row[0]))
    assert play_view(log.play, 0)["decision"]["undoable"] is True
    assert "undoable" not in play_view(log.play, 1)["decision"]


def test_everybody_sees_that_a_step_was_taken_back() -> None:
    assert {repr(Undone(0).shown_to(viewer)) for viewer in (None, 0, 1)} == {"{'event': 'undone', 'seat': 0}"}


def test_an_event_of_the_game_is_shown_as_the_game_says() -> None:
    assert Peeked(1, 7).shown_to(1) == {"event": "peeked", "seat": 1, "card": 7}
    assert Peeked(1, 7).shown_to(2) is None


def test_a_view_survives_both_encodings() -> None:
    for log in (a_round_of_auction(), a_turn_of_mosaic()):
        for viewer in (None, 0, 1):
            assert_travels(play_view(log.play, viewer), "a view")
