"""The lists of tables: what they show, to whom, and how often."""

import asyncio
import random
from typing import Any

import msgpack
import pytest

from protocol.codec import Encoding
from protocol.messages import REPLIES
from server.lobby.directory import TableDirectory
from server.lobby.queries import DEFAULT_QUERY, ListQuery, PageQuery, TableFilter
from server.store.api import TableRow
from server.store.memory import MemoryStore
from server.tables.api import Summary, TableStatus
from tests.lobby.directories import SETTLED, private, public, subscribed, waiting_for
from tests.lobby.fakes import FakeLoop, FakeSubscriber, own, summary, user


def test_a_subscriber_gets_the_whole_lists_once_and_then_changes(directory: TableDirectory, loop: FakeLoop) -> None:
    directory.update(*public("t1", "Bob"))
    loop.pass_time(SETTLED)
    ada = subscribed(directory)
    assert ada.kinds() == ["your_tables", "tables"]
    assert list(ada.lists) == ["t1"]
    directory.update(*public("t1", "Bob", "Cy"))
    directory.update(*public("t2", "Dora"))
    loop.pass_time(SETTLED)
    assert ada.kinds() == ["tables_changed"]
    assert ada.lists == {"t1": summary("t1", "Bob", "Cy"), "t2": summary("t2", "Dora")}


def test_a_table_that_is_over_or_removed_leaves_the_lists(directory: TableDirectory, loop: FakeLoop) -> None:
    for table in ("t1", "t2", "t3"):
        directory.update(*public(table, "Ada"))
    loop.pass_time(SETTLED)
    ada = subscribed(directory)
    directory.update(*public("t1", "Ada", phase="over"))
    directory.remove("t2")
    loop.pass_time(SETTLED)
    assert list(ada.lists) == ["t3"]
    assert ada.own == [own("Ada", summary("t3", "Ada"))]
    assert directory.counts() == {"open": 1, "running": 0}


def test_an_unlisted_table_can_be_over_or_removed(directory: TableDirectory, loop: FakeLoop) -> None:
    ada = subscribed(directory)
    ada.kinds()
    directory.update(*public("t1", "Ada", phase="over"))
    directory.remove("t2")
    assert loop.timers == []
    loop.pass_time(SETTLED)
    assert ada.kinds() == []


def test_a_table_that_is_removed_before_it_was_published_is_never_shown(
    directory: TableDirectory, loop: FakeLoop
) -> None:
    directory.update(*public("t0", "Bob"))
    loop.pass_time(0)
    directory.update(*public("t1", "Bob"))
    ada = subscribed(directory)
    ada.kinds()
    directory.remove("t1")
    loop.pass_time(SETTLED)
    assert ada.kinds() == []
    assert list(ada.lists) == ["t0"]


def test_a_private_table_is_shown_to_its_people_alone(directory: TableDirectory, loop: FakeLoop) -> None:
    ada, bob = subscribed(directory, "Ada"), subscribed(directory, "Bob")
    directory.update(*private("t1", "Bob"))
    loop.pass_time(SETTLED)
    late = subscribed(directory, "Ada")
    assert bob.own == [own("Bob", private("t1", "Bob")[0])]
    assert ada.own == late.own == []
    assert ada.lists == bob.lists == late.lists == {}
    assert not any("t1" in str(frame.message) for frame in [*ada.frames, *late.frames])
    assert directory.counts() == {"open": 0, "running": 0}
    assert list(directory.open_tables()) == []


def test_a_users_own_tables_come_on_connecting_and_with_every_change_on_every_device(
    directory: TableDirectory, loop: FakeLoop
) -> None:
    directory.update(*public("t1", "Ada", created=1))
    loop.pass_time(SETTLED)
    devices = [FakeSubscriber(user("Ada")) for _ in range(2)]
    for device in devices:
        directory.connected(device)
        assert [one["table"] for one in device.own] == ["t1"]
    directory.update(*private("t2", "Bob", "Ada", created=2))
    loop.pass_time(SETTLED)
    assert [[one["table"] for one in device.own] for device in devices] == [["t2", "t1"]] * 2
    directory.update(*public("t1", "Bob", created=1))
    loop.pass_time(SETTLED)
    assert [[one["table"] for one in device.own] for device in devices] == [["t2"]] * 2
    assert [device.kinds() for device in devices] == [["your_tables"] * 3] * 2


