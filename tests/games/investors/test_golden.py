"""The golden logs of Investors cover every end, every option and every number of seats."""

from __future__ import annotations

from server.games.engine.game_log import GameLog, read_log, replay_log
from server.games.engine.play import Undone
from server.games.investors.events import GameBegun, OfferPaid
from tests.games.golden import outcome_of
from tests.games.investors import TWELVE_CARDS
from tests.games.investors.golden import GOLDEN


def begun(log: GameLog) -> GameBegun:
    event = log.steps[0][0]
    assert isinstance(event, GameBegun)
    return event


def test_the_golden_logs_show_every_end_every_variant_and_every_number_of_seats() -> None:
    logs = [read_log(path.read_text("utf-8")) for path in GOLDEN.logs]
    outcomes = [outcome_of(replay_log(log)) for log in logs]
    new_events = {type(event) for log in logs for step in log.steps for event in step}
    assert {outcome.reason for outcome in outcomes} == {"years", "stalled", "full", "spent"}
    assert any(len(outcome.winners) > 1 for outcome in outcomes)
    assert any(len(outcome.winners) == 1 and outcome.tie_break == "sticks_on_board" for outcome in outcomes)
    assert {begun(log).seats for log in logs} == {3, 4, 5}
    assert any(sorted(begun(log).action_deck) == sorted(TWELVE_CARDS) for log in logs)
    assert any(begun(log).subsidies for log in logs)
    assert any(begun(log).bag for log in logs)
    assert {OfferPaid, Undone} <= new_events
