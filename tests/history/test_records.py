"""The record of a finished game follows from the log of its table."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from server.fairness.transcript import transcript_of
from server.games.engine.play import Undone
from server.games.registry import GAMES
from server.history.game_reader import GameReader, NoRecord, indexed_game, record_of, words_of
from server.history.record import GameRecord
from server.store.api import LogDamaged
from server.store.memory import MemoryStore
from server.tables import events
from server.tables.answer_secrecy import is_step
from server.tables.entries import UnreadableEntry, open_entry, read_dated, read_entry, write_entry
from server.tables.log import TableLog
from server.tables.turns import BackgroundJob, BackgroundTurns
from tests.fairness.played_tables import played
from tests.history.logs import BEGIN, SECOND, Log
from tests.tools.golden_tables import golden_exports

VARIANTS: list[tuple[str, int, dict[str, Any]]] = [
    ("investors", 3, {}),
    ("investors", 5, {"layout": "players", "bargaining_offers": 3}),
    ("investors", 4, {"influence_cap": 40, "move_axis_only": True}),
    ("planners", 2, {}),
    ("planners", 4, {"allow_decline_bonus": True, "first_seat": "3"}),
    ("builders", 2, {"plot_sides": "B", "strict_wild": True}),
    ("builders", 3, {"adjacent_across_cards": True}),
    ("builders", 4, {"park_order": "falling"}),
]
MAX_CITY_BYTES = 400


async def read(log: Log) -> GameRecord | NoRecord:
    """Return what `record_of` reads from a store."""
    store = MemoryStore()
    await log.store_in(store)
    return await record_of(TableLog(log.table, store, ""), BackgroundJob(BackgroundTurns()))


@pytest.mark.parametrize("game, seats, options", VARIANTS)
async def test_the_record_of_a_whole_game(game: str, seats: int, options: dict[str, Any]) -> None:
    people = ["ann", "bea", *("bot:hard" for _ in range(seats - 2))]
    log = Log("k3xq7m2p", game, people, options=options, name="Harbour night").start().play()
    record = await read(log)
    assert isinstance(record, GameRecord)
    state = log.state
    assert state.play is not None
    outcome = state.game.outcome(state.play.state)
    assert outcome is not None
    assert [seat.place for seat in record.seats] == list(outcome.places)
    assert [seat.points for seat in record.seats] == list(outcome.scores)
    assert [seat.user for seat in record.seats] == ["ann", "bea", *(None for _ in range(seats - 2))]
    assert [seat.bot for seat in record.seats] == [None, None, *("hard" for _ in range(seats - 2))]
    assert record.options == options
    assert (record.title, record.end, record.private, record.rated) == ("Harbour night", "finished", False, False)
    assert (record.started, record.ended) == (BEGIN + SECOND, log.at)
    steps = [entry for entry in log.entries[1:] if is_step(read_entry(entry, game))]
    # The start is step 0, and every answer is an entry of its own.
    assert record.steps == len(steps) - 1
    assert record.decisions == len(log.entries) - 2
    assert len(json.dumps(record.city)) <= MAX_CITY_BYTES
    assert GameRecord.unpack(record.pack()) == record


def test_every_default_of_every_option_is_left_out() -> None:
    for name, game in GAMES.items():
        people = ["ann", *("bot" for _ in range(game.seats[0] - 1))]
        assert Log("k3xq7m2p", name, people).start().abandon().record().options == {}


def test_the_city_shows_who_owns_what() -> None:
    investors = Log("k3xq7m2p", "investors", ["ann", "bea", "cai"]).start().play()
    assert investors.state.play is not None
    state, city = investors.state.play.state, investors.record().city
    assert [seat for seat in city["tiles"] if seat.isdigit()] == [str(owner) for owner in state.rebuilt if owner >= 0]
    assert city["sticks"].count("w") == sum(stick == -2 for stick in state.sticks) > 0
    builders = Log("k3xq7m2p", "builders", ["ann", "bea"]).start().play()
    assert builders.state.play is not None
    built = [plots.bit_count() for plots in builders.state.play.state.buildings]
    assert [builders.record().city["plots"].count(str(seat)) for seat in (0, 1)] == built
    planners = Log("k3xq7m2p", "planners", ["ann", "bea"]).start().play()
    assert planners.state.play is not None
    cities = planners.state.play.state.cities
    assert [25 - own.count(".") for own in planners.record().city["cities"]] == [sum(one.filled) for one in cities]


def test_what_comes_after_the_end_changes_nothing() -> None:
    log = Log("k3xq7m2p", "planners", ["ann", "bea"]).start().play(decisions=4).abandon()
    before = log.record()
    log.add(events.SeatRenamed(0, "Somebody else"))
    log.add(events.Said("ann", "Ann", "all", "Well played!"))
    log.add(events.NextOpened("m2pk3xq7", "key"))
    assert log.record() == before
    assert before.seats[0].name == "Ann"


def test_an_abandoned_game_has_no_places() -> None:
    record = Log("k3xq7m2p", "planners", ["ann", "bea"]).start().play(decisions=9).abandon().record()
    assert record.end == "abandoned"
    assert [(seat.place, seat.points) for seat in record.seats] == [(None, None), (None, None)]


def test_a_table_that_was_closed_before_its_game_began_has_no_record() -> None:
    assert Log("k3xq7m2p", "planners", ["ann", "bea"]).abandon().found() is NoRecord.NEVER_BEGAN


def test_a_running_game_has_no_record() -> None:
    log = Log("k3xq7m2p", "planners", ["ann", "bea"])
    assert log.found() is NoRecord.NOT_OVER
    assert log.start().play(decisions=20).found() is NoRecord.NOT_OVER


def test_those_who_left_are_named() -> None:
    log = Log("k3xq7m2p", "investors", ["ann", "bea", "cai"]).start().resign(0)
    log.add(events.TimeRanOut(1, "normal"))
    log.add(events.TimeRanOut(2, "normal"))
    log.add(events.SeatReturned(2))
    seats = log.play().record().seats
    assert [(seat.resigned, seat.stood_in) for seat in seats] == [(True, False), (False, True), (False, False)]
    assert all(seat.user is not None and seat.bot is None and seat.place is not None for seat in seats)


def test_undone_steps_are_steps_but_no_decisions() -> None:
    log = Log("k3xq7m2p", "builders", ["ann", "bea"]).start()
    while True:
        assert log.state.play is not None
        if log.state.play.past:
            break
        log.play(seed=len(log.entries), decisions=1)
    decisions = len(log.entries) - 2
    log.add(Undone(log.state.play.awaited[0]))
    record = log.abandon().record()
    assert record.decisions == decisions
    assert record.steps == decisions + 1


@pytest.mark.parametrize("number", [3, 9])
def test_a_sealed_answer_is_one_decision_however_often_it_is_changed_and_wherever_it_is_kept(number: int) -> None:
    table = played(number)
    assert table.state.settings.sealed_on_devices
    reader, folded = GameReader(), open_entry(table.entries[0])
    for entry in table.entries[1:]:
        at, new_events = read_dated(entry, folded.settings.game)
        folded.apply(new_events, None, at)
        reader.add(folded, new_events)
    assert isinstance(reader.found, GameRecord)
    transcript = transcript_of(table.export())
    given = Counter((move["decision"], move["seat"]) for move in transcript["moves"] if "undo" not in move)
    sealed = Counter((opening["decision"], opening["seat"]) for opening in transcript["openings"])
    # An answer more than moves is that of a seat that had no choice, also if it sealed the same again.
    assert reader.found.decisions == sum(sealed[place] <= moves for place, moves in given.items())


@pytest.mark.parametrize(
    "settings, people, leaver, is_rated",
    [
        ({"rated": True, "hints": "none"}, ["ann", "bea"], 0, True),
        ({}, ["ann", "bea"], 0, False),
        ({"rated": True, "hints": "none"}, ["ann", "bot"], 0, False),
        ({"rated": True, "hints": "none"}, ["ann", "bea"], None, False),
    ],
)
def test_a_game_is_rated_if_everything_makes_it_count(
    settings: dict[str, Any], people: list[str], leaver: int | None, is_rated: bool
) -> None:
    log = Log("k3xq7m2p", "planners", people, **settings).start()
    if leaver is not None:
        log.resign(leaver)
    assert log.abandon().record().rated is is_rated


def test_seats_of_imported_games_are_nobodys() -> None:
    record = Log("k3xq7m2p", "planners", ["imported.1", "imported.2"]).start().abandon().record()
    assert [seat.user for seat in record.seats] == [None, None]
    assert indexed_game(record).people == ()


async def test_a_log_that_cannot_be_read_is_no_game() -> None:
    log = Log("k3xq7m2p", "planners", ["ann", "bea"]).start().play(decisions=4)
    log.entries.append(write_entry([events.SeatReturned(7)], log.at))
    with pytest.raises(UnreadableEntry):
        await read(log)
    newer = Log("k3xq7m2p", "planners", ["ann", "bea"])
    newer.entries[0] = newer.entries[0].replace(b"\xadrules_version\x03", b"\xadrules_version\x63")
    with pytest.raises(UnreadableEntry):
        await read(newer)


async def test_the_log_of_another_hash_is_damaged() -> None:
    class Damaged(MemoryStore):
        async def read(self, table: str, after: int = 0, limit: int = 1000) -> Any:
            raise LogDamaged(table, after + 1)

    store = Damaged()
    with pytest.raises(LogDamaged):
        await record_of(TableLog("k3xq7m2p", store, ""), BackgroundJob(BackgroundTurns()))


def test_games_of_the_first_version_have_records() -> None:
    finished = 0
    for export in golden_exports():
        log = Log.__new__(Log)
        log.entries = list(export.entries)
        finished += isinstance(log.found(), GameRecord)
    assert finished >= 3


def test_a_game_is_found_by_the_words_of_its_title_and_of_the_names_of_people() -> None:
    log = Log("k3xq7m2p", "planners", ["ann", "bot"], name="Größe & Harbour-Night").start().abandon()
    assert set(indexed_game(log.record()).words) == {"grösse", "harbour", "night", "ann"}
    assert words_of("\uff21\uff22 déjà-vu") == ["ab", "déjà", "vu"]
