"""Queries, pages and the order of the lists."""

from typing import Any

import pytest

from protocol.messages import MAX_LIST_ROWS, REPLIES, REQUESTS, ListTables
from server.lobby import lists as module
from server.lobby.directory import TableDirectory
from server.lobby.queries import DEFAULT_QUERY, ListQuery, read_query
from tests.lobby.directories import SETTLED
from tests.lobby.fakes import FakeLoop, FakeSubscriber, summary, user


def query(**pages: Any) -> ListQuery:
    request = REQUESTS.validate_python({"type": "list_tables", "id": "l1", **pages})
    assert isinstance(request, ListTables)
    return read_query(request)


def show(directory: TableDirectory, **pages: Any) -> FakeSubscriber:
    """Subscribe somebody to the lists."""
    subscriber = FakeSubscriber(user("Zoe"))
    directory.subscribe(subscriber, query(**pages))
    for frame in subscriber.frames:
        REPLIES.validate_python(frame.message)
    return subscriber


def put(directory: TableDirectory, loop: FakeLoop, *tables: dict[str, Any]) -> None:
    for each in tables:
        directory.update(each, each["settings"]["private"])
    loop.pass_time(SETTLED)


# -- the order ------------------------------------------------------------------------------------------------


def test_open_tables_are_ordered_by_people_and_then_by_how_long_they_wait(
    directory: TableDirectory, loop: FakeLoop
) -> None:
    put(
        directory,
        loop,
        summary("full", "Ada", "Bob", "Cy", "Dora", created=1),
        summary("late", "Eve", created=5),
        summary("early", "Fay", created=4),
        summary("pair", "Gus", "Hal", created=9),
    )
    assert show(directory).page() == ["pair", "early", "late", "full"]


def test_a_person_counts_at_one_table_so_further_ones_come_after_those_of_all_others(
    directory: TableDirectory, loop: FakeLoop
) -> None:
    put(
        directory,
        loop,
        *(summary(f"many{number}", "Mal", "Moe", created=number) for number in range(5)),
        summary("single", "Ada", created=9),
    )
    assert show(directory).page() == ["many0", "single", "many1", "many2", "many3", "many4"]
    # The first table begins, so the next one counts.
    put(directory, loop, summary("many0", "Mal", "Moe", created=0, phase="running"))
    assert show(directory).page() == ["many1", "single", "many2", "many3", "many4"]
    put(directory, loop, summary("many1", "Moe", created=1))
    assert show(directory).page() == ["many1", "many2", "single", "many3", "many4"]


def test_running_tables_are_ordered_by_people_spectators_and_age(directory: TableDirectory, loop: FakeLoop) -> None:
    running = {"phase": "running"}
    put(
        directory,
        loop,
        summary("old", "Ada", created=1, **running),
        summary("new", "Bob", created=2, **running),
        summary("watched", "Cy", created=0, spectators=4, **running),
        summary("pair", "Dora", "Eve", created=0, **running),
        summary("flood1", "Mal", created=8, spectators=30, **running),
        summary("flood2", "Mal", created=9, **running),
    )
    assert show(directory).page("running") == ["pair", "watched", "flood2", "new", "old", "flood1"]


def test_tables_of_absent_hosts_are_not_listed_and_people_who_are_away_do_not_count(
    directory: TableDirectory, loop: FakeLoop
) -> None:
    put(
        directory,
        loop,
        summary("one", "Ada", created=2),
        summary("two", "Bob", "Cy", created=3),
        summary("game", "Bob", "Cy", created=1, phase="running"),
    )
    watcher = show(directory)
    directory.set_away(frozenset({"bob"}))
    loop.pass_time(SETTLED)
    assert watcher.page() == ["one"]
    assert watcher.places["open"]["total"] == 1
    assert watcher.page("running") == ["game"]
    assert watcher.waiting == {"investors": 1}
    assert directory.counts() == {"open": 2, "running": 1}
    directory.set_away(frozenset({"cy"}))
    loop.pass_time(SETTLED)
    assert watcher.page() == show(directory).page() == ["one", "two"]
    assert watcher.waiting == {"investors": 2}


def test_tables_that_have_been_open_for_long_come_after_the_others(directory: TableDirectory, loop: FakeLoop) -> None:
    put(directory, loop, summary("forgotten", "Ada", "Bob", created=1), summary("fresh", "Cy", created=9))
    watcher = show(directory)
    assert watcher.page() == ["forgotten", "fresh"]
    directory.set_long_open(frozenset({"forgotten"}))
    loop.pass_time(SETTLED)
    assert watcher.page() == ["fresh", "forgotten"]


