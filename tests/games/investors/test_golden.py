"""Golden logs lead to the end that they led to when they were made, by folding alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NoReturn

import pytest

from server.games.dice import Dice
from server.games.game import Outcome
from server.games.investors.events import GameBegun, OfferPaid
from server.games.investors.rules import Investors
from server.games.play import Play, Undone, replay
from server.games.record import Log, read_log, replay_log
from tests.games.investors import GAME, TWELVE_CARDS
from tests.games.investors.golden import FOLDER, RECIPES, ending, state_digest

LOGS = sorted(FOLDER.glob("*.log"))
each_log = pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)


def golden(path: Path) -> Log:
    return read_log(path.read_text("utf-8"))


def begun(log: Log) -> GameBegun:
    event = log.steps[0][0]
    assert isinstance(event, GameBegun)
    return event


def outcome_of(play: Play) -> Outcome:
    outcome = GAME.outcome(play.state)
    assert outcome is not None
    return outcome


@each_log
def test_a_golden_log_leads_to_its_ending(path: Path) -> None:
    assert ending(replay_log(golden(path))) == path.with_suffix(".txt").read_text("utf-8")


@each_log
def test_every_event_of_a_golden_log_has_a_sentence(path: Path) -> None:
    log = golden(path)
    for event in (event for step in log.steps for event in step if isinstance(event, GAME.events)):
        sentence = GAME.describe(event)
        assert sentence.endswith(".")
        assert sentence[0] == sentence[0].upper()


def test_every_recipe_has_its_log() -> None:
    assert {recipe.name for recipe in RECIPES} <= {path.stem for path in LOGS}


def test_the_golden_logs_show_every_end_every_variant_and_every_number_of_seats() -> None:
    logs = [golden(path) for path in LOGS]
    outcomes = [outcome_of(replay_log(log)) for log in logs]
    happened = {type(event) for log in logs for step in log.steps for event in step}
    assert {outcome.reason for outcome in outcomes} == {"years", "stalled", "full"}
    assert any(len(outcome.winners) > 1 for outcome in outcomes)
    assert any(len(outcome.winners) == 1 and outcome.tie_break == "sticks_on_board" for outcome in outcomes)
    assert {begun(log).seats for log in logs} == {3, 4, 5}
    assert any(sorted(begun(log).action_deck) == sorted(TWELVE_CARDS) for log in logs)
    assert any(begun(log).bag for log in logs)
    assert {OfferPaid, Undone} <= happened


# -- a replay is a pure fold ---------------------------------------------------------------------------------


class ReplayOnly(Investors):
    """The rules without the two methods that decide anything."""

    def begin(self, *args: Any) -> NoReturn:
        raise AssertionError("a replay sets up nothing")

    def resolve(self, *args: Any) -> NoReturn:
        raise AssertionError("a replay resolves nothing")


@each_log
def test_replaying_a_finished_log_rolls_no_dice_and_judges_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_dice(*args: Any) -> NoReturn:
        raise AssertionError("a replay rolls no dice")

    for method in ("__init__", "shuffled", "below", "_words"):
        monkeypatch.setattr(Dice, method, no_dice)
    log = golden(path)
    play = replay(ReplayOnly(), log.steps)
    assert play.decision is None
    assert state_digest(play.state) == state_digest(replay_log(log).state)


@each_log
def test_replaying_changes_no_state_that_was_handed_out(path: Path) -> None:
    first, *rest = golden(path).steps
    play = replay(GAME, [first])
    history = [(play.state, state_digest(play.state))]
    for step in rest:
        play = play.advance(step)
        history.append((play.state, state_digest(play.state)))
    assert all(state_digest(state) == before for state, before in history)


@each_log
def test_a_log_can_be_replayed_from_any_state_on_the_way(path: Path) -> None:
    """What follows depends on the state and the step alone."""
    steps = golden(path).steps
    half = len(steps) // 2
    play = replay(GAME, steps[:half])
    for _ in range(2):
        later = play
        for step in steps[half:]:
            later = later.advance(step)
        assert ending(later) == path.with_suffix(".txt").read_text("utf-8")
