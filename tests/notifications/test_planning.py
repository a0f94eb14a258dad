"""What is told and when: grace, digests, quiet hours, retries. Times are in seconds since 1970."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise

import pytest

from server.notifications.planning import (
    DIGEST_SECONDS,
    GIVE_UP_SECONDS,
    GRACE_SECONDS,
    LEASE_SECONDS,
    MAX_KNOWN,
    MAX_NEWS,
    Delivery,
    InvitationNow,
    Situation,
    TableNow,
    after_looking,
    claimed,
    delivered,
    ended,
    failed,
    is_quiet,
    is_zone,
    with_news,
)
from server.notifications.recipients import Contact, QuietHours, Recipient

NOW = 1_800_000_000
LONG_AGO = NOW - 10_000


def contact(name: str = "a", **fields: object) -> Contact:
    return replace(Contact(name, "webhook", "https://hooks.example", "https://play.example", 0), **fields)  # type: ignore[arg-type]


def table(name: str = "t1", since: int | None = None, phase: str = "running", **fields: object) -> TableNow:
    """Return a table that waits for its person since a time, in seconds, or for somebody else."""
    milliseconds = None if since is None else since * 1000
    waits = TableNow(name, "investors", None, phase, since is not None, since and "invest", milliseconds, None)  # type: ignore[arg-type]
    return waits._replace(**fields)  # type: ignore[arg-type]


def sees(*tables: TableNow, invitations: tuple[InvitationNow, ...] = ()) -> Situation:
    return Situation(tables, invitations)


def person(*tables: TableNow, **fields: object) -> Recipient:
    """Return somebody with a webhook who has just seen these tables on the page."""
    return replace(after_looking(Recipient(contacts=(contact(),)), sees(*tables)), **fields)  # type: ignore[arg-type]


def told(recipient: Recipient) -> list[tuple[str, str]]:
    return [(each.about, each.table) for each in recipient.news]


# -- what is news -------------------------------------------------------------------------------------------------


def test_a_decision_that_has_waited_is_told_once() -> None:
    now = sees(table(since=NOW - GRACE_SECONDS))
    once = with_news(person(table()), now, LONG_AGO, NOW)
    assert told(once) == [("move", "t1")]
    assert with_news(once, now, LONG_AGO, NOW + 30) == once
    _, (delivery,) = claimed(once, NOW)
    afterwards = delivered(once, delivery, NOW)
    assert told(with_news(afterwards, now, LONG_AGO, NOW + 60)) == []


def test_the_next_decision_is_told_again() -> None:
    once = with_news(person(table()), sees(table(since=NOW - 200)), LONG_AGO, NOW)
    assert [each.since for each in once.news] == [(NOW - 200) * 1000]
    twice = with_news(once, sees(table(since=NOW + 1)), LONG_AGO, NOW + 1_000)
    assert [each.since for each in twice.news] == [(NOW + 1) * 1000]


def test_a_decision_that_has_not_waited_for_long_is_not_told() -> None:
    assert told(with_news(person(table()), sees(table(since=NOW - GRACE_SECONDS + 1)), LONG_AGO, NOW)) == []


def test_somebody_who_has_just_left_is_not_told() -> None:
    now = sees(table(since=NOW - 200))
    assert told(with_news(person(table()), now, NOW - GRACE_SECONDS + 1, NOW)) == []
    assert told(with_news(person(table()), now, NOW - GRACE_SECONDS, NOW)) == [("move", "t1")]


def test_what_was_seen_on_the_page_is_not_told() -> None:
    waits = table(since=NOW - 5_000)
    assert told(with_news(person(waits), sees(waits), LONG_AGO, NOW)) == []


def test_what_somebody_has_decided_meanwhile_is_not_told_any_more() -> None:
    waiting = with_news(person(table()), sees(table(since=NOW - 200)), LONG_AGO, NOW)
    assert told(with_news(waiting, sees(table()), LONG_AGO, NOW + 60)) == []


def test_a_decision_that_comes_back_after_an_undo_is_the_same_one() -> None:
    now = sees(table(since=NOW - 200))
    once = with_news(person(table()), now, LONG_AGO, NOW)
    between = with_news(once, sees(table()), LONG_AGO, NOW + 60)
    assert told(with_news(between, now, LONG_AGO, NOW + 120)) == []


def test_a_game_that_has_begun_is_told_unless_its_decision_is() -> None:
    joined = person(table(phase="open"))
    assert told(with_news(joined, sees(table()), LONG_AGO, NOW)) == [("begun", "t1")]
    assert told(with_news(joined, sees(table(since=NOW - 200)), LONG_AGO, NOW)) == [("move", "t1")]
    only_begun = replace(joined, about=("begun",))
    assert told(with_news(only_begun, sees(table(since=NOW - 200)), LONG_AGO, NOW)) == [("begun", "t1")]


def test_a_game_that_is_over_is_told_by_the_name_that_it_had() -> None:
    after = with_news(person(table(name="Fog")._replace(table="t1", name="Fog")), sees(), LONG_AGO, NOW)
    assert [(each.about, each.table, each.name) for each in after.news] == [("ended", "t1", "Fog")]
    assert told(with_news(after, sees(), LONG_AGO, NOW + 60)) == [("ended", "t1")]


def test_an_open_table_that_was_closed_and_a_seat_that_was_left_are_not_told() -> None:
    assert told(with_news(person(table(phase="open")), sees(), LONG_AGO, NOW)) == []
    goes_on = Situation((), (), lambda table: False)
    assert told(with_news(person(table()), goes_on, LONG_AGO, NOW)) == []


def test_an_invitation_is_told_once_and_only_as_long_as_it_is_of_use() -> None:
    invited = sees(invitations=(InvitationNow("t2", "planners", "ada", 7_000),))
    once = with_news(person(), invited, LONG_AGO, NOW)
    assert [(each.about, each.by) for each in once.news] == [("invited", "ada")]
    assert with_news(once, invited, LONG_AGO, NOW + 60) == once
    assert told(with_news(once, sees(), LONG_AGO, NOW + 60)) == []


def test_only_what_somebody_wants_to_know_is_told() -> None:
    nothing = person(table(), about=())
    assert told(with_news(nothing, sees(table(since=NOW - 200)), LONG_AGO, NOW)) == []
    changed = replace(with_news(person(table()), sees(table(since=NOW - 200)), LONG_AGO, NOW), about=())
    assert told(with_news(changed, sees(table(since=NOW - 200)), LONG_AGO, NOW)) == []


def test_who_switches_on_later_is_not_told_what_is_old() -> None:
    off = person(table(), contacts=(contact(is_on=False),))
    now = sees(table(since=NOW - 200))
    assert told(with_news(off, now, LONG_AGO, NOW)) == []
    on = replace(with_news(off, now, LONG_AGO, NOW), contacts=(contact(),))
    assert told(with_news(on, now, LONG_AGO, NOW + 60)) == []


def test_the_first_look_at_somebody_new_finds_no_news() -> None:
    new = with_news(Recipient(contacts=(contact(),)), sees(table(since=NOW - 200)), LONG_AGO, NOW)
    assert told(new) == []
    assert new.known is not None


def test_what_is_remembered_is_bounded() -> None:
    many = [table(f"t{number}", since=NOW - 200) for number in range(MAX_KNOWN + 50)]
    first = with_news(person(), sees(*many), LONG_AGO, NOW)
    assert len(first.news) == MAX_NEWS
    assert first.known is not None
    assert len(first.known) == MAX_KNOWN
    # Tables beyond those do not begin again and again.
    quiet = replace(first, news=(), about=("begun",))
    assert told(with_news(quiet, sees(*many), LONG_AGO, NOW + 60)) == []
    assert with_news(first, sees(), LONG_AGO, NOW).told == {}


def test_a_recipient_is_the_same_after_it_was_stored() -> None:
    stored = with_news(
        person(table(), quiet=QuietHours(1, 2), zone="Europe/Warsaw"), sees(table(since=NOW - 200)), LONG_AGO, NOW
    )
    assert Recipient.of_bytes(stored.to_bytes()) == stored


# -- when it is sent ----------------------------------------------------------------------------------------------


def waiting(*names: str, contacts: tuple[Contact, ...] = (contact(),)) -> Recipient:
    """Return somebody for whom these tables wait, and were not told yet."""
    before = person(*(table(name) for name in names), contacts=contacts)
    return with_news(before, sees(*(table(name, since=NOW - 200) for name in names)), LONG_AGO, NOW)


def sent_tables(deliveries: tuple[Delivery, ...]) -> list[list[str]]:
    return [[each.table for each in delivery.news] for delivery in deliveries]


def test_what_is_due_at_the_same_time_is_one_message() -> None:
    _, deliveries = claimed(waiting("t1", "t2", "t3"), NOW)
    assert sent_tables(deliveries) == [["t1", "t2", "t3"]]


def test_what_happens_soon_after_a_message_waits_for_the_next_one() -> None:
    recipient, (delivery,) = claimed(waiting("t1"), NOW)
    recipient = delivered(recipient, delivery, NOW)
    tables = [table("t1", since=NOW - 200)]
    for minute in (1, 5):
        tables.append(table(f"late{minute}", since=NOW + 60 * minute - 200))
        recipient = with_news(recipient, sees(*tables), LONG_AGO, NOW + 60 * minute)
        assert claimed(recipient, NOW + 60 * minute)[1] == ()
    _, deliveries = claimed(recipient, NOW + DIGEST_SECONDS)
    assert sent_tables(deliveries) == [["late1", "late5"]]


def test_every_contact_gets_the_news_once() -> None:
    recipient, deliveries = claimed(waiting("t1", contacts=(contact("a"), contact("b"))), NOW)
    assert [delivery.contact.id for delivery in deliveries] == ["a", "b"]
    recipient = delivered(recipient, deliveries[0], NOW)
    assert [each.contacts for each in recipient.news] == [("b",)]
    recipient = delivered(recipient, deliveries[1], NOW)
    assert recipient.news == ()


def test_a_contact_that_is_leased_is_left_alone_until_the_lease_expires() -> None:
    recipient, (first,) = claimed(waiting("t1"), NOW)
    assert claimed(recipient, NOW + LEASE_SECONDS - 1)[1] == ()
    _, (second,) = claimed(recipient, NOW + LEASE_SECONDS)
    assert second.ids == first.ids


def test_a_contact_that_is_off_or_not_confirmed_gets_nothing() -> None:
    recipient = waiting("t1")
    assert claimed(recipient.with_contact(contact(is_on=False)), NOW)[1] == ()


def test_attempts_are_repeated_ever_more_slowly_and_given_up_after_a_day() -> None:
    recipient, now, pauses = waiting("t1"), float(NOW), []
    while recipient.news:
        recipient, deliveries = claimed(recipient, now)
        assert len(deliveries) == 1
        recipient = failed(recipient, deliveries[0], "timeout", now, jitter=1.0)
        (state,) = recipient.contacts
        if recipient.news:
            pauses.append(state.retry_at - now)
            assert claimed(recipient, state.retry_at - 1)[1] == ()
            now = state.retry_at
    assert pauses[:4] == [30, 60, 120, 240]
    assert max(pauses) == 3_600
    assert all(later >= earlier for earlier, later in pairwise(pauses))
    assert GIVE_UP_SECONDS <= now - NOW <= GIVE_UP_SECONDS + 3_600
    (state,) = recipient.contacts
    assert (state.error, state.gave_up_at) == ("timeout", int(now))
    # What happens later is tried again from the beginning.
    assert (state.attempts, state.failing_since) == (0, 0)


def test_jitter_spreads_attempts_over_half_of_the_pause() -> None:
    recipient, (delivery,) = claimed(waiting("t1"), NOW)
    pauses = [
        failed(recipient, delivery, "timeout", NOW, jitter).contacts[0].retry_at - NOW for jitter in (0.0, 0.5, 1.0)
    ]
    assert pauses == [15, 22.5, 30]


def test_the_other_side_can_ask_for_a_longer_pause_within_reason() -> None:
    recipient, (delivery,) = claimed(waiting("t1"), NOW)
    assert failed(recipient, delivery, "too_many", NOW, 1.0, 600).contacts[0].retry_at == NOW + 600
    assert failed(recipient, delivery, "too_many", NOW, 1.0, 10**9).contacts[0].retry_at == NOW + 3_600


def test_a_message_that_arrives_ends_the_failure() -> None:
    recipient, (delivery,) = claimed(waiting("t1"), NOW)
    recipient = failed(recipient, delivery, "timeout", NOW, 1.0)
    (state,) = delivered(recipient, delivery, NOW + 60).contacts
    assert (state.error, state.attempts, state.retry_at, state.failing_since) == ("", 0, 0.0, 0)


def test_a_contact_that_is_gone_is_switched_off() -> None:
    recipient, deliveries = claimed(waiting("t1", contacts=(contact("a"), contact("b"))), NOW)
    recipient = ended(recipient, deliveries[0], "gone")
    gone, other = recipient.contacts
    assert (gone.is_on, gone.error, other.is_on) == (False, "gone", True)
    assert [each.contacts for each in recipient.news] == [("b",)]


def test_a_contact_that_was_removed_while_a_message_was_sent_stays_away() -> None:
    recipient, (delivery,) = claimed(waiting("t1"), NOW)
    without = recipient.without_contact("a")
    assert without.news == ()
    for after in (
        delivered(without, delivery, NOW),
        failed(without, delivery, "timeout", NOW, 1.0),
        ended(without, delivery, "gone"),
    ):
        assert after == without


# -- quiet hours --------------------------------------------------------------------------------------------------


def at(text: str) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


def quiet(begin: str, end: str, zone: str) -> Recipient:
    minutes = [int(time[:2]) * 60 + int(time[3:]) for time in (begin, end)]
    return Recipient(quiet=QuietHours(*minutes), zone=zone)


@pytest.mark.parametrize(
    "utc, is_silent",
    [
        ("2026-11-20T20:59", False),
        ("2026-11-20T21:00", True),  # 22:00 in Warsaw
        ("2026-11-20T22:59", True),
        ("2026-11-20T23:30", True),  # past midnight
        ("2026-11-21T05:59", True),
        ("2026-11-21T06:00", False),  # 07:00
        ("2026-11-21T12:00", False),
    ],
)
def test_quiet_hours_go_past_midnight(utc: str, is_silent: bool) -> None:
    assert is_quiet(quiet("22:00", "07:00", "Europe/Warsaw"), at(utc)) is is_silent


@pytest.mark.parametrize(
    "utc, is_silent",
    [
        ("2027-03-28T00:59", True),  # 01:59, an hour before the clocks go forward at 02:00
        ("2027-03-28T01:00", False),  # 03:00: the end of the quiet hours, 02:30, does not exist on this day
        ("2027-03-29T00:15", True),  # 02:15 in summer time
        ("2027-03-29T00:30", False),
        ("2026-10-25T00:15", True),  # 02:15 in summer time
        ("2026-10-25T00:45", False),
        ("2026-10-25T01:15", True),  # 02:15 again, after the clocks went back
        ("2026-10-25T01:30", False),
    ],
)
def test_quiet_hours_follow_the_clock_on_the_wall_when_it_changes(utc: str, is_silent: bool) -> None:
    assert is_quiet(quiet("22:00", "02:30", "Europe/Berlin"), at(utc)) is is_silent


def test_quiet_hours_within_a_day_and_none_at_all() -> None:
    siesta = quiet("13:00", "15:00", "UTC")
    assert [is_quiet(siesta, at(f"2026-11-20T{time}")) for time in ("12:59", "13:00", "15:00")] == [False, True, False]
    assert not is_quiet(quiet("08:00", "08:00", "UTC"), at("2026-11-20T08:00"))
    assert not is_quiet(Recipient(), NOW)


def test_a_zone_of_the_other_side_of_the_world_counts() -> None:
    assert is_quiet(quiet("22:00", "07:00", "Pacific/Auckland"), at("2026-11-20T12:00"))


def test_what_waits_in_the_quiet_hours_is_sent_afterwards_if_it_is_still_true() -> None:
    asleep = replace(waiting("t1", "t2"), quiet=QuietHours(0, 0), zone="UTC")
    minute = NOW // 60 % 1_440
    asleep = replace(asleep, quiet=QuietHours(minute, (minute + 60) % 1_440))
    assert claimed(asleep, NOW)[1] == ()
    morning = with_news(asleep, sees(table("t1", since=NOW - 200), table("t2")), LONG_AGO, NOW + 3_600)
    assert sent_tables(claimed(morning, NOW + 3_600)[1]) == [["t1"]]


@pytest.mark.parametrize("name", ["Nowhere/Land", "../../etc/passwd", "", "/etc/localtime"])
def test_an_unknown_zone_is_none(name: str) -> None:
    assert is_zone("Europe/Warsaw")
    assert not is_zone(name)
    assert not is_quiet(replace(quiet("22:00", "07:00", "UTC"), zone=name), at("2026-11-20T12:00"))
