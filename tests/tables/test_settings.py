"""Settings of a table: its name and language, changing them before the start, and beginning when it is full."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from protocol.messages import TableSettings
from server.model import Refused
from server.tables.settings import read_settings
from tests.tables.roles import play_turn
from tests.tables.table_server import Screen, TableServer
from tests.tables.virtual_time import in_virtual_time


def settings(**others: Any) -> dict[str, Any]:
    return {"game": "auction", "seats": 3, **others}


def users(server: TableServer, table: str) -> list[str | None]:
    """Return the user of each chair; a bot's chair has the strength of the bot."""
    return [chair.user or chair.bot for chair in server.state(table).chairs]


def ready(server: TableServer, table: str) -> list[bool]:
    return [chair.ready for chair in server.state(table).chairs]


# -- name and language ----------------------------------------------------------------------------------------


def test_the_name_of_a_table_is_cleaned_like_other_names() -> None:
    read = read_settings(TableSettings(game="investors", seats=3, name="  Friday   night "))
    assert isinstance(read, TableSettings)
    assert read.name == "Friday night"


@pytest.mark.parametrize("name", ["", "   ", "x" * 41, "a\u202eb", "a\u0000b"])
def test_a_name_that_cannot_be_shown_is_refused(name: str) -> None:
    read = read_settings(TableSettings(game="investors", seats=3, name=name))
    assert isinstance(read, Refused)
    assert read.code == "bad_settings"


def test_a_name_may_have_forty_characters_and_a_language_is_one_of_four() -> None:
    read = read_settings(TableSettings(game="investors", seats=3, name="x" * 40, language="pl"))
    assert isinstance(read, TableSettings)
    assert (read.name, read.language) == ("x" * 40, "pl")
    with pytest.raises(ValidationError):
        TableSettings.model_validate({"game": "investors", "seats": 3, "language": "fr"})


@pytest.mark.parametrize(
    "clock, too_much",
    [
        ({"kind": "decision", "seconds": 1_209_600}, {"seconds": 1_209_601}),
        ({"kind": "bank", "seconds": 1_209_600, "increment": 86_400}, {"seconds": 1_209_601}),
        ({"kind": "bank", "seconds": 1_209_600, "increment": 86_400}, {"increment": 86_401}),
    ],
)
def test_a_clock_gives_a_fortnight_at_most_and_a_day_for_each_decision(
    clock: dict[str, Any], too_much: dict[str, int]
) -> None:
    assert TableSettings.model_validate(settings(clock=clock, holiday_days=28)).clock.model_dump() == clock
    with pytest.raises(ValidationError):
        TableSettings.model_validate(settings(clock=clock | too_much))
    with pytest.raises(ValidationError):
        TableSettings.model_validate(settings(clock=clock, holiday_days=29))


@in_virtual_time
async def test_name_and_language_are_in_views_and_lists() -> None:
    server = TableServer()
    table = await server.create("ann", name="Friday night", language="de")
    screen = await server.watch("ann", table)
    assert screen.view is not None
    for shown in (screen.view["table"]["settings"], server.lists.of(table)["settings"]):
        assert (shown["name"], shown["language"], shown["begin"]) == ("Friday night", "de", "host")
    await server.registry.close()


# -- changing them --------------------------------------------------------------------------------------------


@in_virtual_time
async def test_the_host_changes_the_settings_and_everybody_else_must_be_ready_again() -> None:
    server = TableServer()
    table = await server.create("ann", seats=3)
    await server.do("ann", "ready", table, ready=True)
    await server.seat(table, "ben")
    await server.do("ann", "add_bot", table)
    pat = await server.watch("pat", table)
    clock = {"kind": "decision", "seconds": 60}
    await server.do("ann", "change_settings", table, settings=settings(clock=clock, name=" Friday  night "))
    assert pat.events[-1] == {"event": "settings_changed"}
    assert pat.view is not None
    assert pat.view["table"]["settings"]["clock"] == clock
    assert pat.view["table"]["settings"]["name"] == "Friday night"
    assert server.lists.of(table)["settings"]["clock"] == clock
    assert ready(server, table) == [True, False, True]
    assert users(server, table) == ["ann", "ben", "random"]
    await server.restart()
    assert (await server.watch("pat", table)).view == pat.view
    await server.registry.close()


@in_virtual_time
async def test_settings_that_no_table_may_have_are_refused() -> None:
    server = TableServer()
    table = await server.create("ann", seats=3)
    for bad in (settings(game="mosaic"), settings(seats=15), settings(options={"x": 1}), settings(name="\u202e")):
        assert await server.refusal("ann", "change_settings", table, settings=bad) == "bad_settings"
    assert server.state(table).settings.seats == 3
    await server.registry.close()


