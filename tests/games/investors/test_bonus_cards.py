"""Bonus cards, and the twelfth action card on 1918."""

from __future__ import annotations

from server.games.investors.events import ActionDrawn, ActionLaid, DistrictRebuilt, GameEnded, RoundEnded
from tests.games.investors.cities import VILLA_NEARLY_DONE
from tests.games.investors.scenes import Scene

TWO_VILLAS_NEARLY_DONE = """
    +-y-+-y-+
    y V 1 V y
    +---+---+
"""


def test_vector_bonus_a_villa_with_the_card_open_scores_seven() -> None:
    scene = Scene(VILLA_NEARLY_DONE, years=("bonus_villa",)).investing("y", "villa")
    scene.place("y", "1")
    assert scene.prestige("y") == 7
    assert scene.state.open_bonuses == ()


def test_a_bonus_card_for_one_kind_does_nothing_for_another() -> None:
    scene = Scene(VILLA_NEARLY_DONE, years=("bonus_residential",)).investing("y", "villa")
    scene.place("y", "1")
    assert scene.prestige("y") == 4
    assert scene.state.open_bonuses == ("residential",)


def test_ruling_45_two_villas_at_once_for_one_seat_earn_one_bonus() -> None:
    scene = Scene(TWO_VILLAS_NEARLY_DONE, years=("bonus_villa",)).investing("y", "villa")
    scene.place("y", "1")
    assert [event.bonus for event in scene.new_events(DistrictRebuilt)] == [3, 0]
    assert scene.prestige("y") == 4 + 4 + 3


def test_ruling_45_of_two_villas_at_once_the_bonus_goes_to_the_acting_seat() -> None:
    scene = Scene(
        """
        +-b-+-r-+
        b V 1 V r
        +-g-+-b-+
        """,
        years=("bonus_villa",),
    ).investing("r", "villa")
    scene.place("r", "1")
    assert scene.rebuilders == "rb"
    assert (scene.prestige("r"), scene.prestige("b")) == (7, 4)


def test_ruling_45_if_the_acting_seat_gets_neither_the_bonus_goes_clockwise_from_it() -> None:
    scene = Scene(
        """
        +-b-+-g-+
        b V 1 V g
        +-y-+-y-+
        """,
        years=("bonus_villa",),
    ).investing("r", "villa")
    scene.place("r", "1")
    assert scene.rebuilders == "gb"
    assert (scene.prestige("g"), scene.prestige("b")) == (7, 4)


def test_ruling_46_the_rebuilding_that_caused_the_bonus_card_does_not_count() -> None:
    scene = Scene(
        """
        +-y-+---+-y-+
        y V 1   2 V y
        +---+---+---+
        """,
        actions=("bonus_villa",),
        tenders=("office/cheques/1", "villa/cheques/1"),
    ).investing("y", "villa")
    scene.place("y", "1")
    assert (scene.prestige("y"), scene.state.open_bonuses) == (4, ("villa",))
    assert scene.new_events(ActionLaid) == [ActionLaid("bonus_villa", 1907)]
    scene.accept()
    scene.bids("b- r- g- y10")
    scene.place("y", "2")
    assert scene.prestige("y") == 4 + 7


# -- 1918 ----------------------------------------------------------------------------------------------------


def test_ruling_47_a_bonus_card_on_1918_ends_the_game_without_a_bonus() -> None:
    scene = Scene(VILLA_NEARLY_DONE, years=11, actions=("bonus_villa",)).investing("y", "villa")
    scene.place("y", "1")
    assert scene.new_events(ActionLaid) == [ActionLaid("bonus_villa", 1918)]
    assert (scene.outcome.reason, scene.outcome.scores[0]) == ("years", 4)


EARLIER_BONUS = ("bonus_villa", *("subsidy", "removal_subsidy") * 3, *(f"{e}/cheques" for e in ("two", "move", "swap")))


def test_ruling_48_an_earlier_bonus_is_paid_when_the_twelfth_card_rebuilds() -> None:
    scene = Scene(VILLA_NEARLY_DONE, years=(*EARLIER_BONUS, "free/cheques")).acting("y", "free/influence")
    scene.place("y", "1")
    assert scene.outcome.scores[0] == 7
    assert scene.outcome.breakdown[0] == {"villa": 4, "bonus": 3}


def test_ruling_49_what_the_twelfth_card_rebuilds_scores_and_no_thirteenth_is_drawn() -> None:
    scene = Scene(VILLA_NEARLY_DONE, years=11).acting("y", "free/influence")
    scene.place("y", "1")
    assert scene.prestige("y") == 4
    assert scene.new_events(ActionDrawn) == []
    assert scene.new_events(GameEnded) == [GameEnded("years")]


def test_ruling_50_the_twelfth_card_ends_the_game_at_once_and_the_round_is_not_finished() -> None:
    scene = Scene(
        """
        +-y-+---+-y-+
        y V 1   2 V y
        +---+---+---+
        """,
        years=10,
        actions=("free/influence", "swap/influence"),
    ).acting("y", "free/influence")
    scene.place("y", "1")
    scene.influence(**dict.fromkeys("ybrg"))
    assert [event.year for event in scene.new_events(ActionLaid)] == [1917, 1918]
    assert scene.new_events(RoundEnded) == []
    assert scene.state.tender is not None
    assert scene.play.decision is None


def test_the_game_goes_on_after_the_eleventh_card() -> None:
    scene = Scene(VILLA_NEARLY_DONE, years=10).acting("b", "free/influence")
    scene.place("b", "1")
    assert scene.new_events(ActionLaid)[-1].year == 1917
    assert scene.kind == "consider_tender"
