"""Weekly rhythms: when a clock runs, in any zone, over both changes of daylight saving."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from server.tables.rhythm import MIN_WEEKLY_HOURS, Rhythm, pauses, running, runs_out, zone_names

HOUR = 3_600_000
WEEK = (0, 1, 2, 3, 4, 5, 6)
DAYTIME = Rhythm("Europe/Rome", 8 * 60, 22 * 60, WEEK)


def at(zone: str, text: str, *, fold: int = 0) -> int:
    """Return a local time in milliseconds since 1970."""
    return round(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone), fold=fold).timestamp() * 1000)


def rome(text: str) -> int:
    return at("Europe/Rome", text)


def test_without_a_rhythm_a_clock_always_runs() -> None:
    assert running(None, 5, 1_000) == 995
    assert running(None, 1_000, 5) == 0
    assert runs_out(None, 5, 995) == 1_000
    assert pauses(None, 5, 1_000, 9) == []


def test_a_clock_stands_still_outside_of_the_hours() -> None:
    evening, morning = rome("2026-11-20T21:00"), rome("2026-11-21T10:00")
    assert running(DAYTIME, evening, morning) == 3 * HOUR
    assert running(DAYTIME, morning, morning - HOUR) == 0
    assert runs_out(DAYTIME, evening, 3 * HOUR) == morning
    assert pauses(DAYTIME, evening, morning, 9) == [(rome("2026-11-20T22:00"), rome("2026-11-21T08:00"))]


def test_a_clock_that_goes_on_in_the_night_waits_for_the_morning() -> None:
    night = rome("2026-11-20T23:30")
    assert running(DAYTIME, night, rome("2026-11-21T07:00")) == 0
    assert runs_out(DAYTIME, night, HOUR) == rome("2026-11-21T09:00")
    assert pauses(DAYTIME, night, rome("2026-11-21T09:00"), 9) == [(night, rome("2026-11-21T08:00"))]


def test_budget_that_ends_with_the_window_does_not_wait_for_the_next_one() -> None:
    assert runs_out(DAYTIME, rome("2026-11-20T21:00"), HOUR) == rome("2026-11-20T22:00")


def test_only_some_days_of_the_week_count() -> None:
    weekend = Rhythm("Europe/Rome", 9 * 60, 17 * 60, (5, 6))
    friday = rome("2026-11-20T12:00")
    assert runs_out(weekend, friday, 20 * HOUR) == rome("2026-11-28T13:00")
    assert [begin for begin, _ in pauses(weekend, friday, rome("2026-11-28T13:00"), 9)] == [
        friday,
        rome("2026-11-21T17:00"),
        rome("2026-11-22T17:00"),
    ]


def test_a_window_over_midnight_belongs_to_the_day_on_which_it_starts() -> None:
    nights = Rhythm("Europe/Rome", 20 * 60, 2 * 60, (4,))
    assert running(nights, rome("2026-11-20T00:00"), rome("2026-11-23T00:00")) == 6 * HOUR
    assert running(nights, rome("2026-11-21T01:00"), rome("2026-11-23T00:00")) == HOUR


def test_equal_ends_mean_the_whole_day_and_days_join_without_a_pause() -> None:
    whole = Rhythm("Europe/Rome", 0, 0, WEEK)
    begin, end = rome("2026-11-20T12:00"), rome("2026-11-25T12:00")
    assert running(whole, begin, end) == end - begin
    assert pauses(whole, begin, end, 9) == []


def test_the_night_of_spring_is_an_hour_shorter_and_that_of_autumn_longer() -> None:
    # Clocks change on 29 March and on 25 October 2026, at night.
    for evening, hours in (("2026-03-27", 10), ("2026-03-28", 9), ("2026-10-24", 11)):
        start = rome(f"{evening}T22:00")
        [(_, until)] = pauses(DAYTIME, start, start + 12 * HOUR, 1)
        assert (until - start) // HOUR == hours
    assert runs_out(DAYTIME, rome("2026-03-28T21:00"), 2 * HOUR) == rome("2026-03-29T09:00")


def test_hours_that_daylight_saving_skips_or_repeats_have_one_meaning() -> None:
    early = Rhythm("Europe/Rome", 2 * 60 + 30, 10 * 60 + 30, WEEK)
    spring, autumn = rome("2026-03-29T00:00"), rome("2026-10-25T00:00")
    # 02:30 does not exist in spring, and counts as 03:30; in autumn there are two, and the first one counts.
    assert running(early, spring, rome("2026-03-29T12:00")) == 7 * HOUR
    assert running(early, autumn, rome("2026-10-25T12:00")) == 9 * HOUR
    assert runs_out(early, autumn, HOUR) == at("Europe/Rome", "2026-10-25T02:30", fold=1)


def test_a_window_that_lies_in_the_skipped_hour_is_left_out() -> None:
    gone = Rhythm("Europe/Rome", 2 * 60 + 45, 3 * 60 + 15, WEEK)
    assert running(gone, rome("2026-03-29T00:00"), rome("2026-03-29T12:00")) == 0
    assert runs_out(gone, rome("2026-03-29T00:00"), HOUR // 2) == rome("2026-03-30T03:15")


@pytest.mark.parametrize("zone", ["Asia/Kolkata", "Australia/Lord_Howe", "America/St_Johns", "Pacific/Chatham"])
def test_zones_with_parts_of_an_hour(zone: str) -> None:
    daytime = Rhythm(zone, 9 * 60, 17 * 60, WEEK)
    evening = at(zone, "2026-01-14T16:30")
    assert runs_out(daytime, evening, HOUR) == at(zone, "2026-01-15T09:30")


def test_lord_howe_changes_by_half_an_hour() -> None:
    # On 5 April 2026 clocks go back from 02:00 to 01:30.
    zone = "Australia/Lord_Howe"
    daytime = Rhythm(zone, 8 * 60, 20 * 60, WEEK)
    start = at(zone, "2026-04-04T20:00")
    assert pauses(daytime, start, start + 20 * HOUR, 1) == [(start, start + 12 * HOUR + HOUR // 2)]


@pytest.mark.parametrize("rhythm", [DAYTIME, Rhythm("Asia/Kolkata", 1_290, 90, (0, 3)), Rhythm("UTC", 0, 840, (2,))])
def test_a_clock_has_run_for_its_budget_when_it_runs_out_and_not_earlier(rhythm: Rhythm) -> None:
    for begin in range(rome("2026-03-20T00:00"), rome("2026-04-05T00:00"), 7 * HOUR + 1_234):
        for budget in (1, HOUR, 30 * HOUR, 200 * HOUR):
            end = runs_out(rhythm, begin, budget)
            assert running(rhythm, begin, end) == budget
            assert running(rhythm, begin, end - 1) == budget - 1


def test_the_length_of_a_week_is_that_of_its_windows() -> None:
    assert DAYTIME.weekly_minutes == 14 * 60 * 7
    assert Rhythm("UTC", 20 * 60, 2 * 60, (4, 5)).weekly_minutes == 12 * 60
    assert Rhythm("UTC", 600, 600, (0,)).weekly_minutes == 24 * 60
    assert MIN_WEEKLY_HOURS == 14


def test_a_zone_that_this_machine_does_not_know_counts_as_utc() -> None:
    assert "Europe/Rome" in zone_names()
    lost = Rhythm("Atlantis/Capital", 8 * 60, 22 * 60, WEEK)
    assert runs_out(lost, at("UTC", "2026-11-20T23:00"), HOUR) == at("UTC", "2026-11-21T09:00")