@in_virtual_time
async def test_chairs_are_added_and_removed_and_removed_bots_leave() -> None:
    server = TableServer()
    table = await server.create("ann", seats=3)
    await server.do("ann", "add_bot", table, seat=2)
    ann = await server.watch("ann", table)
    await server.do("ann", "change_settings", table, settings=settings(seats=2))
    assert users(server, table) == ["ann", None]
    assert [event["event"] for event in ann.events] == ["bot_removed", "settings_changed"]
    await server.do("ann", "change_settings", table, settings=settings(seats=4))
    await server.do("dan", "take_seat", table, seat=3)
    dan = await server.watch("dan", table)
    assert users(server, table) == ["ann", None, None, "dan"]
    assert await server.refusal("ann", "change_settings", table, settings=settings(seats=3)) == "bad_settings"
    assert dan.view is not None
    assert dan.view["mine"] == 3
    await server.do("ann", "fill_with_bots", table)
    await server.do("dan", "ready", table, ready=True)
    await server.do("ann", "start", table)
    assert dan.view["play"]["decision"]["awaited"] == [0, 1, 2, 3]
    await server.registry.close()


@in_virtual_time
async def test_where_bots_are_no_longer_allowed_they_leave() -> None:
    server = TableServer()
    table = await server.create("ann", seats=3)
    await server.do("ann", "fill_with_bots", table)
    await server.do("ann", "change_settings", table, settings=settings(bots=False))
    assert users(server, table) == ["ann", None, None]
    await server.registry.close()


@in_virtual_time
async def test_a_viewer_of_an_added_seat_resumes_after_a_restart() -> None:
    """Check that frame numbers, which are counted from the log, do not depend on when a seat was added."""
    server = TableServer()
    table = await server.create("ann", seats=2)
    await server.do("ann", "say", table, text="one")
    await server.do("ann", "change_settings", table, settings=settings(seats=4))
    await server.do("dan", "take_seat", table, seat=3)
    dan = await server.watch("dan", table)
    number, stamp = dan.number, dan.stamp
    early = [(await server.watch(name, table, have=1)).missed for name in ("dan", "ann")]
    assert early[0], "the entries from before the seat was added are in memory for it"
    assert early[0] == early[1]
    for line in range(60):
        await server.do("ann", "say", table, text=f"line {line}")
    assert dan.number == number + 60
    await server.restart()
    again = await server.watch("dan", table, have=number, stamp=stamp)
    assert again.number == dan.number
    assert len(again.missed or ()) == 60
    await server.registry.close()


@in_virtual_time
async def test_a_table_that_becomes_private_leaves_the_public_lists() -> None:
    server = TableServer()
    table = await server.create("ann", seats=3)
    await server.do("ann", "change_settings", table, settings=settings(private=True))
    assert server.lists.updates[-1][1] is True
    assert await server.refusal("sue", "take_seat", table) == "no_such_table"
    await server.do("ben", "take_seat", table, key=server.key(table))
    await server.registry.close()


@in_virtual_time
async def test_changing_settings_twice_with_one_id_has_one_effect() -> None:
    server = TableServer()
    table = await server.create("ann", seats=3)
    await server.seat(table, "ben")
    await server.do("ann", "change_settings", table, id="s", settings=settings(name="A"))
    await server.do("ben", "ready", table, ready=True)
    await server.do("ann", "change_settings", table, id="s", settings=settings(name="A"))
    assert ready(server, table) == [False, True, False]
    await server.registry.close()


# -- chairs ---------------------------------------------------------------------------------------------------


@in_virtual_time
async def test_a_bots_chair_that_is_named_is_taken_over() -> None:
    server = TableServer()
    table = await server.create("ann", seats=3)
    await server.do("ann", "fill_with_bots", table)
    assert await server.refusal("ben", "take_seat", table) == "no_free_seat"
    assert await server.do("ben", "take_seat", table, seat=2, id="sit") == {"seat": 2}
    assert users(server, table) == ["ann", "random", "ben"]
    assert (await server.log(table))[-1] == "bot_removed+seat_taken"
    assert await server.do("ben", "take_seat", table, seat=2, id="sit") == {"seat": 2}
    assert await server.refusal("cat", "take_seat", table, seat=2) == "seat_taken"
    await server.registry.close()


