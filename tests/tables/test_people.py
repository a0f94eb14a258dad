"""Seats, bots, readiness, hosts, votes, resigning, standing in, talking and playing again."""

from __future__ import annotations

import pytest

from tests.tables.roles import choice, play_turn
from tests.tables.virtual_time import in_virtual_time
from tests.tables.world import World, pass_time, settle

# -- before the game ------------------------------------------------------------------------------------------


@in_virtual_time
async def test_who_opens_a_table_sits_at_its_first_seat_and_gets_its_key() -> None:
    world = World()
    answer = await world.try_create("ann", "table1")
    assert answer["result"] == {"table": "table1", "seat": 0, "key": world.key("table1")}
    assert world.state("table1").chairs[0].user == "ann"
    assert world.state("table1").host == "ann"
    await world.registry.close()


@in_virtual_time
async def test_a_seat_can_be_chosen_and_only_one_can_have_it() -> None:
    world = World()
    table = await world.create("ann", seats=3)
    assert await world.do("ben", "take_seat", table, seat=2) == {"seat": 2}
    assert await world.refusal("cat", "take_seat", table, seat=2) == "seat_taken"
    assert await world.refusal("cat", "take_seat", table, seat=3) == "no_such_seat"
    assert await world.do("cat", "take_seat", table) == {"seat": 1}
    assert await world.refusal("dan", "take_seat", table) == "no_free_seat"
    assert await world.refusal("ben", "take_seat", table) == "already_seated"
    await world.registry.close()


@in_virtual_time
async def test_the_host_seats_bots_and_sends_them_away() -> None:
    world = World()
    table = await world.create("ann", seats=3)
    assert await world.do("ann", "add_bot", table, seat=2) == {"seat": 2}
    assert await world.refusal("ben", "take_seat", table, seat=2) == "seat_taken"
    assert await world.refusal("ann", "remove_bot", table, seat=0) == "not_a_bot"
    assert await world.refusal("ann", "remove_bot", table, seat=3) == "no_such_seat"
    await world.do("ann", "remove_bot", table, seat=2)
    assert world.state(table).chairs[2].is_free
    await world.registry.close()


@in_virtual_time
async def test_bots_sit_down_only_where_they_are_allowed() -> None:
    world = World()
    table = await world.create("ann", bots=False)
    assert await world.refusal("ann", "add_bot", table) == "no_bots"
    await world.registry.close()


@in_virtual_time
async def test_a_game_starts_when_all_seats_are_taken_and_all_but_the_host_have_said_ready() -> None:
    world = World()
    table = await world.create("ann", seats=3)
    assert await world.refusal("ann", "start", table) == "not_everybody_ready"
    await world.do("ann", "add_bot", table)
    await world.do("ben", "take_seat", table)
    assert await world.refusal("ann", "start", table) == "not_everybody_ready"
    await world.do("ben", "ready", table, ready=True)
    await world.do("ben", "ready", table, ready=False)
    assert await world.refusal("ann", "start", table) == "not_everybody_ready"
    await world.do("ben", "ready", table, ready=True)
    await world.do("ann", "start", table)
    assert world.state(table).phase == "running"
    await world.registry.close()


@in_virtual_time
async def test_a_seat_that_was_left_must_get_ready_anew() -> None:
    world = World()
    table = await world.create("ann")
    await world.seat(table, "ben")
    await world.do("ben", "leave_seat", table)
    await world.do("cat", "take_seat", table)
    assert await world.refusal("ann", "start", table) == "not_everybody_ready"
    await world.registry.close()


@in_virtual_time
async def test_who_was_sent_away_does_not_sit_down_here_again() -> None:
    world = World()
    table = await world.create("ann", seats=3)
    await world.do("ben", "take_seat", table)
    assert await world.refusal("ann", "kick", table, seat=0) == "not_a_person"
    assert await world.refusal("ann", "kick", table, seat=2) == "not_a_person"
    assert await world.refusal("ann", "kick", table, seat=3) == "no_such_seat"
    await world.do("ann", "kick", table, seat=1)
    assert await world.refusal("ben", "take_seat", table) == "no_free_seat"
    await world.restart()
    assert await world.refusal("ben", "take_seat", table) == "no_free_seat"
    assert await world.do("cat", "take_seat", table) == {"seat": 1}
    await world.registry.close()


