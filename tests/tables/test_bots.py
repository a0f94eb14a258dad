"""Bots at tables: seating, names, the view that they get, stand-ins and hints."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from server.bots import service as service_module
from server.bots.service import BotService
from server.bots.strategy import Style
from server.bots.think_time import ThinkTime
from server.bots.worker_pool import WorkerPool
from server.games.engine.serialization import Json, JsonReader, to_json
from server.model import Done
from server.tables.bot_names import NAMES, bot_names
from server.tables.bot_styles import STYLES, bot_styles
from server.tables.events import TABLE_EVENTS, BotSeated
from tests.replies import code_of
from tests.tables.table_server import PatientBots, TableServer, pass_time, settle
from tests.tables.virtual_time import in_virtual_time

ALL = ("easy", "normal", "hard")


def server_with(*strengths: str, **more: Any) -> TableServer:
    return TableServer(bots=PatientBots(strengths_offered=strengths, **more))


def bots_of(server: TableServer, table: str) -> list[str | None]:
    return [chair.bot for chair in server.state(table).chairs]


# -- before the game ------------------------------------------------------------------------------------------


@in_virtual_time
async def test_bots_have_the_strength_that_the_host_has_chosen_or_the_usual_one() -> None:
    server = server_with(*ALL)
    table = await server.create("ann", seats=4)
    await server.do("ann", "add_bot", table, strength="hard")
    await server.do("ann", "add_bot", table, strength="easy")
    await server.do("ann", "add_bot", table)
    assert bots_of(server, table) == [None, "hard", "easy", "normal"]
    await server.registry.close()


@in_virtual_time
async def test_a_game_may_have_a_fourth_strength_and_the_usual_one_stays() -> None:
    server = server_with(*ALL, "expert")
    table = await server.create("ann", seats=4)
    await server.do("ann", "add_bot", table, strength="expert")
    await server.do("ann", "add_bot", table)
    await server.do("ann", "add_bot", table)
    await server.do("ann", "change_bot", table, seat=3, strength="expert")
    assert bots_of(server, table) == [None, "expert", "normal", "expert"]
    await server.registry.close()


@in_virtual_time
async def test_the_host_changes_the_strength_of_a_bot_and_its_name_stays() -> None:
    server = server_with(*ALL)
    table = await server.create("ann", seats=3)
    ann = await server.watch("ann", table)
    await server.do("ann", "add_bot", table, seat=1)
    name = server.state(table).chairs[1].name
    await server.do("ann", "change_bot", table, seat=1, strength="hard")
    assert ann.view is not None
    assert (ann.view["seats"][1]["bot"], ann.view["seats"][1]["name"]) == ("hard", name)
    assert server.lists.of(table)["seats"][1] == {
        "user": None,
        "name": name,
        "handle": None,
        "former": False,
        "bot": "hard",
    }
    before = await server.log(table)
    await server.do("ann", "change_bot", table, seat=1, strength="hard")
    assert await server.log(table) == before
    for seat, code in ((0, "not_a_bot"), (2, "not_a_bot"), (3, "no_such_seat")):
        assert await server.refusal("ann", "change_bot", table, seat=seat, strength="easy") == code
    await server.registry.close()


def styles_of(server: TableServer, table: str) -> list[str | None]:
    return [chair.style for chair in server.state(table).chairs]


@in_virtual_time
async def test_three_bots_are_three_characters_unless_the_host_says_otherwise() -> None:
    server = server_with(*ALL)
    table = await server.create("ann", seats=5)
    await server.do("ann", "fill_with_bots", table)
    styles = styles_of(server, table)
    assert styles[0] is None
    assert set(styles[1:4]) == set(STYLES)
    assert styles[4] == styles[1], "a fourth one begins anew"
    for seat in (2, 3):
        await server.do("ann", "remove_bot", table, seat=seat)
    await server.do("ann", "add_bot", table, seat=3)
    assert {styles_of(server, table)[seat] for seat in (1, 3)} < set(STYLES), "a style that is not there yet"
    await server.do("ann", "add_bot", table, seat=2, style="plain")
    assert styles_of(server, table)[2] is None
    alike = await server.create("bob", table="table2", seats=4)
    await server.do("bob", "fill_with_bots", alike, style="greedy")
    assert styles_of(server, alike) == [None, "greedy", "greedy", "greedy"]
    await server.registry.close()


def test_the_first_style_depends_on_the_table() -> None:
    assert {next(bot_styles(f"table{number}", ())) for number in range(100)} == set(STYLES) == set(Style)


@in_virtual_time
async def test_a_bot_that_plays_by_chance_has_no_style() -> None:
    server = server_with("random")
    table = await server.create("ann", seats=3)
    await server.do("ann", "add_bot", table)
    await server.do("ann", "add_bot", table, style="greedy")
    before = await server.log(table)
    await server.do("ann", "change_bot", table, seat=1, style="greedy")
    assert await server.log(table) == before
    assert styles_of(server, table) == [None, None, None]
    await server.registry.close()


@in_virtual_time
async def test_the_host_changes_strength_and_style_of_a_bot_apart_from_each_other() -> None:
    server = server_with(*ALL)
    table = await server.create("ann", seats=3)
    ann = await server.watch("ann", table)
    await server.do("ann", "add_bot", table, strength="easy", style="greedy")
    for change, expected in [
        ({"style": "spoiler"}, ("easy", "spoiler")),
        ({"strength": "hard"}, ("hard", "spoiler")),
        ({"strength": "easy", "style": "cautious"}, ("easy", "cautious")),
        ({"style": "plain"}, ("easy", None)),
        ({"strength": "normal"}, ("normal", None)),
    ]:
        await server.do("ann", "change_bot", table, seat=1, **change)
        assert ann.view is not None
        assert (ann.view["seats"][1]["bot"], ann.view["seats"][1]["style"]) == expected
        assert ann.events[-1].get("style") == expected[1]
    before = await server.log(table)
    await server.do("ann", "change_bot", table, seat=1)
    await server.do("ann", "change_bot", table, seat=1, style="plain")
    assert await server.log(table) == before
    await server.registry.close()


@in_virtual_time
async def test_a_person_who_takes_the_seat_of_a_bot_has_no_style() -> None:
    server = server_with(*ALL)
    table = await server.create("ann", seats=3)
    await server.do("ann", "add_bot", table, seat=1, style="greedy")
    await server.do("ben", "take_seat", table, seat=1)
    assert styles_of(server, table) == [None, None, None]
    await server.registry.close()


@in_virtual_time
async def test_a_strength_that_the_game_does_not_have_is_refused() -> None:
    server = server_with("random")
    table = await server.create("ann", seats=3)
    assert await server.refusal("ann", "add_bot", table, strength="normal") == "no_such_strength"
    assert await server.refusal("ann", "fill_with_bots", table, strength="normal") == "no_such_strength"
    await server.do("ann", "add_bot", table, strength="random")
    assert await server.refusal("ann", "change_bot", table, seat=1, strength="hard") == "no_such_strength"
    await server.registry.close()


@in_virtual_time
async def test_the_random_strength_is_not_offered_where_there_are_better_ones() -> None:
    server = server_with(*ALL)
    table = await server.create("ann", seats=3)
    assert await server.refusal("ann", "add_bot", table, strength="random") == "no_such_strength"
    await server.registry.close()


@in_virtual_time
async def test_all_free_seats_are_filled_with_bots_at_once() -> None:
    server = server_with(*ALL)
    table = await server.create("ann", seats=4)
    await server.do("ben", "take_seat", table, seat=2)
    assert await server.do("ann", "fill_with_bots", table, strength="easy") == {"seats": [1, 3]}
    assert bots_of(server, table) == [None, "easy", None, "easy"]
    assert (await server.log(table))[-1] == "bot_seated+bot_seated"
    assert await server.refusal("ann", "fill_with_bots", table) == "no_free_seat"
    await server.registry.close()


@in_virtual_time
async def test_no_bots_are_filled_in_where_they_are_not_allowed() -> None:
    server = server_with(*ALL)
    table = await server.create("ann", bots=False)
    assert await server.refusal("ann", "fill_with_bots", table) == "no_bots"
    await server.registry.close()


@in_virtual_time
async def test_no_two_at_a_table_have_the_same_name_and_the_log_keeps_them() -> None:
    server = server_with(*ALL)
    name = next(bot_names("table1", ()))
    await server.create(name.lower(), seats=4)
    host = name.lower()
    await server.do(host, "fill_with_bots", "table1")
    names = [chair.name for chair in server.state("table1").chairs]
    assert len(set(names)) == 4
    assert names[0] == name
    assert set(names) <= set(NAMES)
    await server.restart()
    await server.watch(host, "table1")
    assert [chair.name for chair in server.state("table1").chairs] == names
    await server.registry.close()


def test_there_are_more_names_than_seats_and_other_tables_have_other_bots() -> None:
    assert len(set(NAMES)) == len(NAMES) > 16
    assert len({next(bot_names(f"table{number}", ())) for number in range(100)}) > len(NAMES) // 2


@in_virtual_time
async def test_a_rematch_has_the_same_bots() -> None:
    server = server_with(*ALL)
    table = await server.create("ann", seats=4)
    await server.do("ann", "add_bot", table, seat=1, strength="hard", style="spoiler")
    await server.seat(table, "ben")
    await server.do("ann", "add_bot", table, strength="easy", style="plain")
    await server.do("ann", "start", table)
    names = [chair.name for chair in server.state(table).chairs if chair.bot]
    for name in ("ann", "ben"):
        await server.do(name, "vote", table, on="abandon", agree=True)
    subscribers = (await server.do("ben", "play_again", table))["table"]
    await server.do("ann", "play_again", table)
    chairs = server.state(subscribers).chairs
    assert [chair.user for chair in chairs] == ["ben", "ann", None, None]
    assert [(chair.bot, chair.name) for chair in chairs[2:]] == [("hard", names[0]), ("easy", names[1])]
    assert [chair.style for chair in chairs[2:]] == ["spoiler", None]
    await server.do("ann", "ready", subscribers, ready=True)
    await server.do("ben", "start", subscribers)
    await server.registry.close()


# -- in the game ----------------------------------------------------------------------------------------------


@in_virtual_time
async def test_a_bot_is_asked_with_the_view_that_a_person_on_its_seat_would_have() -> None:
    server = server_with(*ALL)
    table = await server.begin("ann", "ben", absence_seconds=10)
    ann = await server.watch("ann", table)
    ben = await server.watch("ben", table)
    await server.do("ben", "resign", table)
    assert [view["mine"] for view, _ in server.bots.asked] == [1]
    view, _ = server.bots.asked[0]
    assert view == ben.view
    assert view != ann.view
    await server.registry.close()


@pytest.mark.parametrize("end", [TableServer.restart, TableServer.crash])
@in_virtual_time
async def test_a_bot_is_asked_in_its_style_also_by_another_owner(end: Callable[[TableServer], Any]) -> None:
    server = server_with(*ALL)
    table = await server.create("ann", seats=3)
    for style in ("greedy", "plain"):
        await server.do("ann", "add_bot", table, style=style)
    await server.do("ann", "start", table)
    assert server.bots.styles_asked == ["greedy", None]
    await end(server)
    server.bots.styles_asked.clear()
    ann = await server.watch("ann", table)
    assert server.bots.styles_asked == ["greedy", None]
    assert ann.view is not None
    assert [seat["style"] for seat in ann.view["seats"]] == [None, "greedy", None]
    await server.registry.close()


def test_logs_from_before_there_were_styles_have_none() -> None:
    reader = JsonReader(TABLE_EVENTS)
    assert reader.read("event", {"event": "bot_seated", "seat": 1, "strength": "easy"}) == BotSeated(1, "easy")
    assert to_json(BotSeated(1, "easy")).keys() == {"event", "seat", "strength"}


@in_virtual_time
async def test_a_stand_in_has_the_usual_strength_and_it_is_shown() -> None:
    server = server_with(*ALL)
    table = await server.begin("ann", "ben", absence_seconds=10)
    ann = await server.watch("ann", table)
    await pass_time(11)
    assert ann.view is not None
    assert ann.view["seats"][1]["stand_in"] == "normal"
    assert server.bots.strengths_asked == ["normal"]
    assert server.bots.styles_asked == [None]
    assert {"event": "time_ran_out", "seat": 1, "stand_in": "normal"} in ann.events
    await server.registry.close()


@in_virtual_time
async def test_a_player_who_resumes_after_a_bot_has_played_gets_the_events() -> None:
    server = server_with("random")
    table = await server.begin("ann", "ben", absence_seconds=10)
    ben = await server.watch("ben", table)
    await server.watch("ann", table)
    server.registry.unsubscribe(table, ben)
    had = ben.number
    await server.bid("ann", table, -1)
    await pass_time(11)
    server.bots.decide()
    await settle()
    back = await server.watch("ben", table, have=had)
    assert back.missed is not None
    assert [event["event"] for event in back.missed][:3] == ["answered", "answer_sealed", "time_ran_out"]
    await server.do("ben", "return_to_seat", table)
    assert not any(chair.stand_in for chair in server.state(table).chairs)
    await server.registry.close()


@pytest.mark.parametrize("answer", [None, {"do": "no_such_thing"}, {"do": "bid", "card": 99}, []])
@in_virtual_time
async def test_the_rules_fallback_stands_in_for_an_answer_that_is_not_legal(answer: Any) -> None:
    server = server_with("random")
    table = await server.begin("ann", bots=1)
    [(view, accepted)] = server.bots.asked
    accepted(answer)
    await settle()
    state = server.state(table)
    assert state.play.answers == {1: state.play.decision.prompts[1].fallback}
    assert view["play"]["decision"]["number"] == state.play.number
    await server.registry.close()


async def test_a_table_goes_on_whatever_its_bots_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check bots that hang, raise or kill their process: the fallback of the rules is played."""
    monkeypatch.setattr(service_module, "GRACE_SECONDS", 0.0)
    monkeypatch.setattr(service_module, "SEARCH_SECONDS", {"easy": 0.2, "normal": 30.0, "hard": 30.0})
    workers = WorkerPool(2, (sys.executable, "-m", "tests.bots.misbehaving_worker"))
    bots = HeardBots(BotService(workers, ThinkTime(0, 0), random.Random(1)))
    server = TableServer(bots=bots)  # type: ignore[arg-type]
    table = await server.create("ann", game="investors", seats=4)
    for strength in ALL:
        await server.do("ann", "add_bot", table, strength=strength)
    await server.do("ann", "start", table)
    while bots.heard != set(ALL):
        if 0 in server.state(table).awaited():
            await server.play_on(table, "ann", random.Random(1))
        await pass_time(0.01)
    await server.registry.close()
    await bots.bots.close()


