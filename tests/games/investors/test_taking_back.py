"""The first of two sticks can be taken back, and nothing else."""

from __future__ import annotations

from tests.games.investors.cities import VILLA_NEARLY_DONE
from tests.games.investors.scenes import Scene


def test_the_first_of_two_sticks_can_be_taken_back() -> None:
    scene = Scene(VILLA_NEARLY_DONE).acting("b", "two/influence")
    before = scene.play
    scene.place("b", "1")
    assert scene.may_undo("b")
    scene.undo("b")
    assert scene.play.state == before.state
    assert (scene.awaited, scene.may_undo("b")) == ("b", False)
    scene.place("b", "2")
    assert (scene.stick("1"), scene.stick("2")) == ("-", "b")


def test_the_first_of_two_sticks_is_taken_back_with_what_it_rebuilt() -> None:
    scene = Scene(VILLA_NEARLY_DONE).acting("y", "two/influence")
    scene.place("y", "1")
    assert scene.prestige("y") == 4
    scene.undo("y")
    assert scene.prestige("y") == 0
    assert scene.shows(
        """
        +-y-+
        y V |
        +---+
        """
    )


def test_nobody_else_can_take_the_first_of_two_sticks_back() -> None:
    scene = Scene(VILLA_NEARLY_DONE).acting("b", "two/influence")
    scene.place("b", "1")
    assert not scene.may_undo("y")


def test_the_second_of_two_sticks_cannot_be_taken_back() -> None:
    scene = Scene(VILLA_NEARLY_DONE).acting("b", "two/influence")
    scene.place("b", "1")
    scene.place("b", "2")
    assert not any(scene.may_undo(seat) for seat in "ybrg")


def test_an_invested_stick_cannot_be_taken_back() -> None:
    scene = Scene(VILLA_NEARLY_DONE).investing("bb", "villa")
    scene.place("b", "1")
    assert scene.awaited == "b"
    assert not scene.may_undo("b")


def test_a_raised_bid_cannot_be_taken_back() -> None:
    scene = Scene().seeking("free/cheques")
    scene.bids("y10 b20 r- g-")
    assert scene.awaited == "y"
    assert not scene.may_undo("y")
