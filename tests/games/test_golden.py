"""Golden logs lead to the same end as when they were made, by folding alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import pytest

from server.games.engine.dice import Dice
from server.games.engine.game import Game
from server.games.engine.game_log import GameLog, read_log, replay_log
from server.games.engine.play import replay
from tests.games.builders.golden import GOLDEN as BUILDERS
from tests.games.derived import with_resolve
from tests.games.golden import Golden
from tests.games.investors.golden import GOLDEN as INVESTORS
from tests.games.planners.golden import GOLDEN as PLANNERS

GOLDENS = (INVESTORS, PLANNERS, BUILDERS)
each_game = pytest.mark.parametrize("golden", GOLDENS, ids=lambda golden: golden.game.name)
each_log = pytest.mark.parametrize(
    "golden, path",
    [pytest.param(golden, path, id=f"{golden.game.name}-{path.stem}") for golden in GOLDENS for path in golden.logs],
)


def log_of(path: Path) -> GameLog:
    return read_log(path.read_text("utf-8"))


@each_game
def test_every_recipe_has_its_log(golden: Golden) -> None:
    assert {recipe.name for recipe in golden.recipes} <= {path.stem for path in golden.logs}


@each_log
def test_a_golden_log_leads_to_its_ending(golden: Golden, path: Path) -> None:
    assert golden.ending(replay_log(log_of(path))) == path.with_suffix(".txt").read_text("utf-8")


@each_log
def test_every_event_of_a_golden_log_has_a_sentence(golden: Golden, path: Path) -> None:
    for event in (event for step in log_of(path).steps for event in step if isinstance(event, golden.game.events)):
        sentence = golden.game.describe(event)
        assert sentence.endswith(".")
        assert sentence[0] == sentence[0].upper()


# -- a replay is a pure fold ---------------------------------------------------------------------------------


def replay_only(game: Game[Any]) -> Game[Any]:
    """Return a game without the functions that decide anything."""

    def refuses(*args: Any) -> NoReturn:
        raise AssertionError("a replay decides nothing")

    return replace(with_resolve(game, refuses), set_up=refuses, after_set_up=refuses)


@each_log
def test_replaying_a_finished_log_rolls_no_dice_and_judges_nothing(
    golden: Golden, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_dice(*args: Any) -> NoReturn:
        raise AssertionError("a replay rolls no dice")

    for method in ("__init__", "shuffled", "below", "_words"):
        monkeypatch.setattr(Dice, method, no_dice)
    log = log_of(path)
    play = replay(replay_only(golden.game), log.steps)
    assert play.decision is None
    assert golden.digest(play.state) == golden.digest(replay_log(log).state)


@each_log
def test_replaying_changes_no_state_that_was_handed_out(golden: Golden, path: Path) -> None:
    first, *rest = log_of(path).steps
    play = replay(golden.game, [first])
    history = [(play.state, golden.digest(play.state))]
    for step in rest:
        play = play.advance(step)
        history.append((play.state, golden.digest(play.state)))
    assert all(golden.digest(state) == before for state, before in history)


@each_log
def test_a_log_can_be_replayed_from_any_state_on_the_way(golden: Golden, path: Path) -> None:
    """The next state depends on the state and the step alone."""
    steps = log_of(path).steps
    half = len(steps) // 2
    play = replay(golden.game, steps[:half])
    for _ in range(2):
        later = play
        for step in steps[half:]:
            later = later.advance(step)
        assert golden.ending(later) == path.with_suffix(".txt").read_text("utf-8")
