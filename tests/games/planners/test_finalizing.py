"""Finalizing: contracts, and the taken cards placed or discarded (sections 5B and 7 of the rules)."""

from __future__ import annotations

import pytest

from server.games.planners.commands import Confirm, Discard, Finalize, Lay, Place, Release
from server.games.planners.events import (
    CardDiscarded,
    CardPlaced,
    ColumnTaken,
    ContractsReleased,
    ContractsReturned,
    GameEnded,
    TurnEnded,
)
from tests.games.planners.scenes import Scene

GRAY_FULL = """
    3       2c      2t      2t      0f
    .       .       .       .       .
    .       .       .       .       .
    .       .       .       .       .
"""

# -- contracts ----------------------------------------------------------------------------------------------------


def test_vector_2_with_one_contract_a_column_of_two_can_be_taken() -> None:
    scene = Scene(seats=3, columns=("gray:3 u2", "", ""), contracts={"y": 1, "b": 1}).take(1)
    assert scene.contracts() == "2 1 0"


def test_vector_3_when_everybody_has_a_contract_everybody_gives_one_back() -> None:
    scene = Scene(seats=3, columns=("gray:3", "", ""), contracts={"b": 1, "r": 2}).take(1)
    assert scene.contracts() == "0 0 1"
    assert len(scene.events(ContractsReturned)) == 1


def test_while_somebody_has_none_contracts_are_kept() -> None:
    scene = Scene(seats=3, columns=("gray:3", "", ""), contracts={"b": 1}).take(1)
    assert scene.contracts() == "1 1 0"
    assert scene.events(ContractsReturned) == []


def test_vector_a_an_empty_column_cannot_be_taken() -> None:
    scene = Scene(columns=("gray:3", "", ""))
    assert scene.offers["finalize"] == [1]
    assert scene.refuses(Finalize(1))


def test_vector_b_with_two_contracts_a_column_of_two_cannot_be_taken() -> None:
    scene = Scene(columns=("gray:3 u2", "u2 u2 u2", ""), contracts={"y": 2})
    assert scene.offers["finalize"] == [2]
    assert scene.refuses(Finalize(0))


@pytest.mark.parametrize("cards", range(1, 5))
def test_a_column_costs_one_contract_whatever_its_length(cards: int) -> None:
    scene = Scene(columns=(" ".join(["u2"] * cards), "", "")).take(1)
    assert scene.contracts() == "1 0"
    assert (len(scene.hand), scene.column(1)) == (cards, [])


def test_ruling_1_first_the_cards_then_the_contract_then_the_giving_back_then_placing() -> None:
    scene = Scene(columns=("gray:3 green:3", "", ""), contracts={"b": 1}).take(1)
    assert list(map(type, scene.steps[0])) == [ColumnTaken, ContractsReturned]
    assert scene.contracts() == "0 0"
    assert (scene.kind, scene.hand) == ("place", ["gray:3", "green:3"])


# -- the token that gives contracts back ------------------------------------------------------------------------


def test_ruling_20_the_token_can_open_a_column_and_is_gone_then() -> None:
    scene = Scene(columns=("gray:3 u2", "", ""), contracts={"y": 3}, releases="y")
    assert scene.offers == {"draw": True, "release": [1, 2]}
    scene.release(2)
    assert scene.events(ContractsReleased) == [ContractsReleased(0, 2)]
    assert (scene.contracts(), scene.offers) == ("1 0", {"draw": True, "finalize": [1]})
    assert not any(scene.state.releases)


def test_ruling_20_one_contract_may_be_given_back_and_more_than_there_are_may_not() -> None:
    scene = Scene(contracts={"y": 1}, releases="y")
    assert scene.offers["release"] == [1]
    assert scene.refuses(Release(2))
    assert scene.refuses(Release(0))
    assert scene.release(1).contracts() == "0 0"


