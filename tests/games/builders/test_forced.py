"""For whom the server answers: everything that decides about legality is open (RULES 10.2)."""

from __future__ import annotations

from server.games.builders.commands import Build, Confirm, PlacePawn, TakeDollar
from server.games.engine.dice import Dice
from server.games.engine.play import Play
from server.model import Refused
from tests.games.builders.scenes import Scene
from tests.games.builders.test_building import WHOLE, composing


def is_forced(scene: Scene) -> bool:
    assert scene.play.decision is not None
    return bool(scene.play.decision.forced)


def after(scene: Scene, command: object) -> Play:
    """Return the play after an answer of the awaited seat, with forced answers given."""
    play = scene.play._replace(asks_forced=False)
    answered = play.answer(play.awaited[0], play.number, command, Dice(bytes(32)))  # type: ignore[arg-type]
    assert not isinstance(answered, Refused), answered
    return answered[0]


def test_the_dollar_is_taken_where_nothing_else_can_be_done() -> None:
    assert is_forced(Scene(card="A1").at("o", "build"))
    assert is_forced(Scene(card="A1").at("o", "pass"))
    assert not is_forced(Scene(card="A1").at("o", "material"))


def test_who_goes_where_nothing_can_be_done_has_only_to_confirm_and_may_take_it_back() -> None:
    scene = Scene(card="A1")
    passing = next(number for number, space in enumerate(scene.state.spaces) if space.action == "pass")
    play = after(scene, PlacePawn(passing))
    assert play.decision is not None
    assert (play.decision.kind, play.awaited) == ("confirm", (0,))
    undone = play.undo(0, play.number)
    assert not isinstance(undone, Refused)
    assert undone[0].state == scene.state


def test_the_only_permit_is_chosen_and_one_of_two_plots_is_asked_for() -> None:
    assert is_forced(composing("R3:LP"))
    assert not is_forced(composing("R3:LP Y1:LT"))
    scene = Scene(WHOLE, card="A2", seats=4).money(o=15).front(o=1).permits(o="R3:LP").at("o", "build")
    play = after(scene, Build())
    assert play.decision is not None
    assert (play.decision.kind, play.awaited) == ("choose_plot", (0,))
    assert play.past


def test_a_turn_is_confirmed_by_its_player() -> None:
    scene = Scene(card="A1").at("o", "material").do("o", TakeDollar())
    assert scene.kind == "confirm"
    assert after(scene, Confirm()).awaited == (1,)