def test_changes_are_gathered_into_one_message_every_200_milliseconds(
    directory: TableDirectory, loop: FakeLoop
) -> None:
    ada = subscribed(directory)
    ada.kinds()
    for step in range(50):
        directory.update(*public(f"t{step}", "Bob"))
        loop.pass_time(0.02)
    loop.pass_time(SETTLED)
    assert len(ada.lists) == 50
    # The first one at once, then one after each of the five intervals that follow.
    assert ada.kinds() == ["tables_changed"] * 6


def test_the_first_change_after_a_quiet_time_is_published_at_once(directory: TableDirectory, loop: FakeLoop) -> None:
    ada = subscribed(directory)
    directory.update(*public("t1", "Bob"))
    loop.pass_time(0)
    assert list(ada.lists) == ["t1"]
    directory.update(*public("t2", "Bob"))
    loop.pass_time(0.19)
    assert list(ada.lists) == ["t1"]
    loop.pass_time(0.02)
    assert list(ada.lists) == ["t1", "t2"]


def test_spectator_counts_may_wait_a_second_but_go_along_with_other_changes(
    directory: TableDirectory, loop: FakeLoop
) -> None:
    ada = subscribed(directory)
    directory.update(*public("t1", "Bob"))
    loop.pass_time(SETTLED)
    ada.kinds()
    directory.update(*public("t1", "Bob", spectators=1))
    loop.pass_time(0.5)
    directory.update(*public("t1", "Bob", spectators=2))
    loop.pass_time(0.4)
    assert ada.kinds() == []
    loop.pass_time(0.2)
    assert ada.kinds() == ["tables_changed"]
    assert ada.lists["t1"]["spectators"] == 2
    directory.update(*public("t1", "Bob", spectators=3))
    directory.update(*public("t2", "Cy"))
    assert len([alarm for alarm in loop.timers if not alarm.is_cancelled]) == 1
    loop.pass_time(0.2)
    assert ada.lists["t1"]["spectators"] == 3
    loop.pass_time(SETTLED)
    assert ada.kinds() == ["tables_changed"]


def test_an_unchanged_summary_is_not_published(directory: TableDirectory, loop: FakeLoop) -> None:
    ada = subscribed(directory)
    directory.update(*public("t1", "Ada"))
    loop.pass_time(SETTLED)
    ada.kinds()
    directory.update(*public("t1", "Ada"))
    loop.pass_time(SETTLED)
    assert ada.kinds() == []


def test_all_subscribers_share_one_frame(directory: TableDirectory, loop: FakeLoop) -> None:
    subscribers = [subscribed(directory, f"User{number}") for number in range(20)]
    directory.update(*public("t1", "Bob"))
    loop.pass_time(SETTLED)
    subscribers += [subscribed(directory, f"User{number}") for number in range(20)]
    for wanted in ("tables_changed", "tables"):
        frames = [
            f for one in subscribers for f in one.frames if f.message["type"] == wanted and "t1" in str(f.message)
        ]
        assert len(frames) == 20
        assert len({id(frame) for frame in frames}) == 1


def test_a_connection_that_dropped_a_change_gets_no_further_one_before_the_whole_lists(
    directory: TableDirectory, loop: FakeLoop
) -> None:
    ada = subscribed(directory)
    ada.kinds()
    ada.is_slow = True
    directory.update(*public("t1", "Ada"))
    loop.pass_time(SETTLED)
    ada.is_slow = False
    directory.update(*public("t2", "Bob"))
    loop.pass_time(SETTLED)
    assert ada.kinds() == []
    directory.connected(ada)
    directory.subscribe(ada)
    assert ada.kinds() == ["your_tables", "tables"]
    assert set(ada.lists) == {"t1", "t2"}
    assert ada.own == [own("Ada", summary("t1", "Ada"))]
    directory.remove("t2")
    loop.pass_time(SETTLED)
    assert ada.kinds() == ["tables_changed"]


