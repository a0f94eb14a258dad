"""Bots at tables: who lets them sit down, what they are called, what they are asked with, and what they advise."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from server.bots import thinking as thinking_module
from server.bots.pauses import Pauses
from server.bots.thinking import Thinking
from server.bots.workers import Workers
from server.games.engine.serialization import Plain
from server.tables.bot_names import NAMES, bot_names
from tests.tables.virtual_time import in_virtual_time
from tests.tables.world import PatientBots, World, pass_time, settle

ALL = ("easy", "normal", "hard")


def world_with(*strengths: str, **more: Any) -> World:
    return World(bots=PatientBots(strengths_offered=strengths, **more))


def bots_of(world: World, table: str) -> list[str | None]:
    return [chair.bot for chair in world.state(table).chairs]


# -- before the game ------------------------------------------------------------------------------------------


@in_virtual_time
async def test_bots_have_the_strength_that_the_host_has_chosen_or_the_usual_one() -> None:
    world = world_with(*ALL)
    table = await world.create("ann", seats=4)
    await world.do("ann", "add_bot", table, strength="hard")
    await world.do("ann", "add_bot", table, strength="easy")
    await world.do("ann", "add_bot", table)
    assert bots_of(world, table) == [None, "hard", "easy", "normal"]
    await world.registry.close()


@in_virtual_time
async def test_the_host_changes_the_strength_of_a_bot_and_its_name_stays() -> None:
    world = world_with(*ALL)
    table = await world.create("ann", seats=3)
    ann = await world.watch("ann", table)
    await world.do("ann", "add_bot", table, seat=1)
    name = world.state(table).chairs[1].name
    await world.do("ann", "change_bot", table, seat=1, strength="hard")
    assert ann.view is not None
    assert (ann.view["seats"][1]["bot"], ann.view["seats"][1]["name"]) == ("hard", name)
    assert world.lists.of(table)["seats"][1] == {"user": None, "name": name, "bot": "hard"}
    before = await world.log(table)
    await world.do("ann", "change_bot", table, seat=1, strength="hard")
    assert await world.log(table) == before
    for seat, code in ((0, "not_a_bot"), (2, "not_a_bot"), (3, "no_such_seat")):
        assert await world.refusal("ann", "change_bot", table, seat=seat, strength="easy") == code
    await world.registry.close()


@in_virtual_time
async def test_a_strength_that_the_game_does_not_have_is_refused() -> None:
    world = world_with("random")
    table = await world.create("ann", seats=3)
    assert await world.refusal("ann", "add_bot", table, strength="normal") == "no_such_strength"
    assert await world.refusal("ann", "fill_with_bots", table, strength="normal") == "no_such_strength"
    await world.do("ann", "add_bot", table, strength="random")
    assert await world.refusal("ann", "change_bot", table, seat=1, strength="hard") == "no_such_strength"
    await world.registry.close()


@in_virtual_time
async def test_chance_is_no_strength_where_there_are_better_ones() -> None:
    world = world_with(*ALL)
    table = await world.create("ann", seats=3)
    assert await world.refusal("ann", "add_bot", table, strength="random") == "no_such_strength"
    await world.registry.close()


@in_virtual_time
async def test_all_free_seats_are_filled_with_bots_at_once() -> None:
    world = world_with(*ALL)
    table = await world.create("ann", seats=4)
    await world.do("ben", "take_seat", table, seat=2)
    assert await world.do("ann", "fill_with_bots", table, strength="easy") == {"seats": [1, 3]}
    assert bots_of(world, table) == [None, "easy", None, "easy"]
    assert (await world.log(table))[-1] == "bot_seated+bot_seated"
    assert await world.refusal("ann", "fill_with_bots", table) == "no_free_seat"
    await world.registry.close()


@in_virtual_time
async def test_no_bots_are_filled_in_where_they_are_not_allowed() -> None:
    world = world_with(*ALL)
    table = await world.create("ann", bots=False)
    assert await world.refusal("ann", "fill_with_bots", table) == "no_bots"
    await world.registry.close()


@in_virtual_time
async def test_no_two_at_a_table_have_the_same_name_and_the_log_keeps_them() -> None:
    world = world_with(*ALL)
    name = next(bot_names("table1", ()))
    await world.create(name.lower(), seats=4)
    host = name.lower()
    await world.do(host, "fill_with_bots", "table1")
    names = [chair.name for chair in world.state("table1").chairs]
    assert len(set(names)) == 4
    assert names[0] == name
    assert set(names) <= set(NAMES)
    await world.restart()
    await world.watch(host, "table1")
    assert [chair.name for chair in world.state("table1").chairs] == names
    await world.registry.close()


def test_there_are_more_names_than_seats_and_other_tables_have_other_bots() -> None:
    assert len(set(NAMES)) == len(NAMES) > 16
    assert len({next(bot_names(f"table{number}", ())) for number in range(100)}) > len(NAMES) // 2


@in_virtual_time
async def test_who_plays_again_finds_the_same_bots_at_the_next_table() -> None:
    world = world_with(*ALL)
    table = await world.create("ann", seats=4)
    await world.do("ann", "add_bot", table, seat=1, strength="hard")
    await world.seat(table, "ben")
    await world.do("ann", "add_bot", table, strength="easy")
    await world.do("ann", "start", table)
    names = [chair.name for chair in world.state(table).chairs if chair.bot]
    for name in ("ann", "ben"):
        await world.do(name, "vote", table, on="abandon", agree=True)
    subscribers = (await world.do("ben", "play_again", table))["table"]
    await world.do("ann", "play_again", table)
    chairs = world.state(subscribers).chairs
    assert [chair.user for chair in chairs] == ["ben", "ann", None, None]
    assert [(chair.bot, chair.name) for chair in chairs[2:]] == [("hard", names[0]), ("easy", names[1])]
    await world.do("ann", "ready", subscribers, ready=True)
    await world.do("ben", "start", subscribers)
    await world.registry.close()


# -- in the game ----------------------------------------------------------------------------------------------


@in_virtual_time
async def test_a_bot_is_asked_with_the_view_that_a_person_on_its_seat_would_have() -> None:
    world = world_with(*ALL)
    table = await world.begin("ann", "ben", absence_seconds=10)
    ann = await world.watch("ann", table)
    ben = await world.watch("ben", table)
    await world.do("ben", "resign", table)
    assert [view["mine"] for view, _ in world.bots.asked] == [1]
    view, _ = world.bots.asked[0]
    assert view == ben.view
    assert view != ann.view
    await world.registry.close()


@in_virtual_time
async def test_a_stand_in_has_the_usual_strength_and_it_is_shown() -> None:
    world = world_with(*ALL)
    table = await world.begin("ann", "ben", absence_seconds=10)
    ann = await world.watch("ann", table)
    await pass_time(11)
    assert ann.view is not None
    assert ann.view["seats"][1]["stand_in"] == "normal"
    assert world.bots.strengths_asked == ["normal"]
    assert {"event": "time_ran_out", "seat": 1, "stand_in": "normal"} in ann.events
    await world.registry.close()


@in_virtual_time
async def test_who_comes_back_after_a_bot_has_played_is_told_what_happened() -> None:
    world = world_with("random")
    table = await world.begin("ann", "ben", absence_seconds=10)
    ben = await world.watch("ben", table)
    await world.watch("ann", table)
    world.registry.unwatch(table, ben)
    had = ben.number
    await world.bid("ann", table, -1)
    await pass_time(11)
    world.bots.decide()
    await settle()
    back = await world.watch("ben", table, have=had)
    assert back.missed is not None
    assert [event["event"] for event in back.missed][:2] == ["answered", "time_ran_out"]
    await world.do("ben", "return_to_seat", table)
    assert world.state(table).people() == [0, 1]
    await world.registry.close()


@pytest.mark.parametrize("answer", [None, {"do": "no_such_thing"}, {"do": "bid", "card": 99}, []])
@in_virtual_time
async def test_the_rules_fallback_stands_in_for_an_answer_that_is_not_legal(answer: Any) -> None:
    world = world_with("random")
    table = await world.begin("ann", bots=1)
    [(view, accepted)] = world.bots.asked
    accepted(answer)
    await settle()
    state = world.state(table)
    assert state.play.answers == {1: state.play.decision.prompts[1].fallback}
    assert view["play"]["decision"]["number"] == state.play.number
    await world.registry.close()


async def test_a_table_goes_on_whatever_its_bots_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """One hangs, one raises, one kills its process; for each the rules' fallback is played."""
    monkeypatch.setattr(thinking_module, "GRACE_SECONDS", 0.0)
    monkeypatch.setattr(thinking_module, "SECONDS", {"easy": 0.2, "normal": 30.0, "hard": 30.0})
    workers = Workers(2, (sys.executable, "-m", "tests.bots.wayward"))
    bots = HeardBots(Thinking(workers, Pauses(0, 0), random.Random(1)))
    world = World(bots=bots)  # type: ignore[arg-type]
    table = await world.create("ann", game="investors", seats=4)
    for strength in ALL:
        await world.do("ann", "add_bot", table, strength=strength)
    await world.do("ann", "start", table)
    while bots.heard != set(ALL):
        if 0 in world.state(table).awaited():
            await world.play_on(table, "ann", random.Random(1))
        await pass_time(0.01)
    await world.registry.close()
    await bots.bots.close()