@in_virtual_time
async def test_when_the_host_leaves_the_next_person_is_host_and_no_bot_ever() -> None:
    world = World()
    table = await world.create("ann", seats=3)
    await world.do("ann", "add_bot", table, seat=1)
    await world.do("ben", "take_seat", table, seat=2)
    await world.do("ann", "leave_seat", table)
    assert world.state(table).host == "ben"
    assert await world.refusal("ann", "add_bot", table) == "not_host"
    await world.do("ben", "add_bot", table)
    await world.registry.close()


@in_virtual_time
async def test_a_table_that_its_last_person_leaves_is_over() -> None:
    world = World()
    table = await world.create("ann", seats=3)
    await world.do("ann", "add_bot", table)
    await world.do("ann", "leave_seat", table)
    assert world.state(table).phase == "over"
    assert world.lists.of(table)["phase"] == "over"
    assert await world.refusal("ben", "take_seat", table) == "wrong_phase"
    await world.registry.close()


# -- agreeing -------------------------------------------------------------------------------------------------


@in_virtual_time
async def test_a_pause_needs_all_people_and_one_of_them_ends_it() -> None:
    world = World()
    table = await world.begin("ann", "ben", bots=1)
    await world.do("ann", "vote", table, on="pause", agree=True)
    assert not world.state(table).paused
    await world.do("ann", "vote", table, on="pause", agree=False)
    await world.do("ben", "vote", table, on="pause", agree=True)
    assert not world.state(table).paused
    await world.do("ann", "vote", table, on="pause", agree=True)
    assert world.state(table).paused
    assert world.state(table).votes == {}
    assert await world.refusal("ann", "vote", table, on="pause", agree=True) == "wrong_phase"
    assert (await world.bid("ann", table, None))["code"] == "paused"
    await world.do("ben", "vote", table, on="resume", agree=True)
    assert not world.state(table).paused
    assert world.state(table).votes == {}
    assert await world.refusal("ben", "vote", table, on="resume", agree=True) == "wrong_phase"
    assert (await world.bid("ann", table, None))["type"] == "done"
    await world.registry.close()


@in_virtual_time
async def test_a_game_is_abandoned_when_all_people_agree_also_during_a_pause() -> None:
    world = World()
    table = await world.begin("ann", "ben")
    for name in ("ann", "ben"):
        await world.do(name, "vote", table, on="pause", agree=True)
    await world.do("ann", "vote", table, on="abandon", agree=True)
    assert world.state(table).phase == "running"
    await world.do("ben", "vote", table, on="abandon", agree=True)
    assert world.state(table).phase == "over"
    assert world.state(table).abandoned
    await world.registry.close()


@in_virtual_time
async def test_an_agreement_is_reached_when_the_only_one_against_it_resigns() -> None:
    world = World()
    table = await world.begin("ann", "ben", "cat")
    await world.do("ann", "vote", table, on="pause", agree=True)
    await world.do("ben", "vote", table, on="pause", agree=True)
    await world.do("cat", "resign", table)
    assert world.state(table).paused
    await world.registry.close()


@in_virtual_time
async def test_an_agreement_is_reached_when_a_bot_stands_in_for_the_only_one_against_it() -> None:
    world = World()
    table = await world.begin("ann", "ben", "cat", clock={"kind": "decision", "seconds": 10})
    for name in ("ann", "ben"):
        await world.do(name, "vote", table, on="abandon", agree=True)
        await world.bid(name, table, None)
    await pass_time(11)
    assert world.state(table).chairs[2].stand_in == "random"
    assert world.state(table).phase == "over"
    await world.registry.close()


@in_virtual_time
async def test_who_resigns_gives_the_seat_to_a_bot_for_good() -> None:
    world = World()
    table = await world.begin("ann", "ben")
    await world.do("ben", "resign", table)
    assert (await world.bid("ben", table, None))["code"] == "not_awaited"
    assert await world.refusal("ben", "return_to_seat", table) == "not_stood_in"
    assert await world.refusal("ben", "resign", table) == "wrong_phase"
    await world.bid("ann", table, -1)
    assert len(world.bots.asked) == 1
    world.bots.decide()
    await settle()
    assert world.state(table).play.number == 2
    await world.registry.close()


@in_virtual_time
async def test_when_the_last_person_resigns_the_game_is_abandoned() -> None:
    world = World()
    table = await world.begin("ann", "ben", bots=1)
    await world.do("ben", "resign", table)
    assert world.state(table).phase == "running"
    await world.do("ann", "resign", table)
    assert world.state(table).phase == "over"
    assert world.state(table).abandoned
    await world.registry.close()


