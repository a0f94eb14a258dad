"""Seats, bots, readiness, hosts, votes, resigning, stand-ins, chat and rematches."""

from __future__ import annotations

import pytest

from server.model import Done
from tests.replies import code_of, result_of
from tests.tables.roles import choice, play_turn
from tests.tables.table_server import TableServer, pass_time, settle
from tests.tables.virtual_time import in_virtual_time

# -- before the game ------------------------------------------------------------------------------------------


@in_virtual_time
async def test_who_opens_a_table_sits_at_its_first_seat_and_gets_its_key() -> None:
    server = TableServer()
    answer = await server.try_create("ann", "table1")
    assert result_of(answer) == {"table": "table1", "seat": 0, "key": server.key("table1")}
    assert server.state("table1").chairs[0].user == "ann"
    assert server.state("table1").host == "ann"
    await server.registry.close()


@in_virtual_time
async def test_a_seat_can_be_chosen_and_only_one_can_have_it() -> None:
    server = TableServer()
    table = await server.create("ann", seats=3)
    assert await server.do("ben", "take_seat", table, seat=2) == {"seat": 2}
    assert await server.refusal("cat", "take_seat", table, seat=2) == "seat_taken"
    assert await server.refusal("cat", "take_seat", table, seat=3) == "no_such_seat"
    assert await server.do("cat", "take_seat", table) == {"seat": 1}
    assert await server.refusal("dan", "take_seat", table) == "no_free_seat"
    assert await server.refusal("ben", "take_seat", table) == "already_seated"
    await server.registry.close()


@in_virtual_time
async def test_the_host_adds_and_removes_bots() -> None:
    server = TableServer()
    table = await server.create("ann", seats=3)
    assert await server.do("ann", "add_bot", table, seat=2) == {"seat": 2}
    assert await server.refusal("ann", "remove_bot", table, seat=0) == "not_a_bot"
    assert await server.refusal("ann", "remove_bot", table, seat=3) == "no_such_seat"
    await server.do("ann", "remove_bot", table, seat=2)
    assert server.state(table).chairs[2].is_free
    await server.registry.close()


@in_virtual_time
async def test_bots_sit_down_only_where_they_are_allowed() -> None:
    server = TableServer()
    table = await server.create("ann", bots=False)
    assert await server.refusal("ann", "add_bot", table) == "no_bots"
    await server.registry.close()


@in_virtual_time
async def test_a_game_starts_when_all_seats_are_taken_and_all_but_the_host_have_said_ready() -> None:
    server = TableServer()
    table = await server.create("ann", seats=3)
    assert await server.refusal("ann", "start", table) == "not_everybody_ready"
    await server.do("ann", "add_bot", table)
    await server.do("ben", "take_seat", table)
    assert await server.refusal("ann", "start", table) == "not_everybody_ready"
    await server.do("ben", "ready", table, ready=True)
    await server.do("ben", "ready", table, ready=False)
    assert await server.refusal("ann", "start", table) == "not_everybody_ready"
    await server.do("ben", "ready", table, ready=True)
    await server.do("ann", "start", table)
    assert server.state(table).phase == "running"
    await server.registry.close()


@in_virtual_time
async def test_a_seat_that_was_left_must_get_ready_anew() -> None:
    server = TableServer()
    table = await server.create("ann")
    await server.seat(table, "ben")
    await server.do("ben", "leave_seat", table)
    await server.do("cat", "take_seat", table)
    assert await server.refusal("ann", "start", table) == "not_everybody_ready"
    await server.registry.close()


@in_virtual_time
async def test_a_removed_user_cannot_sit_down_again() -> None:
    server = TableServer()
    table = await server.create("ann", seats=3)
    await server.do("ben", "take_seat", table)
    assert await server.refusal("ann", "kick", table, seat=0) == "not_a_person"
    assert await server.refusal("ann", "kick", table, seat=2) == "not_a_person"
    assert await server.refusal("ann", "kick", table, seat=3) == "no_such_seat"
    await server.do("ann", "kick", table, seat=1)
    assert await server.refusal("ben", "take_seat", table) == "no_free_seat"
    await server.restart()
    assert await server.refusal("ben", "take_seat", table) == "no_free_seat"
    assert await server.do("cat", "take_seat", table) == {"seat": 1}
    await server.registry.close()


@in_virtual_time
async def test_when_the_host_leaves_the_next_person_is_host_and_no_bot_ever() -> None:
    server = TableServer()
    table = await server.create("ann", seats=3)
    await server.do("ann", "add_bot", table, seat=1)
    await server.do("ben", "take_seat", table, seat=2)
    await server.do("ann", "leave_seat", table)
    assert server.state(table).host == "ben"
    assert await server.refusal("ann", "add_bot", table) == "not_host"
    await server.do("ben", "add_bot", table)
    await server.registry.close()


