"""Open auctions by cheques. Seats speak in the order y b r g."""

from __future__ import annotations

import pytest

from server.games.investors.commands import PassBid, RaiseBid
from server.games.investors.components import CHEQUES
from server.games.investors.events import AuctionWon, RoundEnded, TenderClosed
from tests.games.investors.scenes import Scene


def auction(**position: object) -> Scene:
    scene = Scene(tenders=("residential/cheques/1",), **position)
    scene.accept()
    return scene


def test_vector_cheques_80_wins_and_only_the_winner_pays() -> None:
    """The rulebook's red, blue, yellow and green sit in this order; here they are y, b, r and g."""
    scene = auction()
    scene.bids("y20 b30 r50 g- y40 b- r30 y-")
    assert scene.new_events(AuctionWon) == [AuctionWon(2, (50, 30))]
    assert scene.investors == "r"
    assert scene.paid("r") == (30, 50)
    assert all(scene.hand(seat) == CHEQUES for seat in "ybg")
    assert sorted(scene.state.bank) == [30, 50]


def test_a_bid_is_only_added_to() -> None:
    scene = auction()
    scene.bids("y20 b30 r- g-")
    assert scene.refused("y", RaiseBid((10,)))
    scene.bids("y10+10 b-")
    assert scene.paid("y") == (10, 10, 20)


def test_a_cheque_that_lies_in_the_bid_cannot_be_bid_again() -> None:
    scene = auction()
    scene.bids("y100 b90+20 r- g-")
    assert scene.refused("y", RaiseBid((100,)))


def test_passing_takes_the_bid_back_and_is_final() -> None:
    scene = auction()
    scene.bids("y20 b30 r- g- y-")
    assert scene.new_events(AuctionWon) == [AuctionWon(1, (30,))]
    assert scene.hand("y") == CHEQUES


def test_who_has_passed_is_not_asked_again() -> None:
    scene = auction()
    scene.bids("y- b10 r20 g-")
    assert scene.awaited == "b"
    scene.bids("b20")
    assert scene.awaited == "r"


def test_ruling_13_the_start_player_may_pass_at_once() -> None:
    scene = auction()
    scene.bids("y- b10 r- g-")
    assert scene.investors == "b"


def test_ruling_14_if_all_pass_nobody_invests_and_the_round_ends() -> None:
    scene = auction()
    scene.bids("y- b- r- g-")
    assert scene.new_events(TenderClosed) == [TenderClosed(())]
    assert scene.new_events(RoundEnded) == [RoundEnded(1)]
    assert scene.state.bank == ()


def test_ruling_15_the_last_seat_is_asked_after_all_others_have_passed() -> None:
    scene = auction()
    scene.bids("y- b- r-")
    assert (scene.awaited, scene.offers("g", PassBid)) == ("g", True)
    scene.bids("g10")
    assert scene.investors == "g"
    assert scene.paid("g") == (10,)


def test_ruling_15_a_first_bid_does_not_win_before_the_others_had_their_turn() -> None:
    scene = auction()
    scene.bids("y10 b- r-")
    assert scene.awaited == "g"


def test_ruling_16_the_standing_bid_is_to_be_beaten_though_the_neighbour_passed() -> None:
    scene = auction()
    scene.bids("y50 b60 r-")
    assert scene.refused("g", RaiseBid((60,)))
    assert not scene.refused("g", RaiseBid((70,)))


@pytest.mark.parametrize("raise_by, enough", [((30,), False), ((20, 10), False), ((40,), True), ((100,), True)])
def test_ruling_17_any_higher_total_is_enough_and_an_equal_one_is_not(raise_by: tuple[int, ...], enough: bool) -> None:
    scene = auction()
    scene.bids("y30")
    assert scene.refused("b", RaiseBid(raise_by)) is not enough


def test_ruling_18_without_cheques_one_must_pass() -> None:
    scene = auction(hands={"y": ()})
    assert not scene.offers("y", RaiseBid)
    scene.bids("y- b10 r- g-")
    assert scene.investors == "b"


def test_ruling_18_with_too_few_cheques_to_beat_the_bid_one_must_pass() -> None:
    scene = auction(hands={"b": (10, 20)})
    scene.bids("y30")
    assert not scene.offers("b", RaiseBid)


def test_ruling_19_the_auction_of_an_action_card_begins_with_the_start_player() -> None:
    scene = Scene(start="r").seeking("free/cheques")
    assert scene.awaited == "r"
    scene.bids("r10 g-")
    assert scene.awaited == "y"
    scene.bids("y- b-")
    assert (scene.kind, scene.awaited) == ("use_action", "r")


def test_change_is_never_given() -> None:
    scene = auction(hands={"b": (100,)})
    scene.bids("y10 b100 r- g- y-")
    assert scene.hand("b") == ()
    assert sorted(scene.state.bank) == sorted((*CHEQUES,))