# -- standing in ----------------------------------------------------------------------------------------------


@in_virtual_time
async def test_a_person_comes_back_to_a_seat_at_which_a_bot_stood_in() -> None:
    world = World()
    table = await world.begin("ann", "ben", clock={"kind": "decision", "seconds": 10})
    await world.bid("ann", table, -1)
    await pass_time(11)
    assert (await world.bid("ben", table, None))["code"] == "not_awaited"
    world.bots.decide()
    await settle()
    await world.do("ben", "return_to_seat", table)
    state = world.state(table)
    assert state.chairs[1].stand_in is None
    assert state.people() == [0, 1]
    await world.registry.close()


@in_virtual_time
async def test_nobody_can_stop_a_game_by_coming_back_without_time_to_decide() -> None:
    world = World()
    table = await world.begin("ann", "ben", clock={"kind": "decision", "seconds": 10})
    await world.bid("ann", table, -1)
    await pass_time(11)
    assert await world.refusal("ben", "return_to_seat", table) == "not_awaited"
    world.bots.decide()
    await settle()
    assert world.state(table).play.number == 2
    await world.do("ben", "return_to_seat", table)
    await world.registry.close()


@in_virtual_time
async def test_a_bots_answer_that_comes_after_the_person_is_back_does_not_count() -> None:
    world = World()
    table = await world.begin("ann", "ben", absence_seconds=10)
    ann = await world.watch("ann", table)
    await world.bid("ann", table, -1)
    await pass_time(11)
    assert len(world.bots.asked) == 1
    await world.watch("ben", table)
    await world.do("ben", "return_to_seat", table)
    world.bots.decide()
    await settle()
    assert world.state(table).awaited() == (1,)
    assert ann.decision["awaited"] == [1]
    await world.registry.close()


@in_virtual_time
async def test_what_a_bot_has_sealed_stays_and_the_person_is_back_at_the_next_decision() -> None:
    """Else leaving for a moment would be a way to see what a bot would answer."""
    world = World()
    table = await world.begin("ann", "ben", absence_seconds=10)
    await world.watch("ann", table)
    await pass_time(11)
    world.bots.decide()
    await settle()
    assert world.state(table).awaited() == (0,)
    assert await world.refusal("ben", "return_to_seat", table) == "not_awaited"
    await world.bid("ann", table, -1)
    await world.do("ben", "return_to_seat", table)
    assert world.state(table).people() == [0, 1]
    await world.registry.close()


# -- taking back ----------------------------------------------------------------------------------------------


@in_virtual_time
async def test_a_step_is_taken_back_where_nothing_was_revealed() -> None:
    world = World()
    table = await world.begin("ann", "ben", game="mosaic")
    ann, ben = await world.watch("ann", table), await world.watch("ben", table)
    assert await world.refusal("ann", "undo", table, decision=1) == "not_undoable"
    before = world.state(table).play.state
    await world.do("ann", "decide", table, **choice(world, table))
    assert await world.refusal("ann", "undo", table, decision=1) == "stale_decision"
    assert await world.refusal("ben", "undo", table, decision=2) == "not_awaited"
    await world.do("ann", "undo", table, decision=2)
    assert world.state(table).play.state == before
    assert ann.events[-1] == ben.events[-1] == {"event": "undone", "seat": 0}
    await world.restart()
    await world.watch("ann", table, ann)
    assert world.state(table).play.state == before
    await play_turn(world, table, "ann")
    assert await world.refusal("ann", "undo", table, decision=world.state(table).play.number) == "not_awaited"
    await world.registry.close()


# -- watching -------------------------------------------------------------------------------------------------


@in_virtual_time
async def test_in_a_rush_updates_for_spectators_may_wait_and_those_for_players_may_not() -> None:
    world = World()
    table = await world.begin("ann", "ben", game="mosaic")
    ann, pat = await world.watch("ann", table), await world.watch("pat", table)
    await pass_time(1)
    for screen in (ann, pat):
        assert screen.can_wait == [False] * len(screen.drain()), "a view and who is here are for one who has just come"
        screen.can_wait.clear()
    await play_turn(world, table, "ann")
    assert set(pat.can_wait) == {True}
    assert set(ann.can_wait) == {False}
    await world.registry.close()


