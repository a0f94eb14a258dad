"""The ends of a game, and its winners."""

from __future__ import annotations

import pytest

from server.games.investors.commands import ClaimSubsidy, PlaceStick, SwapSticks
from server.games.investors.events import GameEnded
from tests.games.investors.cities import NEARLY_FULL
from tests.games.investors.scenes import Scene

TWO_VILLAS_EACH_THREE_STICKS = """
    +-y-+---+-b-+
    y v y   b v b
    +---+---+---+
"""
ONE_MORE_BLUE_STICK = """
    +-y-+---+-b-+
    y v y   b v b
    +---+-b-+---+
"""


def ended(drawing: str, **position: object) -> Scene:
    """End a game by a twelfth action card that nobody wants."""
    scene = Scene(drawing, years=11, **position).seeking("two/influence")
    scene.influence(**dict.fromkeys("ybrg"))
    return scene


def test_ruling_62_a_tie_goes_to_more_sticks_on_the_board() -> None:
    outcome = ended(ONE_MORE_BLUE_STICK).outcome
    assert outcome.scores == (4, 4, 0, 0)
    assert (outcome.winners, outcome.places) == ((1,), (2, 1, 3, 3))
    assert outcome.tie_break == "sticks_on_board"


def test_ruling_62_sticks_decide_nothing_between_different_scores() -> None:
    outcome = ended(
        """
        +-y-+---+-b-+
        y v y   b m b
        +-y-+-y-+---+
        """
    ).outcome
    assert outcome.scores == (4, 5, 0, 0)
    assert outcome.winners == (1,)


def test_ruling_63_a_win_is_shared_when_sticks_are_equal_too() -> None:
    outcome = ended(TWO_VILLAS_EACH_THREE_STICKS).outcome
    assert outcome.winners == (0, 1)
    assert outcome.places == (1, 1, 3, 3)


def test_ruling_64_money_and_influence_left_over_are_worth_nothing() -> None:
    outcome = ended(TWO_VILLAS_EACH_THREE_STICKS, hands={"y": ()}, influence={"y": 0, "b": 40}).outcome
    assert outcome.winners == (0, 1)
    assert outcome.scores == (4, 4, 0, 0)


def test_the_breakdown_says_where_prestige_came_from() -> None:
    outcome = ended(TWO_VILLAS_EACH_THREE_STICKS).outcome
    assert outcome.breakdown == ({"villa": 4}, {"villa": 4}, {}, {})


@pytest.mark.parametrize("before, reason", [(35, "stalled"), (34, None)])
def test_ruling_65_the_36th_tender_in_a_row_without_a_stick_ends_the_game(before: int, reason: str | None) -> None:
    scene = Scene(tenders=("villa/cheques/1",), tenders_without_a_stick=before)
    scene.accept()
    scene.bids("y- b- r- g-")
    assert [event.reason for event in scene.new_events(GameEnded)] == ([reason] if reason else [])
    assert (scene.play.decision is None) is bool(reason)


def test_ruling_65_a_placed_stick_begins_the_count_anew() -> None:
    scene = Scene(tenders=("villa/cheques/1",), tenders_without_a_stick=35)
    scene.accept()
    scene.bids("y10 b- r- g-")
    scene.do("y", PlaceStick(min(scene.open_streets("y"))))
    assert scene.kind == "consider_tender"
    assert scene.state.tenders_without_a_stick == 0


def test_ruling_65_a_waived_right_is_a_tender_without_a_stick() -> None:
    scene = Scene(tenders=("villa/cheques/1",), tenders_without_a_stick=35)
    scene.accept()
    scene.bids("y10 b- r- g-")
    scene.waive("y")
    assert scene.outcome.reason == "stalled"


def test_ruling_65_the_game_ends_when_no_street_is_free() -> None:
    scene = Scene(NEARLY_FULL, seats=5).investing("vg", "edge")
    scene.place("v", "1")
    assert scene.new_events(GameEnded) == []
    scene.place("g", "2")
    assert scene.outcome.reason == "full"
    assert scene.outcome.scores == (0, 0, 0, 0, 0)


def test_ruling_65_the_game_ends_when_no_card_could_open_the_streets_that_are_left() -> None:
    """The bank's street at the edge is free, and the deck has no edge card."""
    scene = Scene(NEARLY_FULL, seats=5, tender_deck=("residential/cheques/1", "villa/cheques/1"))
    scene.investing("v", "residential").place("v", "1")
    assert scene.outcome.reason == "full"


NOTHING = dict.fromkeys("ybrg", 0)
NO_CHEQUES: dict[str, tuple[int, ...]] = dict.fromkeys("ybrg", ())
A_VILLA = """
    +-1-+
    | v |
    +---+
"""


def spending_the_last(drawing: str = A_VILLA, **position: object) -> Scene:
    """Let yellow win a right at a villa with the last influence of all; nobody has a cheque."""
    given = {"influence": NOTHING | {"y": 3}, "hands": NO_CHEQUES} | position
    scene = Scene(drawing, tenders=("villa/influence/2",), **given)
    scene.accept()
    scene.influence(y=3, b=0, r=0, g=0)
    return scene


def test_the_game_ends_when_nobody_can_win_a_right_any_more() -> None:
    """RULES 11.4: the right that was won is used first. The bank is full, but nothing leads to its cheques."""
    scene = spending_the_last()
    assert scene.new_events(GameEnded) == []
    scene.place("y", "1")
    assert scene.new_events(GameEnded) == [GameEnded("spent")]
    assert (scene.outcome.reason, len(scene.state.bank)) == ("spent", 48)


@pytest.mark.parametrize("left", [{"influence": NOTHING | {"y": 3, "g": 1}}, {"hands": NO_CHEQUES | {"g": (10,)}}])
def test_a_point_of_influence_or_a_cheque_of_anybody_keeps_the_game_going(left: dict[str, object]) -> None:
    scene = spending_the_last(**left)
    scene.place("y", "1")
    assert scene.kind == "consider_tender"


def test_the_game_goes_on_when_the_last_right_rebuilds_and_brings_a_subsidy() -> None:
    scene = spending_the_last(
        """
        +-1-+
        y V y
        +---+
        """,
        actions=("subsidy",),
    )
    scene.place("y", "1")
    for seat in "ybrg":
        scene.do(seat, ClaimSubsidy("influence"))
    assert scene.kind == "consider_tender"
    assert scene.state.influence == [4] * 4


def test_the_game_ends_when_no_card_asks_for_what_is_left() -> None:
    """RULES 11.4: blue has a cheque, but all cards go by influence."""
    scene = spending_the_last(tender_deck=("villa/influence/2", "edge/influence/3"), hands=NO_CHEQUES | {"b": (10,)})
    scene.place("y", "1")
    assert scene.outcome.reason == "spent"


def test_a_game_that_began_before_there_was_this_rule_goes_on_to_36_tenders() -> None:
    scene = spending_the_last(ends_when_spent=False)
    scene.place("y", "1")
    assert scene.kind == "consider_tender"


def test_nothing_can_be_done_after_the_end() -> None:
    scene = ended(TWO_VILLAS_EACH_THREE_STICKS)
    assert scene.play.awaited == ()
    assert scene.refused("y", SwapSticks((0, 1)))
    assert not scene.may_undo("y")
