"""Subsidies: influence for sure, or cheques by rng from the bank."""

from __future__ import annotations

import pytest

from server.games.investors.commands import ClaimSubsidy, DrawCheque, StopDrawing
from server.games.investors.events import ActionLaid, BankShuffled, ChequeDrawn, DistrictRebuilt, SubsidyPaid
from tests.games.investors.scenes import Scene


def claims(scene: Scene, told: str) -> None:
    """Let seats claim a subsidy: `y+ b$` is influence for yellow and cheques for blue."""
    for word in told.split():
        scene.do(word[0], ClaimSubsidy("influence" if word[1] == "+" else "cheques"))


def drawing(told: str, bank: tuple[int, ...], **position: object) -> Scene:
    """Set a subsidy that was claimed as told, with a bank whose cheques come in this order."""
    scene = Scene(bank=bank, **position).subsidy("subsidy")
    claims(scene, told)
    return scene


def test_a_subsidy_of_influence_is_four() -> None:
    scene = Scene(influence={"b": 0}).subsidy("subsidy")
    claims(scene, "y+ b+ r+ g+")
    assert [scene.left(seat) for seat in "ybrg"] == [34, 4, 34, 34]
    assert len(scene.new_events(ActionLaid)) == 1


def test_vector_subsidy_110_is_lost_and_100_and_80_are_kept() -> None:
    """Red draws 60 and 50, green 30 and 70, blue 80."""
    scene = drawing("y+ b$ r$ g$", bank=(80, 60, 30, 50, 70, 90))
    scene.draws("b r g b- r g g-")
    assert scene.new_events(SubsidyPaid) == [SubsidyPaid(((), (80,), (), (30, 70)))]


def test_ruling_51_all_choose_openly_from_the_start_player_before_any_cheque_is_drawn() -> None:
    scene = Scene(start="r", bank=(50, 60)).subsidy("subsidy")
    for seat in "rgyb":
        assert (scene.kind, scene.awaited) == ("claim_subsidy", seat)
        assert scene.new_events(BankShuffled) == []
        scene.do(seat, ClaimSubsidy("cheques"))
    assert (scene.kind, scene.awaited) == ("draw_cheques", "r")


def test_ruling_52_seats_that_chose_cheques_draw_one_each_in_turn_or_stop_for_good() -> None:
    scene = drawing("y$ b+ r$ g$", bank=(10, 20, 30, 40, 10, 10))
    scene.draws("y r g y r- g")
    assert [(event.seat, event.cheque) for event in scene.new_events(ChequeDrawn)] == [
        (0, 10),
        (2, 20),
        (3, 30),
        (0, 40),
        (3, 10),
    ]
    assert scene.awaited == "y"
    scene.draws("y-")
    assert scene.awaited == "g"


def test_ruling_52_the_bank_is_shuffled_before_the_draws() -> None:
    scene = drawing("y$ b+ r+ g+", bank=(10, 20, 30))
    assert scene.new_events(BankShuffled) == [BankShuffled((30, 20, 10))]


def test_ruling_53_exactly_the_maximum_is_kept() -> None:
    scene = drawing("y$ b+ r+ g+", bank=(60, 40, 90))
    scene.draws("y y")
    assert [event.bust for event in scene.new_events(ChequeDrawn)] == [False, False]
    assert scene.awaited == "y"
    scene.draws("y-")
    assert scene.new_events(SubsidyPaid) == [SubsidyPaid(((60, 40), (), (), ()))]


def test_ruling_54_beyond_the_maximum_all_drawn_cheques_are_lost() -> None:
    scene = drawing("y$ b+ r+ g+", bank=(60, 50, 90))
    before = scene.hand("y")
    scene.draws("y y")
    assert scene.hand("y") == before
    assert sorted(scene.state.bank) == [50, 60, 90]


def test_ruling_54_lost_cheques_return_only_after_everybody_has_finished() -> None:
    scene = drawing("y$ b$ r+ g+", bank=(60, 10, 50, 90))
    scene.draws("y b y")
    assert scene.state.bank == (90,)
    assert scene.awaited == "b"
    scene.draws("b-")
    assert sorted(scene.state.bank) == [50, 60, 90]


def test_ruling_55_when_the_bank_runs_out_all_who_are_not_out_keep_their_cheques() -> None:
    scene = drawing("y$ b$ r$ g+", bank=(60, 10, 20, 50))
    scene.draws("y b r y")
    assert scene.new_events(SubsidyPaid) == [SubsidyPaid(((), (10,), (20,), ()))]
    assert sorted(scene.state.bank) == [50, 60]
    assert scene.kind == "consider_tender"


def test_ruling_56_from_an_empty_bank_cheques_yield_nothing() -> None:
    scene = Scene().subsidy("subsidy")
    claims(scene, "y$ b+ r+ g+")
    assert scene.new_events(SubsidyPaid) == [SubsidyPaid(((),) * 4)]
    assert [scene.left(seat) for seat in "ybrg"] == [30, 34, 34, 34]
    assert scene.kind == "consider_tender"