# -- pages ----------------------------------------------------------------------------------------------------


def pages(directory: TableDirectory, limit: int, **conditions: Any) -> list[list[str]]:
    """Return all pages of the open tables, read one after the other."""
    found, after, seen = [], None, 0
    for _ in range(1_000):
        reader = show(directory, open={"limit": limit, "after": after, **conditions}, running=None)
        found.append(reader.page())
        place = reader.places["open"]
        assert place["start"] == seen
        seen += len(reader.page())
        directory.unsubscribe(reader)
        after = place["next"]
        if after is None:
            assert place["total"] == seen
            return found
    raise AssertionError("the pages have no end")


def test_every_table_is_on_exactly_one_page(directory: TableDirectory, loop: FakeLoop) -> None:
    tables = [f"table{number:03}" for number in range(257)]
    put(directory, loop, *(summary(table, f"User{number % 40}", created=7) for number, table in enumerate(tables)))
    for limit in (1, 50, 64, 100):
        found = pages(directory, limit)
        assert sorted(table for page in found for table in page) == tables
        assert {len(page) for page in found[:-1]} <= {limit}
    assert len(directory._lists._groups) == 1


def test_without_a_query_the_first_page_of_each_phase_and_the_totals_are_sent(
    directory: TableDirectory, loop: FakeLoop
) -> None:
    put(directory, loop, *(summary(f"open{number:03}", f"User{number}") for number in range(120)))
    put(directory, loop, *(summary(f"game{number:03}", f"User{number}", phase="running") for number in range(60)))
    reader = show(directory)
    assert len(reader.page("open")) == len(reader.page("running")) == 50
    assert (reader.places["open"]["total"], reader.places["running"]["total"]) == (120, 60)
    assert query() == DEFAULT_QUERY


def test_a_page_stays_put_when_tables_on_earlier_pages_come_and_go(directory: TableDirectory, loop: FakeLoop) -> None:
    put(directory, loop, *(summary(f"table{number}", f"User{number}", created=number) for number in range(9)))
    first = show(directory, open={"limit": 3}, running=None)
    second = show(directory, open={"limit": 3, "after": first.places["open"]["next"]}, running=None)
    assert second.page() == ["table3", "table4", "table5"]
    second.kinds()
    directory.remove("table1")
    loop.pass_time(SETTLED)
    assert first.page() == ["table0", "table2", "table3"]
    assert second.page() == ["table3", "table4", "table5"]
    assert (second.places["open"]["start"], second.places["open"]["total"]) == (2, 8)
    directory.remove("table4")
    loop.pass_time(SETTLED)
    assert second.page() == ["table3", "table5", "table6"]


def test_the_order_is_sent_only_where_it_does_not_follow_from_the_changes(
    directory: TableDirectory, loop: FakeLoop
) -> None:
    put(directory, loop, *(summary(f"table{number}", f"User{number}", created=number) for number in range(3)))
    reader = show(directory)
    put(directory, loop, summary("table3", "User3", created=3))
    directory.remove("table1")
    loop.pass_time(SETTLED)
    assert [frame.message["open"]["order"] for frame in reader.frames[1:]] == [None, None]
    reader.kinds()
    put(directory, loop, summary("table3", "User3", "Ada", created=3))
    assert reader.frames[0].message["open"]["order"] == ["table3", "table0", "table2"]
    assert reader.page() == ["table3", "table0", "table2"]


def test_a_game_that_begins_moves_to_the_other_page_and_is_not_gone(directory: TableDirectory, loop: FakeLoop) -> None:
    put(directory, loop, summary("t1", "Ada"), summary("t2", "Bob"))
    reader, narrow = show(directory), show(directory, running=None)
    for each in (reader, narrow):
        each.kinds()
    put(directory, loop, summary("t1", "Ada", phase="running"))
    # Older clients apply the changed tables before the gone ones.
    assert [frame.message["gone"] for frame in reader.frames] == [[]]
    assert [frame.message["gone"] for frame in narrow.frames] == [["t1"]]
    assert (reader.page("open"), reader.page("running")) == (["t2"], ["t1"])


