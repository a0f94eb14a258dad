"""Rated tables: people with an account only, and no hints (docs/ratings.md)."""

from __future__ import annotations

from protocol.messages import TableSettings
from server.tables.settings import read_settings
from tests.replies import code_of
from tests.tables.roles import agree, choice
from tests.tables.table_server import TableServer
from tests.tables.virtual_time import in_virtual_time


def test_a_rated_table_has_no_hints() -> None:
    for hints in ("alone", "all"):
        read = read_settings(TableSettings(game="investors", seats=3, rated=True, hints=hints))  # type: ignore[arg-type]
        assert isinstance(read, TableSettings)
        assert (read.rated, read.hints) == (True, "none")
    read = read_settings(TableSettings(game="investors", seats=3, hints="all"))
    assert isinstance(read, TableSettings)
    assert read.hints == "all"


@in_virtual_time
async def test_guests_cannot_sit_at_a_rated_table_and_people_with_an_account_and_bots_can() -> None:
    server = TableServer()
    table = await server.create("@ann", seats=3, rated=True)
    for seat in (None, 1):
        assert await server.refusal("gus", "take_seat", table, seat=seat) == "not_rated"
    await server.seat(table, "@ben")
    await server.do("@ann", "add_bot", table)
    assert await server.refusal("gus", "take_seat", table, seat=2) == "not_rated", "the seat of a bot"
    await server.do("@ann", "start", table)
    assert server.state(table).phase == "running"
    await server.registry.close()


@in_virtual_time
async def test_a_guest_who_sat_there_before_cannot_play_when_the_table_becomes_rated() -> None:
    server = TableServer()
    table = await server.create("@ann", seats=2)
    await server.seat(table, "gus")
    rated = {"game": "auction", "seats": 2, "rated": True}
    await server.do("@ann", "change_settings", table, settings=rated)
    assert server.state(table).settings.hints == "none"
    assert await server.refusal("@ann", "start", table) == "not_everybody_ready"
    assert await server.refusal("gus", "ready", table, ready=True) == "not_rated"
    await server.do("gus", "ready", table, ready=False)
    # The same person has kept the name now.
    await server.do("@gus", "ready", table, ready=True)
    await server.do("@ann", "start", table)
    await server.registry.close()


@in_virtual_time
async def test_a_table_that_begins_when_full_waits_for_the_guest_to_have_an_account() -> None:
    server = TableServer()
    table = await server.create("@ann", seats=2)
    await server.seat(table, "gus")
    rated = {"game": "auction", "seats": 2, "rated": True, "begin": "full"}
    await server.do("@ann", "change_settings", table, settings=rated)
    assert server.state(table).phase == "open"
    assert await server.refusal("gus", "ready", table, ready=True) == "not_rated"
    await server.do("@gus", "ready", table, ready=True)
    assert server.state(table).phase == "running"
    await server.registry.close()


@in_virtual_time
async def test_a_guest_as_host_neither_makes_a_table_rated_nor_starts_a_rated_one() -> None:
    server = TableServer()
    table = await server.create("gus", seats=2)
    rated = {"game": "auction", "seats": 2, "rated": True}
    assert await server.refusal("gus", "change_settings", table, settings=rated) == "not_rated"
    assert not server.state(table).settings.rated
    await server.seat(table, "@ann")
    # Gus has made the table rated with an account that is gone now.
    await server.do("@gus", "change_settings", table, settings=rated)
    await server.do("@ann", "ready", table, ready=True)
    assert await server.refusal("gus", "start", table) == "not_rated"
    await server.registry.close()


@in_virtual_time
async def test_the_rematch_of_a_rated_game_is_rated() -> None:
    server = TableServer()
    table = await server.begin("@ann", "@ben", rated=True)
    await agree(server, table, "abandon")
    assert await server.refusal("gus", "play_again", table) == "not_seated"
    again = (await server.do("@ann", "play_again", table))["table"]
    assert (await server.do("@ben", "play_again", table))["table"] == again
    await server.watch("ann", again)
    assert server.state(again).settings.rated
    await server.registry.close()


@in_virtual_time
async def test_a_guest_cannot_open_a_rated_table_by_playing_again_at_one_that_was_closed() -> None:
    server = TableServer()
    table = await server.create("@ann", seats=2)
    await server.seat(table, "gus")
    await server.do("@ann", "change_settings", table, settings={"game": "auction", "seats": 2, "rated": True})
    await server.do("@ann", "leave_seat", table)
    assert server.state(table).host == "gus"
    server.core(table).commit(server.core(table).deserted(), 0, 0)
    assert code_of(await server.ask("gus", "play_again", table)) == "not_rated"
    await server.registry.close()


@in_virtual_time
async def test_in_a_rated_game_undo_takes_back_what_has_revealed_nothing_and_no_more() -> None:
    """Check the undo of all tables: the own steps of this turn, as long as nobody has learned anything from them."""
    server = TableServer()
    table = await server.begin("@ann", "@ben", game="mosaic", rated=True)
    for _ in range(2):
        await server.do("@ann", "decide", table, **choice(server, table))
    await server.do("@ann", "undo", table, decision=server.state(table).play.number)
    await server.do("@ann", "decide", table, **choice(server, table))
    await server.do("@ann", "decide", table, **choice(server, table))
    assert await server.refusal("@ann", "undo", table, decision=server.state(table).play.number) == "not_awaited"
    assert await server.refusal("@ben", "undo", table, decision=server.state(table).play.number) == "not_undoable"
    await server.registry.close()
