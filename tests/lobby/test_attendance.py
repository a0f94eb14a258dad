"""Open tables whose people are away: what happens to them, and when."""

import asyncio

import pytest

from server.cluster.presence import ClusterPresence, chosen_worker
from server.lobby import attendance as module
from server.lobby.attendance import AWAY_SECONDS, CLOSED_SECONDS, LONG_OPEN_SECONDS, Attendance
from server.lobby.directory import TableDirectory
from server.tables.messages import PeopleAway
from tests.lobby.fakes import FakeLoop, FakeSubscriber, summary, user
from tests.tables.table_server import TableServer, pass_time, person, settle, toys, wall
from tests.tables.virtual_time import in_virtual_time

MINUTE = 60.0


class Scene:
    """A directory, the people who are connected to it, and the messages that its tables get."""

    def __init__(self, elsewhere: ClusterPresence | None = None) -> None:
        self.loop = FakeLoop()
        self.directory = TableDirectory(self.loop, elsewhere)
        self.sent: list[tuple[str, PeopleAway]] = []
        self.mine: set[str] | None = None
        self.attendance = Attendance(
            self.directory,
            lambda table, message: self.sent.append((table, message)),
            self.loop,
            lambda table: self.mine is None or table in self.mine,
            lambda: 1_000_000.0 + self.loop.now,
        )
        self.here: dict[str, FakeSubscriber] = {}
        self.reader = FakeSubscriber(user("Zoe"))
        self.directory.subscribe(self.reader)

    def come(self, *names: str) -> None:
        for name in names:
            self.here[name] = FakeSubscriber(user(name))
            self.directory.connected(self.here[name])

    def go(self, *names: str) -> None:
        for name in names:
            self.directory.disconnected(self.here.pop(name))

    def open(self, table: str, *people: str, private: bool = False, age_seconds: float = 0, **others: str) -> None:
        created = round((1_000_000 + self.loop.now - age_seconds) * 1000)
        settings = {"private": private}
        self.directory.update(summary(table, *people, created=created, settings=settings, **others), private)

    def messages(self) -> set[tuple[str, frozenset[str], bool]]:
        """Return the different messages since the last call."""
        sent, self.sent = self.sent, []
        return {(table, message.connected, message.closes) for table, message in sent}


@pytest.fixture
def scene() -> Scene:
    return Scene()


def test_a_table_leaves_the_list_within_a_minute_and_comes_back_with_its_host(scene: Scene) -> None:
    scene.come("Ada")
    scene.open("t1", "Ada")
    scene.attendance.start()
    scene.loop.pass_time(10 * MINUTE)
    assert scene.reader.page() == ["t1"]
    scene.go("Ada")
    scene.loop.pass_time(AWAY_SECONDS - module.INTERVAL_SECONDS)
    assert scene.reader.page() == ["t1"]
    scene.loop.pass_time(MINUTE - AWAY_SECONDS + module.INTERVAL_SECONDS)
    assert scene.reader.page() == []
    assert [table["table"] for table in scene.directory.own_tables("ada")] == ["t1"]
    scene.come("Ada")
    scene.loop.pass_time(0.5)
    assert scene.reader.page() == ["t1"]
    scene.loop.pass_time(5 * MINUTE)
    assert scene.reader.page() == ["t1"]
    assert scene.messages() == set()


def test_a_host_who_comes_back_for_a_moment_has_the_whole_time_again(scene: Scene) -> None:
    scene.come("Ada")
    scene.open("t1", "Ada")
    scene.attendance.start()
    scene.go("Ada")
    for _ in range(5):
        scene.loop.pass_time(AWAY_SECONDS - 6)
        scene.come("Ada")
        scene.go("Ada")
    assert scene.reader.page() == ["t1"]


