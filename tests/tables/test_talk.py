"""Chat at a table: who sees a line, muting, and names."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from server.model import Refused, User
from server.tables.chat import (
    KEPT_BYTES,
    KEPT_LINES,
    MAX_LINE_LENGTH,
    MAX_LINES_AROUND,
    MAX_LINES_PER_PERSON,
    OTHERS_RATE,
    OWN_RATE,
    SAVE_SECONDS,
)
from server.tables.chat_lines import TALK_KEPT
from server.tables.events import Said
from server.tables.handlers import MAX_MUTED
from server.tables.results import Accepted
from tests.tables.table_server import Screen, TableServer, pass_time, settle, wall
from tests.tables.virtual_time import in_virtual_time


def lines(screen: Screen) -> list[str]:
    """Return the lines that a page shows: those in the log, and those beside it."""
    assert screen.view is not None
    return [line["text"] for line in sorted(screen.view["talk"] + screen.chat, key=lambda line: line["at"])]


async def say(server: TableServer, name: str, table: str, text: str, **fields: Any) -> None:
    await pass_time(2)
    await server.do(name, "say", table, text=text, **fields)


@in_virtual_time
async def test_players_and_spectators_talk_apart_while_the_game_runs() -> None:
    server = TableServer()
    table = await server.create("ann")
    await server.seat(table, "ben")
    ann, pat = await server.watch("ann", table), await server.watch("pat", table)
    await say(server, "pat", table, "before")
    await server.do("ann", "start", table)
    await say(server, "ben", table, "players only")
    await say(server, "pat", table, "spectators only")
    assert lines(ann) == ["before", "players only"]
    assert lines(pat) == ["before", "spectators only"]
    for name in ("ann", "ben"):
        await server.do(name, "vote", table, on="abandon", agree=True)
    await say(server, "ben", table, "after")
    await say(server, "pat", table, "after too")
    for is_restarted in (False, True):
        if is_restarted:
            await server.restart()
            ann, pat = await server.watch("ben", table), await server.watch("sue", table)
        assert lines(ann) == ["before", "players only", "after", "after too"]
        assert lines(pat) == ["before", "spectators only", "after", "after too"]
    await server.registry.close()


@in_virtual_time
async def test_a_line_has_its_time_also_after_a_restart() -> None:
    server = TableServer()
    table = await server.create("ann")
    ann = await server.watch("ann", table)
    times = []
    for text in ("one", "two"):
        await pass_time(60)
        times.append(round(wall() * 1000))
        await server.do("ann", "say", table, text=text)
    assert ann.view is not None
    assert [line["at"] for line in ann.view["talk"]] == times
    await pass_time(60)
    await server.restart()
    assert (await server.watch("ann", table)).view == ann.view
    await server.registry.close()


@in_virtual_time
async def test_a_line_of_the_other_room_leaves_no_trace() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben")
    ann, pat = await server.watch("ann", table), await server.watch("pat", table)
    await pass_time(1)
    pat.drain()
    number = pat.number
    await server.do("ann", "say", table, text="hello")
    await pass_time(1)
    assert pat.drain() == []
    assert ann.events[-1]["text"] == "hello"
    ann.drain()
    await server.do("pat", "say", table, text="hello")
    assert [message["type"] for message in pat.drain()] == ["chat"]
    assert ann.drain() == []
    assert pat.number == number
    await server.registry.close()


# -- beside the log -------------------------------------------------------------------------------------------


@in_virtual_time
async def test_people_without_a_seat_never_write_into_the_log() -> None:
    server = TableServer()
    table = await server.create("ann")
    await server.watch("pat", table)
    await server.do("pat", "say", table, text="open")
    await server.seat(table, "ben")
    await server.do("ann", "start", table)
    await server.do("pat", "say", table, text="running")
    for name in ("ann", "ben"):
        await server.do(name, "vote", table, on="abandon", agree=True)
    await server.do("pat", "say", table, text="over")
    assert not any("said" in entry for entry in await server.log(table))
    await server.registry.close()


@in_virtual_time
async def test_a_line_beside_the_log_is_in_later_views_and_in_a_frame_without_a_number() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben")
    pat, ann = await server.watch("pat", table), await server.watch("ann", table)
    await pass_time(1)
    pat.drain()
    at = round(wall() * 1000)
    await server.do("pat", "say", table, text="hello")
    line = {"user": "pat", "name": "Pat", "room": "spectators", "text": "hello", "at": at}
    assert pat.drain() == [{"type": "chat", "table": table, "lines": [line]}]
    assert pat.can_wait[-1]
    assert (await server.watch("sue", table)).chat == [line]
    assert (await server.watch("ben", table)).chat == ann.chat == []
    await server.registry.close()


@in_virtual_time
async def test_the_lines_beside_the_log_are_bounded_in_number_and_size() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben")
    await server.watch("pat", table)
    for number in range(KEPT_LINES + 5):
        await say(server, "pat", table, str(number))
    sue = await server.watch("sue", table)
    assert lines(sue) == [str(number) for number in range(5, KEPT_LINES + 5)]
    for _ in range(KEPT_LINES):
        await say(server, "pat", table, "\U0001f309" * MAX_LINE_LENGTH)
    late = await server.watch("sue", table)
    assert 0 < len(late.chat) < KEPT_LINES
    assert sum(len(line["text"].encode()) for line in late.chat) <= KEPT_BYTES
    assert late.sizes[0] < KEPT_BYTES * 1.5
    await server.registry.close()


@in_virtual_time
async def test_all_people_without_a_seat_share_a_rate_and_players_do_not_wait_for_it() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben")
    names = [f"pat{number}" for number in range(14)]
    for name in names:
        await server.watch(name, table)
    replies = [await server.ask(name, "say", table, text="spam") for name in names * 4]
    refusals = [reply for reply in replies if isinstance(reply, Refused)]
    assert len(replies) - len(refusals) == OTHERS_RATE.burst
    assert {reply.code for reply in refusals} == {"too_fast"}
    assert refusals[0].sentence == "Many people write here at the moment. Please wait 1 second."
    await server.do("ann", "say", table, text="heard")
    await pass_time(0.5)
    await server.do("pat0", "say", table, text="one more")
    await server.registry.close()


@in_virtual_time
async def test_one_person_without_a_seat_cannot_use_up_the_rate_of_all() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben")
    for name in ("pat", "sue"):
        await server.watch(name, table)
    replies = [await server.ask("pat", "say", table, text="spam") for _ in range(40)]
    refusals = [reply for reply in replies if isinstance(reply, Refused)]
    assert len(replies) - len(refusals) == OWN_RATE.burst
    assert refusals[0].sentence == "You write a lot. Please wait 2 seconds."
    await server.do("sue", "say", table, text="heard")
    await server.registry.close()


@in_virtual_time
async def test_a_repeated_line_beside_the_log_is_shown_once_also_after_a_restart() -> None:
    server = TableServer()
    table = await server.create("ann")
    pat = await server.watch("pat", table)
    for _ in range(2):
        await server.do("pat", "say", table, id="same", text="hello")
    assert await server.refusal("pat", "say", table, id="same", text="other") == "id_reused"
    assert lines(pat) == ["hello"]
    await server.restart()
    await server.watch("pat", table, pat)
    await server.do("pat", "say", table, id="same", text="hello")
    await server.do("pat", "take_seat", table)
    await server.do("pat", "say", table, id="same", text="hello")
    assert lines(pat) == ["hello"], "also when the line would now belong into the log"
    await server.registry.close()


@in_virtual_time
async def test_a_repeated_line_of_the_log_is_shown_once_when_its_writer_has_left_the_seat() -> None:
    server = TableServer()
    table = await server.create("ann")
    await server.do("ben", "take_seat", table)
    ben = await server.watch("ben", table)
    await server.do("ben", "say", table, id="same", text="hello")
    await server.do("ben", "leave_seat", table)
    await server.do("ben", "say", table, id="same", text="hello")
    assert lines(ben) == ["hello"]
    assert await server.refusal("ben", "say", table, id="same", text="other") == "id_reused"
    await server.registry.close()


@in_virtual_time
async def test_a_kill_loses_at_most_the_last_seconds_of_lines_beside_the_log() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben")
    await server.watch("pat", table)
    await server.do("pat", "say", table, text="saved")
    await pass_time(SAVE_SECONDS + 1)
    await server.do("pat", "say", table, text="lost")
    await server.do("ann", "say", table, text="in the log")
    await server.crash()
    assert lines(await server.watch("pat", table)) == ["saved"]
    assert lines(await server.watch("ann", table)) == ["in the log"]
    await server.registry.close()


@in_virtual_time
async def test_lines_beside_the_log_are_written_at_most_once_in_a_few_seconds() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben")
    await server.watch("pat", table)
    puts: list[bytes] = []
    put = server.store.key_values.put

    async def noted(kind: str, key: str, value: bytes, expires_at: float | None = None) -> None:
        puts.append(value)
        await put(kind, key, value, expires_at)

    server.store.key_values.put = noted  # type: ignore[method-assign]
    for number in range(40):
        await say(server, "pat", table, str(number))
    assert len(puts) <= 80 / SAVE_SECONDS
    assert puts
    await server.restart()
    assert len((await server.watch("pat", table)).chat) == 40
    await server.registry.close()


@in_virtual_time
async def test_the_order_of_lines_beside_the_log_is_that_of_their_times_if_the_clock_is_set_back() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben")
    pat = await server.watch("pat", table)
    await server.do("pat", "say", table, text="one")
    chat = server.registry._actors[table]._chat
    earlier = round(wall() * 1000) - 3_600_000
    chat._context = replace(chat._context, wall_milliseconds=lambda: earlier)
    await server.do("pat", "say", table, text="two")
    assert pat.chat[1]["at"] == pat.chat[0]["at"]
    await server.registry.close()


@in_virtual_time
async def test_damaged_chat_lines_in_the_store_do_not_stop_a_table() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben")
    await server.store.key_values.put("chat", table, b"\xc1")
    await server.restart()
    assert (await server.watch("pat", table)).chat == []
    await server.registry.close()


@in_virtual_time
async def test_lines_of_spectators_in_an_older_log_are_still_shown() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben")
    actor = server.registry._actors[table]
    old = Said("pat", "Pat", "spectators", "from an older version")
    await actor._execute(lambda core: Accepted([old]))
    await server.restart()
    assert lines(await server.watch("sue", table)) == ["from an older version"]
    assert lines(await server.watch("ann", table)) == []
    await server.registry.close()


# -- in the log -----------------------------------------------------------------------------------------------


@in_virtual_time
async def test_the_lines_of_one_person_in_the_log_have_a_limit() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben")
    for number in range(MAX_LINES_PER_PERSON):
        await server.do("ann", "say", table, text=str(number))
    reply = await server.ask("ann", "say", table, text="one more")
    assert isinstance(reply, Refused)
    assert (reply.code, str(MAX_LINES_PER_PERSON) in reply.sentence) == ("chat_full", True)
    await server.restart()
    assert await server.refusal("ann", "say", table, text="one more") == "chat_full"
    await server.do("ben", "say", table, text="still heard")
    await server.registry.close()


@in_virtual_time
async def test_people_who_come_and_go_before_the_start_do_not_use_up_the_lines_of_the_game() -> None:
    server = TableServer()
    table = await server.create("ann")
    for crowd in range(MAX_LINES_AROUND // 200):
        name = f"guest{crowd}"
        await server.do(name, "take_seat", table)
        for number in range(200):
            await server.do(name, "say", table, text=str(number))
        await server.do(name, "leave_seat", table)
    assert await server.refusal("ann", "say", table, text="full") == "chat_full"
    await server.seat(table, "ben")
    await server.do("ann", "start", table)
    await server.do("ann", "say", table, text="there is room")
    await server.registry.close()


# -- muting, text, names --------------------------------------------------------------------------------------


@in_virtual_time
async def test_a_muted_user_cannot_chat_until_the_host_unmutes_them() -> None:
    server = TableServer()
    table = await server.create("ann")
    await server.watch("pat", table)
    await server.do("ann", "mute", table, user="pat", muted=True)
    assert await server.refusal("pat", "say", table, text="hello") == "muted"
    await server.do("ann", "mute", table, user="pat", muted=False)
    await server.do("pat", "say", table, text="hello")
    assert await server.refusal("sue", "say", table, text="hello") == "not_following"
    await server.registry.close()


@in_virtual_time
async def test_the_number_of_muted_people_has_a_bound() -> None:
    server = TableServer()
    table = await server.create("ann")
    for number in range(MAX_MUTED):
        await server.do("ann", "mute", table, user=f"u{number}", muted=True)
    assert await server.refusal("ann", "mute", table, user="one more", muted=True) == "muted"
    await server.do("ann", "mute", table, user="u0", muted=False)
    await server.do("ann", "mute", table, user="one more", muted=True)
    await server.registry.close()


@in_virtual_time
async def test_a_line_is_sanitized_and_has_a_maximum_length() -> None:
    server = TableServer()
    table = await server.create("ann")
    ann = await server.watch("ann", table)
    await server.do("ann", "say", table, text="  one \n line\u202e ")
    assert lines(ann) == ["one line"]
    assert await server.refusal("ann", "say", table, text=" \n ") == "bad_text"
    assert await server.refusal("ann", "say", table, text="x" * (MAX_LINE_LENGTH + 1)) == "bad_text"
    for number in range(TALK_KEPT + 5):
        await server.do("ann", "say", table, text=str(number))
    assert lines(ann) == [str(number) for number in range(5, TALK_KEPT + 5)]
    await server.registry.close()


@in_virtual_time
async def test_a_new_name_is_shown_at_the_tables_where_the_user_sits() -> None:
    server = TableServer()
    await server.create("ann", "table1")
    await server.create("ben", "table2")
    pat = await server.watch("pat", "table1")
    server.registry.rename(User("ann", "Annabel"), ["table1", "table2"])
    await settle()
    assert pat.view is not None
    assert pat.view["seats"][0]["name"] == "Annabel"
    assert server.lists.of("table1")["seats"][0]["name"] == "Annabel"
    assert await server.log("table2") == ["table_opened+seat_taken"]
    await server.registry.close()