# -- queries --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "condition, wanted",
    [
        ({"game": "planners"}, {"named"}),
        ({"seats": 2}, {"small"}),
        ({"free": True}, {"plain", "named", "small"}),
        ({"clock": "none"}, {"plain", "small", "full"}),
        ({"clock": "decision"}, {"named"}),
        ({"clock": "bank"}, set()),
        ({"language": "de"}, {"plain", "named", "full"}),
        ({"language": "pl"}, {"plain", "small", "full"}),
        ({"spectators": True}, {"plain", "named", "small"}),
        ({"search": "nob hill"}, {"named"}),
        ({"search": "  NOB   Hill "}, {"named"}),
        ({"search": "STRASSE"}, {"named"}),
        ({"search": "bob"}, {"plain", "full"}),
        ({"search": "smal"}, {"small"}),
        ({"search": "ada\ncy"}, set()),
        ({"game": "planners", "clock": "none"}, set()),
    ],
)
def test_a_query_shows_the_tables_that_meet_all_its_conditions(
    condition: dict[str, Any], wanted: set[str], directory: TableDirectory, loop: FakeLoop
) -> None:
    clock = {"kind": "decision", "seconds": 60}
    small = [{"user": "cy", "name": "Cy", "bot": None}, {"user": None, "name": None, "bot": None}]
    put(
        directory,
        loop,
        summary("plain", "Ada", "Bob"),
        summary(
            "named", "Cy", game="planners", settings={"name": "Nob Hill, Straße 7", "language": "de", "clock": clock}
        ),
        summary("small", "Cy", seats=small, settings={"language": "pl"}),
        summary("full", "Dora", "Eve", "Fay", "Bobby", settings={"spectators": False}),
        summary("secret", "Bob", settings={"private": True, "name": "Nob Hill"}),
        summary("begun", "Bob", phase="running"),
    )
    reader = show(directory, open=condition, running=None)
    assert set(reader.page()) == wanted
    assert reader.places["open"]["total"] == len(wanted)
    assert "running" not in reader.places


def test_changes_reach_the_subscribers_whose_query_they_concern(directory: TableDirectory, loop: FakeLoop) -> None:
    readers = {game: show(directory, open={"game": game}, running=None) for game in ("planners", "builders")}
    for reader in readers.values():
        reader.kinds()
    put(directory, loop, summary("t1", "Ada", game="planners"))
    assert readers["planners"].page() == ["t1"]
    # The other query learns of the person who waits, but of no table.
    assert readers["builders"].lists == {}
    assert readers["builders"].waiting == {"planners": 1}
    put(directory, loop, summary("t1", "Ada", game="planners", phase="running"))
    assert readers["planners"].lists == {}


def test_equal_queries_share_one_frame_and_nothing_is_kept_of_the_last(
    directory: TableDirectory, loop: FakeLoop
) -> None:
    readers = [show(directory, open={"search": "Ada", "game": "investors"}, running=None) for _ in range(5)]
    put(directory, loop, summary("t1", "Ada"))
    assert len({id(reader.frames[-1]) for reader in readers}) == 1
    assert len(directory._lists._groups) == 2
    for reader in readers:
        directory.unsubscribe(reader)
    assert len(directory._lists._groups) == 1
    assert len(directory._lists._matches) == 2


def test_another_query_replaces_the_one_before(directory: TableDirectory, loop: FakeLoop) -> None:
    put(directory, loop, summary("t1", "Ada", game="planners"), summary("t2", "Bob"))
    reader = show(directory, open={"game": "planners"}, running=None)
    directory.subscribe(reader, query(open=None))
    assert reader.lists == {}
    assert len(directory._lists) == 1
    reader.kinds()
    put(directory, loop, summary("t1", "Ada", "Cy", game="planners"))
    assert [frame.message["changed"] for frame in reader.frames] == [[]]


def test_too_many_different_queries_are_answered_once_and_the_usual_one_stays_live(
    directory: TableDirectory, loop: FakeLoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_QUERIES", 3)
    put(directory, loop, summary("t1", "Ada"))
    flood = [show(directory, open={"search": f"a{number}"}) for number in range(10)]
    assert [reader.is_live for reader in flood] == [True] * 2 + [False] * 8
    usual, late = show(directory), show(directory, open={"search": "ada"})
    assert (usual.is_live, late.is_live) == (True, False)
    assert late.page() == ["t1"]
    put(directory, loop, summary("t2", "Adam"))
    assert usual.page() == ["t1", "t2"]
    assert late.page() == ["t1"]
    directory.unsubscribe(flood[0])
    directory.subscribe(late, query(open={"search": "ada"}))
    assert late.is_live
    assert late.page() == ["t1", "t2"]


def test_the_largest_page_is_bounded() -> None:
    with pytest.raises(ValueError, match="less than or equal to 100"):
        query(open={"limit": MAX_LIST_ROWS + 1})
