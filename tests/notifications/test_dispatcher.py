"""Who is told what, by one worker and by several that share a store: exactly once, also after a worker was killed."""

from __future__ import annotations

import asyncio
import contextlib

import pytest

from server.notifications.outcomes import Undeliverable
from server.notifications.planning import DIGEST_SECONDS, GRACE_SECONDS, LEASE_SECONDS
from server.notifications.recipients import QuietHours, table_key
from server.people.invitations import Invitations
from server.tables.api import TableStatus
from tests.notifications.workers import RecordedWebhook, Worker, World, webhook

MOVE = [("move", "t1")]


async def away(world: World, *workers: Worker) -> None:
    """Let everybody be away for long enough to be told."""
    for worker in workers:
        await worker.look()
    world.pass_time(GRACE_SECONDS + 30)


async def test_somebody_who_is_away_is_told_of_a_decision_once(stored_world: World) -> None:
    world = stored_world
    worker = Worker(world)
    world.run("t1", "Ada", "Bob")
    await world.wants("ada")
    await worker.look()
    world.run("t1", "Ada", "Bob", waits_for=("ada",))
    await away(world, worker)
    for _ in range(3):
        await worker.look()
        world.pass_time(DIGEST_SECONDS)
    assert worker.told == [MOVE]
    world.run("t1", "Ada", "Bob", waits_for=("ada",))
    await away(world, worker)
    await worker.look()
    assert worker.told == [MOVE, MOVE]


async def test_somebody_who_looks_at_the_page_is_never_told(world: World) -> None:
    worker = Worker(world)
    world.run("t1", "Ada", "Bob")
    await world.wants("ada")
    world.come("ada")
    world.run("t1", "Ada", "Bob", waits_for=("ada",))
    for _ in range(5):
        await away(world, worker)
    assert worker.told == []
    # The decision was on the page before the person left.
    world.leave("ada")
    for _ in range(3):
        await away(world, worker)
    await worker.look()
    assert worker.told == []


async def test_what_happens_after_somebody_has_left_is_told(world: World) -> None:
    worker = Worker(world)
    world.run("t1", "Ada", "Bob")
    await world.wants("ada")
    world.come("ada")
    await worker.look()
    world.leave("ada")
    # Between two looks of the worker: the person has not seen it.
    world.pass_time(10)
    world.run("t1", "Ada", "Bob", waits_for=("ada",))
    await away(world, worker)
    await worker.look()
    assert worker.told == [MOVE]


async def test_somebody_who_loses_the_connection_for_a_moment_is_not_told(world: World) -> None:
    worker = Worker(world)
    world.run("t1", "Ada", "Bob")
    await world.wants("ada")
    for _ in range(5):
        world.come("ada")
        await worker.look()
        world.leave("ada")
        world.run("t1", "Ada", "Bob", waits_for=("ada",))
        await worker.look()
        world.pass_time(GRACE_SECONDS - 1)
        await worker.look()
    assert worker.told == []


async def test_a_page_that_cannot_be_seen_is_no_look(world: World) -> None:
    worker = Worker(world)
    world.run("t1", "Ada", "Bob")
    await world.wants("ada")
    connection = world.come("ada")
    await worker.look()
    world.directory.set_visible(connection, False)
    world.run("t1", "Ada", "Bob", waits_for=("ada",))
    await away(world, worker)
    await worker.look()
    assert worker.told == [MOVE]
    world.directory.set_visible(connection, True)
    world.run("t1", "Ada", "Bob", waits_for=("ada",))
    await away(world, worker)
    await worker.look()
    assert worker.told == [MOVE]