def test_a_deserted_public_table_is_closed_within_ten_minutes(scene: Scene) -> None:
    scene.come("Ada", "Bob")
    scene.open("t1", "Ada", "Bob")
    scene.open("secret", "Ada", private=True)
    scene.open("game", "Ada", "Bob", phase="running")
    scene.attendance.start()
    scene.go("Ada", "Bob")
    scene.loop.pass_time(CLOSED_SECONDS - 10)
    assert scene.messages() == set()
    scene.loop.pass_time(10 * MINUTE - CLOSED_SECONDS + 10)
    assert scene.messages() == {("t1", frozenset(), True)}


def test_somebody_who_is_there_becomes_the_host_and_the_table_is_not_closed(scene: Scene) -> None:
    scene.come("Ada", "Bob")
    scene.open("t1", "Ada", "Bob", "Cy")
    scene.open("secret", "Ada", "Bob", private=True)
    scene.attendance.start()
    scene.go("Ada")
    scene.loop.pass_time(MINUTE)
    assert scene.messages() == {("t1", frozenset({"bob"}), False)}
    scene.loop.pass_time(9 * MINUTE)
    assert scene.messages() == {("t1", frozenset({"bob"}), False), ("secret", frozenset({"bob"}), False)}


def test_a_restart_starts_the_clocks_anew(scene: Scene) -> None:
    scene.open("t1", "Ada", age_seconds=24 * 3_600)
    scene.loop.pass_time(MINUTE)
    scene.attendance.start()
    scene.loop.pass_time(AWAY_SECONDS - 1)
    assert scene.reader.page() == ["t1"]
    scene.come("Ada")
    scene.loop.pass_time(10 * MINUTE)
    assert scene.reader.page() == ["t1"]
    assert scene.messages() == set()


def test_users_of_other_workers_are_present() -> None:
    elsewhere = ClusterPresence()
    scene = Scene(elsewhere)
    elsewhere.connect("b", "ada")
    scene.open("t1", "Ada")
    scene.attendance.start()
    scene.loop.pass_time(10 * MINUTE)
    assert scene.reader.page() == ["t1"]
    elsewhere.forget("b")
    scene.loop.pass_time(MINUTE)
    assert scene.reader.page() == []
    elsewhere.connect("c", "ada")
    scene.loop.pass_time(10)
    assert scene.reader.page() == ["t1"]
    assert scene.messages() == set()


def test_a_worker_acts_for_its_own_tables_alone(scene: Scene) -> None:
    for table in ("t1", "t2"):
        scene.open(table, "Ada")
    scene.mine = {"t2"}
    scene.attendance.start()
    scene.loop.pass_time(10 * MINUTE)
    assert scene.messages() == {("t2", frozenset(), True)}
    assert scene.reader.page() == []


def test_all_workers_choose_the_same_one_and_share_the_tables() -> None:
    workers = [f"host:{number}:abc" for number in range(4)]
    tables = [f"table{number}" for number in range(400)]
    chosen = [chosen_worker(table, workers) for table in tables]
    assert chosen == [chosen_worker(table, reversed(workers)) for table in tables]
    assert all(50 < chosen.count(worker) < 150 for worker in workers)
    fewer = [chosen_worker(table, workers[:3]) for table in tables]
    assert all(before == after for before, after in zip(chosen, fewer, strict=True) if before != workers[3])