def test_ruling_20_the_token_can_be_used_at_every_moment_of_the_own_turn() -> None:
    scene = Scene(seats=3, columns=("u1c u1c u2", "", ""), contracts={"y": 2}, releases="y", top="green:3")
    assert "release" in scene.offers
    assert "release" in scene.draw().offers
    scene = Scene(seats=3, columns=("u1c u1c u2", "", ""), contracts={"y": 2}, releases="y").take(1)
    assert "release" in scene.offers
    scene.place("u1c gray", "u1c gray")
    assert (scene.kind, scene.offers["release"]) == ("bonus", [1, 2])
    scene.take_bonus("universal", "blue").place("u2 green")
    assert (scene.kind, scene.offers) == ("confirm", {"confirm": True, "release": [1, 2]})
    assert scene.release(2).contracts() == "1 0 0"


def test_ruling_20_the_token_can_be_used_in_the_turn_in_which_it_is_gained() -> None:
    scene = Scene(columns=("green:2c green:2c u2 u2", "", ""), contracts={"y": 3}).take(1)
    scene.place("green:2c", "green:2c").take_bonus("release")
    assert scene.offers["release"] == [1, 2]
    assert scene.release(2).contracts() == "2 0"


def test_using_the_token_answers_nothing_else() -> None:
    scene = (
        Scene(columns=("u1c u1c u2", "", ""), contracts={"y": 2}, releases="y").take(1).place("u1c gray", "u1c gray")
    )
    scene.release(1)
    assert (scene.kind, scene.hand) == ("bonus", ["u2"])
    assert "release" not in scene.offers


def test_nobody_uses_the_token_in_the_turn_of_another_or_without_contracts() -> None:
    assert "release" not in Scene(turn="b", contracts={"y": 2}, releases="y").offers
    assert "release" not in Scene(contracts={"b": 2}, releases="y").offers
    assert "release" not in Scene(contracts={"y": 2}, releases="b").offers


def test_ruling_21_the_token_never_makes_everybody_give_a_contract_back() -> None:
    scene = Scene(seats=3, contracts={"y": 3, "b": 1}, releases="y").release(1)
    assert scene.events(ContractsReturned) == []
    assert scene.contracts() == "2 1 0"


# -- placing and discarding -------------------------------------------------------------------------------------


def test_a_card_goes_to_the_leftmost_empty_space_of_its_row() -> None:
    scene = Scene(GRAY_FULL.replace("2t      2t      0f", ".       .       ."), columns=("gray:0q u2", "", "")).take(1)
    scene.place("gray:0q", "u2 gray")
    assert scene.city_is(
        """
        3       2c      0q      u2      .
        .       .       .       .       .
        .       .       .       .       .
        .       .       .       .       .
        """
    )


def test_ruling_2_the_player_places_and_discards_in_any_order() -> None:
    scene = Scene(columns=("gray:3 gray:2t gray:0q gray:2c", "", "")).take(1)
    assert scene.offers["discard"] == ["gray:3", "gray:2t", "gray:0q", "gray:2c"]
    scene.place("gray:0q").discard("gray:3").place("gray:2c").discard("gray:2t")
    assert scene.kind == "confirm"
    assert scene.city_is("0q 2c . . .\n. . . . .\n. . . . .\n. . . . .")
    assert scene.discarded() == ["gray:3", "gray:2t"]


def test_ruling_3_a_column_can_be_taken_only_to_be_discarded() -> None:
    scene = Scene(columns=("gray:3 green:3", "", "")).take(1).discard("green:3", "gray:3").confirm()
    assert (scene.contracts(), scene.awaited) == ("1 0", "b")
    assert scene.city_is("")


def test_ruling_4_the_token_of_a_discarded_foundation_never_comes_back() -> None:
    scene = Scene(columns=("gray:0f", "", ""), tokens=4).take(1).discard("gray:0f").confirm()
    assert scene.state.tokens == 4


def test_a_card_whose_row_is_full_can_only_be_discarded() -> None:
    scene = Scene(GRAY_FULL, columns=("gray:2c u2", "", ""), completed={"gray": "y"}).take(1)
    assert scene.offers["place"] == {"u2": ["blue", "orange", "yellow", "green"]}
    assert scene.offers["discard"] == ["gray:2c", "u2"]
    assert scene.refuses(Place((scene.held("gray:2c"), 1)))
    assert scene.refuses(Place((scene.held("u2"), 1)))