@dataclass
class HeardBots:
    """Bots whose answers are recorded, and must be the fallback of the rules."""

    bots: BotService
    heard: set[str] = field(default_factory=set)

    def strengths(self, game: str) -> tuple[str, ...]:
        return ALL

    def think(self, strength: str, style: str | None, view: dict[str, Any], accepted: Callable[[Json], None]) -> None:
        def note(command: Json) -> None:
            assert command == view["play"]["decision"]["prompt"]["fallback"]
            self.heard.add(strength)
            accepted(command)

        self.bots.think(strength, style, view, note)

    def pause(self, kind: str, is_sealed: bool, rng: random.Random) -> float:
        return self.bots.pause(kind, is_sealed, rng)


# -- hints ----------------------------------------------------------------------------------------------------

ADVICE = {"command": {"do": "sit"}, "reason": {"key": "why", "values": {}}}


@in_virtual_time
async def test_a_hint_tells_what_the_default_bot_would_do_and_changes_nothing() -> None:
    server = server_with(*ALL, advice=ADVICE)
    table = await server.begin("ann", bots=1)
    ann = await server.watch("ann", table)
    assert ann.view is not None
    assert ann.view["table"]["hints"] is True
    before = await server.log(table)
    assert await server.do("ann", "hint", table, decision=1) == {"decision": 1, **ADVICE}
    assert server.bots.advised == [("normal", ann.view)]
    assert await server.log(table) == before
    assert await server.refusal("ann", "hint", table, decision=2) == "stale_decision"
    await server.registry.close()