async def test_a_game_that_begins_and_ends_and_an_invitation_are_told(world: World) -> None:
    worker = Worker(world)
    world.open("t1", "Ada", "Bob")
    world.open("t2", "Bob")
    await world.wants("ada")
    await worker.look()
    world.run("t1", "Ada", "Bob")
    await Invitations(world.key_values, world.clock).add("ada", "t2", "investors", None, "bob")
    await away(world, worker)
    await worker.look()
    world.end("t1")
    world.pass_time(DIGEST_SECONDS)
    await worker.look()
    assert worker.told == [[("begun", "t1"), ("invited", "t2")], [("ended", "t1")]]


async def test_several_games_come_in_one_message(world: World) -> None:
    worker = Worker(world)
    for number in range(4):
        world.run(f"t{number}", "Ada", "Bob")
    await world.wants("ada")
    await worker.look()
    for number in range(4):
        world.run(f"t{number}", "Ada", "Bob", waits_for=("ada",))
    await away(world, worker)
    await worker.look()
    assert [len(message) for message in worker.told] == [4]


async def test_nobody_else_is_told_and_nobody_learns_for_whom_a_game_waits(world: World) -> None:
    worker = Worker(world)
    world.run("t1", "Ada", "Bob")
    await world.wants("ada")
    await world.wants("bob")
    await worker.look()
    world.run("t1", "Ada", "Bob", waits_for=("ada",))
    await away(world, worker)
    await worker.look()
    assert worker.told == [MOVE]
    assert (await world.stored("bob")).news == ()


async def test_quiet_hours_of_a_person_delay_a_message(world: World) -> None:
    worker = Worker(world)
    world.run("t1", "Ada", "Bob")
    minute = int(world.clock.now) // 60 % 1_440
    await world.wants("ada", quiet=QuietHours(minute, (minute + 120) % 1_440))
    await worker.look()
    world.run("t1", "Ada", "Bob", waits_for=("ada",))
    await away(world, worker)
    await worker.look()
    assert worker.told == []
    world.pass_time(7_200)
    await worker.look()
    assert worker.told == [MOVE]


async def test_a_restart_neither_loses_a_message_nor_repeats_it(stored_world: World) -> None:
    world = stored_world
    first = Worker(world)
    world.run("t1", "Ada", "Bob")
    world.run("t2", "Ada", "Bob")
    await world.wants("ada")
    await first.look()
    world.run("t1", "Ada", "Bob", waits_for=("ada",))
    await away(world, first)
    await first.look()
    assert first.told == [MOVE]
    # Decided and opened while no process runs.
    world.run("t2", "Ada", "Bob", waits_for=("ada",))
    second = Worker(world)
    await away(world, second)
    world.pass_time(DIGEST_SECONDS)
    await second.look()
    assert second.told == [[("move", "t2")]]


async def test_of_two_workers_that_look_at_the_same_person_one_sends(stored_world: World) -> None:
    world = stored_world
    workers = Worker(world), Worker(world)
    world.run("t1", "Ada", "Bob")
    await world.wants("ada")
    for worker in workers:
        await worker.look()
    world.run("t1", "Ada", "Bob", waits_for=("ada",))
    await away(world, *workers)
    for _ in range(10):
        await asyncio.gather(*(worker.look() for worker in workers))
    assert workers[0].told + workers[1].told == [MOVE]


async def test_a_worker_that_is_killed_before_it_sends_is_replaced_after_its_lease(stored_world: World) -> None:
    world = stored_world
    first, second = Worker(world), Worker(world)
    world.run("t1", "Ada", "Bob")
    await world.wants("ada")
    for worker in (first, second):
        await worker.look()
    world.run("t1", "Ada", "Bob", waits_for=("ada",))
    await away(world, first, second)
    first.webhook.gate.clear()
    await first.dispatcher.look()
    await asyncio.sleep(0)
    for task in first.dispatcher._tasks:
        task.cancel()
    await second.look()
    assert second.told == []
    world.pass_time(LEASE_SECONDS)
    await asyncio.gather(second.look(), Worker(world).look())
    await second.look()
    assert first.told + second.told == [MOVE]


