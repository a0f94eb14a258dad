"""Placing a project: the draw, the column, foundation tokens, turns (section 5A of the rules)."""

from __future__ import annotations

import pytest

from server.games.engine.game import view_of
from server.games.planners.commands import Draw, Finalize, Lay, Pass
from server.games.planners.events import GameEnded, ProjectDrawn, ProjectLaid, TurnPassed
from tests.games.planners.scenes import Scene


def test_a_project_is_drawn_first_and_then_laid() -> None:
    scene = Scene(top="gray:2c").draw()
    assert (scene.kind, scene.awaited, scene.offers) == ("lay", "y", {"lay": [1, 2, 3]})
    assert scene.column(2) == []
    scene.lay(2)
    assert scene.column(2) == ["gray:2c"]
    assert (scene.kind, scene.awaited) == ("turn", "b")


def test_a_column_may_grow_to_any_length() -> None:
    long = "gray:2c gray:2c gray:2c gray:2t gray:2t gray:3 green:3 green:3 green:3 green:3 u2 u2 u2 u2"
    scene = Scene(columns=(long, "", ""), top="orange:3").draw().lay(1)
    assert scene.column(1)[-1] == "orange:3"
    assert len(scene.column(1)) == 15


def test_turns_go_round_the_table() -> None:
    scene = Scene(seats=3, top="green:3 green:3 green:3", turn="b")
    seats = [scene.draw().lay(1).awaited for _ in range(3)]
    assert seats == ["r", "y", "b"]


def test_nothing_else_can_be_done_between_the_draw_and_the_column() -> None:
    scene = Scene(columns=("green:3", "", ""), top="gray:3").draw()
    assert all(scene.refuses(command) for command in (Draw(), Finalize(0), Lay(3), Lay(-1), Pass()))


def test_vector_1_a_foundation_that_is_laid_gets_a_token() -> None:
    scene = Scene(top="orange:0f").draw()
    assert scene.state.tokens == 6
    scene.lay(1)
    assert scene.state.tokens == 5
    assert scene.events(ProjectLaid)[0].token


def test_no_other_card_gets_a_token() -> None:
    scene = Scene(top="orange:0q").draw().lay(1)
    assert scene.state.tokens == 6
    assert not scene.events(ProjectLaid)[0].token


def test_vector_f_with_two_players_the_sixth_foundation_ends_the_game_before_anybody_takes_it() -> None:
    scene = Scene(tokens=6, top="blue:0f blue:0f gray:0f gray:0f orange:0f orange:0f")
    for column in (1, 2, 3, 1, 2):
        scene.draw().lay(column)
    assert scene.play.decision is not None
    scene.draw().lay(3)
    assert scene.play.decision is None
    assert scene.outcome.reason == "foundations"


def test_ruling_24_the_last_foundation_token_ends_the_game_where_it_is_laid() -> None:
    scene = Scene(seats=3, turn="b", tokens=1, columns=("gray:3", "", ""), top="yellow:0f").draw()
    assert scene.play.decision is not None
    scene.lay(1)
    assert scene.play.decision is None
    assert scene.events(GameEnded) == [GameEnded("foundations", 1)]
    assert scene.column(1) == ["gray:3", "yellow:0f"]


def test_ruling_25_while_the_game_goes_on_there_is_a_token_for_the_next_foundation() -> None:
    scene = Scene(tokens=2, top="yellow:0f yellow:0f").draw().lay(1)
    assert (scene.state.tokens, scene.kind) == (1, "turn")
    scene.draw().lay(1)
    assert (scene.state.tokens, scene.play.decision) == (0, None)


def test_ruling_27_a_project_can_be_placed_whenever_there_are_cards() -> None:
    scene = Scene(contracts={"y": 5, "b": 0}, columns=("gray:3", "green:3", "u2"))
    assert scene.offers == {"draw": True}


# -- an empty deck ----------------------------------------------------------------------------------------------


def test_ruling_26_with_an_empty_deck_only_finalizing_is_left() -> None:
    scene = Scene(deck=0, columns=("gray:3", "", ""))
    assert scene.offers == {"finalize": [1]}


def test_ruling_26_who_can_do_nothing_passes() -> None:
    scene = Scene(deck=0, columns=("gray:3", "", ""), contracts={"y": 1})
    assert scene.offers == {"pass": True}
    scene.passes()
    assert scene.events(TurnPassed) == [TurnPassed(0)]
    assert (scene.awaited, scene.offers) == ("b", {"finalize": [1]})


def test_ruling_26_when_all_pass_in_a_row_the_game_ends_for_who_drew_last() -> None:
    scene = Scene(seats=3, turn="b", deck=0, columns=("", "", ""), top="green:3").draw().lay(1)
    scene.take(1).discard("green:3").confirm()
    for seat in "ybr":
        assert scene.awaited == seat
        scene.passes()
    assert scene.events(GameEnded) == [GameEnded("stuck", 1)]
    assert scene.outcome.reason == "stuck"


def test_ruling_26_passes_with_a_turn_between_them_do_not_end_the_game() -> None:
    scene = Scene(deck=0, columns=("gray:3", "", ""), contracts={"y": 1}, top="").passes()
    scene.take(1).place("gray:3").confirm()
    scene.passes()
    assert scene.awaited == "b"


def test_passing_is_not_offered_while_anything_else_is_possible() -> None:
    assert Scene(columns=("gray:3", "", "")).refuses(Pass())
    assert Scene(deck=0, columns=("gray:3", "", "")).refuses(Pass())


# -- what is hidden, and what is played for the absent -----------------------------------------------------------


def test_ruling_29_all_is_open_but_the_order_of_the_deck() -> None:
    scene = Scene(columns=("gray:3 gray:0f", "", "u2"), top="green:3", contracts={"b": 1})
    views = [view_of(scene.play.game, scene.state, viewer) for viewer in (None, 0, 1)]
    assert views[0] == views[1] == views[2]
    assert views[0]["deck"] == len(scene.state.deck)
    scene.draw()
    assert scene.view()["stage"] == {"name": "laying", "card": scene.events(ProjectDrawn)[0].card}


@pytest.mark.parametrize("columns, shortest", [(("", "u2", "u2"), 1), (("u2", "u2 u2", ""), 3), (("u2", "", ""), 2)])
def test_an_absent_seat_draws_and_lays_in_the_shortest_column(columns: tuple[str, str, str], shortest: int) -> None:
    scene = Scene(columns=columns, top="green:3")
    assert scene.prompt.fallback == Draw()
    assert scene.draw().prompt.fallback == Lay(shortest - 1)


def test_an_absent_seat_takes_a_column_only_when_the_deck_is_empty() -> None:
    assert Scene(deck=0, columns=("", "u2 u2", "u2")).prompt.fallback == Finalize(1)
    assert Scene(deck=0).prompt.fallback == Pass()