@dataclass
class HeardBots:
    """Bots whose answers are noted, and must be the rules' fallback."""

    bots: Thinking
    heard: set[str] = field(default_factory=set)

    def strengths(self, game: str) -> tuple[str, ...]:
        return ALL

    def think(self, strength: str, view: dict[str, Any], accepted: Callable[[Plain], None]) -> None:
        def note(command: Plain) -> None:
            assert command == view["play"]["decision"]["prompt"]["fallback"]
            self.heard.add(strength)
            accepted(command)

        self.bots.think(strength, view, note)


# -- hints ----------------------------------------------------------------------------------------------------

ADVICE = {"command": {"do": "sit"}, "reason": {"key": "why", "values": {}}}


@in_virtual_time
async def test_who_plays_against_bots_alone_is_told_what_the_usual_bot_would_do_and_nothing_happens() -> None:
    world = world_with(*ALL, advice=ADVICE)
    table = await world.begin("ann", bots=1)
    ann = await world.watch("ann", table)
    assert ann.view is not None
    assert ann.view["table"]["hints"] is True
    before = await world.log(table)
    assert await world.do("ann", "hint", table, decision=1) == {"decision": 1, **ADVICE}
    assert world.bots.advised == [("normal", ann.view)]
    assert await world.log(table) == before
    assert await world.refusal("ann", "hint", table, decision=2) == "stale_decision"
    await world.registry.close()


