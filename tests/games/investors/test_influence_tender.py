"""Tenders by influence cards."""

from __future__ import annotations

from server.games.investors.commands import Abstain, PlayInfluence
from server.games.investors.events import ActionLaid, InfluenceRevealed, TenderClosed
from tests.games.investors.scenes import Scene


def opened(card: str = "villa/influence/3", **position: object) -> Scene:
    scene = Scene(tenders=(card,), **position)
    scene.accept()
    return scene


def test_vector_influence_1_equal_fives_drop_out_and_the_third_right_lapses() -> None:
    scene = opened()
    scene.influence(y=7, b=5, r=5, g=4)
    assert scene.investors == "yg"
    assert [scene.left(seat) for seat in "ybrg"] == [23, 30, 30, 26]


def test_vector_influence_2_a_four_wins_before_a_nought() -> None:
    scene = opened("villa/influence/2")
    scene.influence(y=6, b=6, r=4, g=0)
    assert scene.investors == "rg"
    assert [scene.left(seat) for seat in "ybrg"] == [30, 30, 26, 30]


def test_vector_influence_3_all_four_invest_at_the_edge_and_the_fifth_right_is_unused() -> None:
    scene = opened("edge/influence/5")
    scene.influence(g=1, y=8, r=3, b=5)
    assert scene.investors == "ybrg"


def test_influence_cards_are_sealed_until_all_are_in() -> None:
    scene = opened()
    scene.influence(g=1, r=3)
    assert scene.new_events(InfluenceRevealed) == []
    scene.influence(g=2, y=8, b=5)
    assert scene.new_events(InfluenceRevealed)[0].cards == (8, 5, 3, 2)


def test_ruling_8_everybody_must_play_a_card_in_a_tender() -> None:
    scene = opened()
    assert scene.awaited == "ybrg"
    assert all(scene.refused(seat, Abstain()) for seat in "ybrg")


def test_ruling_9_without_influence_one_must_play_nought_and_it_may_win_for_nothing() -> None:
    scene = opened(influence={"y": 0})
    assert scene.open_streets("y", PlayInfluence, "card") == {0}
    scene.influence(y=0, b=1, r=1, g=1)
    assert scene.investors == "y"
    assert scene.left("y") == 0


def test_ruling_9_two_noughts_tie() -> None:
    scene = opened(influence={"y": 0, "b": 0})
    scene.influence(y=0, b=0, r=2, g=1)
    assert scene.investors == "rg"


def test_ruling_9_a_card_may_be_as_high_as_the_influence_and_no_higher() -> None:
    scene = opened(influence={"y": 4})
    assert scene.open_streets("y", PlayInfluence, "card") == {0, 1, 2, 3, 4}


def test_ruling_10_tied_seats_use_up_no_right_and_pay_nothing() -> None:
    scene = opened("villa/influence/2")
    scene.influence(y=9, b=9, r=2, g=1)
    assert scene.investors == "rg"
    assert [scene.left(seat) for seat in "yb"] == [30, 30]


def test_ruling_10_if_nobody_is_alone_nobody_invests_and_all_rights_lapse() -> None:
    scene = opened()
    scene.influence(y=9, b=9, r=2, g=2)
    assert scene.new_events(TenderClosed) == [TenderClosed(())]
    assert scene.kind == "consider_tender"


def test_ruling_11_an_action_card_without_a_single_highest_card_is_laid_without_effect() -> None:
    scene = Scene().seeking("free/influence")
    scene.influence(y=3, b=3, r=0, g=0)
    assert scene.new_events(ActionLaid) == [ActionLaid("free/influence", 1907)]
    assert scene.kind == "consider_tender"
    assert [scene.left(seat) for seat in "ybrg"] == [30] * 4


def test_ruling_11_a_lower_single_card_wins_the_action_card() -> None:
    scene = Scene().seeking("free/influence")
    scene.influence(y=3, b=3, r=0, g=None)
    assert (scene.kind, scene.awaited) == ("use_action", "r")


def test_ruling_12_everybody_may_abstain_from_the_tender_of_an_action_card() -> None:
    scene = Scene().seeking("free/influence")
    scene.influence(y=None, b=None, r=None, g=None)
    assert scene.new_events(InfluenceRevealed) == [InfluenceRevealed((None,) * 4, ())]
    assert scene.new_events(ActionLaid) == [ActionLaid("free/influence", 1907)]


def test_ruling_12_a_single_card_wins_against_seats_that_abstain() -> None:
    scene = Scene().seeking("free/influence")
    scene.influence(y=None, b=2, r=None, g=None)
    assert scene.awaited == "b"
    assert scene.left("b") == 28


def test_ruling_12_everybody_may_pass_in_the_auction_of_an_action_card() -> None:
    scene = Scene().seeking("free/cheques")
    scene.bids("y- b- r- g-")
    assert scene.new_events(ActionLaid) == [ActionLaid("free/cheques", 1907)]
