"""Drawing tender cards: the deck, the rejection, what a card opens and how many rights it gives."""

from __future__ import annotations

import pytest

from server.games.investors import city
from server.games.investors.commands import RejectTender
from server.games.investors.events import (
    RightLapsed,
    RoundEnded,
    TenderDrawn,
    TenderOpened,
    TenderShuffled,
    TenderVoided,
)
from tests.games.investors.cities import FULL_VILLAS, NEARLY_FULL
from tests.games.investors.scenes import Scene

ALL_PASS = "y- b- r- g-"


def drawn_cards(scene: Scene) -> list[tuple[str, bool]]:
    return [(event.card, event.binding) for event in scene.new_events(TenderDrawn)]


def test_a_rejected_card_is_replaced_by_one_that_binds() -> None:
    scene = Scene(tenders=("villa/cheques/1", "office/cheques/1"))
    scene.reject()
    assert drawn_cards(scene) == [("office/cheques/1", True)]
    assert scene.state.tender_discard == ("villa/cheques/1",)
    assert scene.kind == "cheque_tender"


def test_only_the_start_player_may_reject() -> None:
    scene = Scene(start="r")
    assert scene.awaited == "r"
    assert scene.refused("y", RejectTender())


def test_a_round_ends_with_the_discard_and_the_next_seat_starts() -> None:
    scene = Scene(tenders=("villa/cheques/1", "office/cheques/1"), start="g")
    scene.accept()
    scene.bids("g- y- b- r-")
    assert scene.new_events(RoundEnded) == [RoundEnded(next_seat=0)]
    assert scene.state.tender_discard == ("villa/cheques/1",)
    assert scene.awaited == "y"


def test_ruling_2_an_empty_deck_is_made_anew_from_the_discards() -> None:
    scene = Scene(tender_deck=("villa/cheques/1", "office/cheques/1"))
    scene.reject()
    scene.bids(ALL_PASS)
    (shuffled,) = scene.new_events(TenderShuffled)
    assert sorted(shuffled.deck) == ["office/cheques/1", "villa/cheques/1"]
    assert shuffled.left_out is None
    assert scene.kind == "consider_tender"


def test_ruling_2_a_rejected_last_card_stays_out_of_the_new_deck() -> None:
    scene = Scene(tender_deck=("villa/cheques/1", "office/cheques/1"))
    scene.accept()
    scene.bids(ALL_PASS)
    scene.reject()
    assert scene.new_events(TenderShuffled) == [TenderShuffled(("villa/cheques/1",), "office/cheques/1")]
    assert scene.state.tender == "villa/cheques/1"
    assert scene.state.tender_discard == ("office/cheques/1",)


def test_ruling_3_a_card_that_opens_no_street_is_discarded_and_the_rejection_is_kept() -> None:
    scene = Scene(FULL_VILLAS, tenders=("office/cheques/1", "villa/influence/3", "market/cheques/1"))
    scene.accept()
    scene.bids(ALL_PASS)
    assert scene.new_events(TenderVoided) == [TenderVoided("villa/influence/3")]
    assert drawn_cards(scene)[-1] == ("market/cheques/1", False)
    assert (scene.kind, scene.offers("b", RejectTender)) == ("consider_tender", True)


def test_ruling_3_a_binding_card_that_opens_no_street_is_replaced_by_another_binding_one() -> None:
    scene = Scene(FULL_VILLAS, tenders=("office/cheques/1", "villa/influence/3", "market/cheques/1"))
    scene.reject()
    assert drawn_cards(scene) == [("villa/influence/3", True), ("market/cheques/1", True)]
    assert scene.kind == "cheque_tender"


@pytest.mark.parametrize("seats, rights", [(3, 3), (4, 4), (5, 5)])
def test_ruling_4_there_are_no_more_rights_than_seats(seats: int, rights: int) -> None:
    scene = Scene(tenders=("edge/influence/5",), seats=seats)
    scene.accept()
    assert scene.new_events(TenderOpened) == [TenderOpened("influence", rights)]


def test_ruling_4_there_are_no_more_rights_than_free_streets_and_the_third_pays_nothing() -> None:
    scene = Scene(
        """
        +-y-+-b-+-r-+-g-+-y-+
        y v y v b v r v g v 1
        +-y-+-b-+-r-+-g-+-2-+
        """,
        tenders=("villa/influence/3",),
    )
    scene.accept()
    scene.influence(y=9, b=8, r=7, g=6)
    assert scene.investors == "yb"
    assert [scene.left(seat) for seat in "ybrg"] == [21, 22, 30, 30]


EDGE_VILLA = """
    +-1-+
    2 V 3
    +-4-+
"""


@pytest.mark.parametrize("may_use_edge, names", [(True, "1234"), (False, "234")])
def test_ruling_5_whether_a_tender_for_a_kind_opens_the_edge_is_an_option(may_use_edge: bool, names: str) -> None:
    scene = Scene(EDGE_VILLA, at=(0, 2), kind_tender_may_use_edge=may_use_edge).investing("y", "villa")
    assert scene.open_streets("y") & scene.streets("1234") == scene.streets(names)


def test_ruling_5_without_the_edge_options_keep_off_it_too_but_edge_tenders_do_not() -> None:
    scene = Scene(EDGE_VILLA, at=(0, 2), kind_tender_may_use_edge=False).investing("yb", "villa_residential")
    assert scene.open_streets("y").isdisjoint(city.EDGE_STREETS)
    scene = Scene(EDGE_VILLA, at=(0, 2), kind_tender_may_use_edge=False).investing("y", "edge")
    assert scene.street("1") in scene.open_streets("y")


def test_ruling_6_an_edge_tender_opens_every_free_edge_street_the_bank_included() -> None:
    scene = Scene(
        """
        +---+---+
        | B | V |
        +-1-+-y-+
        """,
        at=(4, 3),
    ).investing("y", "edge")
    around_parks = {street for street in city.EDGE_STREETS if scene.state.sticks[street] == city.WHITE}
    (taken,) = scene.state.sticks_of(0)
    assert around_parks
    assert scene.open_streets("y") == set(city.EDGE_STREETS) - around_parks - {taken}
    assert scene.street("1") in scene.open_streets("y")


def test_a_kind_opens_the_streets_of_ruined_and_rebuilt_districts_alike() -> None:
    scene = Scene(
        """
        +-y-+-1-+
        y v y V 2
        +-3-+-4-+
        """
    ).investing("b", "villa")
    assert scene.streets("1234") <= scene.open_streets("b")


def test_a_kind_opens_exactly_the_free_streets_of_its_districts() -> None:
    scene = Scene().investing("b", "factory")
    expected = {
        street
        for district, kind in enumerate(scene.state.layout)
        if kind == "factory"
        for street in city.STREETS_OF[district]
        if scene.state.sticks[street] == city.FREE
    }
    assert scene.open_streets("b") == expected


def test_a_right_for_which_no_street_is_left_lapses_when_its_turn_comes() -> None:
    scene = Scene(NEARLY_FULL, seats=5).investing("vg", "residential")
    scene.place("v", "1")
    assert scene.new_events(RightLapsed) == [RightLapsed(3)]
    assert scene.stick("1") == "v"
