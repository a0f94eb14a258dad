"""Opening tables and quick match."""

import re
from typing import Any

import pytest

from protocol.messages import REPLIES, REQUESTS, ChangeSettings, CreateTable, ListTables, QuickMatch, TableSettings
from server.games.registry import GAMES
from server.lobby import matching
from server.lobby.directory import TableDirectory
from server.lobby.lobby import MAX_HOSTED, Lobby, LobbyRequest
from server.lobby.matching import MAX_CANDIDATES, MAX_PENDING, QuickMatches
from server.model import Refused, Reply, User
from server.store.memory import MemoryStore
from server.tables.api import Summary
from server.tables.replies import reply_message
from tests.lobby.fakes import FakeLoop, FakeSubscriber, FakeTables, summary, user
from tests.replies import code_of, result_of

ADA, BOB = user("Ada"), user("Bob")


class Room:
    """A lobby with fakes around it."""

    def __init__(self, *tables: Summary, here: str = "Ada Bob Cy Dora") -> None:
        self.loop = FakeLoop()
        self.directory = TableDirectory(self.loop)
        for name in here.split():
            self.directory.connected(FakeSubscriber(user(name)))
        self.tables = FakeTables(self.directory, tables)
        self.lobby = Lobby(self.directory, self.tables, b"secret")
        self.answers: list[Reply] = []

    def ask(self, user: User, request: LobbyRequest) -> None:
        self.lobby.ask(user, request, self.answers.append)

    def answer(self, user: User, request: LobbyRequest) -> Reply:
        """Send a request, let the tables reply, and return the one reply."""
        before = len(self.answers)
        self.ask(user, request)
        self.tables.run()
        assert len(self.answers) == before + 1
        answer = self.answers[-1]
        REPLIES.validate_python(reply_message(request.id, answer))
        return answer

    def matched(self, user: User, request: QuickMatch) -> tuple[str, bool]:
        result = result_of(self.answer(user, request))
        assert result.keys() == {"table", "created"}
        return result["table"], result["created"]


def create(request_id: str = "r1", game: str = "investors", seats: int = 4, **others: Any) -> CreateTable:
    settings = TableSettings(game=game, seats=seats, **others)
    return CreateTable(type="create_table", id=request_id, settings=settings)


def quick(request_id: str = "r1", game: str = "investors", seats: int | None = None) -> QuickMatch:
    return QuickMatch(type="quick_match", id=request_id, game=game, seats=seats)


# -- opening a table --------------------------------------------------------------------------------------------


def test_a_table_is_opened_with_a_value_for_every_option() -> None:
    room = Room()
    answer = room.answer(ADA, create(options={"layout": "players"}, private=True))
    [(table, request)] = room.tables.created
    assert result_of(answer)["table"] == table
    assert re.fullmatch(r"[a-z2-7]{16}", table)
    defaults: dict[str, Any] = {option.name: option.default for option in GAMES["investors"].options}
    assert request.settings.options == defaults | {"layout": "players", "action_cards": []}
    assert request.settings.private
    assert REQUESTS.validate_json(request.model_dump_json()) == request


@pytest.mark.parametrize(
    "request_, about",
    [
        (create(game="checkers"), "no game 'checkers'"),
        (create(seats=2), "3 to 5 seats, not 2"),
        (create(seats=6), "3 to 5 seats, not 6"),
        (create(seats=0), "3 to 5 seats, not 0"),
        (create(options={"layout": "square"}), "Option layout"),
        (create(options={"weather": "fog"}), "no option 'weather'"),
        (create(options={"first_seat": "4"}), "no seat 4"),
    ],
)
def test_a_table_that_the_game_does_not_allow_is_refused_with_the_reason(request_: CreateTable, about: str) -> None:
    room = Room()
    answer = room.answer(ADA, request_)
    assert isinstance(answer, Refused)
    assert answer.code == "bad_settings"
    assert about in answer.sentence
    assert room.tables.created == []


def test_the_same_request_opens_the_same_table_and_others_open_others() -> None:
    room = Room()
    tables = [
        result_of(room.answer(who, create(request_id)))["table"]
        for who, request_id in [(ADA, "r1"), (ADA, "r1"), (ADA, "r2"), (BOB, "r1")]
    ]
    assert tables[0] == tables[1]
    assert len(set(tables)) == 3