def test_cards_that_fit_nowhere_any_more_are_discarded_by_themselves() -> None:
    scene = Scene(GRAY_FULL, columns=("gray:2c green:3 gray:2c", "", ""), completed={"gray": "y"}).take(1)
    assert scene.hand == ["gray:2c", "green:3", "gray:2c"]
    scene.place("green:3")
    assert (scene.kind, scene.discarded()) == ("confirm", ["gray:2c", "gray:2c"])
    scene = Scene(GRAY_FULL, columns=("gray:2c", "", ""), completed={"gray": "y"}).take(1)
    assert (scene.kind, scene.discarded(), scene.may_undo) == ("confirm", ["gray:2c"], True)


def test_ruling_19_a_universal_card_may_go_to_any_row_that_has_space() -> None:
    scene = Scene(columns=("u2", "", "")).take(1)
    assert scene.offers["place"] == {"u2": ["blue", "gray", "orange", "yellow", "green"]}


def test_a_card_of_a_district_goes_nowhere_else() -> None:
    scene = Scene(columns=("gray:3", "", "")).take(1)
    assert all(scene.refuses(Place((scene.held("gray:3"), row))) for row in (-1, 0, 2, 3, 4, 5))


def test_only_cards_that_were_taken_can_be_placed_or_discarded() -> None:
    scene = Scene(columns=("gray:3", "gray:2c", "")).take(1)
    other = scene.state.columns[1][0]
    assert scene.refuses(Place((other, 1)))
    assert scene.refuses(Discard(other))
    assert all(scene.refuses(command) for command in (Confirm(), Finalize(1), Lay(0)))


def test_the_turn_ends_when_it_is_confirmed() -> None:
    scene = Scene(columns=("gray:3", "", "")).take(1).place("gray:3")
    assert (scene.kind, scene.awaited, scene.events(TurnEnded)) == ("confirm", "y", [])
    scene.confirm()
    assert (scene.kind, scene.awaited, scene.events(TurnEnded)) == ("turn", "b", [TurnEnded(0)])
    assert (scene.state.hand, scene.state.taken, scene.state.column) == ((), (), None)


def test_an_absent_seat_places_what_can_be_placed_and_confirms() -> None:
    scene = Scene(GRAY_FULL, columns=("gray:2c u2 green:3", "", ""), completed={"gray": "y"}).take(1)
    while scene.kind != "turn":
        scene.do(scene.prompt.fallback)
    assert [event.space for event in scene.events(CardPlaced)] == [0, 20]
    assert [event.card for event in scene.events(CardDiscarded)] == list(scene.state.discarded)
    assert scene.discarded() == ["gray:2c"]


# -- a full city ------------------------------------------------------------------------------------------------

NEARLY_FULL = """
    3       3       2c      2c      1s
    3       2c      2c      0q      0q
    3       2c      2c      0q      0q
    3       3       2c      2c      0q
    3       3       3       3       .
"""
ALL_DONE = dict.fromkeys(("blue", "gray", "orange", "yellow"), "b")


def test_ruling_23_a_full_city_ends_the_game_when_the_turn_is_confirmed() -> None:
    scene = Scene(NEARLY_FULL, columns=("green:2c u2 gray:2c", "", ""), completed=ALL_DONE).take(1).place("green:2c")
    assert (scene.kind, scene.hand) == ("confirm", [])
    assert scene.discarded() == ["u2", "gray:2c"]
    assert scene.play.decision is not None
    scene.confirm()
    assert scene.events(GameEnded) == [GameEnded("full", 0)]
    assert scene.outcome.reason == "full"


def test_a_city_with_one_space_left_is_not_full() -> None:
    scene = Scene(NEARLY_FULL, columns=("green:2c", "", ""), completed=ALL_DONE).take(1).discard("green:2c").confirm()
    assert scene.awaited == "b"


def test_what_fills_a_city_still_completes_its_row() -> None:
    scene = Scene(NEARLY_FULL, columns=("green:2c", "", ""), completed=ALL_DONE).take(1).place("green:2c").confirm()
    assert scene.state.completed[4] == 0
