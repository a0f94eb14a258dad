"""Standing orders: they answer after a pause in place of their seat, and nobody else learns of them."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from protocol.commitments import server_salt
from server.games.engine.serialization import to_json
from server.model import Refused
from server.tables import events
from tests.tables.roles import agree, choice
from tests.tables.table_server import TableServer, pass_time
from tests.tables.virtual_time import in_virtual_time, run_in_virtual_time

PAUSE = 2.0
"""The pause of `PatientBots`."""

BID = {"kind": "bid", "values": {"limit": 24}, "until": "changed"}
KEEP = {"kind": "keep", "values": {}, "until": "changed"}
STONE = {"kind": "stone", "values": {"kind": "brick"}, "until": "once"}


async def begin(server: TableServer, *names: str, **settings: Any) -> str:
    return await server.begin(*(names or ("ann", "ben")), **{"absence_seconds": None, **settings})


async def order(server: TableServer, name: str, table: str, *orders: dict[str, Any], seed: str | None = None) -> int:
    """Replace the orders of somebody; return their revision."""
    state = server.state(table)
    mine = state.orders.get(state.seat_of(name))
    revision = 0 if mine is None else mine.revision
    done = await server.do(name, "set_orders", table, revision=revision, orders=list(orders), seed=seed)
    return int(done["revision"])


def given(server: TableServer, table: str, seat: int = 0) -> list[dict[str, Any]]:
    mine = server.state(table).orders.get(seat)
    return [] if mine is None else [each.shown() for each in mine.given]


async def mosaic(server: TableServer, *names: str) -> str:
    """Begin a game of Mosaic with a brick in the row, in which the first seat decides."""
    bag = ["brick", "brick", "brick", "slate"]
    return await begin(server, *names, game="mosaic", options={"board": "large", "bag": bag})


# -- acting --------------------------------------------------------------------------------------------------------


@in_virtual_time
async def test_an_order_answers_after_a_pause_also_while_nobody_is_connected() -> None:
    server = TableServer()
    table = await begin(server)
    await order(server, "ann", table, BID)
    await pass_time(PAUSE - 0.1)
    assert server.state(table).play.answers == {}
    await pass_time(0.2)
    best = max(server.state(table).play.state.hands[0])
    assert to_json(server.state(table).play.answers[0]) == {"do": "bid", "card": best}
    assert given(server, table) == [BID]
    await server.registry.close()


@in_virtual_time
async def test_the_pause_knows_the_decision_and_nothing_of_the_order() -> None:
    pauses = []
    for limit in (0, 24):
        server = TableServer()
        table = await begin(server)
        await order(server, "ann", table, {**BID, "values": {"limit": limit}})
        await pass_time(PAUSE + 0.1)
        pauses.append(server.bots.paused_for)
        await server.registry.close()
    assert pauses[0] == pauses[1] == [("bid", True)]


@in_virtual_time
async def test_an_order_never_acts_at_once() -> None:
    server = TableServer()
    server.bots.order_pause_seconds = 0.0
    table = await begin(server)
    await order(server, "ann", table, BID)
    await pass_time(0.4)
    assert server.state(table).play.answers == {}
    await pass_time(0.2)
    assert server.state(table).play.answers.keys() == {0}
    await server.registry.close()


@in_virtual_time
async def test_who_decides_first_has_decided() -> None:
    server = TableServer()
    table = await begin(server)
    await order(server, "ann", table, BID)
    await pass_time(PAUSE / 2)
    await server.bid("ann", table, None)
    await pass_time(2 * PAUSE)
    assert to_json(server.state(table).play.answers[0]) == {"do": "sit"}
    assert given(server, table) == [BID]
    await server.registry.close()


@in_virtual_time
async def test_an_order_that_is_changed_in_time_does_not_act_and_the_new_one_takes_its_own_pause() -> None:
    server = TableServer()
    table = await begin(server)
    await order(server, "ann", table, BID)
    await pass_time(PAUSE - 0.1)
    await order(server, "ann", table, {**BID, "values": {"limit": 0}})
    await pass_time(PAUSE - 0.1)
    assert server.state(table).play.answers == {}
    await pass_time(0.2)
    assert to_json(server.state(table).play.answers[0]) == {"do": "sit"}
    await server.registry.close()


@in_virtual_time
async def test_an_answer_of_an_order_can_be_changed_until_the_last_is_in() -> None:
    server = TableServer()
    table = await begin(server)
    await order(server, "ann", table, BID)
    await pass_time(PAUSE + 0.1)
    await server.bid("ann", table, None)
    await pass_time(2 * PAUSE)
    assert to_json(server.state(table).play.answers[0]) == {"do": "sit"}
    await server.registry.close()


@in_virtual_time
async def test_of_several_orders_the_first_that_has_an_answer_counts() -> None:
    server = TableServer()
    table = await begin(server)
    await order(server, "ann", table, KEEP, {**BID, "values": {"limit": 0}}, BID)
    await pass_time(PAUSE + 0.1)
    assert to_json(server.state(table).play.answers[0]) == {"do": "sit"}
    await server.registry.close()


@in_virtual_time
async def test_an_order_acts_when_the_time_is_up_before_its_pause() -> None:
    server = TableServer()
    server.bots.order_pause_seconds = 60.0
    table = await begin(server, clock={"kind": "decision", "seconds": 5}, time_up="bot")
    await order(server, "ann", table, BID)
    await pass_time(5.1)
    assert server.state(table).play.answers.keys() == {0}
    assert [chair.stand_in for chair in server.state(table).chairs] == [None, "random"]
    await server.registry.close()


# -- how long an order holds ---------------------------------------------------------------------------------------


@in_virtual_time
async def test_an_order_for_one_time_is_gone_when_it_was_used() -> None:
    server = TableServer()
    table = await begin(server)
    ann = await server.watch("ann", table)
    await order(server, "ann", table, {**BID, "until": "once"}, KEEP)
    await pass_time(PAUSE + 0.1)
    assert given(server, table) == [KEEP]
    assert ann.view is not None
    assert ann.view["orders"]["given"] == [KEEP]
    assert {"event": "order_used", "seat": 0, "order": {**BID, "until": "once"}} in ann.events
    await server.registry.close()


@in_virtual_time
async def test_an_order_for_a_round_does_not_hold_in_the_next() -> None:
    server = TableServer()
    table = await begin(server)
    await order(server, "ann", table, {**BID, "until": "period"})
    ann = await server.watch("ann", table)
    await order(server, "ben", table, {**BID, "values": {"limit": 0}, "until": "changed"}, KEEP)
    await pass_time(PAUSE + 0.1)
    assert server.state(table).play.decision.kind == "prize"
    await server.do("ann", "decide", table, decision=2, command={"do": "keep"})
    assert server.state(table).play.decision.kind == "bid"
    await pass_time(PAUSE + 0.1)
    assert server.state(table).play.awaited == (0,)
    assert ann.view is not None
    assert ann.view["orders"]["given"] == []
    await server.registry.close()


@in_virtual_time
async def test_two_people_play_a_whole_game_by_their_orders_alone() -> None:
    server = TableServer()
    table = await begin(server)
    for name in ("ann", "ben"):
        await order(server, name, table, BID, KEEP)
    await pass_time(300)
    assert server.state(table).phase == "over"
    await server.registry.close()


# -- turns that can be taken back ----------------------------------------------------------------------------------


@in_virtual_time
async def test_an_order_carries_a_turn_to_its_end_and_is_used_once_by_it() -> None:
    server = TableServer()
    table = await mosaic(server)
    await order(server, "ann", table, STONE)
    await pass_time(3 * PAUSE + 0.5)
    state = server.state(table)
    assert state.play.state.boards[0][0] == "brick"
    assert state.play.awaited == (1,)
    assert given(server, table) == []
    await server.registry.close()


@in_virtual_time
async def test_a_turn_that_the_person_has_begun_is_not_overrun() -> None:
    server = TableServer()
    table = await mosaic(server)
    await server.do("ann", "decide", table, **choice(server, table))
    await order(server, "ann", table, STONE)
    await pass_time(5 * PAUSE)
    assert server.state(table).play.decision.kind == "place"
    await server.registry.close()


@in_virtual_time
async def test_a_step_of_an_order_that_is_taken_back_is_not_taken_again() -> None:
    server = TableServer()
    table = await mosaic(server)
    await order(server, "ann", table, {**STONE, "until": "changed"})
    await pass_time(PAUSE + 0.1)
    assert server.state(table).play.decision.kind == "place"
    await server.do("ann", "undo", table, decision=server.state(table).play.number)
    await pass_time(5 * PAUSE)
    assert server.state(table).play.decision.kind == "take"
    # In the next turn it acts again.
    for name in ("ann", "ben"):
        for _ in range(3):
            await server.do(name, "decide", table, **choice(server, table))
    await pass_time(PAUSE + 0.1)
    assert server.state(table).play.decision.kind == "place"
    await server.registry.close()


@in_virtual_time
async def test_a_turn_that_was_begun_for_the_seat_because_it_had_no_choice_is_carried_on() -> None:
    """In Planners a seat that can take no column draws without being asked."""
    server = TableServer()
    table = await begin(server, game="planners")
    draw = {"kind": "draw", "values": {"column": "2", "unless": None}, "until": "once"}
    names = ("ann", "ben") if server.state(table).play.awaited == (0,) else ("ben", "ann")
    assert server.state(table).play.decision.kind == "lay"
    await order(server, names[0], table, draw)
    await pass_time(PAUSE + 0.1)
    assert [len(column) for column in server.state(table).play.state.columns] == [0, 1, 0]
    # Who draws by hand lays by hand.
    assert server.state(table).play.decision.kind == "turn"
    await server.do(names[1], "decide", table, decision=2, command={"do": "draw"})
    await order(server, names[1], table, draw)
    await pass_time(5 * PAUSE)
    assert server.state(table).play.decision.kind == "lay"
    assert server.state(table).play.awaited == (server.state(table).seat_of(names[1]),)
    await server.registry.close()


# -- what is not possible any more ---------------------------------------------------------------------------------


@in_virtual_time
async def test_an_order_that_is_not_possible_is_withdrawn_and_its_owner_is_told() -> None:
    server = TableServer()
    table = await mosaic(server)
    ann, ben = await server.watch("ann", table), await server.watch("ben", table)
    await pass_time(1)
    ben.drain()
    await order(server, "ann", table, {**STONE, "values": {"kind": "marble"}})
    await pass_time(PAUSE + 0.1)
    dropped = {"event": "order_dropped", "seat": 0, "order": {**STONE, "values": {"kind": "marble"}}}
    assert ann.events[-1] == dropped
    assert ann.view is not None
    assert ann.view["orders"] == {"revision": 2, "given": [], "next": None}
    assert ben.drain() == []
    assert server.state(table).play.awaited == (0,)
    await server.registry.close()


@in_virtual_time
async def test_a_prepared_command_is_judged_like_an_answer() -> None:
    server = TableServer()
    table = await mosaic(server)
    prepared = {"about": "take", "command": {"do": "take_stone", "kind": "slate"}}
    await order(server, "ann", table, {"kind": "prepared", "values": prepared, "until": "once"})
    row = server.state(table).play.state.row
    await pass_time(PAUSE + 0.1)
    assert server.state(table).play.decision.kind == ("place" if "slate" in row else "take")
    assert given(server, table) == []
    await server.registry.close()


# -- while orders rest ---------------------------------------------------------------------------------------------


@in_virtual_time
async def test_orders_rest_in_a_pause_of_the_game_and_take_their_pause_again_after_it() -> None:
    server = TableServer()
    table = await begin(server)
    await order(server, "ann", table, BID)
    await agree(server, table, "pause")
    await pass_time(10 * PAUSE)
    assert server.state(table).play.answers == {}
    await server.do("ann", "vote", table, on="resume", agree=True)
    await pass_time(PAUSE - 0.1)
    assert server.state(table).play.answers == {}
    await pass_time(0.2)
    assert server.state(table).play.answers.keys() == {0}
    await server.registry.close()


@in_virtual_time
async def test_orders_rest_while_a_bot_stands_in() -> None:
    server = TableServer()
    table = await begin(server, clock={"kind": "decision", "seconds": 5}, time_up="bot")
    await pass_time(5.1)
    assert server.state(table).chairs[0].stand_in is not None
    await order(server, "ann", table, BID)
    await pass_time(2 * PAUSE)
    assert server.state(table).play.answers == {}
    assert len(server.bots.asked) == 2
    await server.registry.close()


@in_virtual_time
async def test_who_resigns_has_no_orders_and_neither_has_a_game_that_is_over() -> None:
    server = TableServer()
    table = await begin(server, "ann", "ben", "cat")
    await order(server, "ann", table, BID)
    await order(server, "ben", table, KEEP)
    await server.do("ann", "resign", table)
    assert server.state(table).orders.keys() == {1}
    await agree(server, table, "abandon")
    assert server.state(table).orders == {}
    await server.registry.close()


# -- who knows of it -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("show_decided", [True, False])
def test_others_get_the_same_messages_whether_a_person_answers_or_an_order(show_decided: bool) -> None:
    by_order, by_person = [run_in_virtual_time(seen_by_others(show_decided, has_order=each)) for each in (True, False)]
    assert by_order == by_person
    assert len(by_order[0]) > 0


async def seen_by_others(show_decided: bool, *, has_order: bool) -> tuple[Any, ...]:
    """Return all that a player and a spectator get while somebody else answers, and what they can ask for after it."""
    server = TableServer()
    table = await begin(server, show_decided=show_decided)
    screens = [await server.watch(name, table) for name in ("ben", "pat")]
    await pass_time(1)
    for screen in screens:
        screen.drain()
    best = max(server.state(table).play.state.hands[0])
    if has_order:
        await order(server, "ann", table, {**BID, "until": "once"})
        await pass_time(PAUSE)
    else:
        await pass_time(PAUSE)
        await server.bid("ann", table, best)
    await pass_time(1)
    if has_order:
        await order(server, "ann", table, {**BID, "values": {"limit": 3}})
    await server.bid("ben", table, None)
    await pass_time(1)
    messages = [message for screen in screens for message in screen.drain()]
    pages = [await server.do(name, "read_log", table) for name in ("ben", "pat")]
    views = [(await server.watch(name, table)).view for name in ("ben", "pat")]
    await server.registry.close()
    return messages, pages, views, [screen.number for screen in screens]


@in_virtual_time
async def test_only_the_owner_finds_orders_in_the_view_and_in_the_log() -> None:
    server = TableServer()
    table = await begin(server)
    await order(server, "ann", table, BID)
    names = ("ann", "ben", "pat")
    ann, ben, pat = [(await server.watch(name, table)).view for name in names]
    assert ann is not None
    assert ben is not None
    assert pat is not None
    assert ann["orders"] == {"revision": 1, "given": [BID], "next": 0}
    assert ben["orders"] == {"revision": 0, "given": [], "next": None}
    assert pat["orders"] is None
    logs = [str(await server.do(name, "read_log", table)) for name in names]
    assert ["orders_set" in log for log in logs] == [True, False, False]
    await server.registry.close()


@in_virtual_time
async def test_after_the_game_nobody_finds_the_orders_of_another_in_a_replay() -> None:
    server = TableServer()
    table = await begin(server)
    for name in ("ann", "ben"):
        await order(server, name, table, BID, KEEP)
    await pass_time(300)
    assert any("order_used" in names for names in await server.log(table))
    for name in ("ann", "ben", "pat"):
        last = (await server.do(name, "look_back", table, step=0))["steps"]
        for eyes in (0, 1, "spectators", "all"):
            for step in range(last + 1):
                shown = await server.do(name, "look_back", table, step=step, eyes=eyes)
                assert shown["view"]["orders"] is None
                assert "order" not in str(shown["events"])
            assert "order_used" not in str(await server.do(name, "get_timeline", table, log_from=0, eyes=eyes))
    assert "order_used" in str(await server.do("ann", "read_log", table))
    assert "order_used" not in str(await server.do("pat", "read_log", table))
    await server.registry.close()


# -- durable -------------------------------------------------------------------------------------------------------


@in_virtual_time
async def test_orders_survive_a_restart_and_take_their_pause_again() -> None:
    server = TableServer()
    table = await begin(server)
    await order(server, "ann", table, BID)
    await pass_time(PAUSE / 2)
    await server.crash()
    await server.watch("ben", table)
    assert given(server, table) == [BID]
    await pass_time(PAUSE - 0.1)
    assert server.state(table).play.answers == {}
    await pass_time(0.2)
    assert server.state(table).play.answers.keys() == {0}
    await server.registry.close()


@in_virtual_time
async def test_another_worker_that_takes_the_table_over_acts_by_the_orders() -> None:
    first = TableServer(worker="one")
    table = await begin(first)
    await order(first, "ann", table, BID)
    second = TableServer(first.store, worker="two")
    await first.crash()
    await second.watch("ben", table)
    await pass_time(PAUSE + 0.1)
    assert second.state(table).play.answers.keys() == {0}
    await first.registry.close()
    await second.registry.close()


@in_virtual_time
async def test_the_log_of_a_game_with_orders_can_be_replayed() -> None:
    server = TableServer()
    table = await mosaic(server)
    await order(server, "ann", table, {**STONE, "until": "changed"})
    await pass_time(PAUSE + 0.1)
    before = server.state(table)
    await server.restart()
    await server.watch("ann", table)
    after = server.state(table)
    assert (after.orders, after.begun_by, after.play) == (before.orders, before.begun_by, before.play)
    await pass_time(2 * PAUSE + 0.2)
    assert server.state(table).play.awaited == (1,)
    await server.registry.close()


# -- refusals ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "bad",
    [
        {"kind": "nothing"},
        {"kind": "influence", "values": {"limit": 7}},
        {"kind": "bid", "values": {"limit": 25}},
        {"kind": "bid", "values": {"limit": -1}},
        {"kind": "bid", "values": {"limit": [1] * 1_000}},
        {"kind": "bid", "values": {"card": 1}},
        {"kind": "prepared", "values": {"about": "prize"}},
        {"kind": "prepared", "values": {"about": "bid", "command": {"do": "sit"}}},
        {"kind": "prepared", "values": {"about": "prize", "command": {"do": "place_stick", "street": 1}}},
        {"kind": "prepared", "values": {"about": "prize", "command": {"do": "bury", "card": "1"}}},
    ],
)
@in_virtual_time
async def test_an_order_that_the_game_does_not_know_is_refused_and_changes_nothing(bad: dict[str, Any]) -> None:
    server = TableServer()
    table = await begin(server)
    await order(server, "ann", table, KEEP)
    before = await server.log(table)
    answer = await server.ask("ann", "set_orders", table, revision=1, orders=[BID, bad])
    assert isinstance(answer, Refused)
    assert answer.code == "bad_order"
    assert len(answer.sentence) <= 300
    assert await server.log(table) == before
    assert given(server, table) == [KEEP]
    await server.registry.close()


@pytest.mark.parametrize(
    "bad",
    [
        {"orders": [BID] * 13},
        {"orders": [BID] * 1_000},
        {"orders": [{**BID, "until": "tomorrow"}]},
        {"orders": [{**BID, "seat": 1}]},
        {"orders": [{**BID, "values": {str(number): 1 for number in range(21)}}]},
        {"orders": "all"},
        {"orders": [], "seat": 1},
        {"orders": [], "revision": -1},
    ],
)
@in_virtual_time
async def test_a_request_of_another_form_is_no_request(bad: dict[str, Any]) -> None:
    server = TableServer()
    table = await begin(server)
    with pytest.raises(ValidationError):
        server.send("ann", "set_orders", table, **{"revision": 0, **bad})
    await server.registry.close()


@in_virtual_time
async def test_orders_that_were_changed_meanwhile_are_not_overwritten() -> None:
    server = TableServer()
    table = await begin(server)
    await order(server, "ann", table, {**BID, "until": "once"}, KEEP)
    await pass_time(PAUSE + 0.1)
    assert await server.refusal("ann", "set_orders", table, revision=1, orders=[BID, KEEP]) == "stale_orders"
    assert given(server, table) == [KEEP]
    await server.registry.close()


@in_virtual_time
async def test_the_same_orders_again_are_no_change() -> None:
    server = TableServer()
    table = await begin(server)
    await order(server, "ann", table, KEEP)
    before = await server.log(table)
    assert await order(server, "ann", table, KEEP, KEEP) == 1
    assert await server.log(table) == before
    await server.registry.close()


@in_virtual_time
async def test_orders_can_be_ruled_out_by_the_table() -> None:
    server = TableServer()
    table = await begin(server, orders=False)
    ann = await server.watch("ann", table)
    assert await server.refusal("ann", "set_orders", table, revision=0, orders=[BID]) == "no_orders"
    assert ann.view is not None
    assert ann.view["orders"] is None
    await server.registry.close()


@in_virtual_time
async def test_there_are_no_orders_for_answers_that_stay_on_devices() -> None:
    server = TableServer()
    table = await begin(server, sealed_on_devices=True)
    answer = await server.ask("ann", "set_orders", table, revision=0, orders=[BID])
    assert isinstance(answer, Refused)
    assert (answer.code, answer.variant) == ("bad_order", "sealed")
    await order(server, "ann", table, KEEP)
    await pass_time(2 * PAUSE)
    assert server.state(table).play.answers == {}
    await server.registry.close()


@in_virtual_time
async def test_a_game_has_room_for_a_bounded_number_of_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.tables.orders.MAX_REVISIONS", 2)
    server = TableServer()
    table = await begin(server)
    await order(server, "ann", table, KEEP)
    await order(server, "ann", table)
    assert await server.refusal("ann", "set_orders", table, revision=2, orders=[KEEP]) == "no_orders"
    await server.registry.close()


# -- games that anybody can verify ---------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [None, "ab" * 32])
@in_virtual_time
async def test_the_seal_of_an_order_is_that_of_a_client_where_the_client_made_its_salts(seed: str | None) -> None:
    server = TableServer()
    table = await begin(server)
    await order(server, "ann", table, BID, seed=seed)
    await pass_time(PAUSE + 0.1)
    found = [event for entry in await server.entries(table) for event in entry]
    sealed = next(event for event in found if isinstance(event, events.AnswerSealed))
    salt_seed = server.state(table).seed if seed is None else seed
    assert sealed.seat == 0
    assert sealed.by_server == (seed is None)
    assert sealed.salt == server_salt(bytes.fromhex(salt_seed), sealed.decision, 0, 0).hex()
    await server.registry.close()