async def test_a_message_that_was_sent_by_a_worker_that_was_killed_then_has_the_same_id(world: World) -> None:
    webhook_of_all = RecordedWebhook()
    first, second = Worker(world, webhook_of_all), Worker(world, webhook_of_all)
    world.run("t1", "Ada", "Bob")
    await world.wants("ada")
    for worker in (first, second):
        await worker.look()
    world.run("t1", "Ada", "Bob", waits_for=("ada",))
    await away(world, first, second)
    webhook_of_all.outcomes = [asyncio.CancelledError()]
    await first.dispatcher.look()
    with contextlib.suppress(asyncio.CancelledError):
        await first.dispatcher.idle()
    world.pass_time(LEASE_SECONDS)
    await second.look()
    ids = [message.id for _, message in webhook_of_all.messages]
    assert len(ids) == 2
    assert len(set(ids)) == 1


async def test_a_failure_is_repeated_and_shown_until_a_message_arrives(world: World) -> None:
    worker = Worker(world)
    world.run("t1", "Ada", "Bob")
    await world.wants("ada")
    await worker.look()
    world.run("t1", "Ada", "Bob", waits_for=("ada",))
    await away(world, worker)
    worker.webhook.outcomes = [Undeliverable("timeout"), Undeliverable("server_error", retry_after=600)]
    await worker.look()
    assert (await world.stored("ada")).contacts[0].error == "timeout"
    await worker.look()
    world.pass_time(30)
    await worker.look()
    assert (await world.stored("ada")).contacts[0].error == "server_error"
    world.pass_time(599)
    await worker.look()
    assert worker.told == []
    world.pass_time(1)
    await worker.look()
    assert worker.told == [MOVE]
    assert (await world.stored("ada")).contacts[0].error == ""


async def test_outcomes_are_counted_by_contact(world: World) -> None:
    worker = Worker(world)
    outcomes: list[tuple[str, str]] = []
    worker.senders.on_outcome = lambda kind, outcome: outcomes.append((kind, outcome))
    world.run("t1", "Ada", "Bob")
    await world.wants("ada")
    await worker.look()
    world.run("t1", "Ada", "Bob", waits_for=("ada",))
    await away(world, worker)
    worker.webhook.outcomes = [Undeliverable("timeout")]
    await worker.look()
    world.pass_time(60)
    await worker.look()
    assert outcomes == [("webhook", "timeout"), ("webhook", "sent")]


