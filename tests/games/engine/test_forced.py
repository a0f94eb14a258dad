"""Forced answers: a play answers for seats that have one possible answer, as everybody knows."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from server.games.engine.dice import Dice
from server.games.engine.events import Seat
from server.games.engine.game import Decision, Game
from server.games.engine.play import Answered, Play, Step, begin, replay
from server.games.engine.prompts import Choice, Command, OneOf, Pair, Prompt, SomeOf
from server.model import Refused
from tests.games.contract import assert_same_play
from tests.games.derived import with_decisions
from tests.games.toy_auction import Bid, Sit
from tests.games.toy_mosaic import EndTurn, PlaceStone, ShiftStone, TakeStone
from tests.games.toys import AUCTION, MOSAIC

DICE = Dice(bytes(range(32)))
SIT = Prompt((Choice(Sit),), Sit())


def forcing(game: Game[Any], kinds: Collection[str], seats: Collection[Seat]) -> Game[Any]:
    """Return the game with these seats forced to their fallbacks in decisions of these kinds."""

    def changed(state: Any, decision: Decision) -> Decision:
        forced = [seat for seat in decision.prompts if seat in seats and decision.kind in kinds]
        prompts = {
            seat: only(prompt.fallback) if seat in forced else prompt for seat, prompt in decision.prompts.items()
        }
        return decision._replace(prompts=prompts, forced=forced)

    return with_decisions(game, changed)


def only(command: Command) -> Prompt:
    """Return a prompt that offers just this command."""
    spaces = {name: OneOf((getattr(command, name),)) for name in command.__match_args__}
    return Prompt((Choice(type(command), spaces),), command)


class Table:
    """A play, and the log that must lead to the same play after every step."""

    def __init__(self, game: Game[Any], seats: int, *, asks_forced: bool = False) -> None:
        options = {option.name: option.default for option in game.options} | (
            {"board": "large"} if game.name == "mosaic" else {}
        )
        self.play, step = begin(game, seats, options, DICE, asks_forced=asks_forced)
        self.steps = [step]
        self._check()

    def answer(self, seat: Seat, command: Command) -> Step:
        return self._take(self.play.answer(seat, self.play.number, command, DICE))

    def undo(self, seat: Seat) -> Step:
        return self._take(self.play.undo(seat, self.play.number))

    def take(self, seat: Seat) -> Step:
        return self.answer(seat, TakeStone(self.play.state.row[0]))

    @property
    def asked(self) -> tuple[str, tuple[Seat, ...]]:
        assert self.play.decision is not None
        return self.play.decision.kind, self.play.awaited

    def _take(self, result: tuple[Play, Step] | Refused) -> Step:
        assert not isinstance(result, Refused), result
        self.play, step = result
        self.steps.append(step)
        self._check()
        return step

    def _check(self) -> None:
        again = replay(self.play.game, self.steps, asks_forced=self.play.asks_forced)
        assert_same_play(again, self.play, "replaying the log")


def names(step: Step) -> list[str]:
    return [event.name for event in step]


# -- several seats --------------------------------------------------------------------------------------------


def bidding(forced: Collection[Seat], *, asks_forced: bool = False) -> Table:
    return Table(forcing(AUCTION, ["bid"], forced), 3, asks_forced=asks_forced)


def test_a_forced_seat_has_answered_when_a_sealed_decision_opens() -> None:
    table = bidding([2])
    assert table.asked == ("bid", (0, 1))
    assert table.steps[0][-1] == Answered(2, Sit())
    table.answer(0, Sit())
    revealed = table.answer(1, Bid(table.play.state.hands[1][0]))
    assert names(revealed)[:2] == ["answered", "bids_revealed"]


def test_a_sealed_decision_in_which_all_are_forced_is_skipped() -> None:
    table = bidding([0, 1, 2])
    assert "bids_revealed" in names(table.steps[0])
    assert "answered" not in names(table.steps[0])


def test_games_from_before_ask_forced_seats_too() -> None:
    table = bidding([2], asks_forced=True)
    assert table.asked == ("bid", (0, 1, 2))
    assert "answered" not in names(table.steps[0])


# -- one seat -------------------------------------------------------------------------------------------------


def test_a_forced_step_is_taken_along_where_the_own_step_can_still_be_taken_back() -> None:
    table = Table(forcing(MOSAIC, ["place"], [0, 1]), 2)
    before = table.play.state
    assert names(table.take(0)) == ["stone_taken", "stone_placed"]
    assert table.asked == ("end", (0,))
    table.undo(0)
    assert table.play.state == before
    assert table.asked == ("take", (0,))


def test_a_forced_answer_that_would_end_what_can_be_taken_back_is_asked_for() -> None:
    table = Table(forcing(MOSAIC, ["end"], [0, 1]), 2)
    table.take(0)
    table.answer(0, PlaceStone(0))
    assert table.asked == ("end", (0,))
    assert table.play.past


def test_a_turn_without_anything_to_decide_is_skipped() -> None:
    table = Table(forcing(MOSAIC, ["take", "place", "end"], [1]), 2)
    table.take(0)
    table.answer(0, PlaceStone(0))
    step = table.answer(0, EndTurn())
    assert names(step) == ["turn_ended", "stone_taken", "stone_placed", "turn_ended"]
    assert table.asked == ("take", (0,))
    assert table.play.number == 4


def test_a_forced_step_is_not_taken_alone_where_it_could_be_taken_back() -> None:
    table = Table(forcing(MOSAIC, ["take"], [1]), 2)
    table.take(0)
    table.answer(0, PlaceStone(0))
    assert names(table.answer(0, EndTurn())) == ["turn_ended"]
    assert table.asked == ("take", (1,))


def test_a_game_can_end_by_forced_answers() -> None:
    table = Table(forcing(MOSAIC, ["take", "place", "end"], [0, 1]), 2)
    assert table.play.decision is None
    assert len(table.steps) == 1


# -- prompts --------------------------------------------------------------------------------------------------


def test_a_prompt_knows_whether_it_has_one_answer() -> None:
    assert SIT.has_one_answer
    assert not Prompt((Choice(Sit), Choice(Sit)), Sit()).has_one_answer
    for space in (OneOf((1,)), SomeOf(()), Pair({1: (2,)})):
        assert Prompt((Choice(ShiftStone, {"way": space}),), Sit()).has_one_answer
    for space in (OneOf((1, 2)), SomeOf((1,)), Pair({1: (2, 3)}), Pair({1: (2,), 3: (4,)})):
        assert not Prompt((Choice(ShiftStone, {"way": space}),), Sit()).has_one_answer