@in_virtual_time
async def test_a_table_that_its_last_person_leaves_is_over() -> None:
    server = TableServer()
    table = await server.create("ann", seats=3)
    await server.do("ann", "add_bot", table)
    await server.do("ann", "leave_seat", table)
    assert server.state(table).phase == "over"
    assert server.lists.of(table)["phase"] == "over"
    assert await server.refusal("ben", "take_seat", table) == "wrong_phase"
    await server.registry.close()


# -- agreeing -------------------------------------------------------------------------------------------------


@in_virtual_time
async def test_a_pause_needs_all_people_and_one_of_them_ends_it() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben", bots=1)
    await server.do("ann", "vote", table, on="pause", agree=True)
    assert not server.state(table).paused
    await server.do("ann", "vote", table, on="pause", agree=False)
    await server.do("ben", "vote", table, on="pause", agree=True)
    assert not server.state(table).paused
    await server.do("ann", "vote", table, on="pause", agree=True)
    assert server.state(table).paused
    assert server.state(table).votes == {}
    assert await server.refusal("ann", "vote", table, on="pause", agree=True) == "wrong_phase"
    assert code_of(await server.bid("ann", table, None)) == "paused"
    await server.do("ben", "vote", table, on="resume", agree=True)
    assert not server.state(table).paused
    assert server.state(table).votes == {}
    assert await server.refusal("ben", "vote", table, on="resume", agree=True) == "wrong_phase"
    assert isinstance(await server.bid("ann", table, None), Done)
    await server.registry.close()


@in_virtual_time
async def test_who_has_agreed_can_withdraw_and_the_vote_goes_on_without_them() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben", "cat")
    pat = await server.watch("pat", table)
    for name in ("ann", "ben"):
        await server.do(name, "vote", table, on="pause", agree=True)
    await server.do("ann", "vote", table, on="pause", agree=False)
    assert pat.events[-1] == {"event": "voted", "seat": 0, "on": "pause", "agree": False}
    assert pat.view is not None
    assert pat.view["votes"] == {"pause": [1]}
    await server.registry.close()


@pytest.mark.parametrize("on", ["pause", "abandon"])
@in_virtual_time
async def test_who_has_not_agreed_can_decline_which_ends_the_vote_for_all(on: str) -> None:
    server = TableServer()
    table = await server.begin("ann", "ben", "cat")
    pat = await server.watch("pat", table)
    other = "abandon" if on == "pause" else "pause"
    await server.do("ann", "vote", table, on=other, agree=True)
    for name in ("ann", "ben"):
        await server.do(name, "vote", table, on=on, agree=True)
    await server.do("cat", "vote", table, on=on, agree=False)
    assert pat.events[-1] == {"event": "vote_declined", "seat": 2, "on": on}
    assert pat.view is not None
    assert pat.view["votes"] == {other: [0]}
    await server.do("cat", "vote", table, on=on, agree=True)
    assert server.state(table).votes[on] == {2}, "the others must agree anew"
    await server.restart()
    assert (await server.watch("pat", table)).view == pat.view
    await server.registry.close()


@in_virtual_time
async def test_nothing_happens_when_there_is_no_vote_to_decline() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben")
    before = await server.log(table)
    await server.do("ann", "vote", table, on="pause", agree=False)
    assert await server.log(table) == before
    await server.registry.close()


@in_virtual_time
async def test_a_repeated_request_to_decline_does_not_end_the_next_vote() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben")
    await server.do("ann", "vote", table, on="pause", agree=True)
    await server.do("ben", "vote", table, id="no", on="pause", agree=False)
    await server.do("ann", "vote", table, on="pause", agree=True)
    await server.do("ben", "vote", table, id="no", on="pause", agree=False)
    assert server.state(table).votes == {"pause": {0}}
    await server.registry.close()


@in_virtual_time
async def test_a_game_is_abandoned_when_all_people_agree_also_during_a_pause() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben")
    for name in ("ann", "ben"):
        await server.do(name, "vote", table, on="pause", agree=True)
    await server.do("ann", "vote", table, on="abandon", agree=True)
    assert server.state(table).phase == "running"
    await server.do("ben", "vote", table, on="abandon", agree=True)
    assert server.state(table).phase == "over"
    assert server.state(table).abandoned
    await server.registry.close()


@in_virtual_time
async def test_an_agreement_is_reached_when_the_only_one_against_it_resigns() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben", "cat")
    await server.do("ann", "vote", table, on="pause", agree=True)
    await server.do("ben", "vote", table, on="pause", agree=True)
    await server.do("cat", "resign", table)
    assert server.state(table).paused
    await server.registry.close()