async def test_the_same_request_opens_the_same_table_after_a_restart_but_not_at_another_server() -> None:
    room = Room()
    here, there = MemoryStore(), MemoryStore()
    opened: list[Reply] = []
    for store in (here, here, there):
        lobby = await Lobby.open(store.key_values, room.directory, room.tables)
        lobby.ask(ADA, create(), opened.append)
        room.tables.run()
    tables = [result_of(answer)["table"] for answer in opened]
    assert tables[0] == tables[1] != tables[2]


def test_a_new_name_reaches_the_tables_where_the_user_sits() -> None:
    room = Room(
        summary("table1", "Ada"), summary("table2", "Bob"), summary("table3", "Bob", "Ada", settings={"private": True})
    )
    room.lobby.renamed(User("ada", "Countess"))
    [(who, tables)] = room.tables.renames
    assert who == User("ada", "Countess")
    assert set(tables) == {"table1", "table3"}


def test_connections_reach_the_lists_through_the_lobby() -> None:
    room = Room(summary("table1", "Ada"))
    room.loop.pass_time(1)
    ada = FakeSubscriber(ADA)
    room.lobby.connected(ada)
    room.lobby.subscribe(ada, ListTables(type="list_tables", id="l1"))
    assert ada.kinds() == ["your_tables", "tables"]
    room.lobby.unsubscribe(ada)
    room.lobby.disconnected(ada)
    room.directory.remove("table1")
    room.loop.pass_time(1)
    assert ada.kinds() == []


# -- quick match ------------------------------------------------------------------------------------------------


def test_a_quick_match_takes_a_free_seat_at_an_open_table() -> None:
    room = Room(summary("table1", "Bob"))
    assert room.matched(ADA, quick()) == ("table1", False)
    assert room.tables.seats_of(ADA) == ["table1"]


def test_a_quick_match_avoids_tables_of_people_whom_the_user_blocks() -> None:
    room = Room(summary("table1", "Bob", "Cy"), summary("table2", "Dora"))
    room.lobby.ask(ADA, quick(), room.answers.append, frozenset({"cy"}))
    room.tables.run()
    assert result_of(room.answers[-1])["table"] == "table2"
    room.lobby.ask(ADA, quick("r2", seats=3), room.answers.append, frozenset({"cy", "dora"}))
    room.tables.run()
    assert result_of(room.answers[-1])["created"]


def test_a_quick_match_opens_a_table_with_usual_settings_when_there_is_none() -> None:
    room = Room()
    table, created = room.matched(ADA, quick())
    assert created
    [(opened, request)] = room.tables.created
    assert opened == table
    assert request.settings.seats == 4
    assert request.settings.bots
    assert not request.settings.private
    assert request.settings.clock.model_dump() == {"kind": "decision", "seconds": 60}
    assert request.settings.begin == "full"
    room.tables.update_lists()
    assert room.matched(BOB, quick()) == (table, False)


def test_a_quick_match_opens_a_table_of_the_size_that_was_asked_for() -> None:
    room = Room()
    room.matched(ADA, quick(seats=5))
    assert room.tables.created[0][1].settings.seats == 5


@pytest.mark.parametrize(
    "table",
    [
        summary("table1", "Bob", "Cy", "Dora", "Eve"),
        summary("table1", "Bob", phase="running"),
        summary("table1", "Bob", game="another"),
        summary("table1", "Bob", settings={"private": True}),
        summary("table1", "Bob", settings={"sealed_on_devices": True}),
        summary("table1", "Bob", settings={"options": {"layout": "players"}}),
        summary("table1", "Bob", settings={"options": {"unheard_of": 1}}),
        summary("table1", "Bob", settings={"clock": {"kind": "decision", "seconds": 86_400}}),
        summary("table1", "Bob", settings={"clock": {"kind": "bank", "seconds": 604_800, "increment": 0}}),
        summary("table1", "Somebody who has left"),
        summary("table1"),
    ],
)
def test_a_quick_match_ignores_tables_that_do_not_match(table: Summary) -> None:
    room = Room(table)
    found, created = room.matched(ADA, quick())
    assert found != "table1"
    assert created
    assert room.tables.asked == []