def test_a_connection_that_is_too_slow_for_the_whole_lists_keeps_waiting(
    directory: TableDirectory, loop: FakeLoop
) -> None:
    ada = FakeSubscriber(user("Ada"), is_slow=True)
    directory.connected(ada)
    directory.subscribe(ada)
    ada.is_slow = False
    directory.update(*public("t1", "Bob"))
    loop.pass_time(SETTLED)
    assert ada.kinds() == []


def test_nothing_is_sent_to_a_disconnected_subscriber(directory: TableDirectory, loop: FakeLoop) -> None:
    ada, bob = subscribed(directory, "Ada"), subscribed(directory, "Bob")
    for one in (ada, bob):
        one.kinds()
    directory.disconnected(ada)
    directory.unsubscribe(bob)
    assert not directory.is_connected("ada")
    assert directory.is_connected("bob")
    directory.update(*public("t1", "Ada", "Bob"))
    loop.pass_time(SETTLED)
    directory.disconnected(ada)
    assert ada.kinds() == []
    assert bob.kinds() == ["your_tables"]


def test_nothing_is_kept_of_disconnected_subscribers(directory: TableDirectory, loop: FakeLoop) -> None:
    ada, bob = subscribed(directory, "Ada"), subscribed(directory, "Bob")
    directory.update(*public("t1", "Ada", "Bob"))
    loop.pass_time(SETTLED)
    for one in (ada, bob):
        directory.disconnected(one)
    directory.update(*public("t1", "Ada", "Bob", phase="over"))
    loop.pass_time(SETTLED)
    assert directory._entries == {}
    assert directory._tables_of == {}
    assert directory._own_timers == {}
    assert directory._own_sent_at == {}
    assert directory._refreshing == set()
    assert directory._connections == {}
    assert len(directory._lists) == 0
    [group] = directory._lists._groups.values()
    assert (group.subscribers, group.pages.rows) == ({}, {"open": {}, "running": {}})
    index = directory._index
    for kept in (index._entries, index._tables_of, index._counts_at, index._hosted, index.changed):
        assert not kept


def test_a_connection_may_close_while_a_frame_is_sent(directory: TableDirectory, loop: FakeLoop) -> None:
    ada, bob = subscribed(directory, "Ada"), subscribed(directory, "Bob")
    ada.on_send = lambda: directory.disconnected(ada)
    ada.is_slow = True
    directory.update(*public("t1", "Ada", "Bob"))
    loop.pass_time(SETTLED)
    assert not directory.is_connected("ada")
    ada.is_slow = False
    directory.update(*public("t2", "Ada", "Bob"))
    loop.pass_time(SETTLED)
    assert ada.kinds() == ["your_tables", "tables"]  # of the first subscription
    assert set(bob.lists) == {"t1", "t2"}