def test_ruling_57_one_may_stop_without_drawing() -> None:
    scene = drawing("y$ b$ r+ g+", bank=(60, 10))
    scene.draws("y- b-")
    assert scene.new_events(ChequeDrawn) == []
    assert scene.new_events(SubsidyPaid) == [SubsidyPaid(((),) * 4)]


def test_who_took_influence_draws_nothing() -> None:
    scene = drawing("y+ b+ r$ g+", bank=(60, 10))
    assert scene.awaited == "r"
    assert scene.refused("y", DrawCheque())
    assert scene.refused("y", StopDrawing())


# -- removing sticks -----------------------------------------------------------------------------------------

THREE_STICKS = """
    +-Y-+-1-+
    | V B V |
    +---+-R-+
"""


def removal(drawing: str, **position: object) -> Scene:
    return Scene(drawing, **position).subsidy("removal_subsidy")


def three_yellow_sticks(**position: object) -> tuple[Scene, tuple[int, ...]]:
    scene = removal(
        """
        +-y-+-y-+-y-+
        | V | M | V |
        +---+---+---+
        """,
        **position,
    )
    return scene, scene.state.sticks_of(0)


def test_vector_removal_of_three_sticks_gives_six_influence() -> None:
    scene, sticks = three_yellow_sticks()
    scene.do("y", ClaimSubsidy("influence", sticks))
    assert (scene.left("y"), scene.supply("y"), scene.state.sticks_of(0)) == (36, 15, ())


def test_vector_removal_of_three_sticks_gives_cheques_up_to_150() -> None:
    scene, sticks = three_yellow_sticks(bank=(100, 50, 10))
    scene.do("y", ClaimSubsidy("cheques", sticks))
    for seat in "brg":
        scene.do(seat, ClaimSubsidy("influence", ()))
    scene.draws("y y y-")
    assert scene.new_events(SubsidyPaid) == [SubsidyPaid(((100, 50), (), (), ()))]


def test_ruling_58_each_announces_sticks_and_mode_in_turn_before_any_draw() -> None:
    scene = removal(THREE_STICKS, start="b", bank=(10, 20, 30, 40))
    scene.do("b", ClaimSubsidy("cheques", (scene.street("B"),)))
    assert (scene.awaited, scene.stick("B")) == ("r", "-")
    scene.do("r", ClaimSubsidy("cheques", (scene.street("R"),)))
    scene.do("g", ClaimSubsidy("influence", ()))
    assert scene.new_events(BankShuffled) == []
    scene.do("y", ClaimSubsidy("influence", ()))
    assert (scene.kind, scene.awaited) == ("draw_cheques", "b")


def test_ruling_58_who_removes_nothing_gets_nothing_and_draws_nothing() -> None:
    scene = removal(THREE_STICKS, bank=(10, 20))
    scene.do("y", ClaimSubsidy("cheques", ()))
    for seat in "brg":
        scene.do(seat, ClaimSubsidy("influence", ()))
    assert scene.new_events(BankShuffled) == []
    assert scene.kind == "consider_tender"
    assert [scene.left(seat) for seat in "ybrg"] == [30] * 4


def test_ruling_59_sticks_at_rebuilt_districts_may_be_removed_and_the_points_stay() -> None:
    scene = removal(
        """
        +-y-+
        y v y
        +---+
        """
    )
    scene.do("y", ClaimSubsidy("influence", scene.state.sticks_of(0)))
    assert (scene.prestige("y"), scene.left("y")) == (4, 36)
    assert scene.shows(
        """
        +---+
        | v |
        +---+
        """
    )


def test_ruling_60_one_mode_counts_for_all_removed_sticks() -> None:
    scene, sticks = three_yellow_sticks()
    scene.do("y", ClaimSubsidy("cheques", sticks))
    assert (scene.left("y"), scene.state.subsidies[0]) == (30, 150)


def test_ruling_61_removing_sticks_rebuilds_nothing() -> None:
    """Two against two: without the blue sticks yellow is ahead, but the streets are free again."""
    scene = removal(
        """
        +-y-+
        b V b
        +-y-+
        """
    )
    scene.do("y", ClaimSubsidy("influence", ()))
    scene.do("b", ClaimSubsidy("influence", scene.state.sticks_of(1)))
    assert scene.new_events(DistrictRebuilt) == []


def test_only_own_sticks_can_be_removed() -> None:
    scene = removal(THREE_STICKS)
    assert scene.refused("y", ClaimSubsidy("influence", (scene.street("B"),)))
    assert not scene.refused("y", ClaimSubsidy("influence", (scene.street("Y"),)))


@pytest.mark.parametrize("cap, left", [(None, 34), (33, 33), (30, 30)])
def test_influence_beyond_a_cap_is_lost(cap: int | None, left: int) -> None:
    scene = Scene(influence_cap=cap).subsidy("subsidy")
    scene.do("y", ClaimSubsidy("influence"))
    assert scene.left("y") == left


def test_the_cap_counts_for_removed_sticks_too() -> None:
    scene, sticks = three_yellow_sticks(influence_cap=34)
    scene.do("y", ClaimSubsidy("influence", sticks))
    assert scene.left("y") == 34
