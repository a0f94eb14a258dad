"""The golden logs of Builders cover every end, every option and every number of seats."""

from __future__ import annotations

from server.games.builders.events import BonusLapsed, CardsRedealt, GameBegun
from server.games.engine.game_log import GameLog, read_log, replay_log
from server.games.engine.play import Undone
from tests.games.builders import GAME
from tests.games.builders.golden import GOLDEN
from tests.games.golden import outcome_of


def begun(log: GameLog) -> GameBegun:
    event = log.steps[0][0]
    assert isinstance(event, GameBegun)
    return event


def test_the_golden_logs_show_both_ends_every_option_and_every_number_of_seats() -> None:
    logs = [read_log(path.read_text("utf-8")) for path in GOLDEN.logs]
    outcomes = [outcome_of(replay_log(log)) for log in logs]
    new_events = {type(event) for log in logs for step in log.steps for event in step}
    ends = {(outcome.reason, begun(log).seats) for outcome, log in zip(outcomes, logs, strict=True)}
    assert ends == {(reason, seats) for reason in ("eighth", "final_year") for seats in (2, 3, 4)}
    assert any(len(outcome.winners) > 1 for outcome in outcomes)
    assert any(len(outcome.winners) == 1 and outcome.tie_break == "buildings_built" for outcome in outcomes)
    assert any(min(outcome.scores) < 0 for outcome in outcomes)
    assert {begun(log).strict_wild for log in logs} == {True, False}
    assert {begun(log).adjacent_across_cards for log in logs} == {True, False}
    assert {begun(log).majorities_rank_all for log in logs} == {True, None}
    assert {begun(log).rules for log in logs} == {4, 3, None}
    assert {begun(log).parks[0] for log in logs} == {2, 5}
    assert {side for log in logs for side in begun(log).sides} == {"A", "B"}
    # Nobody plays on from a moment of these games.
    assert new_events == {*GAME.events, Undone} - {BonusLapsed, CardsRedealt}
