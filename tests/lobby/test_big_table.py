"""The big table: which table is the most interesting, for how long, and what never comes into it."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from protocol.codec import Frame
from protocol.messages import Watch
from server.lobby import big_table
from server.lobby.big_table import BIG_TABLE, FRESH_SECONDS, STABLE_SECONDS, BigTable, Candidate, closeness, ranked
from server.lobby.directory import TableDirectory
from server.model import Done, User
from server.store.memory import MemoryKeyValueStore
from server.tables.api import OnReply, Subscriber
from server.tables.results import refused
from tests.lobby.directories import private, public
from tests.lobby.fakes import user
from tests.replies import result_of

PLAIN = Candidate("plain", people=2, spectators=0, ratings=(), points=(10, 5), idle_seconds=60.0)


@pytest.mark.parametrize(
    "better",
    [
        PLAIN._replace(people=3),
        PLAIN._replace(spectators=4),
        PLAIN._replace(ratings=(1_700, 1_500)),
        PLAIN._replace(points=(10, 9)),
        PLAIN._replace(idle_seconds=5.0),
    ],
    ids=["more people", "more spectators", "stronger people", "a closer game", "a move a moment ago"],
)
def test_a_table_is_more_interesting_by(better: Candidate) -> None:
    other = better._replace(table="zz")
    assert ranked([PLAIN, other], None) == ["zz", "plain"]
    assert ranked([other, PLAIN], None) == ["zz", "plain"]


def test_the_shown_table_stays_until_it_is_beaten_clearly() -> None:
    better, much_better = PLAIN._replace(table="better", people=3), PLAIN._replace(table="best", spectators=60)
    assert ranked([PLAIN, better], "plain") == ["plain", "better"]
    assert ranked([PLAIN, better, much_better], "plain") == ["best", "plain", "better"]


def test_equal_tables_have_the_same_order_everywhere() -> None:
    tables = [PLAIN._replace(table=name) for name in "cab"]
    assert ranked(tables, None) == ["a", "b", "c"]


@pytest.mark.parametrize(
    "points, close", [((), 0.0), ((5,), 0.0), ((0, 0), 0.5), ((10, 10, 1), 1.0), ((10, 0), 0.0), ((8, 4, 6), 0.75)]
)
def test_a_game_is_close_by_its_first_two(points: tuple[int, ...], close: float) -> None:
    assert closeness(points) == close


@dataclass
class Tables:
    """Tables that show themselves to subscribers, except those in `silent`."""

    views: dict[str, dict[str, Any]] = field(default_factory=dict)
    watched: list[str] = field(default_factory=list)
    subscribed: set[str] = field(default_factory=set)

    def put(self, table: str, points: Sequence[int] = (1, 1), *, paused: bool = False, elapsed: int = 1_000) -> None:
        game = {"seats": [{"prestige": each} for each in points]}
        view = {"table": {"phase": "running", "paused": paused}, "play": {"game": game}}
        self.views[table] = {"type": "view", "view": view, "elapsed": elapsed}

    def subscribe(self, user: User, request: Watch, subscriber: Subscriber, on_reply: OnReply) -> None:
        self.watched.append(request.table)
        if request.table not in self.views:
            on_reply(refused("busy"))
            return
        self.subscribed.add(request.table)
        on_reply(Done())
        subscriber.send(Frame(self.views[request.table]))

    def unsubscribe(self, table: str, subscriber: Subscriber) -> None:
        self.subscribed.discard(table)


class Scene:
    """A directory with a big table, and a clock."""

    def __init__(self, directory: TableDirectory, key_values: MemoryKeyValueStore | None = None) -> None:
        self.directory, self.tables, self.now, self.hidden = directory, Tables(), 1_000.0, set[str]()
        self.key_values = key_values or MemoryKeyValueStore(lambda: self.now)
        self.service = self.new_worker()

    def new_worker(self) -> BigTable:
        clock = lambda: self.now  # noqa: E731
        return BigTable(self.directory, self.tables, self.key_values, self.ratings_of, clock, clock)  # type: ignore[arg-type]

    async def ratings_of(self, game: str, users: Collection[str]) -> Sequence[int] | None:
        return None if self.hidden & set(users) else []

    def run(self, table: str, *people: str, points: Sequence[int] = (1, 1), **others: Any) -> None:
        self.directory.update(*public(table, *people, phase="running", **others))
        self.tables.put(table, points)

    async def shown(self, name: str = "Zoe", service: BigTable | None = None) -> list[str]:
        reply = result_of(await (service or self.service).answer(user(name)))
        return [table["table"] for table in reply["tables"]]


@pytest.fixture
def scene(directory: TableDirectory) -> Scene:
    return Scene(directory)


async def test_the_most_interesting_table_comes_first_and_others_follow(scene: Scene) -> None:
    scene.run("several", "Ada")
    scene.run("many", "Bob", "Cyd", "Dan")
    scene.run("crowd", "Eve", "Fay", spectators=40)
    scene.run("lone", "Gus", points=(9, 0))
    assert await scene.shown() == ["crowd", "many", "several"]
    assert scene.tables.subscribed == set(), "it has looked and gone"


async def test_what_must_not_be_watched_is_never_shown_and_not_even_looked_at(scene: Scene) -> None:
    scene.run("closed", "Ada", "Bob", settings={"spectators": False})
    scene.directory.update(*private("secret", "Cyd", phase="running"))
    scene.directory.update(*public("open", "Dan", phase="open"))
    scene.run("bashful", "Eve", "Fay", "Gus")
    scene.hidden.add("eve")
    assert await scene.shown() == []
    assert scene.tables.watched == []


async def test_a_table_of_people_who_are_away_or_in_a_pause_is_not_shown(scene: Scene) -> None:
    scene.run("away", "Ada", "Bob")
    scene.directory.set_away(frozenset({"ada", "bob"}))
    scene.run("paused", "Cyd", "Dan", "Eve")
    scene.tables.put("paused", paused=True)
    scene.run("silent", "Fay", "Gus")
    del scene.tables.views["silent"]
    assert await scene.shown() == []


async def test_the_own_table_is_not_shown_to_those_who_sit_there(scene: Scene) -> None:
    scene.run("mine", "Ada", "Bob", "Cyd")
    scene.run("other", "Dan")
    assert await scene.shown("Bob") == ["other"]
    assert await scene.shown("Zoe") == ["mine", "other"]


async def test_the_choice_stays_for_a_while_and_does_not_hop(scene: Scene) -> None:
    scene.run("first", "Ada", "Bob")
    assert await scene.shown() == ["first"]
    scene.run("better", "Cyd", "Dan", "Eve", spectators=60)
    scene.now += STABLE_SECONDS - 1
    assert await scene.shown() == ["first"]
    scene.now += 2 + FRESH_SECONDS
    assert await scene.shown() == ["better", "first"]


async def test_when_its_game_is_over_another_one_is_chosen(scene: Scene) -> None:
    scene.run("first", "Ada", "Bob", spectators=9)
    scene.run("second", "Cyd")
    assert await scene.shown() == ["first", "second"]
    scene.directory.remove("first")
    assert await scene.shown() == ["second"], "at once, from what was ranked"
    scene.run("third", "Dan", "Eve", "Fay", spectators=60)
    scene.now += FRESH_SECONDS
    assert await scene.shown() == ["third", "second"]


async def test_all_workers_show_the_same_table_also_after_a_restart(scene: Scene) -> None:
    scene.run("aaaa", "Ada", "Bob")
    one, two = scene.new_worker(), scene.new_worker()
    assert await scene.shown(service=one) == ["aaaa"]
    scene.run("bbbb", "Cyd", "Dan", "Eve", spectators=60)
    assert await scene.shown(service=two) == ["aaaa"], "the other worker has chosen"
    assert await scene.shown(service=scene.new_worker()) == ["aaaa"]


async def test_of_two_workers_that_choose_at_once_one_prevails(scene: Scene) -> None:
    scene.run("aaaa", "Ada", "Bob")
    put_if_absent = scene.key_values.put_if_absent

    async def too_late(kind: str, key: str, value: bytes, expires_at: float | None = None) -> bool:
        await put_if_absent(kind, key, json.dumps([["bbbb", "aaaa"], scene.now]).encode(), expires_at)
        return await put_if_absent(kind, key, value, expires_at)

    scene.run("bbbb", "Cyd")
    scene.key_values.put_if_absent = too_late  # type: ignore[method-assign]
    assert await scene.shown() == ["bbbb", "aaaa"]


async def test_a_wall_clock_that_was_set_back_keeps_no_choice_for_ever(scene: Scene) -> None:
    scene.run("first", "Ada")
    scene.run("better", "Cyd", "Dan", "Eve", spectators=60)
    value = json.dumps([["first"], scene.now + 10 * STABLE_SECONDS]).encode()
    await scene.key_values.put(BIG_TABLE, "choice", value)
    assert await scene.shown() == ["better", "first"]


async def test_only_some_tables_are_looked_at(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(big_table, "MAX_CANDIDATES", 3)
    for number in range(10):
        scene.run(f"table{number}", f"P{number}")
    assert len(await scene.shown()) == 3
    assert len(scene.tables.watched) == 3