def test_many_tables_are_closed_a_few_at_a_time(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_CLOSED", 10)
    for number in range(25):
        scene.open(f"t{number}", f"User{number}")
    scene.attendance.start()
    scene.loop.pass_time(CLOSED_SECONDS)
    assert len(scene.messages()) == 10


def test_a_table_that_waits_for_an_hour_moves_behind_the_others(scene: Scene) -> None:
    scene.come("Ada", "Bob")
    scene.open("old", "Ada")
    scene.loop.pass_time(MINUTE)
    scene.open("new", "Bob")
    scene.attendance.start()
    scene.loop.pass_time(LONG_OPEN_SECONDS - 2 * MINUTE)
    assert scene.reader.page() == ["old", "new"]
    scene.loop.pass_time(1.5 * MINUTE)
    assert scene.reader.page() == ["new", "old"]


def test_nothing_happens_after_the_end(scene: Scene) -> None:
    scene.open("t1", "Ada")
    scene.attendance.start()
    scene.attendance.close()
    scene.loop.pass_time(20 * MINUTE)
    assert scene.messages() == set()


# -- at the table ---------------------------------------------------------------------------------------------


def tell(server: TableServer, table: str, *connected: str, closes: bool = False) -> None:
    server.registry.post(table, PeopleAway(frozenset(connected), closes))


@in_virtual_time
async def test_the_person_who_has_sat_there_longest_becomes_the_host() -> None:
    with toys():
        server = TableServer()
        table = await server.create("ann", seats=4)
        for name, seat in (("ben", 3), ("cleo", 1), ("dora", 2)):
            await server.do(name, "take_seat", table, seat=seat)
        await server.do("ben", "leave_seat", table)
        await server.do("ben", "take_seat", table, seat=3)
        tell(server, table, "ben", "dora")
        await settle()
        assert server.state(table).host == "dora"
        assert (await server.log(table))[-1] == "host_changed"
        # Seats may be changed; the order stays.
        await server.do("dora", "leave_seat", table)
        assert server.state(table).host == "ann"
        tell(server, table, "ben", "cleo")
        await settle()
        assert server.state(table).host == "cleo"
        await server.restart()
        tell(server, table, "ben")
        await settle()
        assert server.state(table).host == "ben"
        await server.registry.close()


@in_virtual_time
async def test_a_table_is_closed_for_all_who_look_at_it_unless_one_of_its_people_does() -> None:
    with toys():
        server = TableServer()
        table = await server.create("ann", seats=3)
        spectator = await server.watch("pat", table)
        ann = await server.watch("ann", table)
        tell(server, table, closes=True)
        await settle()
        assert server.state(table).phase == "open"
        server.registry.unsubscribe(table, ann)
        tell(server, table)
        await settle()
        assert server.state(table).phase == "open"
        tell(server, table, closes=True)
        await settle()
        assert spectator.view is not None
        assert (spectator.view["table"]["phase"], spectator.view["table"]["abandoned"]) == ("over", True)
        assert server.lists.of(table)["phase"] == "over"
        await server.registry.close()


@in_virtual_time
async def test_a_host_who_looks_at_the_table_and_a_running_game_are_left_alone() -> None:
    with toys():
        server = TableServer()
        table = await server.create("ann", seats=2)
        await server.watch("ann", table)
        await server.do("ben", "take_seat", table)
        tell(server, table, "ben")
        await settle()
        assert server.state(table).host == "ann"
        assert "host_changed" not in await server.log(table)
        running = await server.begin("cleo", "dora", table="running")
        tell(server, running, "dora", closes=True)
        await settle()
        assert (server.state(running).host, server.state(running).phase) == ("cleo", "running")
        await server.registry.close()


@in_virtual_time
async def test_directory_attendance_and_tables_together() -> None:
    with toys():
        server = TableServer()
        loop = asyncio.get_running_loop()
        directory = TableDirectory(loop)
        await server.registry.close()
        server.lists = directory  # type: ignore[assignment]
        server.registry = server.new_registry()
        attendance = Attendance(directory, server.registry.post, loop, wall_clock=wall)
        attendance.start()
        reader = FakeSubscriber(person("zoe"))
        directory.subscribe(reader)
        here = {name: FakeSubscriber(person(name)) for name in ("ann", "ben")}
        for each in here.values():
            directory.connected(each)
        await server.create("ann", "table1", seats=3)
        await server.do("ben", "take_seat", "table1")
        directory.disconnected(here["ann"])
        await pass_time(MINUTE)
        assert reader.lists["table1"]["host"] == "ben"
        directory.disconnected(here["ben"])
        await pass_time(MINUTE)
        assert reader.lists == {}
        await pass_time(9 * MINUTE)
        [row] = await server.store.tables()
        assert row.phase == "over"
        attendance.close()
        directory.close()
        await server.registry.close()
