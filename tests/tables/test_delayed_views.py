"""Commentators see all hands and sealed answers, with the delay of the table and never earlier."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from typing import Any

import msgpack
import pytest

from protocol.codec import Frame
from protocol.messages import TableSettings
from server.games.engine.play import own_play
from server.games.registry import GAMES
from server.model import Done, Refused
from server.store.api import StorageFailed
from server.tables.delay import LAST_DECISIONS_MILLISECONDS
from server.tables.log import TableLog
from server.tables.settings import read_settings
from server.tables.turns import BackgroundJob
from tests.replies import code_of
from tests.tables import devices
from tests.tables.delayed import (
    DECISIONS,
    DELAY,
    MINUTES,
    Diary,
    TimedScreen,
    answers,
    begin,
    commentate,
    hands,
    key_of,
    opened,
)
from tests.tables.table_server import Screen, TableServer, pass_time, person, settle, toys
from tests.tables.virtual_time import in_virtual_time, run_in_virtual_time

HOUR = 3_600.0


@pytest.fixture(autouse=True)
def _toys() -> Iterator[None]:
    with toys():
        yield


async def vote(server: TableServer, name: str, table: str, *, agree: bool = True) -> Any:
    return await server.ask(name, "vote", table, on="commentary", agree=agree)


async def play_round(server: TableServer, table: str) -> None:
    """Let Ann win a round, who keeps the prize."""
    assert isinstance(await server.bid("ann", table, -1), Done)
    assert isinstance(await server.bid("ben", table, None), Done)
    number = server.state(table).play.number
    await server.do("ann", "decide", table, decision=number, command={"do": "keep"})


# -- what is shown, and when ----------------------------------------------------------------------------------


@in_virtual_time
async def test_a_commentator_sees_hands_and_sealed_answers_ten_minutes_later() -> None:
    server = TableServer()
    table = await begin(server)
    cat = await commentate(server, table)
    await pass_time(60)
    assert cat.view is not None
    assert cat.view["play"] is None, "the game has not begun ten minutes ago"
    dealt = hands(server, table)
    assert isinstance(await server.bid("ann", table, -1), Done)
    await pass_time(DELAY - 59)
    assert opened(cat) == dealt
    assert answers(cat) == [None, None]
    await pass_time(60)
    assert answers(cat) == [{"do": "bid", "card": dealt[0][0]}, None], "sealed, and nobody else sees it"
    assert [event["command"] for event in cat.events if "command" in event] == [answers(cat)[0]]
    await server.registry.close()


@in_virtual_time
async def test_what_is_shown_is_the_view_that_a_commentator_gets_who_comes_then() -> None:
    server = TableServer()
    table = await begin(server)
    cat = await commentate(server, table)
    for _ in range(3):
        await play_round(server, table)
        await pass_time(250)
        assert (await commentate(server, table, "dan")).view == cat.view
    await pass_time(DELAY + 1)
    late = await commentate(server, table, "dan")
    assert (late.view, late.number, late.stamp) == (cat.view, cat.number, cat.stamp)
    assert opened(cat) == hands(server, table)
    await server.registry.close()


@in_virtual_time
async def test_with_a_delay_in_decisions_later_decisions_release_earlier_ones() -> None:
    server = TableServer()
    table = await begin(server, delayed_view=DECISIONS)
    cat = await commentate(server, table)
    dealt = hands(server, table)
    await server.bid("ann", table, -1)
    await pass_time(24 * HOUR)
    assert cat.view is not None
    assert cat.view["play"] is None
    await server.bid("ben", table, None)
    number = server.state(table).play.number
    await pass_time(1)
    assert cat.view["play"] is None
    await server.do("ann", "decide", table, decision=number, command={"do": "keep"})
    await pass_time(1)
    assert cat.decision["number"] == 1
    assert opened(cat) == dealt
    assert answers(cat) == [{"do": "bid", "card": dealt[0][0]}, None], "with the answers that were given to it"
    await server.registry.close()


@pytest.mark.parametrize("delay", [MINUTES, DECISIONS], ids=["minutes", "decisions"])
@in_virtual_time
async def test_when_the_game_is_over_the_delayed_view_runs_on_to_its_end(delay: dict[str, Any]) -> None:
    server = TableServer()
    table = await begin(server, delayed_view=delay)
    cat = await commentate(server, table)
    await play_round(server, table)
    for name in ("ann", "ben"):
        await server.do(name, "vote", table, on="abandon", agree=True)
    await pass_time(1)
    assert cat.view is not None
    assert cat.view["table"]["phase"] != "over"
    await pass_time(max(DELAY, 3 * LAST_DECISIONS_MILLISECONDS / 1000))
    assert cat.view["table"]["phase"] == "over"
    assert cat.view["table"]["seed"] is not None
    await server.registry.close()


@in_virtual_time
async def test_a_pause_is_seen_ten_minutes_later_and_releases_nothing_with_decisions() -> None:
    server = TableServer()
    table = await begin(server)
    other = await server.begin("ann", "ben", table="table2", absence_seconds=None, delayed_view=DECISIONS)
    cats = [await commentate(server, each) for each in (table, other)]
    for each in (table, other):
        for name in ("ann", "ben"):
            await server.do(name, "vote", each, on="pause", agree=True)
    await pass_time(DELAY + 1)
    assert cats[0].view is not None
    assert cats[1].view is not None
    assert cats[0].view["table"]["paused"]
    assert cats[1].view["table"]["phase"] == "open"
    await server.registry.close()


@in_virtual_time
async def test_nothing_behind_the_released_position_is_even_read(monkeypatch: pytest.MonkeyPatch) -> None:
    server = TableServer()
    table = await begin(server)
    read: list[tuple[int, int]] = []
    folded = TableLog.folded

    def noted(self: TableLog, job: BackgroundJob, state: Any, after: int, until: int | None = None) -> Any:
        assert until is not None
        read.append((until, server.loaded(table).delayed.released))
        return folded(self, job, state, after, until)

    monkeypatch.setattr(TableLog, "folded", noted)
    await commentate(server, table)
    await play_round(server, table)
    await pass_time(2 * DELAY)
    assert len(read) > 1
    assert all(until <= released for until, released in read)
    await server.registry.close()


@in_virtual_time
async def test_all_commentators_get_the_same_frames() -> None:
    server = TableServer()
    table = await begin(server)
    key = await key_of(server, table)
    screens = [TimedScreen(person(f"c{number}")) for number in range(3)]
    frames: list[Frame] = []
    for screen in screens:
        await server.watch(screen.user.id, table, screen, delayed=True, key=key)
        send = screen.send
        screen.send = lambda frame, send=send: frames.append(frame) or send(frame)  # type: ignore[method-assign]
    await server.bid("ann", table, -1)
    await pass_time(DELAY + 1)
    updates = [message for message in screens[0].messages if message["type"] == "update"]
    assert len(updates) == 2, "the start of the game, and the bid"
    assert len({id(frame) for frame in frames if frame.message["type"] == "update"}) == 2, "each made once"
    assert screens[0].frames == screens[1].frames == screens[2].frames
    await server.registry.close()


@pytest.mark.parametrize("game", sorted(GAMES))
@in_virtual_time
async def test_all_hands_of_every_game_are_shown_as_their_seats_saw_them(game: str) -> None:
    server, rng = TableServer(), random.Random(game)
    seats = GAMES[game].seats[0]
    names = ("ann", "ben", "eve")[:seats]
    table = await begin(server, *names, game=game, delayed_view={"kind": "decisions", "decisions": 1})
    cat = await commentate(server, table)
    checked = 0
    for _ in range(40):
        play = server.state(table).play
        if play.decision is None:
            break
        hands_before = msgpack.unpackb(msgpack.packb([own_play(play, seat).game for seat in range(seats)]))
        number = play.number
        while (play := server.state(table).play).number == number:
            await server.play_on(table, names[play.awaited[0]], rng)
        await pass_time(1)
        assert cat.view is not None
        if cat.view["play"] is not None and cat.decision["number"] == number:
            assert [seat["game"] for seat in cat.view["open"]] == hands_before
            answered = {seat for seat, answer in enumerate(answers(cat)) if answer is not None}
            assert answered == set(cat.decision["seats"]) - set(cat.decision["awaited"])
            checked += 1
    assert checked > 20
    assert (await commentate(server, table, "dan")).view == cat.view
    await server.registry.close()


# -- secrecy --------------------------------------------------------------------------------------------------


async def _frames_with(secret: int) -> tuple[list[tuple[float, bytes]], list[tuple[float, bytes]]]:
    """Return what a commentator and a delayed spectator get while all that is not released yet depends on a secret."""
    server = TableServer()
    table = await begin(server, spectators_delayed=True)
    cat, pat = await commentate(server, table), TimedScreen(person("pat"))
    await server.watch("pat", table, pat)
    await play_round(server, table)
    await pass_time(DELAY + 1)
    # From here on the games differ, and nothing of it may be seen for ten minutes.
    for turn in range(secret):
        await server.bid("ann", table, None if turn % 2 else -1)
        await pass_time(0.1)
        await server.do("ann", "say", table, text="x" * (turn + 1))
    await pass_time(10 - 0.1 * secret)
    await server.bid("ann", table, -1 if secret else None)
    await server.bid("ben", table, None if secret else -1)
    if secret:
        await server.watch("ann", table)
        await server.do("ben", "vote", table, on="pause", agree=True)
    await pass_time(10)
    for screen, fields in ((cat, {"delayed": True, "key": await key_of(server, table)}), (pat, {})):
        again = TimedScreen(screen.user)
        await server.watch(screen.user.id, table, again, have=screen.number, stamp=screen.stamp, **fields)
        await settle()
        screen.frames += again.frames
    page = await server.do("pat", "read_log", table)
    steps = await server.do("pat", "get_timeline", table)
    pat.frames.append((0.0, repr((page, steps)).encode()))
    await pass_time(DELAY - 30)
    kept = cat.frames, pat.frames
    await server.registry.close()
    return kept


def test_no_byte_depends_on_what_is_not_released_yet() -> None:
    first, second = (run_in_virtual_time(_frames_with(secret)) for secret in (0, 3))
    assert len(first[0]) > 4
    assert len(first[1]) > 4
    assert first == second


@in_virtual_time
async def test_what_players_say_to_each_other_and_notes_of_one_seat_are_never_shown() -> None:
    server = TableServer()
    table = await devices.begin(server, "ann", "ben", delayed_view=MINUTES)
    cat = await commentate(server, table)
    await server.do("ann", "say", table, text="only between us")
    await devices.seal(server, table, "ann")
    await devices.seal(server, table, "ann", 1)
    card = devices.bid_of(server, table, "ann", 1)["card"]
    await pass_time(DELAY + 1)
    assert "only between us" not in str(cat.frames)
    assert answers(cat) == [None, None], "it stays on the device until all have answered"
    assert not [event for event in cat.events if event["event"] == "answer_kept"]
    await devices.seal(server, table, "ben")
    await devices.open_all(server, table, "ben")
    assert isinstance(await devices.unseal(server, table, "ann", 1), Done)
    await pass_time(DELAY + 1)
    (revealed,) = [event for event in cat.events if event["event"] == "bids_revealed"]
    assert revealed["bids"][0] == card
    await server.registry.close()


async def _shown_with(*orders: dict[str, Any]) -> tuple[int, list[str], list[Any], str]:
    server = TableServer()
    table = await begin(server)
    cat = await commentate(server, table)
    await server.do("ann", "set_orders", table, revision=0, orders=list(orders))
    await pass_time(5)
    if not orders:
        await server.bid("ann", table, max(hands(server, table)[0]))
    await pass_time(DELAY + 10)
    assert cat.view is not None
    shown = cat.number, [event["event"] for event in cat.events], answers(cat), str(cat.view.get("orders"))
    await server.registry.close()
    return shown


def test_standing_orders_are_never_shown_and_leave_no_gap() -> None:
    bid = {"kind": "bid", "values": {"limit": 24}, "until": "changed"}
    by_order, by_hand = (run_in_virtual_time(_shown_with(*orders)) for orders in ((bid,), ()))
    assert by_order == by_hand
    assert by_order[2][0] is not None, "the answer that it gave is shown like any other"


@in_virtual_time
async def test_commentators_get_neither_presence_nor_the_key_of_the_table() -> None:
    server = TableServer()
    table = await begin(server, private=True)
    cat = await commentate(server, table)
    await server.watch("ann", table)
    await play_round(server, table)
    await pass_time(DELAY + 1)
    assert cat.presence is None
    assert cat.view is not None
    assert cat.view["table"]["key"] is None
    text = str(cat.frames)
    assert server.key(table) not in text
    assert await key_of(server, table) not in text
    await server.registry.close()


@in_virtual_time
async def test_a_commentator_of_a_private_table_may_ask_for_nothing_else_there() -> None:
    server = TableServer()
    table = await begin(server, private=True)
    key = await key_of(server, table)
    await commentate(server, table)
    for kind, fields in (("read_log", {}), ("get_timeline", {}), ("look_back", {"step": 0}), ("say", {"text": "hi"})):
        assert await server.refusal("cat", kind, table, **fields) in ("no_such_table",)
    assert code_of(await server.try_watch(Screen(person("cat")), table, key=key)) == "no_such_table"
    await server.registry.close()


# -- who may ----------------------------------------------------------------------------------------------------


@in_virtual_time
async def test_the_key_is_for_the_host_to_give_away_and_to_renew() -> None:
    server = TableServer()
    table = await begin(server)
    assert await server.refusal("ben", "commentary_key", table) == "not_host"
    key = await key_of(server, table)
    assert await key_of(server, table) == key
    cat = await commentate(server, table)
    new = await key_of(server, table, renew=True)
    assert new != key
    assert cat.messages[-1]["code"] == "no_such_table", "who came with the old key has to go"
    for wrong in (key, None, "", "ä", server.key(table)):
        reply = await server.try_watch(Screen(person("cat")), table, delayed=True, key=wrong)
        assert code_of(reply) == "no_such_table"
    assert isinstance(await server.try_watch(Screen(person("cat")), table, delayed=True, key=new), Done)
    await server.registry.close()


@in_virtual_time
async def test_nobody_sees_hands_who_plays_at_the_table() -> None:
    server = TableServer()
    table = await server.create("ann", seats=3, absence_seconds=None, delayed_view=MINUTES)
    key = await key_of(server, table)
    cat = await commentate(server, table)
    for name in ("ann",):
        reply = await server.try_watch(Screen(person(name)), table, delayed=True, key=key)
        assert code_of(reply) == "already_seated"
    await server.seat(table, "cat")
    assert cat.messages[-1]["code"] == "already_seated", "a commentator who sits down is one no more"
    await server.registry.close()


@in_virtual_time
async def test_without_a_delay_there_is_no_key() -> None:
    server = TableServer()
    table = await begin(server, delayed_view=None)
    assert await server.refusal("ann", "commentary_key", table) == "wrong_phase"
    await server.registry.close()
    refusal = read_settings(TableSettings(game="auction", seats=2, spectators_delayed=True))
    assert isinstance(refusal, Refused)
    assert refusal.code == "bad_settings"


# -- agreement ------------------------------------------------------------------------------------------------


@in_virtual_time
async def test_any_player_ends_it_and_then_nothing_more_is_shown() -> None:
    server = TableServer()
    table = await begin(server)
    cat = await commentate(server, table)
    key = await key_of(server, table)
    await play_round(server, table)
    await pass_time(DELAY / 2)
    assert isinstance(await vote(server, "ben", table, agree=False), Done)
    assert cat.messages[-1]["code"] == "commentary_ended"
    count = len(cat.messages)
    await pass_time(2 * DELAY)
    assert len(cat.messages) == count
    reply = await server.try_watch(Screen(person("cat")), table, delayed=True, key=key)
    assert code_of(reply) == "commentary_ended"
    assert (await server.watch("ann", table)).view["table"]["commentary"] is None  # type: ignore[index]
    # Also for an owner that reads the log again.
    await server.crash()
    reply = await server.try_watch(Screen(person("cat")), table, delayed=True, key=key)
    assert code_of(reply) == "commentary_ended"
    await server.registry.close()


@in_virtual_time
async def test_in_a_game_it_begins_when_everybody_who_plays_agrees_however_long_they_are_away() -> None:
    server = TableServer()
    table = await begin(server, "ann", "ben", "eve", delayed_view=None)
    assert isinstance(await vote(server, "ann", table), Done)
    await pass_time(48 * HOUR)
    assert isinstance(await vote(server, "ben", table), Done)
    assert server.state(table).commentary is None
    assert isinstance(await vote(server, "eve", table), Done)
    view = (await server.watch("ann", table)).view
    assert view is not None
    assert view["table"]["commentary"] == MINUTES, "the delay where the host has set none"
    assert view["votes"] == {}
    cat = await commentate(server, table)
    await pass_time(1)
    assert opened(cat) == hands(server, table)
    assert code_of(await vote(server, "ann", table)) == "wrong_phase"
    await server.registry.close()


@in_virtual_time
async def test_one_who_declines_ends_the_vote_and_one_who_resigns_is_not_asked() -> None:
    server = TableServer()
    table = await begin(server, "ann", "ben", "eve", delayed_view=None)
    for name in ("ann", "ben"):
        await vote(server, name, table)
    await vote(server, "eve", table, agree=False)
    assert not server.state(table).votes.get("commentary")
    for name in ("ann", "ben"):
        await vote(server, name, table)
    await server.do("eve", "resign", table)
    assert server.state(table).commentary is not None
    await server.registry.close()


# -- spectators -----------------------------------------------------------------------------------------------


@in_virtual_time
async def test_spectators_are_delayed_alike_if_the_table_says_so() -> None:
    server = TableServer()
    table = await server.create("ann", absence_seconds=None, delayed_view=MINUTES, spectators_delayed=True)
    pat = await server.watch("pat", table)
    ann = await server.watch("ann", table)
    await server.seat(table, "ben")
    assert pat.view is not None
    assert pat.view["seats"][1]["name"] == "Ben", "before the game nothing is delayed"
    await server.do("ann", "start", table)
    await pass_time(1)
    pat.presence = None
    await play_round(server, table)
    await pass_time(DELAY - 10)
    assert pat.view["table"]["phase"] == "open"
    assert await server.refusal("pat", "look_back", table, step=0) == "wrong_phase"
    assert await server.refusal("pat", "get_timeline", table) == "wrong_phase"
    page = await server.do("pat", "read_log", table)
    assert page["entries"][-1]["number"] == pat.number
    await pass_time(12)
    assert pat.decision["number"] > 1
    assert "open" not in pat.view
    assert not any("command" in event for event in pat.events)
    timeline = await server.do("pat", "get_timeline", table)
    assert timeline["last"] + 1 == pat.decision["number"]
    page = await server.do("pat", "read_log", table)
    assert page["entries"][-1]["number"] == pat.number
    assert pat.presence is None
    assert ann.presence is not None
    assert ann.presence["spectators"] == 1
    await server.registry.close()


@in_virtual_time
async def test_a_delayed_spectator_sees_what_a_spectator_saw() -> None:
    server = TableServer()
    late = await begin(server, spectators_delayed=True)
    live = await server.begin("ann", "ben", table="table2", absence_seconds=None, delayed_view=MINUTES)
    screens = [await server.watch("pat", table) for table in (late, live)]
    for table in (late, live):
        await play_round(server, table)
    await pass_time(DELAY + 1)
    views = []
    for screen in screens:
        assert screen.view is not None
        views.append({name: screen.view[name] for name in ("mine", "votes", "talk")})
        assert [event["event"] for event in screen.events].count("bids_revealed") == 1
    assert views[0] == views[1]
    assert screens[0].number == screens[1].number
    await server.registry.close()


# -- chat -----------------------------------------------------------------------------------------------------


@in_virtual_time
async def test_commentators_have_a_room_of_their_own() -> None:
    server = TableServer()
    table = await begin(server)
    cat, dan = await commentate(server, table), await commentate(server, table, "dan")
    others = [await server.watch(name, table) for name in ("ann", "ben", "pat")]
    await server.do("cat", "say", table, room="commentary", text="she bluffs")
    await settle()
    assert [line["text"] for line in dan.chat] == [line["text"] for line in cat.chat] == ["she bluffs"]
    assert dan.chat[0]["room"] == "commentary"
    assert await server.refusal("ann", "say", table, room="commentary", text="who?") == "not_following"
    assert await server.refusal("pat", "say", table, room="commentary", text="who?") == "not_following"
    await server.do("pat", "say", table, text="what a game")
    for name in ("ann", "ben"):
        await server.do(name, "vote", table, on="abandon", agree=True)
    late = [await server.watch(name, table) for name in ("ann", "pat")]
    await pass_time(DELAY + 1)
    for screen in (*others, *late):
        assert "she bluffs" not in str(screen.messages)
    assert [line["text"] for line in (await commentate(server, table, "eve")).chat] == ["she bluffs"]
    await server.registry.close()


@in_virtual_time
async def test_delayed_spectators_talk_to_each_other_and_not_to_commentators() -> None:
    server = TableServer()
    table = await begin(server, spectators_delayed=True)
    cat, pat = await commentate(server, table), await server.watch("pat", table)
    await server.do("cat", "say", table, room="commentary", text="she bluffs")
    await server.do("pat", "say", table, text="what a game")
    sue = await server.watch("sue", table)
    await pass_time(1)
    assert [line["text"] for line in pat.chat] == [line["text"] for line in sue.chat] == ["what a game"]
    assert [line["text"] for line in cat.chat] == ["she bluffs"]
    await server.registry.close()


# -- resuming, restarts and clocks ----------------------------------------------------------------------------


@in_virtual_time
async def test_a_commentator_resumes_and_is_told_what_was_missed() -> None:
    server = TableServer()
    table = await begin(server)
    cat = await commentate(server, table)
    await pass_time(DELAY + 1)
    server.registry.unsubscribe(table, cat)
    await play_round(server, table)
    await pass_time(DELAY + 1)
    again = await commentate(server, table, have=cat.number, stamp=cat.stamp)
    await pass_time(1)
    assert again.missed is not None
    assert [event["event"] for event in again.missed].count("bids_revealed") == 1
    assert again.number > cat.number
    await server.registry.close()


@in_virtual_time
async def test_a_connection_that_dropped_frames_gets_one_view() -> None:
    server = TableServer()
    table = await begin(server)
    cat = await commentate(server, table)
    await pass_time(DELAY + 1)
    cat.is_full = True
    await play_round(server, table)
    await pass_time(DELAY + 1)
    cat.is_full = False
    count = len(cat.messages)
    server.registry.refresh(table, cat)
    await settle()
    assert [message["type"] for message in cat.messages[count:]] == ["view"]
    assert opened(cat) == hands(server, table)
    await server.registry.close()


@pytest.mark.parametrize("how", ["restart", "crash"])
@in_virtual_time
async def test_after_a_restart_nothing_comes_earlier_and_nobody_is_taken_back(how: str) -> None:
    server = TableServer()
    table = await begin(server)
    diary = Diary(server, table)
    cat = await commentate(server, table)
    for _ in range(4):
        await play_round(server, table)
        diary.note()
        await pass_time(200)
    await pass_time(50)
    number, stamp = cat.number, cat.stamp
    # The clock of the next process is behind, so that it would show less.
    server.clock_step = -100
    await (server.restart() if how == "restart" else server.crash())
    again = await commentate(server, table, have=number, stamp=stamp)
    await pass_time(1)
    assert not [message for message in again.messages if message.get("number", number) < number]
    await pass_time(DELAY + 1)
    assert again.number > number
    assert opened(again) == hands(server, table)
    assert diary.check(cat) + diary.check(again) > 5
    await server.registry.close()


@in_virtual_time
async def test_no_step_of_the_wall_clock_shows_anything_earlier() -> None:
    server = TableServer()
    table = await begin(server)
    diary = Diary(server, table)
    diary.note()
    cat = await commentate(server, table)
    for number, step in enumerate((HOUR, -HOUR, 24 * HOUR, -24 * HOUR, DELAY, -DELAY, 2.0)):
        server.clock_step += step
        await server.do("ann", "vote", table, on="pause", agree=number % 2 == 0)
        diary.note()
        await pass_time(99)
    await pass_time(DELAY + 1)
    assert diary.check(cat) >= 6
    assert cat.number == server.loaded(table).history.number(None), "and nothing later than that"
    await server.registry.close()


@in_virtual_time
async def test_a_process_that_saw_the_clock_set_forward_does_not_believe_it_when_it_loads_a_table() -> None:
    server = TableServer()
    table = await begin(server)
    diary = Diary(server, table)
    diary.note()
    screens = [await commentate(server, table)]
    for step in (HOUR, -2 * HOUR, 3 * HOUR):
        await pass_time(30)
        server.clock_step += step
        await server.do("ann", "vote", table, on="pause", agree=step > 0)
        diary.note()
        # The table is unloaded and loaded again in the same process.
        server.registry.unsubscribe(table, screens[-1])
        await server.registry._unload_idle()
        assert table not in server.registry._actors
        screens.append(await commentate(server, table))
    await pass_time(DELAY + 1)
    assert [diary.check(screen) > 0 for screen in screens] == [False, False, False, True]
    assert screens[-1].number == server.loaded(table).history.number(None), "and nothing later than after that"
    await server.registry.close()


@in_virtual_time
async def test_a_store_that_fails_delays_the_view_and_does_not_end_it() -> None:
    server = TableServer()
    table = await begin(server)
    cat = await commentate(server, table)
    await settle()
    failing = {"is": True}
    read = server.store.read

    async def fails(*given: Any) -> Any:
        if failing["is"]:
            await asyncio.sleep(0)
            raise StorageFailed("no connection")
        return await read(*given)

    server.store.read = fails  # type: ignore[method-assign]
    await pass_time(DELAY + 60)
    assert cat.view is not None
    assert cat.view["play"] is None
    failing["is"] = False
    await pass_time(10)
    assert opened(cat) == hands(server, table)
    await server.registry.close()