def test_a_quick_match_for_a_number_of_seats_gets_that_number() -> None:
    room = Room(summary("table1", "Bob"))
    assert room.matched(ADA, quick(seats=4)) == ("table1", False)
    assert room.matched(user("Cy"), quick(seats=3))[1]


def test_explicit_default_options_match() -> None:
    room = Room(summary("table1", "Bob", settings={"options": {"layout": "random", "action_cards": []}}))
    assert room.matched(ADA, quick()) == ("table1", False)


def test_the_table_that_can_begin_soonest_is_asked_first() -> None:
    room = Room(
        summary("newer", "Bob", created=3),
        summary("older", "Bob", created=1),
        summary("nearlyfull", "Bob", "Cy", created=2),
    )
    for number, wanted in enumerate(["nearlyfull", "nearlyfull", "older"]):
        assert room.matched(user(f"Guest{number}"), quick()) == (wanted, False)
        room.tables.update_lists()


def test_a_table_that_refuses_is_passed_over_and_after_a_few_a_new_one_is_opened() -> None:
    listed = [summary(f"table{number}", "Bob", created=number) for number in range(10)]
    room = Room(*listed)
    room.tables.tables["table0"] = summary("table0", "Bob", "Cy", "Dora", "Eve")
    assert room.matched(ADA, quick()) == ("table1", False)
    room = Room(*listed)
    room.tables.tables.clear()
    assert room.matched(ADA, quick())[1]
    assert [take.table for take in room.tables.asked] == [f"table{number}" for number in range(MAX_CANDIDATES)]


@pytest.mark.parametrize("request_", [quick(game="checkers"), quick(game="checkers", seats=4), quick(seats=9)])
def test_a_quick_match_that_no_game_allows_is_refused(request_: QuickMatch) -> None:
    room = Room()
    assert code_of(room.answer(ADA, request_)) == "bad_settings"
    assert room.tables.created == []


def test_a_table_that_could_not_be_opened_is_a_refusal_and_can_be_asked_for_again() -> None:
    room = Room()
    room.tables.refuses_to_create = "storage_failed"
    assert code_of(room.answer(ADA, quick())) == "storage_failed"
    room.tables.refuses_to_create = None
    assert room.matched(ADA, quick())[1]


def test_the_same_quick_match_again_gives_the_same_answer_and_no_second_seat() -> None:
    room = Room(summary("table1", "Bob"))
    assert [room.matched(ADA, quick()) for _ in range(3)] == [("table1", False)] * 3
    assert len(room.tables.asked) == 1
    room = Room()
    first = room.matched(ADA, quick())
    assert room.matched(ADA, quick()) == first
    assert len(room.tables.created) == 1


def test_the_same_quick_match_again_after_a_restart_gives_the_same_answer() -> None:
    room = Room(summary("table1", "Bob"))
    assert room.matched(ADA, quick()) == ("table1", False)
    after = Room(*room.tables.tables.values())
    assert after.matched(ADA, quick()) == ("table1", False)
    room = Room()
    table, _ = room.matched(ADA, quick())
    after = Room(*[one | {"phase": "running"} for one in room.tables.tables.values()])
    assert after.matched(ADA, quick()) == (table, True)
    assert after.tables.asked == []
    assert after.tables.created == []


def test_the_same_quick_match_again_after_a_restart_finds_the_game_that_it_has_begun() -> None:
    room = Room(summary("table1", "Bob", "Cy", "Dora", settings={"begin": "full"}))
    assert room.matched(ADA, quick()) == ("table1", False)
    after = Room(*room.tables.tables.values())
    assert after.tables.tables["table1"]["phase"] == "running"
    after.tables.accepted = room.tables.accepted
    assert after.matched(ADA, quick()) == ("table1", False)
    assert after.tables.created == []


def test_a_second_click_finds_the_game_that_the_first_has_begun() -> None:
    room = Room(summary("table1", "Bob", "Cy", "Dora", settings={"begin": "full"}))
    for number in range(2):
        room.ask(ADA, quick(f"r{number}"))
    room.tables.run()
    assert [result_of(answer)["table"] for answer in room.answers] == ["table1", "table1"]
    assert room.tables.created == []