@in_virtual_time
async def test_who_sits_moves_to_a_free_chair() -> None:
    server = TableServer()
    table = await server.create("ann", seats=4)
    await server.seat(table, "ben")
    await server.do("ann", "add_bot", table, seat=2)
    ann, ben, pat = [await server.watch(name, table) for name in ("ann", "ben", "pat")]
    assert await server.do("ben", "take_seat", table, seat=3) == {"seat": 3}
    assert users(server, table) == ["ann", None, "random", "ben"]
    assert ready(server, table) == [False, False, True, True]
    assert pat.events[-1] == {"event": "seat_moved", "seat": 1, "to": 3}
    for screen, seat in ((ann, 0), (ben, 3), (pat, None)):
        assert screen.view is not None
        assert screen.view["mine"] == seat
        assert screen.view["seats"][3]["user"] == "ben"
    assert await server.do("ann", "take_seat", table, seat=1) == {"seat": 1}
    assert server.state(table).host == "ann"
    assert await server.refusal("ann", "take_seat", table, seat=1) == "already_seated"
    assert await server.refusal("ann", "take_seat", table) == "already_seated"
    for taken in (2, 3):
        assert await server.refusal("ann", "take_seat", table, seat=taken) == "seat_taken"
    assert await server.refusal("ann", "take_seat", table, seat=4) == "no_such_seat"
    assert [seat["user"] for seat in server.lists.of(table)["seats"]] == [None, "ann", None, "ben"]
    await server.restart()
    assert (await server.watch("ben", table)).view == ben.view
    assert users(server, table) == [None, "ann", "random", "ben"]
    await server.registry.close()


# -- beginning when full --------------------------------------------------------------------------------------


def is_running(screen: Screen) -> bool:
    assert screen.view is not None
    return bool(screen.view["table"]["phase"] == "running")


@in_virtual_time
async def test_a_table_that_begins_when_full_seats_people_ready_and_begins_with_the_last() -> None:
    server = TableServer()
    table = await server.create("ann", seats=3, begin="full", game="mosaic")
    ann = await server.watch("ann", table)
    assert ready(server, table) == [True, False, False]
    await server.do("ben", "take_seat", table)
    assert not is_running(ann)
    assert await server.do("cat", "take_seat", table, id="last") == {"seat": 2}
    assert is_running(ann)
    assert (await server.log(table))[-1] == "seat_taken+seat_ready+game_started+row_laid"
    assert server.lists.of(table)["phase"] == "running"
    assert await server.do("cat", "take_seat", table, id="last") == {"seat": 2}
    await play_turn(server, table, "ann")
    state = server.state(table).play.state
    await server.restart()
    await server.watch("ann", table)
    assert server.state(table).play.state == state
    await server.registry.close()


@in_virtual_time
async def test_somebody_who_is_not_ready_keeps_a_full_table_from_beginning() -> None:
    server = TableServer()
    table = await server.create("ann", seats=2, begin="full")
    await server.do("ann", "ready", table, ready=False)
    await server.do("ben", "take_seat", table)
    assert server.state(table).phase == "open"
    await server.do("ann", "ready", table, ready=True)
    assert server.state(table).phase == "running"
    await server.registry.close()


@in_virtual_time
async def test_filling_up_with_bots_begins_such_a_table() -> None:
    server = TableServer()
    table = await server.create("ann", seats=3, begin="full")
    await server.do("ann", "add_bot", table)
    assert server.state(table).phase == "open"
    assert await server.do("ann", "fill_with_bots", table) == {"seats": [2]}
    assert server.state(table).phase == "running"
    await server.registry.close()


@in_virtual_time
async def test_changing_to_begin_when_full_begins_a_full_table_once_all_are_ready() -> None:
    server = TableServer()
    table = await server.create("ann", seats=3)
    await server.seat(table, "ben")
    await server.do("ann", "add_bot", table)
    await server.do("ann", "change_settings", table, settings=settings(begin="full"))
    assert server.state(table).phase == "open"
    await server.do("ben", "ready", table, ready=True)
    assert server.state(table).phase == "running"
    await server.registry.close()


@in_virtual_time
async def test_a_rematch_against_bots_alone_begins_at_once_where_full_tables_do() -> None:
    server = TableServer()
    table = await server.create("ann", seats=2, begin="full")
    await server.do("ann", "fill_with_bots", table)
    await server.do("ann", "vote", table, on="abandon", agree=True)
    rematch = (await server.do("ann", "play_again", table))["table"]
    await server.watch("ann", rematch)
    assert server.state(rematch).phase == "running"
    await server.registry.close()


def test_settings_from_before_have_the_defaults() -> None:
    old = TableSettings.model_validate_json('{"game": "investors", "seats": 3}')
    assert (old.name, old.language, old.begin) == (None, None, "host")
