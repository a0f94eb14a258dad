"""Unchanged parts of a view are reused, and equal to what would be made anew."""

from __future__ import annotations

from typing import Any

import pytest

from server.games.engine.dice import Dice, digest
from server.games.engine.game import Game
from server.games.engine.options import read_options
from server.games.engine.play import Play, begin, replay
from server.games.engine.view_cache import ViewCache
from server.games.registry import GAMES
from server.model import Refused
from server.tools.simulate import PythonRng


def test_what_is_made_of_the_same_is_the_same_object() -> None:
    view = ViewCache()
    first = view.part("row", lambda low, high: [*range(low, high)], 1, 4)
    assert first == [1, 2, 3]
    assert view.part("row", lambda low, high: [*range(low, high)], 1, 4) is first


def test_what_is_made_of_something_else_is_made_anew() -> None:
    view = ViewCache()
    view.part("row", lambda low, high: [*range(low, high)], 1, 4)
    assert view.part("row", lambda low, high: [*range(low, high)], 2, 4) == [2, 3]


def test_each_place_has_a_part_of_its_own() -> None:
    view = ViewCache()
    view.part("row", list, (1, 2))
    assert view.part("set", set, (1, 2)) == {1, 2}
    assert view.part("row", list, (1, 2)) == [1, 2]


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
@pytest.mark.parametrize("number", range(4))
def test_a_view_does_not_depend_on_the_views_before_it(game: Game[Any], number: int) -> None:
    seats = game.seats[number % len(game.seats)]
    dice = Dice(digest("game", str(number)))
    rng = PythonRng(digest("choices", str(number)))
    play, step = begin(game, seats, read_options(game.options, {}), dice)
    steps = [step]
    while play.decision is not None:
        if play.past and rng.randrange(8) == 0:
            undone = play.undo(play.awaited[0], play.number)
            assert not isinstance(undone, Refused)
            play, step = undone
            steps.append(step)
        else:
            for seat in play.awaited:
                prompt = play.decision.prompts[seat]
                answered = play.answer(seat, play.number, prompt.sample(rng), dice)
                assert not isinstance(answered, Refused)
                play, step = answered
                steps.append(step)
        _look(play)
        if len(steps) % 10 == 0:
            # No view was made from any state of the replay.
            assert _look(play) == _look(replay(game, steps))
    assert _look(play) == _look(replay(game, steps))


def _look(play: Play) -> dict[str, Any]:
    return play.game.public_view(play.state)
