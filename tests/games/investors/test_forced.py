"""For whom the server answers: where one answer is possible, and everybody knows that (RULES 6.3)."""

from __future__ import annotations

import pytest

from server.games.investors.commands import AcceptOffer, ClaimSubsidy
from tests.games.investors.cities import NEARLY_FULL
from tests.games.investors.scenes import Scene, letters
from tests.games.investors.test_bargaining import bargaining, offer
from tests.games.investors.test_cheque_tender import auction
from tests.games.investors.test_influence_tender import opened
from tests.games.investors.test_option_tender import choosing
from tests.games.investors.test_setup import NO_ROOM_FOR_A_PARK
from tests.games.investors.test_subsidies import THREE_STICKS, removal

ONE_SPACE = NO_ROOM_FOR_A_PARK.replace("?", "L", 2)


def forced(scene: Scene) -> str:
    """Return the letters of the seats for which the server would answer."""
    assert scene.play.decision is not None
    return letters(sorted(scene.play.decision.forced))


def test_without_influence_only_nought_can_be_played_but_one_may_abstain_from_an_action_card() -> None:
    assert forced(opened(influence={"b": 0, "r": 1})) == "b"
    assert forced(Scene(influence={"b": 0}).seeking("free/influence")) == ""


@pytest.mark.parametrize(
    "hand, seats",
    [
        ((), "b"),
        ((10,), "b"),  # a cheque of 100 would not be enough either
        ((10, 10), ""),  # too little, but only blue knows that
        ((100, 90), ""),
    ],
)
def test_in_an_auction_one_is_asked_unless_everybody_knows_that_the_cheques_are_not_enough(
    hand: tuple[int, ...], seats: str
) -> None:
    scene = auction(hands={"b": hand})
    scene.bids("y100")
    assert forced(scene) == seats


def test_sealed_bids_are_asked_of_those_who_have_cheques_and_payments_of_those_who_have_two() -> None:
    scene = choosing(hands={"y": (), "r": (50,), "g": (20, 20)})
    scene.options(y="m", b="m", r="f", g="v")
    assert forced(scene) == "yr"


def test_nobody_is_asked_to_choose_the_only_tile() -> None:
    assert forced(choosing(NEARLY_FULL, seats=5)) == "ybrgv"
    assert forced(choosing()) == ""


def test_nobody_offers_anything_where_all_on_the_tile_are_without_cheques() -> None:
    assert forced(bargaining(hands={"y": (), "b": ()})) == "y"
    assert forced(bargaining(hands={"y": ()})) == ""


@pytest.mark.parametrize(
    "hand, amount, draws, seats",
    [
        ((10, 40), 0, 2, "y"),
        ((40,), 30, 0, "y"),
        ((10, 40), 30, 0, ""),  # only yellow knows that the 10 is not enough
    ],
)
def test_who_has_one_way_to_pay_what_was_proposed_is_not_asked(
    hand: tuple[int, ...], amount: int, draws: int, seats: str
) -> None:
    scene = bargaining(hands={"y": hand})
    scene.do("y", offer("y", (amount,), (draws,)))
    scene.do("b", AcceptOffer())
    assert (scene.awaited, forced(scene)) == ("y", seats)


def test_who_has_no_stick_has_nothing_to_remove() -> None:
    scene = removal(THREE_STICKS)
    for seat in "ybr":
        assert forced(scene) == ""
        scene.do(seat, ClaimSubsidy("influence", ()))
    assert forced(scene) == "g"


def test_the_last_space_is_filled_without_asking() -> None:
    scene = Scene(ONE_SPACE, bag=("villa",))
    assert (scene.kind, forced(scene)) == ("lay_tile", "y")