@pytest.mark.parametrize("hints, expected", [("none", False), ("alone", False), ("all", True)])
@in_virtual_time
async def test_among_people_hints_are_for_tables_that_allow_them(hints: str, expected: bool) -> None:
    world = world_with(*ALL, advice=ADVICE)
    table = await world.begin("ann", "ben", hints=hints)
    ann, pat = await world.watch("ann", table), await world.watch("pat", table)
    assert ann.view is not None
    assert pat.view is not None
    assert (ann.view["table"]["hints"], pat.view["table"]["hints"]) == (expected, False)
    answer = await world.ask("ann", "hint", table, decision=1)
    assert answer.get("code") == (None if expected else "no_hints")
    await world.registry.close()


@in_virtual_time
async def test_who_is_alone_because_the_others_gave_up_may_ask_too_unless_nobody_may() -> None:
    world = world_with(*ALL, advice=ADVICE)
    table = await world.begin("ann", "ben")
    await world.do("ben", "resign", table)
    assert (await world.ask("ann", "hint", table, decision=1))["type"] == "done"
    strict = await world.begin("cat", bots=1, table="table2", hints="none")
    assert await world.refusal("cat", "hint", strict, decision=1) == "no_hints"
    await world.registry.close()


@in_virtual_time
async def test_who_has_sealed_an_answer_may_still_ask() -> None:
    world = world_with(*ALL, advice=ADVICE)
    table = await world.begin("ann", bots=1)
    await world.bid("ann", table, None)
    assert (await world.ask("ann", "hint", table, decision=1))["type"] == "done"
    await world.registry.close()


@in_virtual_time
async def test_chance_advises_nobody() -> None:
    world = world_with("random", advice=ADVICE)
    table = await world.begin("ann", bots=1, hints="all")
    ann = await world.watch("ann", table)
    assert ann.view is not None
    assert ann.view["table"]["hints"] is False
    assert await world.refusal("ann", "hint", table, decision=1) == "no_hints"
    await world.registry.close()


@in_virtual_time
async def test_a_hint_that_nobody_finds_is_refused() -> None:
    world = world_with(*ALL, advice=None)
    table = await world.begin("ann", bots=1)
    assert await world.refusal("ann", "hint", table, decision=1) == "busy"
    await world.registry.close()