async def test_no_line_of_the_log_has_an_address(world: World, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    worker = Worker(world)
    world.run("t1", "Ada", "Bob")
    await world.wants("ada", webhook(address="https://secret-place.example/token"))
    await worker.look()
    world.run("t1", "Ada", "Bob", waits_for=("ada",))
    await away(world, worker)
    worker.webhook.outcomes = [Undeliverable("timeout")]
    await worker.look()
    assert [record.msg for record in caplog.records if record.name.startswith("server.notifications")]
    assert not [record for record in caplog.records if "secret-place" in str(record.__dict__)]


async def test_a_table_lets_its_channel_know_but_not_for_whom_it_waits(world: World) -> None:
    worker = Worker(world)
    world.open("t1", "Ada", "Bob")
    contact = webhook(by="ada")
    await world.recipients.change(table_key("t1"), lambda each: each.with_contact(contact), creates=True)
    await worker.look()
    world.run("t1", "Ada", "Bob", waits_for=("bob",))
    world.pass_time(GRACE_SECONDS)
    await worker.look()
    world.pass_time(DIGEST_SECONDS)
    world.end("t1")
    await worker.look()
    assert worker.told == [MOVE, [("ended", "t1")]]
    texts = [(message.title, *message.lines) for _, message in worker.webhook.messages]
    assert texts[0] == ("A decision waits: Investors", "Investors: Place a stick")
    assert not [text for text in str(texts).split() if "bob" in text.lower()]
    await worker.look()
    # Nothing is left of a table that is over.
    assert await world.recipients.get(table_key("t1")) is None


async def test_a_worker_looks_only_at_its_own_recipients(world: World) -> None:
    first = Worker(world, is_responsible=lambda key: key == "u.ada")
    second = Worker(world, is_responsible=lambda key: key == "u.bob")
    world.run("t1", "Ada", "Bob")
    for name in ("ada", "bob"):
        await world.wants(name)
    for worker in (first, second):
        await worker.look()
    world.run("t1", "Ada", "Bob", waits_for=("ada", "bob"))
    await away(world, first, second)
    for worker in (first, second):
        await worker.look()
    assert [len(worker.told) for worker in (first, second)] == [1, 1]


async def test_the_statuses_of_tables_elsewhere_are_read_before_they_are_looked_at(world: World) -> None:
    asked: list[list[str]] = []

    async def refresh(tables: object) -> None:
        asked.append(sorted(tables))  # type: ignore[call-overload]

    worker = Worker(world, refresh=refresh)
    world.run("t1", "Ada")
    world.run("t2", "Bob")
    world.open("t3", "Ada")
    await world.wants("ada")
    await worker.look()
    assert asked == [["t1"]]


async def test_a_channel_is_not_told_of_a_game_that_is_paused(world: World) -> None:
    worker = Worker(world)
    world.run("t1", "Ada", "Bob")
    contact = webhook(by="ada")
    await world.recipients.change(table_key("t1"), lambda each: each.with_contact(contact), creates=True)
    await worker.look()
    world.pass_time(60)
    # Nobody is awaited in a pause.
    world.run("t1", "Ada", "Bob")
    world.pass_time(GRACE_SECONDS)
    await worker.look()
    assert worker.told == []


async def test_a_deadline_is_named_to_its_person_and_to_nobody_else(world: World) -> None:
    worker = Worker(world)
    world.run("t1", "Ada", "Bob")
    channel = webhook(id="webhook-2", by="ada")
    await world.recipients.change(table_key("t1"), lambda each: each.with_contact(channel), creates=True)
    await world.wants("ada")
    await worker.look()
    world.pass_time(60)
    since = round(world.clock.now * 1000)
    deadlines = {"ada": since + 86_400_000, "bob": since + 1}
    world.directory.update_status("t1", TableStatus(frozenset({"ada"}), "invest", since, {}, deadlines))
    await away(world, worker)
    await worker.look()
    told = {contact.id: message.news[0].deadline for contact, message in worker.webhook.messages}
    assert told == {"webhook-1": since + 86_400_000, "webhook-2": None}


async def test_somebody_on_holiday_at_a_table_is_told_when_the_holiday_is_over(world: World) -> None:
    worker = Worker(world)
    world.run("t1", "Ada", "Bob")
    await world.wants("ada")
    await worker.look()
    world.pass_time(60)
    since = round(world.clock.now * 1000)
    waits = TableStatus(frozenset({"ada"}), "invest", since, {}, {}, {"ada": since + 86_400_000})
    world.directory.update_status("t1", waits)
    await away(world, worker)
    await worker.look()
    assert worker.told == []
    world.directory.update_status("t1", waits._replace(holidays={}))
    await worker.look()
    assert worker.told == [MOVE]


async def test_a_channel_is_told_of_no_decision_where_spectators_see_the_game_later(world: World) -> None:
    worker = Worker(world)
    delayed = {"delayed_view": {"kind": "minutes", "minutes": 10}, "spectators_delayed": True}
    world.open("t1", "Ada", "Bob", settings=delayed)
    contact = webhook(by="ada")
    await world.recipients.change(table_key("t1"), lambda each: each.with_contact(contact), creates=True)
    await worker.look()
    world.run("t1", "Ada", "Bob", waits_for=("ada",), settings=delayed)
    for _ in range(3):
        world.pass_time(DIGEST_SECONDS)
        await worker.look()
    assert worker.told == [[("begun", "t1")]]
