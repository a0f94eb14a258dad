"""The golden logs of Planners cover every end, every option and every number of seats."""

from __future__ import annotations

from server.games.engine.game_log import GameLog, read_log, replay_log
from server.games.engine.play import Undone
from server.games.planners.events import CardsRedealt, GameBegun, TurnPassed
from tests.games.golden import outcome_of
from tests.games.planners import GAME
from tests.games.planners.golden import GOLDEN


def begun(log: GameLog) -> GameBegun:
    event = log.steps[0][0]
    assert isinstance(event, GameBegun)
    return event


def test_the_golden_logs_show_both_ends_every_option_and_every_number_of_seats() -> None:
    logs = [read_log(path.read_text("utf-8")) for path in GOLDEN.logs]
    outcomes = [outcome_of(replay_log(log)) for log in logs]
    new_events = {type(event) for log in logs for step in log.steps for event in step}
    ends = {(outcome.reason, begun(log).seats) for outcome, log in zip(outcomes, logs, strict=True)}
    assert ends == {(reason, seats) for reason in ("foundations", "full") for seats in (2, 3, 4)}
    assert any(len(outcome.winners) > 1 for outcome in outcomes)
    assert any(len(outcome.winners) == 1 and outcome.tie_break == "cable_cars" for outcome in outcomes)
    assert {begun(log).allow_decline_bonus for log in logs} == {True, False}
    assert {begun(log).resolve_bonus_on_final_card for log in logs} == {True, False}
    assert {begun(log).sold_out_leaves_nothing for log in logs} == {True, None}
    assert {begun(log).rows_below_by_total for log in logs} == {True, None}
    # Nobody plays on from a moment of these games.
    assert new_events == {*GAME.events, Undone} - {TurnPassed, CardsRedealt}
