"""Up to which position the log of a table is released, from the times of its entries and the steps of its game."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from protocol.messages import DecisionsBehind, MinutesBehind
from server.games.engine.play import Undone
from server.tables.delay import LAST_DECISIONS_MILLISECONDS, DelaySchedule, Milestones, WallOffset
from server.tables.history import History

TEN_MINUTES = MinutesBehind(kind="minutes", minutes=10)
MINUTE = 60_000
STEP, UNDO, NO_STEP = "step", "undo", ""


class Log:
    """A log whose first two entries are from before the game, and its schedule."""

    def __init__(self, offset: int = 0, loaded: int = 0, now: int = 0) -> None:
        self.history = SimpleNamespace(times=[0] * loaded, milestones=Milestones())
        self.schedule = DelaySchedule(cast("History", self.history), offset, now)

    def add(self, at: int, kind: str = STEP) -> None:
        self.history.times.append(at)
        events: list[Any] = [Undone(0)] if kind == UNDO else []
        if kind:
            self.history.milestones.add_step(len(self.history.times), events)
        self.schedule.note(at)

    def end(self) -> None:
        self.history.milestones.over_at = len(self.history.times)

    def released(self, delay: Any, now: int) -> int:
        return self.schedule.released(delay, now)


def begun(*kinds: str) -> Log:
    """Return the log of a game with such entries, one a minute; its third entry begins the game."""
    log = Log()
    for minute, kind in enumerate((NO_STEP, NO_STEP, *kinds)):
        log.add(minute * MINUTE, kind)
    return log


def behind(decisions: int) -> DecisionsBehind:
    return DecisionsBehind(kind="decisions", decisions=decisions)


def test_before_the_game_nothing_is_delayed() -> None:
    assert begun().released(TEN_MINUTES, 0) == 2
    assert begun().released(behind(3), 0) == 2


def test_an_entry_is_released_when_it_has_been_known_for_so_long() -> None:
    log = begun(STEP, NO_STEP, STEP)
    assert [log.released(TEN_MINUTES, now * MINUTE) for now in (4, 11, 12, 13, 14, 99)] == [2, 2, 3, 4, 5, 5]
    assert log.schedule.wait(TEN_MINUTES, 11 * MINUTE + 1) == MINUTE - 1
    assert log.schedule.wait(TEN_MINUTES, 14 * MINUTE) is None


def test_an_entry_is_released_with_later_decisions_and_with_no_time() -> None:
    log = begun(STEP)
    released = [log.released(behind(2), 10**9)]
    for _ in range(4):
        log.add(0, NO_STEP)
        log.add(0, STEP)
        released.append(log.released(behind(2), 10**9))
    # The answers to a decision, which are behind its entry, are released together with it.
    assert released == [2, 2, 4, 6, 8]
    assert log.schedule.wait(behind(2), 10**9) is None


def test_undoing_and_deciding_again_is_no_progress() -> None:
    log = begun(STEP, STEP, STEP)
    before = log.released(behind(2), 0)
    for _ in range(5):
        log.add(0, UNDO)
        log.add(0, STEP)
        assert log.released(behind(2), 0) == before
    log.add(0, STEP)
    assert log.released(behind(2), 0) == before + 1


@pytest.mark.parametrize("decisions", [1, 3, 50])
def test_the_last_decisions_follow_one_by_one_when_the_game_is_over(decisions: int) -> None:
    log = begun(STEP, STEP, STEP, STEP)
    log.end()
    over = 5 * MINUTE
    released = [
        log.released(behind(decisions), over + count * LAST_DECISIONS_MILLISECONDS) for count in range(decisions + 1)
    ]
    assert released[-1] == 6
    assert released == sorted(released)
    assert released[-2] == 5, "the end comes last"
    assert 0 < (log.schedule.wait(behind(decisions), over) or 0) <= LAST_DECISIONS_MILLISECONDS
    assert log.schedule.wait(behind(decisions), over + decisions * LAST_DECISIONS_MILLISECONDS) is None


def test_entries_of_an_earlier_process_are_dated_by_the_lowest_wall_clock() -> None:
    # The wall clock shows 100 minutes more than the monotonic one; it has shown 98 minutes more before.
    log = Log(loaded=0)
    log.history.times += [100 * MINUTE, 103 * MINUTE]
    log.history.milestones.add_step(2, [])
    log.schedule = DelaySchedule(cast("History", log.history), 98 * MINUTE, 20 * MINUTE)
    # It was written in the minute 3 or 5 of the monotonic clock.
    assert log.released(TEN_MINUTES, 15 * MINUTE - 1) == 1
    assert log.released(TEN_MINUTES, 15 * MINUTE) == 2


def test_an_entry_that_is_dated_in_the_future_was_known_when_it_was_loaded() -> None:
    log = Log(loaded=0)
    log.history.times += [0, 10**9]
    log.history.milestones.add_step(2, [])
    log.schedule = DelaySchedule(cast("History", log.history), 0, 20 * MINUTE)
    assert log.released(TEN_MINUTES, 30 * MINUTE - 1) == 1
    assert log.released(TEN_MINUTES, 30 * MINUTE) == 2


def test_the_offset_of_the_wall_clock_only_goes_down() -> None:
    clocks = {"wall": 1_000, "monotonic": 0}
    offset = WallOffset(lambda: clocks["wall"], lambda: clocks["monotonic"])
    seen = []
    for wall, monotonic in ((1_010, 10), (5_000, 20), (530, 30), (1_040, 40)):
        clocks.update(wall=wall, monotonic=monotonic)
        seen.append(offset.observe())
    assert seen == [1_000, 1_000, 500, 500]