@pytest.mark.parametrize("seed", range(15))
def test_changes_applied_to_the_first_lists_always_give_the_whole_lists(
    seed: int, directory: TableDirectory, loop: FakeLoop
) -> None:
    queries = [
        DEFAULT_QUERY,
        ListQuery(PageQuery(TableFilter("open"), 3, None), PageQuery(TableFilter("running", free=True), 4, None)),
        ListQuery(None, PageQuery(TableFilter("running", search="bob"), 2, None)),
        ListQuery(PageQuery(TableFilter("open"), 3, (0, 0, -1, 5, "t5")), None),
    ]
    query_of: dict[FakeSubscriber, ListQuery] = {}
    chance = random.Random(seed)
    names = ["Ada", "Bob", "Cy", "Dora"]
    truth: dict[str, tuple[Summary, bool]] = {}
    subscribers: list[FakeSubscriber] = []
    for _ in range(400):
        table = f"t{chance.randrange(30)}"
        match chance.randrange(8):
            case 0 | 1 | 2 | 3:
                was_private = truth[table][1] if table in truth else chance.random() < 0.3
                about = summary(
                    table,
                    *chance.sample(names, chance.randrange(4)),
                    phase=chance.choice(["open", "running", "running", "over"]),
                    created=int(table[1:]) // 2,
                    spectators=chance.randrange(3),
                )
                directory.update(about, was_private)
                truth[table] = (about, was_private)
            case 4 if chance.random() < 0.7:
                awaited = frozenset(name.lower() for name in chance.sample(names, chance.randrange(4)))
                directory.update_status(table, TableStatus(awaited, "bid", chance.randrange(3), {"round": 1}))
            case 4:
                directory.remove(table)
                truth.pop(table, None)
            case 5:
                query = chance.choice(queries)
                subscribers.append(subscribed(directory, chance.choice(names), query))
                query_of[subscribers[-1]] = query
            case 6 if subscribers:
                one = chance.choice(subscribers)
                one.is_slow = not one.is_slow
                if not one.is_slow:
                    directory.connected(one)
                    directory.subscribe(one, query_of[one])
            case 7 if chance.random() < 0.5:
                directory.set_away(frozenset(name.lower() for name in chance.sample(names, chance.randrange(3))))
            case _:
                loop.pass_time(chance.choice([0.05, 0.2, 1.1]))
    loop.pass_time(SETTLED)
    fresh = {query: subscribed(directory, query=query) for query in queries}
    for phase in ("open", "running"):
        listed = {about["table"] for about, is_private in truth.values() if about["phase"] == phase and not is_private}
        hidden = {table for table in listed if phase == "open" and directory.is_away(truth[table][0]["host"])}
        assert set(fresh[DEFAULT_QUERY].page(phase)) == listed - hidden
    loop.pass_time(10)
    in_step = [one for one in subscribers if not one.is_slow]
    assert len(in_step) > 5
    for one in in_step:
        same = fresh[query_of[one]]
        assert list(one.lists.items()) == list(same.lists.items())
        assert one.waiting == same.waiting
        places = [{**place, "order": None} for place in one.places.values()]
        assert places == list(same.places.values())
        own = {about["table"] for about, _ in truth.values() if about["phase"] != "over" and sits(about, one.user.id)}
        assert {about["table"] for about in one.own} == own
        assert directory.own_tables(one.user.id) == one.own


def sits(about: Summary, user_id: str) -> bool:
    return any(seat["user"] == user_id for seat in about["seats"])


def about_bytes(about: Summary, is_private: bool) -> bytes:
    packed: bytes = msgpack.packb({"summary": about, "private": is_private})
    return packed


async def test_statuses_are_there_again_after_a_restart(directory: TableDirectory) -> None:
    store = MemoryStore()
    status = [["ada"], "bid", 7, {"round": 2}]
    about = summary("t1", "Ada", "Bob", phase="running")
    packed: bytes = msgpack.packb({"summary": about, "private": False, "status": status})
    await store.create("t1", "running", packed)
    directory.load(await store.tables())
    assert directory.own_tables("ada") == [own("Ada", about, waiting_for("Ada"))]
    assert directory.own_tables("bob") == [own("Bob", about, waiting_for())]


def test_a_table_of_an_earlier_version_is_loaded_when_one_of_its_people_connects(directory: TableDirectory) -> None:
    loaded: list[str] = []
    directory.load_table = loaded.append
    rows = [("t1", "running", ("Ada",)), ("t2", "open", ("Ada",)), ("t3", "running", ("Bob",))]
    for table, phase, people in rows:
        about = about_bytes(*public(table, *people, phase=phase))
        directory.load([TableRow(table, phase, about, 1, 0.0)])
    ada = subscribed(directory, "Ada")
    assert loaded == ["t1"]
    assert [one["awaited"] for one in ada.own] == [False, False]
    directory.update_status("t1", waiting_for("Ada"))
    subscribed(directory, "Ada")
    assert loaded == ["t1"]


@pytest.mark.parametrize("status", [7, [], [["ada"]], [1, 2, 3, 4], [["ada"], "bid", 7, [3]]])
def test_a_row_with_an_unreadable_status_is_left_out(status: Any, directory: TableDirectory) -> None:
    packed = msgpack.packb({"summary": summary("t1", "Ada", phase="running"), "private": False, "status": status})
    directory.load([TableRow("t1", "running", packed, 1, 0.0)])
    assert directory.tables_of("ada") == []