@pytest.mark.parametrize("settings", [{"name": "Friday night", "language": "de"}, {"begin": "full"}, {"begin": "host"}])
def test_the_name_the_language_and_the_beginning_of_a_table_do_not_prevent_a_match(settings: dict[str, Any]) -> None:
    room = Room(summary("table1", "Bob", settings=settings))
    assert room.matched(ADA, quick()) == ("table1", False)


def test_a_request_id_that_was_used_for_another_request_is_refused() -> None:
    room = Room(summary("table1", "Bob"))
    room.matched(ADA, quick("r1"))
    assert code_of(room.answer(ADA, quick("r1", seats=5))) == "id_reused"


def test_a_user_who_sits_at_a_matching_open_table_stays_there() -> None:
    room = Room(summary("table1", "Ada"), summary("table2", "Bob", "Cy"))
    assert room.matched(ADA, quick()) == ("table1", False)
    assert room.tables.asked == []


@pytest.mark.parametrize("others", [{"settings": {"private": True}}, {"phase": "running"}])
def test_an_own_table_that_does_not_match_is_no_quick_match(others: dict[str, Any]) -> None:
    room = Room(summary("table1", "Ada", **others))
    assert room.matched(ADA, quick())[1]


def test_different_criteria_get_a_different_table() -> None:
    room = Room()
    first, _ = room.matched(ADA, quick("r1"))
    second, created = room.matched(ADA, quick("r2", seats=5))
    assert created
    assert second != first


@pytest.mark.parametrize("tables", [[], [summary("table1", "Bob"), summary("table2", "Cy")]])
def test_a_user_who_clicks_twice_gets_one_seat(tables: list[Summary]) -> None:
    room = Room(*tables)
    for number in range(MAX_PENDING):
        room.ask(ADA, quick(f"r{number}"))
    room.tables.run()
    assert len(room.answers) == MAX_PENDING
    assert len({result_of(answer)["table"] for answer in room.answers}) == 1
    assert len(room.tables.seats_of(ADA)) == 1


def test_too_many_clicks_are_refused_as_busy_until_the_first_is_answered() -> None:
    room = Room(summary("table1", "Bob"))
    for number in range(MAX_PENDING + 1):
        room.ask(ADA, quick(f"r{number}"))
    assert [code_of(answer) for answer in room.answers] == ["busy"]
    room.tables.run()
    assert [code_of(answer) for answer in room.answers[1:]] == [None] * MAX_PENDING
    assert room.matched(ADA, quick("again")) == ("table1", False)


def test_the_latest_match_is_only_preferred_for_a_moment() -> None:
    room = Room(summary("table1", "Bob", created=1), summary("table2", "Cy", created=2))
    now = 50.0
    matches = QuickMatches(
        room.directory, room.tables.create, room.tables, lambda user, request_id: f"new{request_id}", lambda: now
    )

    def matched(request_id: str) -> str:
        answers: list[Reply] = []
        matches.ask(ADA, quick(request_id), answers.append)
        room.tables.run()
        table: str = result_of(answers[0])["table"]
        return table

    room.directory.update(summary("table2", "Cy", "Dora", created=2), False)
    assert matched("r1") == "table2"
    # The lists do not show the seat yet, and another table looks better now.
    room.directory.update(summary("table2", "Cy", created=2), False)
    assert matched("r2") == "table2"
    now += matching.LATEST_SECONDS
    assert matched("r3") == "table1"


def test_many_people_at_once_are_seated_at_few_tables_and_nobody_twice() -> None:
    people = [user(f"Guest{number}") for number in range(40)]
    room = Room(here=" ".join(person.name for person in people))
    for number, person in enumerate(people):
        room.ask(person, quick())
        room.ask(person, quick("r2"))
        if number % 3 == 0:
            room.tables.run()
            room.tables.update_lists()
    room.tables.run()
    assert len(room.answers) == 80
    assert [len(room.tables.seats_of(person)) for person in people] == [1] * 40
    for table in room.tables.tables.values():
        seated = [seat["user"] for seat in table["seats"] if seat["user"] is not None]
        assert len(set(seated)) == len(seated)