@in_virtual_time
async def test_who_resigns_gives_the_seat_to_a_bot_for_good() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben")
    await server.do("ben", "resign", table)
    assert code_of(await server.bid("ben", table, None)) == "not_awaited"
    assert await server.refusal("ben", "return_to_seat", table) == "not_stood_in"
    assert await server.refusal("ben", "resign", table) == "wrong_phase"
    await server.bid("ann", table, -1)
    assert len(server.bots.asked) == 1
    server.bots.decide()
    await settle()
    assert server.state(table).play.number == 2
    await server.registry.close()


@in_virtual_time
async def test_when_the_last_person_resigns_the_game_is_abandoned() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben", bots=1)
    await server.do("ben", "resign", table)
    assert server.state(table).phase == "running"
    await server.do("ann", "resign", table)
    assert server.state(table).phase == "over"
    assert server.state(table).abandoned
    await server.registry.close()


# -- standing in ----------------------------------------------------------------------------------------------


@in_virtual_time
async def test_a_person_comes_back_to_a_seat_at_which_a_bot_stood_in() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben", clock={"kind": "decision", "seconds": 10})
    await server.bid("ann", table, -1)
    await pass_time(11)
    assert code_of(await server.bid("ben", table, None)) == "not_awaited"
    server.bots.decide()
    await settle()
    await server.do("ben", "return_to_seat", table)
    state = server.state(table)
    assert state.chairs[1].stand_in is None
    assert not any(chair.stand_in for chair in state.chairs)
    await server.registry.close()


@in_virtual_time
async def test_nobody_can_stop_a_game_by_coming_back_without_time_to_decide() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben", clock={"kind": "decision", "seconds": 10})
    await server.bid("ann", table, -1)
    await pass_time(11)
    assert await server.refusal("ben", "return_to_seat", table) == "not_awaited"
    server.bots.decide()
    await settle()
    assert server.state(table).play.number == 2
    await server.do("ben", "return_to_seat", table)
    await server.registry.close()


@in_virtual_time
async def test_a_bots_answer_that_comes_after_the_person_is_back_does_not_count() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben", absence_seconds=10)
    ann = await server.watch("ann", table)
    await server.bid("ann", table, -1)
    await pass_time(11)
    assert len(server.bots.asked) == 1
    await server.watch("ben", table)
    await server.do("ben", "return_to_seat", table)
    server.bots.decide()
    await settle()
    assert server.state(table).awaited() == (1,)
    assert ann.decision["awaited"] == [1]
    await server.registry.close()


@in_virtual_time
async def test_what_a_bot_has_sealed_stays_and_the_person_is_back_at_the_next_decision() -> None:
    """Check that leaving for a moment does not reveal a bot's answer."""
    server = TableServer()
    table = await server.begin("ann", "ben", absence_seconds=10)
    await server.watch("ann", table)
    await pass_time(11)
    server.bots.decide()
    await settle()
    assert server.state(table).awaited() == (0,)
    assert await server.refusal("ben", "return_to_seat", table) == "not_awaited"
    await server.bid("ann", table, -1)
    await server.do("ben", "return_to_seat", table)
    assert not any(chair.stand_in for chair in server.state(table).chairs)
    await server.registry.close()


# -- taking back ----------------------------------------------------------------------------------------------


@in_virtual_time
async def test_a_step_is_taken_back_where_nothing_was_revealed() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben", game="mosaic")
    ann, ben = await server.watch("ann", table), await server.watch("ben", table)
    assert await server.refusal("ann", "undo", table, decision=1) == "not_undoable"
    before = server.state(table).play.state
    await server.do("ann", "decide", table, **choice(server, table))
    assert await server.refusal("ann", "undo", table, decision=1) == "stale_decision"
    assert await server.refusal("ben", "undo", table, decision=2) == "not_awaited"
    await server.do("ann", "undo", table, decision=2)
    assert server.state(table).play.state == before
    assert ann.events[-1] == ben.events[-1] == {"event": "undone", "seat": 0}
    await server.restart()
    await server.watch("ann", table, ann)
    assert server.state(table).play.state == before
    await play_turn(server, table, "ann")
    assert await server.refusal("ann", "undo", table, decision=server.state(table).play.number) == "not_awaited"
    await server.registry.close()


# -- watching -------------------------------------------------------------------------------------------------