async def test_the_lists_are_there_again_after_a_restart(directory: TableDirectory, loop: FakeLoop) -> None:
    store = MemoryStore()
    await store.create("t1", "open", about_bytes(*public("t1", "Ada", spectators=5)))
    await store.create("t2", "running", about_bytes(*private("t2", "Ada", phase="running", created=3)))
    await store.create("t3", "over", about_bytes(*public("t3", "Ada", phase="over")))
    directory.load(await store.tables())
    ada = subscribed(directory)
    # Spectators have to subscribe again after the restart.
    assert ada.lists == {"t1": summary("t1", "Ada", spectators=0)}
    assert [one["table"] for one in ada.own] == ["t2", "t1"]
    assert loop.timers == []
    ada.kinds()
    directory.update(*public("t4", "Bob"))
    loop.pass_time(SETTLED)
    assert ada.kinds() == ["tables_changed"]
    directory.update(*public("t1", "Ada", phase="running"))
    loop.pass_time(SETTLED)
    assert ada.lists["t1"]["phase"] == "running"


@pytest.mark.parametrize(
    "about",
    [
        b"",
        b"\xc1",
        msgpack.packb([]),
        msgpack.packb({"private": False}),
        msgpack.packb({"summary": {}, "private": False}),
        msgpack.packb({"summary": summary("t1") | {"seats": None}, "private": False}),
        msgpack.packb({"summary": summary("t1") | {"phase": "dreaming"}, "private": False}),
    ],
)
def test_a_row_that_cannot_be_read_is_left_out_and_the_others_are_listed(
    about: bytes, directory: TableDirectory
) -> None:
    good = about_bytes(*public("t2", "Ada"))
    directory.load([TableRow("t1", "open", about, 1, 0.0), TableRow("t2", "open", good, 1, 0.0)])
    assert list(subscribed(directory).lists) == ["t2"]


@pytest.mark.parametrize("encoding", list(Encoding))
def test_every_message_is_one_of_the_protocol(encoding: Encoding, directory: TableDirectory, loop: FakeLoop) -> None:
    ada = subscribed(directory)
    directory.update(*public("t1", "Ada"))
    loop.pass_time(SETTLED)
    directory.remove("t1")
    loop.pass_time(SETTLED)
    assert {frame.message["type"] for frame in ada.frames} == {"your_tables", "tables", "tables_changed"}
    for frame in ada.frames:
        REPLIES.validate_python(frame.message)
        assert frame.framed(encoding)


def test_a_closed_directory_sets_no_timer(directory: TableDirectory, loop: FakeLoop) -> None:
    ada = subscribed(directory)
    ada.kinds()
    directory.update(*public("t1", "Ada"))
    directory.close()
    loop.pass_time(SETTLED)
    assert ada.kinds() == []


async def test_it_runs_on_a_real_event_loop() -> None:
    directory = TableDirectory()
    ada = subscribed(directory)
    directory.update(*public("t1", "Ada"))
    await asyncio.sleep(0.01)
    assert list(ada.lists) == ["t1"]
    directory.close()


def test_a_change_of_status_leaves_at_once_and_the_next_one_after_the_interval(
    directory: TableDirectory, loop: FakeLoop
) -> None:
    directory.update(*public("t1", "Ada", phase="running"))
    ada = subscribed(directory, "Ada")
    loop.pass_time(SETTLED)
    ada.kinds()
    directory.update_status("t1", waiting_for("Ada"))
    assert ada.kinds() == ["your_tables"]
    directory.update_status("t1", waiting_for("Ada", since=8))
    directory.update_status("t1", waiting_for("Ada", since=9))
    assert ada.kinds() == []
    loop.pass_time(SETTLED)
    assert ada.kinds() == ["your_tables"]
    assert ada.own[0]["since"] == 9


def test_a_broken_connection_does_not_hinder_the_table_that_reports_its_status(
    directory: TableDirectory, loop: FakeLoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory.update(*public("t1", "Ada", phase="running"))
    broken, phone = subscribed(directory, "Ada"), subscribed(directory, "Ada")
    loop.pass_time(SETTLED)
    phone.kinds()
    monkeypatch.setattr(broken, "send", None)
    directory.update_status("t1", waiting_for("Ada"))
    assert phone.kinds() == ["your_tables"]