def test_the_number_of_remembered_matches_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matching, "MAX_REMEMBERED", 5)
    room = Room()
    for number in range(20):
        room.matched(user(f"Guest{number}"), quick())
    matches = room.lobby._quick_matches
    assert len(matches._matches) == len(matches._latest) == 5
    for number in (15, 20):
        room.matched(user(f"Guest{number}"), quick("r2"))
    assert {"guest15", "guest20"} <= matches._latest.keys()
    assert matches._pending == {}


# -- against floods -------------------------------------------------------------------------------------------


def test_a_user_hosts_a_few_open_public_tables_at_the_same_time_and_private_ones_beside() -> None:
    room = Room()
    for number in range(MAX_HOSTED):
        assert code_of(room.answer(ADA, create(f"r{number}"))) is None
        room.tables.update_lists()
    refusal = room.answer(ADA, create("more"))
    assert isinstance(refusal, Refused)
    assert refusal.code == "too_many_tables"
    assert "You already host 3 open tables." in refusal.sentence
    assert code_of(room.answer(ADA, quick("quick", seats=5))) == "too_many_tables"
    assert code_of(room.answer(ADA, create("r1"))) is None
    assert code_of(room.answer(ADA, create("secret", private=True))) is None
    assert code_of(room.answer(BOB, create("more"))) is None
    first = room.tables.created[0][0]
    room.tables.tables[first] = room.tables.tables[first] | {"phase": "running"}
    room.tables.update_lists()
    assert code_of(room.answer(ADA, create("more"))) is None


def test_many_tables_cannot_be_opened_at_once() -> None:
    room = Room()
    for number in range(10):
        room.ask(ADA, create(f"r{number}"))
    room.tables.run()
    assert sorted(map(str, map(code_of, room.answers))) == ["None"] * MAX_HOSTED + ["too_many_tables"] * 7
    assert room.lobby._opening == {}


def test_private_tables_cannot_be_made_public_without_end() -> None:
    names = [f"table{number}" for number in range(6)]
    room = Room(*(summary(name, "Ada", settings={"private": True}) for name in names))
    settings = TableSettings(game="investors", seats=4)
    for name in names:
        room.ask(ADA, ChangeSettings(type="change_settings", id=name, table=name, settings=settings))
    room.tables.run()
    assert sorted(map(str, map(code_of, room.answers))) == ["None"] * MAX_HOSTED + ["too_many_tables"] * 3
    # A change that keeps the table private, or public, is not counted.
    private = settings.model_copy(update={"private": True})
    room.tables.update_lists()
    change = ChangeSettings(type="change_settings", id="r1", table="table0", settings=settings)
    assert code_of(room.answer(ADA, change)) is None
    change = ChangeSettings(type="change_settings", id="r2", table="table5", settings=private)
    assert code_of(room.answer(ADA, change)) is None


def test_a_present_host_is_preferred_then_a_single_table_then_one_that_begins_by_itself() -> None:
    begin = {"settings": {"begin": "full"}}
    tables = [
        summary("single", "Bob", created=5, **begin),
        summary("startedbyhost", "Cy", created=1),
        summary("many1", "Dora", created=2, **begin),
        summary("many2", "Dora", created=3, **begin),
        summary("absent", "Gone", "Eve", "Fay", created=0, **begin),
    ]
    room = Room(*tables, here="Ada Bob Cy Dora Eve Fay")
    pending = matching._PendingMatch(ADA, quick(), lambda reply: None)
    candidates = room.lobby._quick_matches._candidates(pending)
    assert candidates == ["single", "startedbyhost", "many1", "many2", "absent"]


def test_more_people_who_count_there_are_preferred() -> None:
    tables = [
        summary("puppets1", "Mal", "Moe", "Max", created=1),
        summary("pair", "Bob", "Cy", created=3),
        summary("puppets2", "Moe", "Max", "Mal", created=2),
        summary("single", "Dora", created=0),
    ]
    room = Room(*tables, here="Ada Bob Cy Dora Mal Moe Max")
    pending = matching._PendingMatch(ADA, quick(), lambda reply: None)
    candidates = room.lobby._quick_matches._candidates(pending)
    # The same three people count at the older of their two tables only.
    assert candidates == ["puppets1", "pair", "single", "puppets2"]