@in_virtual_time
async def test_in_a_rush_updates_for_spectators_may_wait_and_those_for_players_may_not() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben", game="mosaic")
    ann, pat = await server.watch("ann", table), await server.watch("pat", table)
    await pass_time(1)
    assert [message["type"] for message in pat.drain()] == ["view", "presence"]
    assert pat.can_wait == [False, True], "a view is for one who has just come"
    assert set(ann.can_wait) == {False}
    ann.can_wait.clear()
    pat.can_wait.clear()
    await play_turn(server, table, "ann")
    assert set(pat.can_wait) == {True}
    assert set(ann.can_wait) == {False}
    await server.registry.close()


# -- playing again --------------------------------------------------------------------------------------------


async def over(server: TableServer, *names: str) -> str:
    table = await server.begin(*names)
    for name in names:
        await server.do(name, "vote", table, on="abandon", agree=True)
    return table


@in_virtual_time
async def test_the_first_who_plays_again_opens_the_next_table_and_the_others_join_it() -> None:
    server = TableServer()
    table = await over(server, "ann", "ben", "cat")
    ben = await server.watch("ben", table)
    pat = await server.watch("pat", table)
    result = await server.do("ben", "play_again", table)
    subscribers = result["table"]
    assert server.state(subscribers).host == "ben"
    assert server.state(subscribers).settings.private
    assert ben.view is not None
    assert pat.view is not None
    assert ben.view["table"]["next"] == [subscribers, result["key"]]
    assert pat.view["table"]["next"] is None
    assert result["key"] not in str(pat.messages)
    assert await server.do("ann", "play_again", table) == result
    assert [chair.user for chair in server.state(subscribers).chairs] == ["ben", "ann", None]
    assert await server.refusal("sue", "take_seat", subscribers) == "no_such_table"
    await server.registry.close()


@in_virtual_time
async def test_playing_again_twice_gives_one_seat_and_the_same_answer() -> None:
    server = TableServer()
    table = await over(server, "ann", "ben")
    first = await server.ask("ann", "play_again", table, id="again")
    assert await server.ask("ann", "play_again", table, id="again") == first
    assert await server.do("ann", "play_again", table) == result_of(first)
    await server.do("ben", "play_again", table, id="again")
    await server.restart()
    assert await server.ask("ann", "play_again", table, id="again") == first
    chairs = server.state(result_of(first)["table"]).chairs
    assert [chair.user for chair in chairs] == ["ann", "ben"]
    await server.registry.close()


@in_virtual_time
async def test_a_user_who_left_the_rematch_gets_a_seat_there_by_playing_again() -> None:
    server = TableServer()
    table = await over(server, "ann", "ben")
    subscribers = (await server.do("ann", "play_again", table))["table"]
    await server.do("ben", "play_again", table)
    await server.do("ann", "leave_seat", subscribers)
    await server.do("ann", "play_again", table)
    assert [chair.user for chair in server.state(subscribers).chairs] == ["ann", "ben"]
    assert server.state(subscribers).host == "ben"
    await server.registry.close()


@in_virtual_time
async def test_a_request_before_the_table_exists_does_not_keep_it_from_being_opened() -> None:
    server = TableServer()
    assert await server.refusal("sue", "take_seat", "table1") == "no_such_table"
    assert isinstance(await server.try_create("ann", "table1"), Done)
    await server.registry.close()


@in_virtual_time
async def test_opening_a_table_again_gives_the_same_answer_to_its_opener_alone() -> None:
    server = TableServer()
    first = await server.try_create("ann", "table1")
    await server.do("ben", "take_seat", "table1")
    await server.do("ann", "leave_seat", "table1")
    assert await server.try_create("ann", "table1") == first
    assert code_of(await server.try_create("ben", "table1")) == "id_reused"
    await server.restart()
    assert await server.try_create("ann", "table1") == first
    await server.registry.close()


@pytest.mark.parametrize("is_private", [True, False])
@in_virtual_time
async def test_the_key_is_shown_to_those_who_sit_at_the_table_only(is_private: bool) -> None:
    server = TableServer()
    table = await server.create("ann", private=is_private)
    key = server.key(table)
    ann, pat = await server.watch("ann", table), await server.watch("pat", table, key=key)
    assert ann.view is not None
    assert pat.view is not None
    assert ann.view["table"]["key"] == key
    assert key not in str(pat.messages)
    assert key not in str(server.lists.updates)
    await server.registry.close()


@in_virtual_time
async def test_the_seed_is_shown_when_the_game_is_over_and_not_before() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben")
    seed = server.state(table).seed
    screens = [await server.watch(name, table) for name in ("ann", "ben", "pat")]
    await server.do("ann", "vote", table, on="abandon", agree=True)
    assert seed not in str([screen.messages for screen in screens])
    await server.do("ben", "vote", table, on="abandon", agree=True)
    for screen in screens:
        assert screen.view is not None
        assert screen.view["table"]["seed"] == seed
    await server.registry.close()
