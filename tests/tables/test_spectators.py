"""People who do not sit at a table neither delay nor refuse those who do, whatever they ask for and how often."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from protocol.messages import Say
from server.model import Done, Reply
from server.rate_limit import Rate
from server.tables import mailbox, reads
from server.tables.history import RECENT_KEPT
from server.tables.mailbox import Mailbox
from server.tables.messages import Message, RequestReceived, Responder, TimerFired
from server.tables.reads import ReadSlots
from server.tables.turns import BackgroundTurns
from tests.replies import code_of
from tests.tables.faulty_store import FaultyStore, takes, works
from tests.tables.table_server import Screen, TableServer, pass_time, person, settle, toys, wall
from tests.tables.virtual_time import in_virtual_time


@pytest.fixture(autouse=True)
def _toys() -> Iterator[None]:
    with toys():
        yield


def new_server() -> tuple[TableServer, FaultyStore]:
    store = FaultyStore(asyncio.get_running_loop().time, wall)
    return TableServer(store), store


def in_order(futures: dict[str, asyncio.Future[Reply]]) -> list[str]:
    """Return a list to which the names of replies are added as they come."""
    order: list[str] = []
    for name, future in futures.items():
        future.add_done_callback(lambda _, name=name: order.append(name))
    return order


# -- the mailbox ----------------------------------------------------------------------------------------------


@in_virtual_time
async def test_messages_of_players_overtake_those_of_spectators() -> None:
    server, store = new_server()
    table = await server.begin("ann", "ben")
    for name in ("pat", "sue"):
        await server.watch(name, table)
    store.plan("append", takes(5))
    requests = {
        "bid of ann": server.bid("ann", table, -1),
        "pat": server.send("pat", "say", table, text="look"),
        "sue": server.send("sue", "say", table, text="at me"),
    }
    await settle()
    requests["bid of ben"] = server.bid("ben", table, -1)
    order = in_order(requests)
    await asyncio.gather(*requests.values())
    assert order == ["bid of ann", "bid of ben", "pat", "sue"]
    await server.registry.close()


@in_virtual_time
async def test_a_crowd_of_spectators_is_refused_and_no_player(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mailbox, "MAX_SPECTATORS_WAITING", 20)
    server, store = new_server()
    table = await server.begin("ann", "ben")
    store.plan("append", takes(5))
    first = server.bid("ann", table, -1)
    await settle()
    screens = [Screen(person(f"s{number}")) for number in range(23)]
    watching = [asyncio.ensure_future(server.try_watch(screen, table)) for screen in screens]
    await settle()
    assert [code_of(watch.result()) for watch in watching if watch.done()] == ["busy"] * 3
    second = server.bid("ben", table, -1)
    assert isinstance(await second, Done)
    assert isinstance(await first, Done)
    assert [isinstance(reply, Done) for reply in await asyncio.gather(*watching)] == [True] * 20 + [False] * 3
    assert isinstance(await server.try_watch(screens[-1], table), Done), "there is room again"
    await server.registry.close()


@in_virtual_time
async def test_spectators_have_a_rate_together_and_players_are_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mailbox, "SPECTATORS_RATE", Rate(1, 1, burst=3))
    server = TableServer()
    table = await server.begin("ann", "ben", absence_seconds=None)
    await pass_time(60)
    replies = [await server.ask(name, "read_log", table) for name in ("pat", "sue", "tom", "una")]
    assert [isinstance(reply, Done) for reply in replies] == [True, True, True, False]
    assert code_of(replies[-1]) == "busy"
    assert isinstance(await server.bid("ann", table, -1), Done)
    await pass_time(1)
    await server.do("una", "read_log", table)
    await server.registry.close()


@in_virtual_time
async def test_a_thousand_people_come_back_at_once_after_a_restart() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben")
    await server.restart()
    watching = [asyncio.ensure_future(server.try_watch(Screen(person(f"s{number}")), table)) for number in range(1_000)]
    await asyncio.sleep(0)
    ann = await server.watch("ann", table)
    replies = await asyncio.gather(*watching)
    assert all(isinstance(reply, Done) for reply in replies)
    await pass_time(1)
    assert ann.presence is not None
    assert ann.presence["spectators"] == 1_000
    assert [message["type"] for message in ann.drain()].count("presence") == 1
    await server.registry.close()


@in_virtual_time
async def test_players_are_served_first_as_soon_as_the_table_is_loaded() -> None:
    server, store = new_server()
    table = await server.begin("ann", "ben")
    await server.restart()
    store.plan("claim", takes(5))
    names = ("pat", "sue", "ann", "tom")
    watching: dict[str, asyncio.Future[Reply]] = {
        name: asyncio.ensure_future(server.try_watch(Screen(person(name)), table)) for name in names
    }
    await settle()
    order = in_order(watching)
    await asyncio.gather(*watching.values())
    # The first message has the table loaded; only then it is known who sits there.
    assert order == ["pat", "ann", "sue", "tom"]
    await server.registry.close()


@in_virtual_time
async def test_what_a_user_sent_before_sitting_down_stays_before_what_follows() -> None:
    server, store = new_server()
    table = await server.create("ann", seats=2)
    store.plan("append", takes(5))
    requests = {
        "ann": server.send("ann", "ready", table, ready=True),
        "take_seat": server.send("ben", "take_seat", table),
        "sue": server.send("sue", "read_log", table),
        "ready": server.send("ben", "ready", table, ready=True),
        "leave_seat": server.send("ben", "leave_seat", table),
    }
    order = in_order(requests)
    replies = await asyncio.gather(*requests.values())
    assert all(isinstance(reply, Done) for reply in replies), replies
    assert order == ["ann", "take_seat", "ready", "leave_seat", "sue"]
    await server.registry.close()


def message_of(user: str, number: int) -> RequestReceived:
    request = Say(type="say", id=f"{user}-{number}", table="table1", text="x")
    return RequestReceived(person(user), request, Responder(lambda reply: None))


class TurnsByHand(BackgroundTurns):
    """Turns that the test grants."""

    def __init__(self) -> None:
        super().__init__()
        self.requests: list[Callable[[], None]] = []

    def request(self, on_turn: Callable[[], None]) -> None:
        self.requests.append(on_turn)


@in_virtual_time
async def test_a_player_comes_first_even_after_a_spectator_has_got_the_turn() -> None:
    turns, processed = TurnsByHand(), list[str]()
    box = Mailbox(turns, asyncio.get_running_loop().time)

    async def process(message: Message) -> None:
        assert isinstance(message, RequestReceived)
        processed.append(message.request.id)

    serving = asyncio.ensure_future(box.serve(process))
    box.post(message_of("pat", 1), is_first=False)
    box.post(message_of("pat", 2), is_first=False)
    await settle()
    assert processed == []
    [on_turn] = turns.requests
    on_turn()
    box.post(message_of("ann", 3), is_first=True)
    await settle()
    assert processed == ["ann-3", "pat-1"], "the other message of Pat needs another turn"
    turns.requests[-1]()
    box.close()
    await serving
    assert processed == ["ann-3", "pat-1", "pat-2"]


@pytest.mark.parametrize("seed", range(20))
@in_virtual_time
async def test_the_messages_of_one_user_keep_their_order_when_users_sit_down_or_stand_up(seed: int) -> None:
    rng, players, processed = random.Random(seed), {"ann"}, list[Message]()
    box = Mailbox(BackgroundTurns(), asyncio.get_running_loop().time)

    async def process(message: Message) -> None:
        processed.append(message)
        if rng.random() < 0.3:
            await asyncio.sleep(0.01)

    serving = asyncio.ensure_future(box.serve(process))
    posted: list[Message] = []
    for number in range(300):
        name = rng.choice(("ann", "ben", "cat", "dan"))
        message: Message = TimerFired() if rng.random() < 0.1 else message_of(name, number)
        is_first = not isinstance(message, RequestReceived) or name in players
        if box.post(message, is_first=is_first):
            posted.append(message)
        if rng.random() < 0.1:
            players ^= {rng.choice(("ben", "cat", "dan"))}
            if rng.random() < 0.5:
                box.promote(players.__contains__)
        if rng.random() < 0.2:
            await asyncio.sleep(0.02)
    box.close()
    await serving
    assert len(processed) == len(posted)
    for name in ("ann", "ben", "cat", "dan"):

        def of(messages: list[Message], name: str = name) -> list[str]:
            return [m.request.id for m in messages if isinstance(m, RequestReceived) and m.user.id == name]

        assert of(processed) == of(posted)


# -- what spectators may ask for ------------------------------------------------------------------------------


@in_virtual_time
async def test_watching_reads_nothing_however_long_the_log_is() -> None:
    server, store = new_server()
    table = await server.begin("ann", "ben", absence_seconds=None)
    for number in range(RECENT_KEPT + 40):
        await server.do("ann", "vote", table, on="pause", agree=number % 2 == 0)
    store.calls.clear()
    for have in (0, 1, 30, None):
        screen = await server.watch("pat", table, have=have)
        assert screen.missed is None
        server.registry.unsubscribe(table, screen)
    number = (await server.watch("pat", table)).number
    back = await server.watch("sue", table, have=number - RECENT_KEPT)
    assert len(back.missed or ()) == RECENT_KEPT
    assert store.calls == []
    await server.registry.close()


@pytest.mark.parametrize("request_of_pat", ["decide", "undo", "vote", "resign", "play_again", "mute"])
@in_virtual_time
async def test_no_decision_waits_for_the_storage_because_a_spectator_is_refused(request_of_pat: str) -> None:
    server, store = new_server()
    table = await server.begin("ann", "ben")
    store.always("answer_to", takes(5))
    fields: dict[str, Any] = {
        "decide": {"decision": 1, "command": {"do": "sit"}},
        "undo": {"decision": 1},
        "vote": {"on": "pause", "agree": True},
        "mute": {"user": "ann", "muted": True},
    }.get(request_of_pat, {})
    refused = server.send("pat", request_of_pat, table, **fields)
    await settle()
    assert isinstance(await asyncio.wait_for(server.bid("ann", table, -1), 1), Done)
    assert not refused.done()
    assert code_of(await refused) in ("not_seated", "wrong_phase", "not_host")
    store.always("answer_to", works)
    await server.registry.close()


@in_virtual_time
async def test_a_repeated_request_of_a_user_who_has_stood_up_gets_its_first_reply() -> None:
    server = TableServer()
    table = await server.create("ann", seats=3)
    await server.do("ben", "take_seat", table)
    await server.do("ben", "leave_seat", table, id="leave")
    assert isinstance(await server.ask("ben", "leave_seat", table, id="leave"), Done)
    assert await server.refusal("ben", "leave_seat", table) == "not_seated"
    await server.registry.close()


@in_virtual_time
async def test_coming_and_going_changes_the_lists_and_the_presence_a_few_times_a_second() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben", absence_seconds=None)
    ann = await server.watch("ann", table)
    await pass_time(2)
    ann.drain()
    server.lists.updates.clear()
    pat = Screen(person("pat"))
    for number in range(200):
        if number % 2:
            server.registry.unsubscribe(table, pat)
        else:
            await server.watch("pat", table, pat)
        await pass_time(0.01)
    await pass_time(1)
    assert len(ann.drain()) <= 9
    assert len(server.lists.updates) <= 9
    await server.registry.close()


# -- reads of the whole process -------------------------------------------------------------------------------


@in_virtual_time
async def test_all_tables_together_read_a_few_pages_at_a_time() -> None:
    server, store = new_server()
    tables = [await server.begin("ann", "ben", table=f"table{number}") for number in range(5)]
    running, most = 0, 0

    async def counted(call: Any) -> Any:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(1)
        running -= 1
        return await call()

    store.always("read", counted)
    pages = [server.send("pat", "read_log", table) for table in tables for _ in range(3)]
    await settle()
    own_page = server.send("ann", "read_log", tables[0])
    done = in_order({str(number): page for number, page in enumerate([*pages, own_page])})
    assert all(isinstance(reply, Done) for reply in await asyncio.gather(*pages, own_page))
    assert most == reads.READS_AT_ONCE
    assert done.index(str(len(pages))) < 2 * reads.READS_AT_ONCE, "players read as soon as a slot is free"
    store.always("read", works)
    await server.registry.close()


@in_virtual_time
async def test_too_many_reads_of_the_whole_process_refuse_spectators(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reads, "MAX_WAITING", 4)
    server, store = new_server()
    tables = [await server.begin("ann", "ben", table=f"table{number}") for number in range(4)]
    store.always("read", takes(1))
    pages = []
    for _ in range(2):
        for table in tables:
            pages.append(server.send("pat", "read_log", table))
            await settle()
    own_page = server.send("ann", "read_log", tables[-1])
    replies = await asyncio.gather(*pages)
    assert [code_of(reply) for reply in replies if not isinstance(reply, Done)] == ["busy"] * 2
    assert isinstance(await own_page, Done)
    store.always("read", works)
    await server.registry.close()


@in_virtual_time
async def test_a_slot_that_nobody_waits_for_any_more_goes_to_the_next() -> None:
    slots, got = ReadSlots(1), list[str]()

    async def read(name: str, *, is_player: bool) -> None:
        async with slots.slot(is_player=is_player):
            got.append(name)
            await asyncio.sleep(1)

    tasks = [asyncio.create_task(read(name, is_player=False)) for name in ("one", "two", "three")]
    await settle()
    tasks[1].cancel()
    tasks.append(asyncio.create_task(read("player", is_player=True)))
    await asyncio.gather(*tasks, return_exceptions=True)
    assert got == ["one", "player", "three"]
    await asyncio.wait_for(read("four", is_player=False), 2)


@in_virtual_time
async def test_a_slot_that_is_cancelled_while_it_is_granted_is_not_lost() -> None:
    slots = ReadSlots(1)

    async def read() -> None:
        async with slots.slot(is_player=False):
            await asyncio.sleep(1)

    async def read_and_cancel() -> None:
        await read()
        second.cancel()

    first, second = asyncio.create_task(read_and_cancel()), asyncio.create_task(read())
    await asyncio.wait([first, second])
    assert second.cancelled()
    await asyncio.wait_for(read(), 2)


# -- turns ----------------------------------------------------------------------------------------------------


async def test_one_turn_is_granted_in_each_iteration_of_the_event_loop() -> None:
    turns, iterations, granted = BackgroundTurns(), 0, list[int]()
    loop = asyncio.get_running_loop()

    def count() -> None:
        nonlocal iterations
        iterations += 1
        if len(granted) < 50:
            loop.call_soon(count)

    async def job() -> None:
        for _ in range(10):
            await turns.wait()
            granted.append(iterations)

    loop.call_soon(count)
    await asyncio.gather(*(job() for _ in range(5)))
    assert len(granted) == len(set(granted)) == 50


async def test_a_cancelled_job_leaves_its_turn_to_the_others() -> None:
    turns, errors = BackgroundTurns(), list[Any]()
    asyncio.get_running_loop().set_exception_handler(lambda _, context: errors.append(context))
    jobs = [asyncio.create_task(turns.wait()) for _ in range(3)]
    await asyncio.sleep(0)
    jobs[0].cancel()
    jobs[1].cancel()
    await asyncio.wait_for(jobs[2], 5)
    await asyncio.wait_for(turns.wait(), 5)
    assert errors == []