@pytest.mark.parametrize("hints, expected", [("none", False), ("alone", False), ("all", True)])
@in_virtual_time
async def test_among_people_hints_are_for_tables_that_allow_them(hints: str, expected: bool) -> None:
    server = server_with(*ALL, advice=ADVICE)
    table = await server.begin("ann", "ben", hints=hints)
    ann, pat = await server.watch("ann", table), await server.watch("pat", table)
    assert ann.view is not None
    assert pat.view is not None
    assert (ann.view["table"]["hints"], pat.view["table"]["hints"]) == (expected, False)
    answer = await server.ask("ann", "hint", table, decision=1)
    assert code_of(answer) == (None if expected else "no_hints")
    await server.registry.close()


@in_virtual_time
async def test_a_player_whose_opponents_resigned_may_ask_for_hints_unless_they_are_off() -> None:
    server = server_with(*ALL, advice=ADVICE)
    table = await server.begin("ann", "ben")
    await server.do("ben", "resign", table)
    assert isinstance(await server.ask("ann", "hint", table, decision=1), Done)
    strict = await server.begin("cat", bots=1, table="table2", hints="none")
    assert await server.refusal("cat", "hint", strict, decision=1) == "no_hints"
    await server.registry.close()


@in_virtual_time
async def test_a_player_with_a_sealed_answer_may_still_ask_for_a_hint() -> None:
    server = server_with(*ALL, advice=ADVICE)
    table = await server.begin("ann", bots=1)
    await server.bid("ann", table, None)
    assert isinstance(await server.ask("ann", "hint", table, decision=1), Done)
    await server.registry.close()


@in_virtual_time
async def test_a_random_bot_gives_no_hints() -> None:
    server = server_with("random", advice=ADVICE)
    table = await server.begin("ann", bots=1, hints="all")
    ann = await server.watch("ann", table)
    assert ann.view is not None
    assert ann.view["table"]["hints"] is False
    assert await server.refusal("ann", "hint", table, decision=1) == "no_hints"
    await server.registry.close()


@in_virtual_time
async def test_a_hint_that_the_bot_cannot_give_is_refused() -> None:
    server = server_with(*ALL, advice=None)
    table = await server.begin("ann", bots=1)
    assert await server.refusal("ann", "hint", table, decision=1) == "busy"
    await server.registry.close()