# -- playing again --------------------------------------------------------------------------------------------


async def over(world: World, *names: str) -> str:
    table = await world.begin(*names)
    for name in names:
        await world.do(name, "vote", table, on="abandon", agree=True)
    return table


@in_virtual_time
async def test_the_first_who_plays_again_opens_the_next_table_and_the_others_join_it() -> None:
    world = World()
    table = await over(world, "ann", "ben", "cat")
    ben = await world.watch("ben", table)
    pat = await world.watch("pat", table)
    result = await world.do("ben", "play_again", table)
    subscribers = result["table"]
    assert world.state(subscribers).host == "ben"
    assert world.state(subscribers).settings.private
    assert ben.view is not None
    assert pat.view is not None
    assert ben.view["table"]["next"] == [subscribers, result["key"]]
    assert pat.view["table"]["next"] is None
    assert result["key"] not in str(pat.messages)
    assert await world.do("ann", "play_again", table) == result
    assert [chair.user for chair in world.state(subscribers).chairs] == ["ben", "ann", None]
    assert await world.refusal("sue", "take_seat", subscribers) == "no_such_table"
    await world.registry.close()


@in_virtual_time
async def test_playing_again_twice_gives_one_seat_and_the_same_answer() -> None:
    world = World()
    table = await over(world, "ann", "ben")
    first = await world.ask("ann", "play_again", table, id="again")
    assert await world.ask("ann", "play_again", table, id="again") == first
    assert await world.do("ann", "play_again", table) == first["result"]
    await world.do("ben", "play_again", table, id="again")
    await world.restart()
    assert await world.ask("ann", "play_again", table, id="again") == first
    chairs = world.state(first["result"]["table"]).chairs
    assert [chair.user for chair in chairs] == ["ann", "ben"]
    await world.registry.close()


@in_virtual_time
async def test_who_left_the_next_table_gets_a_seat_there_by_playing_again() -> None:
    world = World()
    table = await over(world, "ann", "ben")
    subscribers = (await world.do("ann", "play_again", table))["table"]
    await world.do("ben", "play_again", table)
    await world.do("ann", "leave_seat", subscribers)
    await world.do("ann", "play_again", table)
    assert [chair.user for chair in world.state(subscribers).chairs] == ["ann", "ben"]
    assert world.state(subscribers).host == "ben"
    await world.registry.close()


@in_virtual_time
async def test_asking_for_a_table_too_early_does_not_keep_it_from_being_opened() -> None:
    world = World()
    assert await world.refusal("sue", "take_seat", "table1") == "no_such_table"
    assert (await world.try_create("ann", "table1"))["type"] == "done"
    await world.registry.close()


@in_virtual_time
async def test_opening_a_table_again_gives_the_same_answer_to_its_opener_alone() -> None:
    world = World()
    first = await world.try_create("ann", "table1")
    await world.do("ben", "take_seat", "table1")
    await world.do("ann", "leave_seat", "table1")
    assert await world.try_create("ann", "table1") == first
    assert (await world.try_create("ben", "table1"))["code"] == "id_reused"
    await world.restart()
    assert await world.try_create("ann", "table1") == first
    await world.registry.close()


@pytest.mark.parametrize("is_private", [True, False])
@in_virtual_time
async def test_the_key_is_shown_to_those_who_sit_at_the_table_only(is_private: bool) -> None:
    world = World()
    table = await world.create("ann", private=is_private)
    key = world.key(table)
    ann, pat = await world.watch("ann", table), await world.watch("pat", table, key=key)
    assert ann.view is not None
    assert pat.view is not None
    assert ann.view["table"]["key"] == key
    assert key not in str(pat.messages)
    assert key not in str(world.lists.told)
    await world.registry.close()


@in_virtual_time
async def test_the_seed_is_shown_when_the_game_is_over_and_not_before() -> None:
    world = World()
    table = await world.begin("ann", "ben")
    seed = world.state(table).seed
    screens = [await world.watch(name, table) for name in ("ann", "ben", "pat")]
    await world.do("ann", "vote", table, on="abandon", agree=True)
    assert seed not in str([screen.messages for screen in screens])
    await world.do("ben", "vote", table, on="abandon", agree=True)
    for screen in screens:
        assert screen.view is not None
        assert screen.view["table"]["seed"] == seed
    await world.registry.close()
